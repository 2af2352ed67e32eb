"""Evidence that one seat broke the protocol, for somebody who was not at the table.

A file is the line :data:`MAGIC`, then blocks, each with its length before it (four bytes, most
significant first): a :class:`Claim`, then envelopes. The first ``history`` of these lead up to
the fault and all verify; the rest show it. Two different envelopes that one seat signed for one
place in the transcript speak for themselves: there the history is the signed roster and the
draw, which say whose key sits in which seat. Any other fault shows in one envelope, and the
history is the record up to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from p2pcards.protocol.envelope import Envelope, unseal
from p2pcards.protocol.faults import NOT_PROVABLE, Fault, FaultKind
from p2pcards.protocol.messages import Body, SeatNumber, WireError, decode, encode
from p2pcards.protocol.observer import Observer, Receipt
from p2pcards.protocol.record import RecordError, framed, split, verify_record
from p2pcards.protocol.senders import DRAWN_AT, is_by_sender, seat_of
from p2pcards.protocol.step import slots_of
from p2pcards.worded import Worded, WordedError

MAGIC = b"p2pcards evidence 1\n"


class EvidenceError(WordedError):
    """The bytes prove nothing; the text says why."""


class Claim(Body, frozen=True):
    """What is claimed: who did what in which step; the seat is a place before the draw."""

    seat: SeatNumber
    kind: Annotated[str, Meta(max_length=32)]
    step: Annotated[int, Meta(ge=0, le=2**31)]
    history: Annotated[int, Meta(ge=0, le=2**31)]


@dataclass(frozen=True, slots=True)
class Proof:
    """A claim that holds: the fault, who is to blame, and the signed envelopes that show it.

    ``name`` and ``identity`` are the player's in the roster. For a bad part of a key, the
    envelope is the complaint of the seat that was given it.
    """

    fault: Fault
    name: str
    identity: bytes
    history: int
    shown: tuple[Envelope, ...]


def make_evidence(observer: Observer) -> bytes | None:
    """The evidence file for the fault that ended a session; None when nothing can be proved."""
    fault = observer.fault
    if fault is None or fault.kind in NOT_PROVABLE or not fault.evidence:
        return None
    step = unseal(fault.evidence[0]).payload.step
    history = observer.record()
    if fault.kind is FaultKind.EQUIVOCATION:
        history = [wire for wire in history if unseal(wire).payload.step < DRAWN_AT]
    claim = Claim(fault.seat, fault.kind.value, step, len(history))
    return MAGIC + framed([encode(claim), *history, *fault.evidence])


def is_evidence(data: bytes) -> bool:
    """Whether the bytes say that they are an evidence file."""
    return data.startswith(MAGIC)


def check_evidence(data: bytes) -> Proof:
    """Check everything in an evidence file; raises EvidenceError unless its claim is proved."""
    claim, wires = _read(data)
    history, shown = wires[: claim.history], wires[claim.history :]
    if len(history) < claim.history:
        raise EvidenceError("it ends before what it claims to show")
    verdict = verify_record(history)
    observer, problem = verdict.observer, verdict.problem
    if problem is not None or observer is None:
        where = Worded("it is empty")
        if problem is not None:
            where = Worded("envelope {number}: {why}", number=problem.index, why=problem.text)
        raise EvidenceError(Worded("the history in it does not verify: {why}", why=where))
    if claim.kind == FaultKind.EQUIVOCATION.value:
        fault = _equivocation(observer, shown)
    else:
        fault = _fault(observer, shown)
    found = (fault.seat, fault.kind.value, fault.step)
    if found != (claim.seat, claim.kind, claim.step):
        raise EvidenceError(
            Worded(
                "it claims {kind} of seat {seat} at step {step}, but shows {found} of seat "
                "{other} at step {place}",
                kind=claim.kind,
                seat=claim.seat,
                step=claim.step,
                found=found[1],
                other=found[0],
                place=found[2],
            )
        )
    player = observer.table.players[fault.seat]
    envelopes = tuple(unseal(wire) for wire in shown)
    return Proof(fault, player.name, player.identity, len(history), envelopes)


def _read(data: bytes) -> tuple[Claim, list[bytes]]:
    if not is_evidence(data):
        raise EvidenceError("this is no evidence file: its first line is another")
    blocks: list[bytes] = []
    try:
        for block in split(data[len(MAGIC) :]):
            if block is None:
                raise EvidenceError("it ends in the middle of an envelope")
            blocks.append(block)
        if not blocks:
            raise EvidenceError("it claims nothing")
        return decode(Claim, blocks[0]), blocks[1:]
    except RecordError as exc:
        raise EvidenceError(Worded("an envelope in it {why}", why=exc)) from None
    except WireError as exc:
        raise EvidenceError(Worded("its claim cannot be read: {why}", why=exc)) from None


def _equivocation(observer: Observer, shown: Sequence[bytes]) -> Fault:
    """The fault that two envelopes show, whatever else was said in the session."""
    if len(shown) != 2 or shown[0] == shown[1]:
        raise EvidenceError("two different envelopes are needed to show equivocation")
    try:
        first, second = (unseal(wire) for wire in shown)
    except WireError as exc:
        raise EvidenceError(Worded("what it shows is no envelope: {why}", why=exc)) from None
    step = first.payload.step
    if step != second.payload.step or not set(slots_of(first)) & set(slots_of(second)):
        raise EvidenceError("its two envelopes do not fill the same place in the transcript")
    seat = first.payload.sender
    for envelope in (first, second):
        if envelope.payload.session != observer.session:
            raise EvidenceError("an envelope in it is of another session")
        if not is_by_sender(observer, envelope):
            raise EvidenceError(Worded("an envelope in it is not signed by seat {seat}", seat=seat))
    text = Worded("signed two different envelopes for step {step}", step=step)
    seat = seat_of(observer, first.payload)
    return Fault(seat, FaultKind.EQUIVOCATION, step, text, tuple(shown))


def _fault(observer: Observer, shown: Sequence[bytes]) -> Fault:
    if len(shown) != 1:
        raise EvidenceError("one envelope is needed to show this fault")
    receipt = observer.receive(shown[0])
    if receipt is Receipt.FAULT and observer.fault is not None:
        return observer.fault
    if receipt is Receipt.REFUSED:
        raise EvidenceError(
            Worded("the envelope it shows proves nothing: {why}", why=observer.refusal)
        )
    raise EvidenceError("the envelope it shows is as it should be")
