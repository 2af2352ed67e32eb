"""The course of a session: the steps that are complete, the one in progress, and what follows.

All that is taken here was verified before; the observer does that.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from p2pcards.protocol.envelope import Envelope, first_hash, next_hash
from p2pcards.protocol.events import Arrived, Event, Unheard, VoteCast
from p2pcards.protocol.faults import Fault
from p2pcards.protocol.flow import next_stage
from p2pcards.protocol.limits import AHEAD_MAX, SEATS_ALL
from p2pcards.protocol.messages import Roster, Vote
from p2pcards.protocol.opening import RosterStage
from p2pcards.protocol.recovery import carry_out, missing_key, restart
from p2pcards.protocol.stage import Done, Next, Stage
from p2pcards.protocol.step import Step, begin
from p2pcards.protocol.table import open_table


class Bar(Enum):
    """Why a seat cannot vote now that the public bot take over another one that is waited for."""

    UNDRAWN = "the seats are not drawn yet"
    BOT = "the bot plays a seat already"
    VOTED = "it has voted about another seat in this step"
    UNASKED = "the seat owes no answer here, but a vote or an objection about a third one"


class Course:
    """Where a session stands and how it came there; ``fault`` says why it ended too early."""

    def __init__(self, roster: Roster) -> None:
        """Raises RosterError for a roster that no honest peer signs."""
        self.table = open_table(roster)
        self.stage: Next = RosterStage()
        self.step = begin(0, first_hash(self.table.session), self.stage, self.table)
        self.fault: Fault | None = None
        self._past: list[Step] = []
        self._carried: list[bytes] = []
        self._events: list[Event] = []

    # -- where it stands -----------------------------------------------------------------------

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
        for seat in waiting & set(self.step.parked) & self.step.locked:
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

    # -- what a peer that lacks some of it is sent ----------------------------------------------

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

    # -- what may be said about a silent seat ---------------------------------------------------

    def can_object(self, seat: int, about: int, step: int) -> bool:
        """Whether a seat may show what another sent in this or an earlier step, and has not."""
        one = self._steps()[step]
        kept = step >= self.step.number - AHEAD_MAX
        silent = f"{seat}/{about}" not in one.slots()
        return kept and silent and seat != about and seat not in one.bots

    def can_vote(self, voter: int, seat: int) -> bool:
        """Whether this voter may ask now that the public bot take over a silent seat."""
        return voter != seat and self.bar(voter, seat) is None

    def bar(self, voter: int, seat: int) -> Bar | None:
        """What is in the way of this voter's vote about another seat; None if nothing is.

        Each has one vote a step: with two, delivery in two orders could lose two different seats.
        """
        if self.table.bots:
            return Bar.BOT
        if seat not in self._owing():
            return Bar.UNASKED
        if not self.step.votable:
            return Bar.UNDRAWN
        return Bar.VOTED if self.step.voted(voter) else None

    # -- how it moves on -----------------------------------------------------------------------

    def _steps(self) -> list[Step]:
        return [*self._past, self.step]

    def _answer(self, stage: Stage, envelope: Envelope, value: object) -> None:
        """Take a seat's answer to this step."""
        payload, sender = envelope.payload, envelope.payload.sender
        self.step.values[sender] = value
        self.step.wires[sender] = envelope.wire
        self._events.append(Arrived(payload.step, sender, payload.kind, self.waiting()))
        if sender in self.step.ballots:
            self._events.append(Unheard(sender, payload.step))
        self._complete_if_all(stage)

    def _vote(self, step: Step, vote: Vote, envelope: Envelope) -> dict[int, bytes]:
        """Take a vote of this step or an earlier one; all that there are about that seat."""
        ballot = step.ballots.setdefault(vote.seat, {})
        ballot[envelope.payload.sender] = envelope.wire
        self._events.append(VoteCast(envelope.payload.sender, vote.seat, step.number))
        return ballot

    def _lose(self, seat: int) -> None:
        """Give a seat to the public bot, as all the others have voted."""
        if isinstance(self.stage, Done):
            return
        votes = [wire for _, wire in sorted(self.step.ballots[seat].items())]
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
        self._events += events

    def _go_back(self, step: Step) -> None:
        """Begin a complete step again, as it stood; it must not be too old for that."""
        if step.start is None:
            raise RuntimeError("how this step began is not kept any more")
        self.table, self.stage = step.start
        self.step = begin(step.number, step.prev, self.stage, self.table)
        del self._past[step.number :]
