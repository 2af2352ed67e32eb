"""What becomes of a player who is gone, as somebody says it line by line."""

from __future__ import annotations

from collections.abc import Callable, Collection

import trio

from p2pcards.ui.i18n import N_, _
from p2pcards.ui.model import Table
from p2pcards.ui.plainwords import with_words
from p2pcards.ui.words import BARS

VERDICTS = ("vote", "wait", "stop")


class Judging:
    """The questions about seats whose time is up, and the answers to them."""

    def __init__(
        self, table: Table, write: Callable[[str], None], leave: Callable[[str], None]
    ) -> None:
        self._table = table
        self._write = write
        self._leave = leave
        self._asked: dict[int, tuple[trio.Event, list[str]]] = {}

    @property
    def is_open(self) -> bool:
        """Whether there is something to decide."""
        return bool(self._asked)

    def ask(self, seat: int) -> None:
        """Say what can be decided about a seat."""
        text = N_("{vote}: the public bot plays that hand, if all three others vote for it; "
                  "{wait}: wait on; {stop}: end the game")  # fmt: skip
        if self._table.bar(seat) is not None:
            text = N_("{wait}: wait on; {stop}: end the game")
        self._write(with_words(text))

    def why_not(self, seat: int) -> None:
        """Say why the bot cannot take a seat over, if it cannot."""
        bar = self._table.bar(seat)
        if bar is not None:
            self._write(_(BARS[bar]))

    async def verdict(self, seat: int) -> str:
        """``vote``, ``wait`` or ``stop``, once it is said or the seat is back."""
        event, answer = trio.Event(), list[str]()
        self._asked[seat] = (event, answer)
        await event.wait()
        return answer[0]

    def judge(self, word: str) -> None:
        """Take a verdict; to wait leaves the question open."""
        votable = {seat for seat in self._asked if self._table.bar(seat) is None}
        if not self._asked:
            self._unasked(word)
        elif word == "wait":
            text = N_("you wait; {vote} and {stop} are possible as long as nobody answers")
            if not votable:
                text = N_("you wait; {stop} is possible as long as nobody answers")
            self._write(with_words(text))
        elif word == "vote" and not votable:
            self.why_not(min(self._asked))
        else:
            self.close(word, votable if word == "vote" else set(self._asked))

    def _unasked(self, word: str) -> None:
        """Take a verdict that nothing asks for, or that does not ask any more."""
        if self._table.has_voted():
            self._after_vote(word)
        else:
            self._write(
                _("there is nothing to vote about; you are asked when somebody's time is up")
            )

    def _after_vote(self, word: str) -> None:
        """A vote is signed and cannot be taken back, but nobody has to wait for the others'."""
        if word == "stop":
            self._write(_("you have voted, and the others have not; you leave the table"))
            self._leave(N_("does not wait for the votes any longer"))
        else:
            text = N_("you have voted already, and the game waits for the other votes; {stop} "
                      "leaves the table instead")  # fmt: skip
            self._write(with_words(text))

    def close(self, word: str, seats: Collection[int]) -> None:
        """Give the verdict on these seats."""
        for seat in seats:
            event, answer = self._asked.pop(seat)
            answer.append(word)
            event.set()

    def settle(self) -> None:
        """No longer ask about seats that have come back, or that a bot plays."""
        self.close("wait", set(self._asked) - set(self._table.asked_losses))
