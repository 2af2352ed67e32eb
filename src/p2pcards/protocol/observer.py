"""The observer: signed envelopes in, verified events out. It holds public knowledge only.

Live peers, spectators, the record's verifier, replay and crash recovery all run this one class
over the same bytes. It reads no clock, no socket and no random source.
"""

from __future__ import annotations

from enum import Enum

from p2pcards.protocol.checks import (
    check_answer,
    check_body,
    check_objection,
    check_turn,
    check_vote,
)
from p2pcards.protocol.course import Course
from p2pcards.protocol.envelope import Envelope, Payload, session_of, unseal
from p2pcards.protocol.events import Diverged
from p2pcards.protocol.faults import BadEnvelopeError, Fault, FaultKind
from p2pcards.protocol.held import Held
from p2pcards.protocol.limits import AHEAD_MAX
from p2pcards.protocol.messages import Body, Object, Roster, Vote, WireError, decode
from p2pcards.protocol.senders import DRAWN_AT, seat_of, signer
from p2pcards.protocol.stage import Done, Stage, refuse
from p2pcards.protocol.step import ABOUT_SEATS, Step
from p2pcards.worded import Worded, text_of, worded


class Receipt(Enum):
    """What became of the bytes of one envelope."""

    ACCEPTED = "accepted"
    DUPLICATE = "duplicate"
    HELD = "held"
    REFUSED = "refused"
    FAULT = "fault"


class Observer(Course):
    """Follows one session from its roster on, trusting nobody.

    ``refusal`` says why the last refused envelope was. After a fault nothing more
    is accepted: the session is over, and ``fault`` says why.
    """

    def __init__(self, roster: Roster) -> None:
        """Raises RosterError for a roster that no honest peer signs."""
        super().__init__(roster)
        self.refusal = ""
        self._held = Held()

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

    def is_parked(self, wire: bytes) -> bool:
        """Whether this is an answer that waits for an objection, as this peer has voted."""
        return wire in self.step.parked.values()

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
        place = signer(self, envelope)
        if place is None:
            return self._refuse(Worded("not signed by seat {sender}", sender=payload.sender))
        if payload.step < self.step.number:
            return self._late(envelope)
        if payload.step > self.step.number:
            return self._early(envelope, place)
        receipt = self._present(envelope)
        self._drain()
        return receipt

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
        seat = seat_of(self, payload) if error.seat is None else error.seat
        return self._blame(seat, error.kind, payload.step, error.text, envelope.wire)

    def _equivocation(self, envelope: Envelope, earlier: bytes) -> Receipt:
        if earlier == envelope.wire:
            return Receipt.DUPLICATE
        step, seat = envelope.payload.step, seat_of(self, envelope.payload)
        text = Worded("signed two different envelopes for step {step}", step=step)
        kind = FaultKind.EQUIVOCATION
        return self._blame(seat, kind, step, text, earlier, envelope.wire)

    # -- early and late ------------------------------------------------------------------------

    def _early(self, envelope: Envelope, place: int) -> Receipt:
        if envelope.payload.step > self.step.number + AHEAD_MAX:
            return self._refuse("it is too far ahead")
        earlier = self._held.find(envelope, place)
        if earlier is None:
            if self._held.is_full(place):
                return self._refuse("too many envelopes of this player are held already")
            self._held.hold(envelope, place)
            return Receipt.HELD
        if earlier != envelope.wire and self.step.number < DRAWN_AT:
            return self._refuse("it cannot be compared before the seats are drawn")
        return self._equivocation(envelope, earlier)

    def _drain(self) -> None:
        while not self.fault and (wire := self._held.due(self.step.number)) is not None:
            envelope = unseal(wire)
            if signer(self, envelope) is None:
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
                return self._late_about(step, envelope, check_body(envelope))
            if step.start is not None:  # of a seat that was lost then: a fault is still a fault
                check_answer(*step.start, envelope, check_body(envelope))
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
            self._vote(step, body, envelope)
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
        since = [one.wires for one in self._steps()[step.number + 1 :]]
        carried = len(step.ballots[seat]) == 3 and step.start is not None
        if not carried or any(set(wires) - {seat} for wires in since):
            return
        self._go_back(step)
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
            return self._diverged(sender, payload.step)
        parked = self.step.parked.get(sender, envelope.wire) if ordinary else envelope.wire
        if parked != envelope.wire:
            return self._equivocation(envelope, parked)
        try:
            if sender in self.step.locked and ordinary:
                return self._park(envelope)
            return self._take(self.stage, envelope)
        except BadEnvelopeError as exc:
            # A fault that shows only once all are in must not leave its envelope in the record.
            self.step.values.pop(sender, None)
            self.step.wires.pop(sender, None)
            return self._blame_for(envelope, exc)

    def _diverged(self, sender: int, step: int) -> Receipt:
        self._events.append(Diverged(sender, step))
        text = Worded(
            "seat {sender} has another history before step {step}", sender=sender, step=step
        )
        return self._refuse(text)

    def _park(self, envelope: Envelope) -> Receipt:
        """Keep an answer of a seat that this peer has voted about until somebody objects with it.

        It is verified at once: what nobody may send is a fault, whoever has voted.
        """
        sender = envelope.payload.sender
        if sender in self.step.parked:
            return Receipt.DUPLICATE
        check_turn(self.step, envelope.payload)
        check_answer(self.table, self.stage, envelope, check_body(envelope))
        self.step.parked[sender] = envelope.wire
        return Receipt.HELD

    def _take(self, stage: Stage, envelope: Envelope) -> Receipt:
        check_turn(self.step, envelope.payload)
        body = check_body(envelope)
        if isinstance(body, Vote):
            check_vote(self.step, envelope.payload.sender, body)
            if len(self._vote(self.step, body, envelope)) == 3:
                self._lose(body.seat)
        elif isinstance(body, Object):
            self._object(body, envelope)
        else:
            self._answer(stage, envelope, check_answer(self.table, stage, envelope, body))
        return Receipt.ACCEPTED

    def _objected(self, step: Step, payload: Payload, body: Object) -> Envelope:
        """The envelope that an objection shows, signed by its seat; raises BadEnvelopeError."""
        held = check_objection(step, payload, body)
        if signer(self, held) is None:
            raise refuse(FaultKind.BAD_VOTE, "objected with an envelope that is not that seat's")
        return held

    def _object(self, body: Object, envelope: Envelope) -> None:
        held = self._objected(self.step, envelope.payload, body)
        self.step.objections[envelope.payload.sender, body.seat] = envelope.wire
        self.step.locked.discard(body.seat)
        self._present(held)
