"""Who can be reached, where each peer stands, and how long the step in progress has waited."""

from __future__ import annotations

import math

from p2pcards.net.notices import Waiting
from p2pcards.protocol.envelope import unseal
from p2pcards.protocol.messages import WireError
from p2pcards.protocol.player import Player
from p2pcards.protocol.stage import Stage
from p2pcards.protocol.traffic import Status

WAIT_SHOWN_AFTER = 1.0
"""Seconds a step may take before the wait is reported."""
WAIT_SHOWN_EVERY = 5.0
"""Seconds between two reports of the same wait."""


class Presence:
    """Clocks and links around one player; time comes in as an argument."""

    def __init__(self, player: Player, now: float) -> None:
        self._player = player
        self._began = now
        self._up: set[bytes] = set()
        self._status: dict[bytes, tuple[Status, float]] = {}
        self._reached: dict[bytes, int] = {}
        self._linked_at: dict[bytes, float] = {}
        self._seen: dict[int, float] = dict.fromkeys(range(4), now)
        self._shown: tuple[int, frozenset[int], float] = (-1, frozenset(), now)

    def seat_of(self, peer: bytes) -> int | None:
        """The seat (before the draw: place) of a peer, or None for a stranger."""
        for seat, info in enumerate(self._player.observer.table.players):
            if info.identity == peer:
                return seat
        return None

    def link(self, peer: bytes, up: bool, now: float) -> None:
        """Note that a link came up or went down."""
        if up:
            if not self._up:
                self._began = now  # nobody could have answered meanwhile, nor heard us
            self._up.add(peer)
            self._linked_at[peer] = now
        else:
            self._up.discard(peer)
            self._status.pop(peer, None)
        seat = self.seat_of(peer)
        if seat is not None:
            self._seen[seat] = now

    def note(self, peer: bytes, status: Status, now: float) -> None:
        """Note where a peer stands, and whom it can reach."""
        self._status[peer] = (status, now)
        self._reached[peer] = max(status.step, self._reached.get(peer, -1))
        for seat in range(4):
            if status.links >> seat & 1:
                self._seen[seat] = now

    def linked_at(self, seat: int) -> float:
        """When the link to a seat's peer came up last; long ago if it never did."""
        peer = self._player.observer.table.players[seat].identity
        return self._linked_at.get(peer, -math.inf)

    def linked_seats(self) -> set[int]:
        """The seats this peer has a link to."""
        return {seat for peer in self._up if (seat := self.seat_of(peer)) is not None}

    def lacks_link(self, peer: bytes, author: int) -> bool:
        """Whether a peer has said that it has no link to a seat."""
        known = self._status.get(peer)
        return known is not None and not known[0].links >> author & 1

    def author(self, wire: bytes) -> int | None:
        """The seat that signed an envelope, as it says itself."""
        try:
            return unseal(wire).payload.sender
        except WireError:
            return None

    def behind(self, step: int) -> set[int]:
        """The other seats whose peers are not known to have reached a step."""
        table = self._player.observer.table
        others = table.live - {self._player.seat}
        return {s for s in others if self._reached.get(table.players[s].identity, -1) < step}

    def new_step(self, now: float) -> None:
        """The session has moved on."""
        self._began = now

    def elapsed(self, now: float) -> float:
        """Seconds since the step in progress began."""
        return now - self._began

    def left(self, seat: int, now: float) -> float:
        """Seconds before a seat that has not answered counts as lost.

        A seat that can be reached has the whole time of the step; one that nobody has reached
        has the deadline of a step without thought.
        """
        terms = self._player.observer.table.roster.terms
        stage = self._player.observer.stage
        decides = isinstance(stage, Stage) and stage.decides
        whole = terms.think + terms.deadline if decides else terms.deadline
        # Who comes back has the whole time once more, however often it comes back.
        since = max(self._began, min(self.linked_at(seat), self._began + whole))
        left = whole - (now - since)
        if seat != self._player.seat and seat not in self.linked_seats():
            left = min(left, terms.deadline - (now - max(self._seen[seat], self._began)))
        return left

    def to_think(self, seat: int, now: float) -> float:
        """Seconds that a seat still has by the table's terms; the deadline after them is grace."""
        terms = self._player.observer.table.roster.terms
        stage = self._player.observer.stage
        decides = isinstance(stage, Stage) and stage.decides
        left = self.left(seat, now) - (terms.deadline if decides else 0)
        return max(0.0, min(left, float(terms.think)))

    def overdue(self, waiting: frozenset[int], now: float) -> list[int]:
        """The seats whose time is up, the one gone longest first; never this peer's own."""
        late = [s for s in waiting if s != self._player.seat and self.left(s, now) <= 0]
        return sorted(late, key=lambda seat: (self._seen[seat], seat))

    def waiting_notice(self, now: float) -> Waiting | None:
        """A report of the wait in progress, when it is long and was not just reported."""
        observer = self._player.observer
        waiting = observer.waiting()
        step, seats, at = self._shown
        fresh = step == observer.step.number and seats == waiting and now - at < WAIT_SHOWN_EVERY
        if not waiting or fresh or self.elapsed(now) < WAIT_SHOWN_AFTER:
            return None
        self._shown = (observer.step.number, waiting, now)
        stage = observer.stage
        kind, decides = (stage.kind, stage.decides) if isinstance(stage, Stage) else ("", False)
        left = min(self.left(seat, now) for seat in waiting)
        return Waiting(tuple(sorted(waiting)), kind, decides, self.elapsed(now), left)
