"""Questions at the start, line by line: a text, or one of several things by its number."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Sequence

from p2pcards.commands import common
from p2pcards.ui.i18n import _
from p2pcards.ui.plainwords import english


class Back(Exception):
    """The person wants back to what was asked before."""


class Enough(Exception):
    """The person wants to end the program."""


def forget_typed() -> None:
    """Drop what was typed before there was anything to answer; a pipe's lines stay."""
    if sys.stdin.isatty() and os.name == "posix":
        import termios

        with contextlib.suppress(OSError, termios.error):
            termios.tcflush(sys.stdin, termios.TCIFLUSH)


class Asking:
    """Asks a person who types; ``ask`` takes a line after a prompt."""

    def __init__(self, ask: Callable[[str], str]) -> None:
        self._ask = ask

    def text(self, about: str = "") -> str:
        """A line; raises Back at Ctrl-C or Ctrl-D."""
        if about:
            common.tell(about)
        try:
            return self._ask("> ").strip()
        except (EOFError, KeyboardInterrupt):
            common.out("")
            raise Back from None

    def _number(self, count: int, repeat: Callable[[], None]) -> int | None:
        """The place that a number means, or None for an empty line. Raises Back and Enough."""
        while True:
            line = self.text()
            if not line:
                return None
            if line.isascii() and line.isdecimal() and 1 <= int(line[:9]) <= count:
                return int(line) - 1
            if english(line) == "quit":
                raise Enough
            if line.casefold() in ("back", _("back").casefold()):
                raise Back
            if english(line) in ("?", "help"):
                repeat()
            else:
                common.tell(_("a number from 1 to {n}; ? says the choices again", n=count))

    def pick(self, head: str, texts: Sequence[str], empty: str = "") -> int | None:
        """The place of what is chosen of a list, or None for an empty line.

        ``empty`` says what that means.
        """

        def tell() -> None:
            common.tell(head)
            for number, text in enumerate(texts, 1):
                common.tell(f"{number}  {text}")
            if empty:
                common.tell(empty)

        tell()
        return self._number(len(texts), tell)

    def one_of(self, head: str, texts: Sequence[str]) -> int:
        """The place of what is chosen; raises Back at an empty line, too."""
        place = self.pick(head, texts, _("an empty line goes back"))
        if place is None:
            raise Back
        return place
