"""One step of a session: what it needs, and every envelope of it that was accepted.

Steps that are complete are kept, so that what comes late is judged as it would have been in
time: which peers were already further must not decide whether a fault is one.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

from p2pcards.protocol.envelope import Envelope, unseal
from p2pcards.protocol.messages import Object, Vote, WireError, decode
from p2pcards.protocol.stage import Done, Next
from p2pcards.protocol.table import Table

ABOUT_SEATS: dict[str, type[Vote] | type[Object]] = {"vote": Vote, "object": Object}
"""The kinds of envelope that are about another seat."""


@dataclass(slots=True)
class Step:
    """A step: ``due`` are the seats it began by waiting for, ``bots`` those the bot plays.

    ``start`` is the table and the stage as the step began, kept for some steps only.
    ``values`` and ``wires`` are what the seats answered, verified and as received; ``votes``
    the three that carried in this step, in order of voter. ``locked`` are the seats that this
    peer has voted about, and ``parked`` their answers, which wait for an objection.
    """

    number: int
    prev: bytes
    due: frozenset[int] = frozenset()
    bots: frozenset[int] = frozenset()
    votable: bool = False
    start: tuple[Table, Next] | None = None
    values: dict[int, object] = field(default_factory=dict)
    wires: dict[int, bytes] = field(default_factory=dict)
    ballots: dict[int, dict[int, bytes]] = field(default_factory=dict)
    objections: dict[tuple[int, int], bytes] = field(default_factory=dict)
    votes: list[bytes] = field(default_factory=list)
    locked: set[int] = field(default_factory=set)
    parked: dict[int, bytes] = field(default_factory=dict)

    def voted(self, voter: int) -> bool:
        """Whether this seat has voted in this step; it has one vote."""
        return any(voter in ballot for ballot in self.ballots.values())

    def hashed(self) -> list[bytes]:
        """The envelopes that the transcript hashes, in that order."""
        return [*self.votes, *(wire for _, wire in sorted(self.wires.items()))]

    def aside(self) -> list[bytes]:
        """The votes and objections, which may or may not have led to anything."""
        votes = [w for ballot in self.ballots.values() for _, w in sorted(ballot.items())]
        return votes + list(self.objections.values())

    def all(self) -> list[bytes]:
        """Every envelope of the step, each once."""
        return list(dict.fromkeys([*self.aside(), *self.hashed()]))

    def slots(self) -> dict[str, bytes]:
        """The places that are filled, each with its envelope."""
        slots = {str(seat): wire for seat, wire in sorted(self.wires.items())}
        for wire in self.aside():
            slots |= dict.fromkeys(slots_of(unseal(wire)), wire)
        return slots

    def find(self, envelope: Envelope) -> bytes | None:
        """The envelope that already fills one of this one's places, if any does."""
        slots = self.slots()
        return next((slots[slot] for slot in slots_of(envelope) if slot in slots), None)


def begin(number: int, prev: bytes, stage: Next, table: Table) -> Step:
    """The step of a stage that is about to begin."""
    if isinstance(stage, Done):
        return Step(number, prev, bots=table.bots)
    # One seat can be lost at a time, and none before the draw.
    votable = stage.votable and not table.bots
    start = (table.copy(), stage) if votable else None
    return Step(number, prev, stage.senders(table), table.bots, votable, start)


def slots_of(envelope: Envelope) -> tuple[str, ...]:
    """The places an envelope fills in its step; an honest seat never fills one twice.

    An ordinary envelope fills its sender's place. A vote and an objection about the same seat
    share one, and a vote fills one more, since each has one vote a step.
    """
    payload = envelope.payload
    kind = ABOUT_SEATS.get(payload.kind)
    if kind is not None:
        with suppress(WireError):
            place = f"{payload.sender}/{decode(kind, payload.body).seat}"
            return (place, f"{payload.sender}/vote") if kind is Vote else (place,)
    return (str(payload.sender),)
