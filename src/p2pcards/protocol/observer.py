"""The observer: signed envelopes in, verified events out. It holds public knowledge only.

Live peers, spectators, the record's verifier, replay and crash recovery all run this one class
over the same bytes. It reads no clock, no socket and no random source.
"""

from __future__ import annotations

from collections.abc import Iterable
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
from p2pcards.protocol.events import Arrived, Diverged, Event, Unheard, VoteCast
from p2pcards.protocol.faults import BadEnvelopeError, Fault, FaultKind
from p2pcards.protocol.flow import next_stage
from p2pcards.protocol.limits import AHEAD_MAX, HELD_MAX, SEATS_ALL
from p2pcards.protocol.messages import Body, Object, Roster, Vote, WireError, decode
from p2pcards.protocol.opening import RosterStage
from p2pcards.protocol.recovery import carry_out, missing_key, restart
from p2pcards.protocol.stage import Done, Next, Stage, refuse
from p2pcards.protocol.step import (
    ABOUT_SEATS,
    Step,
    begin,
    check_objection,
    check_turn,
    check_vote,
    slots_of,
)
from p2pcards.protocol.table import Table, open_table
from p2pcards.worded import Worded, text_of, worded

DRAWN_AT = 3
"""The first step in which senders are seats; before, they are places in the roster."""


class Receipt(Enum):
    """What became of the bytes of one envelope."""

    ACCEPTED = "accepted"
    DUPLICATE = "duplicate"
    HELD = "held"
    REFUSED = "refused"
    FAULT = "fault"


