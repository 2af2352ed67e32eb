"""What several commands share: options from texts, output, errors in words, exit statuses."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from p2pcards.harmless import harmless
from p2pcards.ui.i18n import _

DONE, UNTRUE, USAGE, NETWORK, LOST, FAULT = 0, 1, 2, 3, 4, 5


class UsageError(Exception):
    """The command was used wrongly; the text says how and what is possible."""


def say(text: str) -> None:
    """A line for the person, on standard error."""
    print(harmless(text, "\n\t"), file=sys.stderr, flush=True)  # noqa: T201


def out(text: str) -> None:
    """A line of the result, on standard output."""
    print(harmless(text, "\n\t"), flush=True)  # noqa: T201


def tell(text: str) -> None:
    """Something to read: a terminal gets it broken between words, a pipe line by line as it is."""
    from p2pcards.ui.wrapping import wrapped

    width = columns()
    out("\n".join(wrapped(text, width)) if width > 0 else text)


def columns() -> int:
    """The columns of the terminal that reads the output, but the last; 0 where none does."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns - 1 if sys.stdout.isatty() else 0
    except (OSError, ValueError):
        return 0


def out_json(values: Mapping[str, Any]) -> None:
    """One JSON object on a line of standard output; what a terminal would obey is escaped."""
    text = json.dumps(values, ensure_ascii=False)
    if not text.isprintable():
        text = "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)
    print(text, flush=True)  # noqa: T201


_for_programs = False


def for_programs(is_json: bool) -> None:
    """Whether a program reads the output: then failures are objects there, too."""
    global _for_programs
    _for_programs = is_json


def fail(status: int, text: str) -> int:
    """Say what went wrong; the exit status."""
    say(f"p2pcards: {text}")
    return told(status, text)


def told(status: int, text: str) -> int:
    """Tell a program, if one reads, what a person has been told already; the exit status."""
    if _for_programs:
        out_json({"event": "error", "status": status, "text": text})
    return status


def read_options(items: Iterable[str], extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """``KEY=VALUE`` texts as a mapping; raises UsageError."""
    options: dict[str, str] = {}
    for item in items:
        key, eq, value = item.partition("=")
        if not eq or not key or not value:
            raise UsageError(_("--option {item}: write KEY=VALUE", item=item))
        options[key.strip()] = value.strip()
    return {**options, **(extra or {})}


def data_dir(args: argparse.Namespace) -> Path:
    """Where this peer keeps its identity, known peers, journals and games."""
    return Path(args.data_dir).expanduser() if args.data_dir else user_data_path("p2pcards")


def first(error: BaseException) -> BaseException:
    """The first exception in a group of groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
