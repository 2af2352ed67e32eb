"""Questions at the start, line by line: a text, or one of several things by its number."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from p2pcards.commands import common
from p2pcards.ui.i18n import _
from p2pcards.ui.plainwords import english


class Back(Exception):
    """The person wants back to what was asked before."""


class Enough(Exception):
    """The person wants to end the program."""


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

    def number(self, count: int) -> int | None:
        """The place that a number means, or None for an empty line. Raises Back and Enough."""
        while True:
            line = self.text()
            if not line:
                return None
            if line.isascii() and line.isdecimal() and 1 <= int(line[:9]) <= count:
                return int(line) - 1
            if english(line) == "quit":
                raise Enough
            common.tell(_("a number from 1 to {n}", n=count))

    def pick(self, head: str, texts: Sequence[str], empty: str = "") -> int | None:
        """The place of what is chosen of a list, or None for an empty line.

        ``empty`` says what that means.
        """
        common.tell(head)
        for number, text in enumerate(texts, 1):
            common.tell(f"{number}  {text}")
        if empty:
            common.tell(empty)
        return self.number(len(texts))

    def one_of(self, head: str, texts: Sequence[str]) -> int:
        """The place of what is chosen; raises Back at an empty line, too."""
        place = self.pick(head, texts, _("an empty line goes back"))
        if place is None:
            raise Back
        return place
