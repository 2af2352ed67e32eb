"""The observer: signed envelopes in, verified events out. It holds public knowledge only.

Live peers, spectators, the record's verifier, replay and crash recovery all run this one class
over the same bytes. It reads no clock, no socket and no random source.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum

from p2pcards.protocol.envelope import (
    Envelope,
    Payload,
    body_of,
    first_hash,
    next_hash,
    session_of,
    unseal,
)
from p2pcards.protocol.events import Arrived, Diverged, Event, VoteCast
from p2pcards.protocol.faults import BadEnvelopeError, Fault, FaultKind
from p2pcards.protocol.flow import next_stage
from p2pcards.protocol.limits import AHEAD_MAX, HELD_MAX
from p2pcards.protocol.messages import Object, Roster, Vote, WireError, decode
from p2pcards.protocol.opening import RosterStage
from p2pcards.protocol.recovery import carry_out, check_vote, missing_key, restart
from p2pcards.protocol.stage import Done, Next, Stage, refuse
from p2pcards.protocol.table import open_table

_ABOUT_SEATS: dict[str, type[Vote] | type[Object]] = {"vote": Vote, "object": Object}

DRAWN_AT = 3
"""The first step in which senders are seats; before, they are places in the roster."""


class Receipt(Enum):
    """What became of the bytes of one envelope."""

    ACCEPTED = "accepted"
    DUPLICATE = "duplicate"
    HELD = "held"
    REFUSED = "refused"
    FAULT = "fault"


@dataclass(slots=True)
class Step:
    """The step in progress: verified values and envelopes of the seats that have answered."""

    number: int
    prev: bytes
    values: dict[int, object] = field(default_factory=dict)
    wires: dict[int, bytes] = field(default_factory=dict)
    ballots: dict[int, dict[int, bytes]] = field(default_factory=dict)
    objections: dict[tuple[int, int], bytes] = field(default_factory=dict)
    votes: list[bytes] = field(default_factory=list)

    def voted(self, voter: int) -> bool:
        """Whether this seat has voted in this step; it has one vote."""
        return any(voter in ballot for ballot in self.ballots.values())


class Observer:
    """Follows one session from its roster on, trusting nobody.

    ``refusal`` says why the last refused envelope was. After a fault nothing more
    is accepted: the session is over, and ``fault`` says why.
    """

    def __init__(self, roster: Roster) -> None:
        """Raises RosterError for a roster that no honest peer signs."""
        self.table = open_table(roster)
        self.stage: Next = RosterStage()
        self.step = Step(0, first_hash(self.table.session))
        self.fault: Fault | None = None
        self.refusal = ""
        self.locked: set[int] = set()
        self._past: list[dict[str, bytes]] = []
        self._prevs: list[bytes] = []
        self._order: list[bytes] = []
        self._held: dict[tuple[int, int, str], bytes] = {}
        self._noted: set[tuple[int, int]] = set()
        self._events: list[Event] = []

    @classmethod
    def from_first(cls, wire: bytes) -> Observer:
        """The observer of the session whose first envelope this is; raises WireError, RosterError.

        The envelope itself is not received yet.
        """
        payload = unseal(wire).payload
        if payload.kind != "roster":
            raise WireError("the first envelope is not a roster")
        roster = decode(Roster, payload.body)
        if session_of(payload.body) != payload.session:
            raise WireError("the first envelope's session is not its roster's hash")
        return cls(roster)

    # -- what others ask -----------------------------------------------------------------------

    @property
    def session(self) -> bytes:
        """The session's 32-byte name."""
        return self.table.session

    @property
    def transcript(self) -> bytes:
        """The transcript hash after the last completed step."""
        return self.step.prev

    @property
    def done(self) -> bool:
        """Whether the last step is complete."""
        return isinstance(self.stage, Done)

    def waiting(self) -> frozenset[int]:
        """The seats that this step still needs."""
        if isinstance(self.stage, Done) or self.fault:
            return frozenset()
        return self.stage.senders(self.table) - frozenset(self.step.values)

    def events(self) -> list[Event]:
        """What has become true since the last call."""
        events, self._events = self._events, []
        return events

    def record(self) -> list[bytes]:
        """Every accepted envelope, step by step, in an order in which they can be verified."""
        return [*self._order, *self._open_wires()]

    def since(self, step: int) -> list[bytes]:
        """The accepted envelopes of this step and all later ones, for a peer that lacks them."""
        past = [wire for slots in self._past[step:] for wire in dict.fromkeys(slots.values())]
        return [*past, *self._open_wires()]

    def missing(self, step: int, have: int) -> list[bytes]:
        """What a peer lacks that is at ``step`` and has the seats of the bit mask ``have``."""
        if step < self.step.number:
            return self.since(step)
        lacked = [w for seat, w in sorted(self.step.wires.items()) if not have >> seat & 1]
        votes = dict.fromkeys(w for slot, w in self._slots().items() if "/" in slot)
        return [*votes, *lacked]

    def answered(self, seat: int, step: int) -> tuple[bytes, bytes] | None:
        """A seat's envelope of this or an earlier step, with the transcript hash before it."""
        if step == self.step.number:
            wire, prev = self.step.wires.get(seat), self.step.prev
        elif 0 <= step < self.step.number:
            wire, prev = self._past[step].get(str(seat)), self._prevs[step]
        else:
            return None
        return None if wire is None else (wire, prev)

    def said(self, seat: int, about: int, step: int) -> bool:
        """Whether this seat has voted or objected in that step about another."""
        slots = self._slots() if step == self.step.number else self._past[step]
        return f"{seat}/{about}" in slots

    def can_vote(self, voter: int, seat: int) -> bool:
        """Whether this voter may ask now that the public bot take over a silent seat.

        Each has one vote a step: with two, delivery in two orders could lose two different seats.
        """
        return (
            isinstance(self.stage, Stage)
            and self.stage.votable
            and not self.table.bots
            and voter != seat
            and seat in self.waiting()
            and not self.step.voted(voter)
        )

    def signed_by_sender(self, envelope: Envelope) -> bool:
        """Whether the envelope is signed by the seat it names; False while that is not drawn."""
        drawn = self.step.number >= DRAWN_AT or envelope.payload.step < DRAWN_AT
        return drawn and self._signer(envelope) is not None

    def seat_of(self, payload: Payload) -> int:
        """The sender's seat; after the draw, the sender of an earlier step is a place."""
        if payload.step < DRAWN_AT <= self.step.number:
            return self.table.places.index(payload.sender)
        return payload.sender

    def blame_diverged(self, seat: int) -> None:
        """Blame a seat for a history it could not show; the live session's deadline decides."""
        text = "names another history than the others signed, and could not show it"
        self._blame(seat, FaultKind.DIVERGED, text)

    # -- the one way in ------------------------------------------------------------------------

    def receive(self, wire: bytes) -> Receipt:
        """Take one envelope from anywhere; verify it completely before it changes anything."""
        if self.fault:
            return self._refuse("the session has ended with a fault")
        try:
            envelope = unseal(wire)
        except WireError as exc:
            return self._refuse(str(exc))
        payload = envelope.payload
        if payload.session != self.session:
            return self._refuse("an envelope of another session")
        signer = self._signer(envelope)
        if signer is None:
            return self._refuse(f"not signed by seat {payload.sender}")
        if payload.step < self.step.number:
            return self._late(envelope)
        if payload.step > self.step.number:
            return self._early(envelope, signer)
        receipt = self._present(envelope)
        self._drain()
        return receipt

    # -- inside --------------------------------------------------------------------------------

    def _signer(self, envelope: Envelope) -> int | None:
        """The place in the roster of the player who signed this envelope and may send it."""
        payload, players = envelope.payload, self.table.roster.players
        if payload.step < DRAWN_AT:
            places: Iterable[int] = (payload.sender,)
        elif self.step.number < DRAWN_AT:
            places = range(4)
        else:
            places = (self.table.places[payload.sender],)
        return next((p for p in places if envelope.signed_by(players[p].identity)), None)

    def _refuse(self, text: str) -> Receipt:
        self.refusal = text
        return Receipt.REFUSED

    def _blame(self, seat: int, kind: FaultKind, text: str, *evidence: bytes) -> Receipt:
        self.fault = Fault(seat, kind, self.step.number, text, evidence)
        self._events.append(self.fault)
        self._held.clear()
        return Receipt.FAULT

    def _equivocation(self, envelope: Envelope, earlier: bytes) -> Receipt:
        if earlier == envelope.wire:
            return Receipt.DUPLICATE
        text = f"signed two different envelopes for step {envelope.payload.step}"
        seat = self.seat_of(envelope.payload)
        return self._blame(seat, FaultKind.EQUIVOCATION, text, earlier, envelope.wire)

    def _late(self, envelope: Envelope) -> Receipt:
        earlier = _find(self._past[envelope.payload.step], envelope)
        if earlier is None:
            self._note_late_vote(envelope)
            return self._refuse("it came after its step was complete")
        return self._equivocation(envelope, earlier)

    def _note_late_vote(self, envelope: Envelope) -> None:
        """Report a vote about a seat that had answered, so that whoever can, objects.

        Once for each seat and step, and only for steps in which an honest seat can still be:
        nobody must be made to say much by sending little.
        """
        payload = envelope.payload
        if payload.kind != "vote" or payload.prev != self._prevs[payload.step]:
            return
        key = (payload.step, payload.sender)
        if key in self._noted or not DRAWN_AT <= payload.step >= self.step.number - AHEAD_MAX:
            return
        with suppress(WireError):
            seat = decode(Vote, payload.body).seat
            if str(seat) in self._past[payload.step]:
                self._noted.add(key)
                self._events.append(VoteCast(payload.sender, seat, payload.step))

    def _early(self, envelope: Envelope, signer: int) -> Receipt:
        payload = envelope.payload
        if payload.step > self.step.number + AHEAD_MAX:
            return self._refuse("it is too far ahead")
        key = (payload.step, signer, slots_of(envelope)[0])
        earlier = self._held.get(key)
        if earlier is None:
            if sum(1 for _, of, _ in self._held if of == signer) >= HELD_MAX // 4:
                return self._refuse("too many envelopes of this player are held already")
            self._held[key] = envelope.wire
            return Receipt.HELD
        if earlier != envelope.wire and self.step.number < DRAWN_AT:
            return self._refuse("it cannot be compared before the seats are drawn")
        return self._equivocation(envelope, earlier)

    def _drain(self) -> None:
        while not self.fault:
            ready = [key for key in self._held if key[0] <= self.step.number]
            if not ready:
                return
            envelope = unseal(self._held.pop(min(ready)))
            if self._signer(envelope) is not None and envelope.payload.step == self.step.number:
                self._present(envelope)

    def _present(self, envelope: Envelope) -> Receipt:
        payload, sender = envelope.payload, envelope.payload.sender
        if isinstance(self.stage, Done):
            return self._refuse("the session is complete")
        known = _find(self._slots(), envelope)
        if known is not None:
            return self._equivocation(envelope, known)
        if payload.prev != self.step.prev:
            self._events.append(Diverged(sender, payload.step))
            return self._refuse(f"seat {sender} has another history before step {payload.step}")
        if sender in self.table.bots:
            return self._refuse(f"seat {sender} is played by the public bot")
        if sender in self.locked and payload.kind not in ("vote", "object"):
            return Receipt.HELD
        try:
            return self._take(self.stage, envelope)
        except BadEnvelopeError as exc:
            # A fault that shows only once all are in must not leave its envelope in the record.
            self.step.values.pop(sender, None)
            self.step.wires.pop(sender, None)
            seat = sender if exc.seat is None else exc.seat
            return self._blame(seat, exc.kind, exc.text, envelope.wire)

    def _take(self, stage: Stage, envelope: Envelope) -> Receipt:
        payload, sender = envelope.payload, envelope.payload.sender
        try:
            body = body_of(payload)
        except WireError as exc:
            raise refuse(FaultKind.MALFORMED, str(exc)) from None
        ctx = self.table.context(payload.step, sender, payload.prev)
        if isinstance(body, Vote):
            check_vote(self.table, stage, ctx, body)
            return self._vote(body, envelope)
        if isinstance(body, Object):
            return self._object(body, envelope)
        if sender not in stage.senders(self.table):
            raise refuse(FaultKind.OUT_OF_TURN, f"sent {payload.kind!r} out of turn")
        if payload.kind != stage.kind:
            text = f"sent {payload.kind!r} where {stage.kind!r} is due"
            raise refuse(FaultKind.WRONG_KIND, text)
        self.step.values[sender] = stage.check(self.table, ctx, body)
        self.step.wires[sender] = envelope.wire
        self._events.append(Arrived(payload.step, sender, payload.kind, self.waiting()))
        self._complete_if_all(stage)
        return Receipt.ACCEPTED

    def _complete_if_all(self, stage: Stage) -> None:
        needed = stage.senders(self.table)
        if not needed <= frozenset(self.step.values):
            return
        after = next_hash(self.step.prev, self._open_wires())
        values = {seat: self.step.values[seat] for seat in sorted(needed)}
        recover = missing_key(self.table, stage, values)
        if recover is not None:
            self._turn_over(recover, [], after)
        elif needed:
            self._turn_over(*stage.complete(self.table, values, after), after)
        else:
            self._turn_over(*next_stage(self.table, after), after)

    def _turn_over(self, following: Next, events: Iterable[Event], after: bytes) -> None:
        self._past.append(self._slots())
        self._prevs.append(self.step.prev)
        self._order += self._open_wires()
        self.step = Step(self.step.number + 1, after)
        self.stage = following
        self.locked.clear()
        self._events += events

    def _open_wires(self) -> list[bytes]:
        return [*self.step.votes, *(wire for _, wire in sorted(self.step.wires.items()))]

    def _slots(self) -> dict[str, bytes]:
        about = [w for ballot in self.step.ballots.values() for _, w in sorted(ballot.items())]
        about += self.step.objections.values()
        slots = {str(seat): wire for seat, wire in sorted(self.step.wires.items())}
        for wire in about:
            slots |= dict.fromkeys(slots_of(unseal(wire)), wire)
        return slots

    def _vote(self, vote: Vote, envelope: Envelope) -> Receipt:
        voter = envelope.payload.sender
        ballot = self.step.ballots.setdefault(vote.seat, {})
        ballot[voter] = envelope.wire
        self._events.append(VoteCast(voter, vote.seat, self.step.number))
        if len(ballot) == 3:
            self._lose(vote.seat, [wire for _, wire in sorted(ballot.items())])
        return Receipt.ACCEPTED

    def _lose(self, seat: int, votes: list[bytes]) -> None:
        if isinstance(self.stage, Done):
            return
        after = next_hash(self.step.prev, votes)
        again, events = carry_out(self.table, seat, after)
        self._events += events
        self.step.votes = votes
        self.step.values.pop(seat, None)
        self.step.wires.pop(seat, None)
        if again:
            self.step.values.clear()
            self.step.wires.clear()
            self._turn_over(restart(), [], after)
        else:
            self._complete_if_all(self.stage)

    def _object(self, body: Object, envelope: Envelope) -> Receipt:
        if body.seat == envelope.payload.sender:
            raise refuse(FaultKind.BAD_VOTE, "objected about itself")
        try:
            held = unseal(body.envelope)
        except WireError as exc:
            raise refuse(FaultKind.BAD_VOTE, f"objected with no envelope: {exc}") from None
        payload = held.payload
        fits = (payload.session, payload.step, payload.sender, payload.prev) == (
            self.session,
            self.step.number,
            body.seat,
            self.step.prev,
        )
        if not fits or payload.kind in ("vote", "object") or self._signer(held) is None:
            raise refuse(FaultKind.BAD_VOTE, "objected with an envelope that does not fit")
        self.step.objections[envelope.payload.sender, body.seat] = envelope.wire
        self.locked.discard(body.seat)
        self._present(held)
        return Receipt.ACCEPTED


def slots_of(envelope: Envelope) -> tuple[str, ...]:
    """The places an envelope fills in its step; an honest seat never fills one twice.

    An ordinary envelope fills its sender's place. A vote and an objection about the same seat
    share one, and a vote fills one more, since each has one vote a step.
    """
    payload = envelope.payload
    kind = _ABOUT_SEATS.get(payload.kind)
    if kind is not None:
        with suppress(WireError):
            place = f"{payload.sender}/{decode(kind, payload.body).seat}"
            return (place, f"{payload.sender}/vote") if kind is Vote else (place,)
    return (str(payload.sender),)


def _find(slots: dict[str, bytes], envelope: Envelope) -> bytes | None:
    """The envelope that already fills one of this one's places, if any does."""
    return next((slots[slot] for slot in slots_of(envelope) if slot in slots), None)
