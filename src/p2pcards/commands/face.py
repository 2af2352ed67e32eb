"""What every command with a face does first: the person's settings, language and terminal."""

from __future__ import annotations

import argparse
import os
import sys

from p2pcards.commands import common
from p2pcards.ui import i18n
from p2pcards.ui import settings as ui_settings


def dress(args: argparse.Namespace) -> ui_settings.Settings:
    """The person's settings, with the language they or ``--lang`` ask for in use."""
    kept = ui_settings.load(common.data_dir(args))
    if not getattr(args, "json", False):
        i18n.choose(args.lang or kept.language or None)
    return kept


def forgive_output() -> None:
    """Let what the output cannot encode be replaced instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def has_screen() -> bool:
    """Whether a full screen can be shown: a terminal that moves its cursor and is large enough."""
    from p2pcards.ui.screen import SMALLEST

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    if os.environ.get("TERM", "") in ("", "dumb", "unknown") and os.name == "posix":
        return False
    size = os.get_terminal_size(sys.stdout.fileno())
    return size.columns >= SMALLEST[0] and size.lines >= SMALLEST[1]


def ascii_only() -> bool:
    """Whether the output cannot show suit signs and lines."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        "♣♦♥♠│╭".encode(encoding)
    except (UnicodeError, LookupError):
        return True
    return False