class Observer:
    """Follows one session from its roster on, trusting nobody.

    ``refusal`` says why the last refused envelope was. After a fault nothing more
    is accepted: the session is over, and ``fault`` says why.
    """

    def __init__(self, roster: Roster) -> None:
        """Raises RosterError for a roster that no honest peer signs."""
        self.table = open_table(roster)
        self.stage: Next = RosterStage()
        self.step = begin(0, first_hash(self.table.session), self.stage, self.table)
        self.fault: Fault | None = None
        self.refusal = ""
        self.locked: set[int] = set()
        self._parked: dict[int, bytes] = {}
        self._past: list[Step] = []
        self._carried: list[bytes] = []
        self._held: dict[tuple[int, int, str], bytes] = {}
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
        """The seats that this step still needs.

        Where a seat has answered after this peer voted about it, that is whoever has neither
        voted nor objected yet: only that seat can still say which of the two it is.
        """
        waiting = set(self._owing())
        for seat in waiting & set(self._parked) & self.locked:
            said = set(self.step.ballots.get(seat, {}))
            others = SEATS_ALL - said - self.table.bots - {seat}
            if others:
                waiting = waiting - {seat} | others
        return frozenset(waiting)

    def _owing(self) -> frozenset[int]:
        """The seats whose answer to this step is not accepted yet."""
        if isinstance(self.stage, Done) or self.fault:
            return frozenset()
        return self.stage.senders(self.table) - frozenset(self.step.values)

    def events(self) -> list[Event]:
        """What has become true since the last call."""
        events, self._events = self._events, []
        return events

    def record(self) -> list[bytes]:
        """Every envelope of the transcript, in an order in which they can be verified."""
        return [wire for step in self._steps() for wire in step.hashed()]

    def since(self, step: int) -> list[bytes]:
        """The accepted envelopes of this step and all later ones, for a peer that lacks them."""
        return [wire for one in self._steps()[step:] for wire in one.all()]

    def missing(self, step: int, have: int) -> list[bytes]:
        """What a peer lacks that is at ``step`` and has the seats of the bit mask ``have``.

        The votes that lost a seat come first, for its player may not know yet.
        """
        if step < self.step.number:
            return [*self._carried, *self.since(step)]
        lacked = [w for seat, w in sorted(self.step.wires.items()) if not have >> seat & 1]
        return [*self._carried, *self.step.aside(), *lacked]

    def answered(self, seat: int, step: int) -> tuple[bytes, bytes] | None:
        """A seat's envelope of this or an earlier step, with the transcript hash before it."""
        if not 0 <= step <= self.step.number:
            return None
        one = self._steps()[step]
        wire = one.wires.get(seat)
        return None if wire is None else (wire, one.prev)

    def can_object(self, seat: int, about: int, step: int) -> bool:
        """Whether a seat may show what another sent in this or an earlier step, and has not."""
        one = self._steps()[step]
        kept = step >= self.step.number - AHEAD_MAX
        silent = f"{seat}/{about}" not in one.slots()
        return kept and silent and seat != about and seat not in one.bots

    def is_parked(self, wire: bytes) -> bool:
        """Whether this is an answer that waits for an objection, as this peer has voted."""
        return wire in self._parked.values()

    def can_vote(self, voter: int, seat: int) -> bool:
        """Whether this voter may ask now that the public bot take over a silent seat.

        Each has one vote a step: with two, delivery in two orders could lose two different seats.
        """
        return (
            self.step.votable
            and not self.table.bots
            and voter != seat
            and seat in self._owing()
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

    def shown(self) -> list[bytes]:
        """What shows a fault to the others, those who were told another history included."""
        if self.fault is None:
            return []
        return [*self.since(max(0, self.fault.step - 2)), *self.fault.evidence]

    def blame_diverged(self, seat: int) -> None:
        """Blame a seat for a history it could not show; the live session's deadline decides."""
        text = Worded("names another history than the others signed, and could not show it")
        self._blame(seat, FaultKind.DIVERGED, self.step.number, text)

    # -- the one way in ------------------------------------------------------------------------

    def receive(self, wire: bytes) -> Receipt:
        """Take one envelope from anywhere; verify it completely before it changes anything."""
        if self.fault:
            return self._refuse("the session has ended with a fault")
        try:
            envelope = unseal(wire)
        except WireError as exc:
            return self._refuse(text_of(exc))
        payload = envelope.payload
        if payload.session != self.session:
            return self._refuse("an envelope of another session")
        signer = self._signer(envelope)
        if signer is None:
            return self._refuse(Worded("not signed by seat {sender}", sender=payload.sender))
        if payload.step < self.step.number:
            return self._late(envelope)
        if payload.step > self.step.number:
            return self._early(envelope, signer)
        receipt = self._present(envelope)
        self._drain()
        return receipt

    # -- inside --------------------------------------------------------------------------------

    def _steps(self) -> list[Step]:
        return [*self._past, self.step]

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
        self.refusal = worded(text)
        return Receipt.REFUSED

    def _blame(self, seat: int, kind: FaultKind, step: int, text: str, *evidence: bytes) -> Receipt:
        self.fault = Fault(seat, kind, step, worded(text), evidence)
        self._events.append(self.fault)
        self._held.clear()
        return Receipt.FAULT

    def _blame_for(self, envelope: Envelope, error: BadEnvelopeError) -> Receipt:
        payload = envelope.payload
        seat = self.seat_of(payload) if error.seat is None else error.seat
        return self._blame(seat, error.kind, payload.step, error.text, envelope.wire)

    def _equivocation(self, envelope: Envelope, earlier: bytes) -> Receipt:
        if earlier == envelope.wire:
            return Receipt.DUPLICATE
        step, seat = envelope.payload.step, self.seat_of(envelope.payload)
        text = Worded("signed two different envelopes for step {step}", step=step)
        kind = FaultKind.EQUIVOCATION
        return self._blame(seat, kind, step, text, earlier, envelope.wire)

    # -- early and late ------------------------------------------------------------------------

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
            if self._signer(envelope) is None:
                continue
            if envelope.payload.step == self.step.number:
                self._present(envelope)
            else:
                self._late(envelope)

    def _late(self, envelope: Envelope) -> Receipt:
        """Judge an envelope of a complete step as it would have been judged in time."""
        payload = envelope.payload
        step = self._past[payload.step]
        earlier = step.find(envelope)
        if earlier is not None:
            return self._equivocation(envelope, earlier)
        if payload.prev != step.prev or payload.sender in step.bots:
            return self._refuse("it came after its step was complete")
        try:
            check_turn(step, payload)
            if payload.kind in ABOUT_SEATS:
                return self._late_about(step, envelope, _body(envelope))
            if step.start is not None:  # of a seat that was lost then: a fault is still a fault
                _value(*step.start, envelope, _body(envelope))
        except BadEnvelopeError as exc:
            return self._blame_for(envelope, exc)
        return self._refuse("it came after its step was complete")

    def _late_about(self, step: Step, envelope: Envelope, body: Body) -> Receipt:
        """Keep a late vote or objection; an honest seat can be at most so far behind."""
        sender = envelope.payload.sender
        far = step.number < self.step.number - AHEAD_MAX
        if isinstance(body, Vote):
            check_vote(step, sender, body)
            if far:
                return self._refuse("it came long after its step was complete")
            step.ballots.setdefault(body.seat, {})[sender] = envelope.wire
            self._events.append(VoteCast(sender, body.seat, step.number))
            self._yield_to(step, body.seat)
        elif isinstance(body, Object):
            held = self._objected(step, envelope.payload, body)
            if far:
                return self._refuse("it came long after its step was complete")
            step.objections[sender, body.seat] = envelope.wire
            self._late(held)
        return Receipt.ACCEPTED

    def _yield_to(self, step: Step, seat: int) -> None:
        """Go back to a step in which all others have voted a seat out that answered it here.

        That is for the lost seat itself, and whoever heard it alone: the others have never taken
        its answer and go on without it. What they signed since then would contradict that.
        """
        ballot, start = step.ballots[seat], step.start
        since = [one.wires for one in self._steps()[step.number + 1 :]]
        if len(ballot) < 3 or start is None or any(set(wires) - {seat} for wires in since):
            return
        self.table, self.stage = start
        self.step = begin(step.number, step.prev, self.stage, self.table)
        del self._past[step.number :]
        self.locked.clear()
        self._parked.clear()
        again = [wire for sender, wire in sorted(step.wires.items()) if sender != seat]
        for wire in [*step.aside(), *again]:
            self.receive(wire)

    # -- the step in progress ------------------------------------------------------------------

    def _present(self, envelope: Envelope) -> Receipt:
        payload, sender = envelope.payload, envelope.payload.sender
        if isinstance(self.stage, Done):
            return self._refuse("the session is complete")
        known = self.step.find(envelope)
        if known is not None:
            return self._equivocation(envelope, known)
        ordinary = payload.kind not in ABOUT_SEATS
        if sender in (self.table.bots if ordinary else self.step.bots):
            return self._refuse(Worded("seat {sender} is played by the public bot", sender=sender))
        if payload.prev != self.step.prev:
            self._events.append(Diverged(sender, payload.step))
            return self._refuse(
                Worded(
                    "seat {sender} has another history before step {step}",
                    sender=sender,
                    step=payload.step,
                )
            )
        parked = self._parked.get(sender, envelope.wire) if ordinary else envelope.wire
        if parked != envelope.wire:
            return self._equivocation(envelope, parked)
        try:
            if sender in self.locked and ordinary:
                return self._park(envelope)
            return self._take(self.stage, envelope)
        except BadEnvelopeError as exc:
            # A fault that shows only once all are in must not leave its envelope in the record.
            self.step.values.pop(sender, None)
            self.step.wires.pop(sender, None)
            return self._blame_for(envelope, exc)

    def _park(self, envelope: Envelope) -> Receipt:
        """Keep an answer of a seat that this peer has voted about until somebody objects with it.

        It is verified at once: what nobody may send is a fault, whoever has voted.
        """
        sender = envelope.payload.sender
        if sender in self._parked:
            return Receipt.DUPLICATE
        check_turn(self.step, envelope.payload)
        _value(self.table, self.stage, envelope, _body(envelope))
        self._parked[sender] = envelope.wire
        return Receipt.HELD

    def _take(self, stage: Stage, envelope: Envelope) -> Receipt:
        payload, sender = envelope.payload, envelope.payload.sender
        check_turn(self.step, payload)
        body = _body(envelope)
        if isinstance(body, Vote):
            check_vote(self.step, sender, body)
            return self._vote(body, envelope)
        if isinstance(body, Object):
            return self._object(body, envelope)
        self.step.values[sender] = _value(self.table, stage, envelope, body)
        self.step.wires[sender] = envelope.wire
        self._events.append(Arrived(payload.step, sender, payload.kind, self.waiting()))
        if sender in self.step.ballots:
            self._events.append(Unheard(sender, payload.step))
        self._complete_if_all(stage)
        return Receipt.ACCEPTED

    def _complete_if_all(self, stage: Stage) -> None:
        needed = stage.senders(self.table)
        if not needed <= frozenset(self.step.values):
            return
        after = next_hash(self.step.prev, self.step.hashed())
        values = {seat: self.step.values[seat] for seat in sorted(needed)}
        recover = missing_key(self.table, stage, values)
        if recover is not None:
            self._turn_over(recover, [], after)
        elif needed:
            self._turn_over(*stage.complete(self.table, values, after), after)
        else:
            self._turn_over(*next_stage(self.table, after), after)

    def _turn_over(self, following: Next, events: Iterable[Event], after: bytes) -> None:
        self._past.append(self.step)
        for old in self._past[-AHEAD_MAX - 1 : -AHEAD_MAX]:
            old.start = None
        self.stage = following
        self.step = begin(self.step.number + 1, after, following, self.table)
        if not self.table.bots:
            self._carried = []
        self.locked.clear()
        self._parked.clear()
        self._events += events

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
        self._carried = self.step.votes = votes
        self.step.values.pop(seat, None)
        self.step.wires.pop(seat, None)
        if again:
            self.step.values.clear()
            self.step.wires.clear()
            self._turn_over(restart(), [], after)
        else:
            self._complete_if_all(self.stage)

    def _objected(self, step: Step, payload: Payload, body: Object) -> Envelope:
        """The envelope that an objection shows, signed by its seat; raises BadEnvelopeError."""
        held = check_objection(step, payload, body)
        if self._signer(held) is None:
            raise refuse(FaultKind.BAD_VOTE, "objected with an envelope that is not that seat's")
        return held

    def _object(self, body: Object, envelope: Envelope) -> Receipt:
        held = self._objected(self.step, envelope.payload, body)
        self.step.objections[envelope.payload.sender, body.seat] = envelope.wire
        self.locked.discard(body.seat)
        self._present(held)
        return Receipt.ACCEPTED


def _value(table: Table, stage: Next, envelope: Envelope, body: Body) -> object:
    """What an answer says, verified against the table as it stood; raises BadEnvelopeError."""
    payload = envelope.payload
    if isinstance(stage, Done) or payload.kind != stage.kind:
        due = "nothing" if isinstance(stage, Done) else stage.kind
        text = Worded("sent {kind!r} where {due!r} is due", kind=payload.kind, due=due)
        raise refuse(FaultKind.WRONG_KIND, text)
    return stage.check(table, table.context(payload.step, payload.sender, payload.prev), body)


def _body(envelope: Envelope) -> Body:
    """The decoded body; raises BadEnvelopeError, for who signed it could have known."""
    try:
        return body_of(envelope.payload)
    except WireError as exc:
        raise refuse(FaultKind.MALFORMED, text_of(exc)) from None
