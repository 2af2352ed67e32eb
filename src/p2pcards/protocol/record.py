"""The record of a session: its envelopes in order, and their verification by anyone, offline.

A record file is the line :data:`MAGIC`, then each envelope with its length before it, four
bytes, most significant first. Nothing secret is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeAlias

from p2pcards.protocol.envelope import unseal
from p2pcards.protocol.events import Event, SeatBack, SeatLost
from p2pcards.protocol.faults import Fault
from p2pcards.protocol.limits import ENVELOPE_MAX
from p2pcards.protocol.messages import WireError
from p2pcards.protocol.observer import Observer, Receipt
from p2pcards.protocol.table import RosterError
from p2pcards.worded import Worded, WordedError, text_of

MAGIC = b"p2pcards record 1\n"

Told: TypeAlias = Callable[[Observer, Event], None]
"""Is told of each verified event, with the observer as it stands after the event's envelope."""


class RecordError(WordedError):
    """The bytes are not a record at all; the text says why."""


@dataclass(frozen=True, slots=True)
class Problem:
    """The first envelope that does not verify.

    ``index`` counts envelopes from 0; ``seat`` is the sender it names, None when its bytes do
    not even say that; ``due`` is the seat whose envelope belongs there.
    """

    index: int
    seat: int | None
    due: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Absence:
    """The public bot played a lost seat, from this deal and step on; ``until`` is the step after
    which its player was back, None when the bot played on.
    """

    seat: int
    deal: int
    step: int
    until: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a verified record shows.

    ``problem`` is None when every envelope verified. ``complete`` says that the session was
    signed off by all; ``truncated`` that the file ends inside an envelope; ``due`` is the seat
    whose envelope would be next.
    """

    observer: Observer | None
    envelopes: int
    problem: Problem | None
    truncated: bool
    due: int | None = 0
    absences: tuple[Absence, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether the record goes to the session's last step."""
        return self.observer is not None and self.observer.done

    @property
    def good(self) -> bool:
        """Whether every byte of the record verified."""
        return self.problem is None and not self.truncated


def write_record(wires: Iterable[bytes]) -> bytes:
    """The bytes of a record file."""
    return MAGIC + framed(wires)


def framed(wires: Iterable[bytes]) -> bytes:
    """Envelopes one after the other, each with its length before it."""
    return b"".join(len(wire).to_bytes(4, "big") + wire for wire in wires)


def read_record(data: bytes) -> tuple[list[bytes], bool]:
    """The envelopes of a record, and whether the file ends inside one.

    Raises:
        RecordError: no record, or an envelope's length is out of bounds.
    """
    wires, truncated, problem = _read(data)
    if problem:
        raise RecordError(Worded("envelope {count} {problem}", count=len(wires), problem=problem))
    return wires, truncated


def check_record(data: bytes, told: Told | None = None) -> Verdict:
    """Read and verify the bytes of a record file; raises RecordError when they are none."""
    wires, truncated, problem = _read(data)
    verdict = verify_record(wires, truncated, told)
    if not problem or verdict.problem:
        return verdict
    found = Problem(len(wires), None, verdict.due, problem)
    return Verdict(verdict.observer, len(wires), found, truncated, verdict.due, verdict.absences)


def split(data: bytes) -> Iterator[bytes | None]:
    """The envelopes in framed bytes; None, and no more, where the bytes end inside one.

    Raises:
        RecordError: an envelope's length is out of bounds.
    """
    at = 0
    while at < len(data):
        head = data[at : at + 4]
        size = int.from_bytes(head, "big")
        if len(head) == 4 and size > ENVELOPE_MAX:
            raise RecordError(Worded("claims {size} bytes, more than any has", size=size))
        wire = data[at + 4 : at + 4 + size]
        if len(head) < 4 or len(wire) < size:
            yield None
            return
        yield wire
        at += 4 + size


def _read(data: bytes) -> tuple[list[bytes], bool, str]:
    """The envelopes before the end or the first bad length; truncated; what is bad there."""
    if not data.startswith(MAGIC):
        raise RecordError("this is no game record: its first line is another")
    wires: list[bytes] = []
    try:
        for wire in split(data[len(MAGIC) :]):
            if wire is None:
                return wires, True, ""
            wires.append(wire)
    except RecordError as exc:
        return wires, False, text_of(exc)
    return wires, False, ""


def verify_record(wires: list[bytes], truncated: bool = False, told: Told | None = None) -> Verdict:
    """Run an observer over a record's envelopes and stop at the first that does not verify."""
    observer: Observer | None = None
    absences: list[Absence] = []
    for index, wire in enumerate(wires):
        try:
            if observer is None:
                observer = Observer.from_first(wire)
        except (WireError, RosterError) as exc:
            return Verdict(None, 0, Problem(index, _sender(wire), 0, text_of(exc)), truncated)
        due, step = _due(observer), observer.step.number
        receipt = observer.receive(wire)
        if receipt is not Receipt.ACCEPTED:
            problem = Problem(index, _sender(wire), due, _why(observer, receipt))
            return Verdict(observer, index, problem, truncated, due, tuple(absences))
        for event in observer.events():
            _note_absence(observer, step, event, absences)
            if told is not None:
                told(observer, event)
    due = 0 if observer is None else _due(observer)
    misplaced = _misplaced(observer, wires)
    if misplaced is not None:
        text = Worded("the envelope is not in its place in the transcript")
        problem = Problem(misplaced, _sender(wires[misplaced]), None, text)
        return Verdict(observer, misplaced, problem, truncated, due, tuple(absences))
    return Verdict(observer, len(wires), None, truncated, due, tuple(absences))


def _misplaced(observer: Observer | None, wires: list[bytes]) -> int | None:
    """The first envelope that is no part of the transcript, or not in its order."""
    order = observer.record() if observer else []
    pairs = enumerate(zip_longest(wires, order))
    return next((i for i, (wire, placed) in pairs if wire != placed), None)


def _due(observer: Observer) -> int | None:
    """The seat whose envelope a record has next; a record lists a step's by seat."""
    return min(observer.waiting(), default=None)


def _note_absence(observer: Observer, step: int, event: Event, absences: list[Absence]) -> None:
    match event:
        case SeatLost(seat, _):
            absences.append(Absence(seat, observer.table.the_state().deal, step))
        case SeatBack(seat):
            lost = absences.pop()
            absences.append(Absence(seat, lost.deal, lost.step, step))


def _why(observer: Observer, receipt: Receipt) -> str:
    fault: Fault | None = observer.fault
    if receipt is Receipt.FAULT and fault is not None:
        return fault.sentence()
    if receipt is Receipt.DUPLICATE:
        return Worded("the envelope stands in the record twice")
    if receipt is Receipt.HELD:
        return Worded("the envelope is out of order")
    return observer.refusal


def _sender(wire: bytes) -> int | None:
    try:
        return unseal(wire).payload.sender
    except WireError:
        return None
