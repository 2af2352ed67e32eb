"""How long a silent seat is waited for, and a vote about it."""

from __future__ import annotations

from p2pcards.net.outcome import Ending, Outcome, unvoted
from p2pcards.net.presence import Presence
from p2pcards.net.text import is_bot
from p2pcards.protocol.observer import Observer


class Patience:
    """Whom the person, or whoever decides, was asked about, and what this seat voted."""

    def __init__(self, observer: Observer, presence: Presence) -> None:
        self._observer = observer
        self._presence = presence
        self._asked: set[tuple[int, int]] = set()
        self._voted: tuple[int, int, float] | None = None
        self._stays = False

    def due(self, now: float) -> int | None:
        """The seat to ask about now: the one gone longest, once a step."""
        step = self._observer.step.number
        overdue = self._presence.overdue(self._observer.waiting(), now)
        if not overdue or (step, overdue[0]) in self._asked:
            return None
        self._asked.add((step, overdue[0]))
        return overdue[0]

    def ask_anew(self, seat: int) -> None:
        """Ask about a seat once more, as it has come back, if its time runs out again."""
        self._asked.discard((self._observer.step.number, seat))

    def voted(self, seat: int, now: float, *, stays: bool = False) -> None:
        """Note that this seat has voted about another, and whether it waits on in any case."""
        self._voted, self._stays = (self._observer.step.number, seat, now), stays

    def _is_somebody_here(self) -> bool:
        """Whether a player is linked who is not a bot by its name: bots do not wait for bots."""
        players = self._observer.table.players
        return any(not is_bot(players[seat].name) for seat in self._presence.linked_seats())

    def vote_in_vain(self, now: float) -> Outcome | None:
        """The end, when our vote has not carried within the time that a bid or a card has."""
        one = self._observer.step
        if self._voted is None or self._voted[0] != one.number or self._voted[1] in one.values:
            self._voted = None
            return None
        if self._stays and self._is_somebody_here():
            return None
        _step, about, since = self._voted
        terms = self._observer.table.roster.terms
        said = {
            *one.ballots.get(about, {}),
            *(who for who, seat in one.objections if seat == about),
        }
        silent = tuple(seat for seat in range(4) if seat != about and seat not in said)
        time = terms.think + terms.deadline
        # Who has just come back has the whole time once more, and not ever again.
        back = max((self._presence.linked_at(seat) for seat in silent), default=since)
        if now - min(max(since, back), since + time) < time or not silent:
            return None
        return Outcome(Ending.LOST, unvoted(silent[0], about), silent)
