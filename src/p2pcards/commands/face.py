"""What every command with a face does first: the person's settings, language and terminal."""

from __future__ import annotations

import argparse
import errno
import os
import sys

from p2pcards.commands import common
from p2pcards.net.text import NAME_LIMIT, clean
from p2pcards.ui import i18n
from p2pcards.ui import settings as ui_settings
from p2pcards.ui.i18n import _


def dress(args: argparse.Namespace) -> ui_settings.Settings:
    """The person's settings, with the language they or ``--lang`` ask for in use."""
    kept = ui_settings.load(common.data_dir(args))
    if not getattr(args, "json", False):
        i18n.choose(args.lang or kept.language or None)
    return ui_settings.with_nick(kept, clean(kept.nick, NAME_LIMIT))


_OUTPUT = {errno.EPIPE: common.DONE, errno.ENOSPC: common.USAGE, errno.EIO: 128 + 1}
"""The status when nobody reads any more, all is full, or the terminal is gone, as after SIGHUP."""


def mend_streams() -> None:
    """Put a stream that the caller has closed on the empty device, so that none is missing."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def output_failed(error: BaseException) -> int:
    """Say that nothing more can be written, or nothing if nobody reads; the exit status.

    What is no failure of the output is raised again.
    """
    cause = common.first(error)
    if not isinstance(cause, OSError) or cause.errno not in _OUTPUT:
        raise error
    # What is still buffered would fail once more, and with a traceback, when Python ends.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if cause.errno != errno.ENOSPC:
        return _OUTPUT[cause.errno]
    return common.fail(common.USAGE, _("the output cannot be written: {reason}",
                                       reason=cause.strerror))  # fmt: skip


def forgive_output() -> None:
    """Let what the output cannot encode be replaced instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def has_screen() -> bool:
    """Whether a full screen can be shown: a terminal that moves its cursor and is large enough."""
    from p2pcards.ui.screen import is_too_small

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    if os.environ.get("TERM", "") in ("", "dumb", "unknown") and os.name == "posix":
        return False
    size = os.get_terminal_size(sys.stdout.fileno())
    return not is_too_small(size.columns, size.lines)


def ascii_only() -> bool:
    """Whether the output cannot show suit signs and lines."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        "♣♦♥♠│╭".encode(encoding)
    except (UnicodeError, LookupError):
        return True
    return False
