"""The record of a session: its envelopes in order, and their verification by anyone, offline.

A record file is the line :data:`MAGIC`, then each envelope with its length before it, four
bytes, most significant first. Nothing secret is in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from p2pcards.protocol.envelope import unseal
from p2pcards.protocol.faults import Fault
from p2pcards.protocol.limits import ENVELOPE_MAX
from p2pcards.protocol.messages import WireError
from p2pcards.protocol.observer import Observer, Receipt
from p2pcards.protocol.table import RosterError

MAGIC = b"p2pcards record 1\n"


class RecordError(ValueError):
    """The bytes are not a record at all; the text says why."""


@dataclass(frozen=True, slots=True)
class Problem:
    """The first envelope that does not verify.

    ``index`` counts envelopes from 0; ``seat`` is the sender it names, None when its bytes do
    not even say that.
    """

    index: int
    seat: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a verified record shows.

    ``problem`` is None when every envelope verified. ``complete`` says that the session was
    signed off by all; ``truncated`` that the file ends inside an envelope.
    """

    observer: Observer | None
    envelopes: int
    problem: Problem | None
    truncated: bool

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
    return MAGIC + b"".join(len(wire).to_bytes(4, "big") + wire for wire in wires)


def read_record(data: bytes) -> tuple[list[bytes], bool]:
    """The envelopes of a record, and whether the file ends inside one.

    Raises:
        RecordError: no record, or an envelope's length is out of bounds.
    """
    if not data.startswith(MAGIC):
        raise RecordError("this is no game record: its first line is another")
    wires: list[bytes] = []
    at = len(MAGIC)
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        if len(data) - at >= 4 and size > ENVELOPE_MAX:
            text = f"envelope {len(wires)} claims {size} bytes, more than any has"
            raise RecordError(text)
        wire = data[at + 4 : at + 4 + size]
        if len(data) - at < 4 or len(wire) < size:
            return wires, True
        wires.append(wire)
        at += 4 + size
    return wires, False


def verify_record(wires: list[bytes], truncated: bool = False) -> Verdict:
    """Run an observer over a record's envelopes and stop at the first that does not verify."""
    observer: Observer | None = None
    for index, wire in enumerate(wires):
        try:
            if observer is None:
                observer = Observer.from_first(wire)
        except (WireError, RosterError) as exc:
            return Verdict(None, 0, Problem(index, _sender(wire), str(exc)), truncated)
        receipt = observer.receive(wire)
        if receipt is not Receipt.ACCEPTED:
            text = _why(observer, receipt)
            return Verdict(observer, index, Problem(index, _sender(wire), text), truncated)
    return Verdict(observer, len(wires), None, truncated)


def _why(observer: Observer, receipt: Receipt) -> str:
    fault: Fault | None = observer.fault
    if receipt is Receipt.FAULT and fault is not None:
        return str(fault)
    if receipt is Receipt.DUPLICATE:
        return "the envelope stands in the record twice"
    if receipt is Receipt.HELD:
        return "the envelope is out of order"
    return observer.refusal


def _sender(wire: bytes) -> int | None:
    try:
        return unseal(wire).payload.sender
    except WireError:
        return None
