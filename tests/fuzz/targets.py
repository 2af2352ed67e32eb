"""What is fuzzed: everything that reads bytes from others, and the observer itself.

A target takes any bytes and returns; only the errors that its subject documents are caught. An
input's first byte says which target it is for, so that one fuzzer and one corpus serve all.
"""

from __future__ import annotations

import contextlib
import copy
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import msgspec

from p2pcards.net.errors import NetError
from p2pcards.net.frames import LIMIT, FrameDecoder, FrameError
from p2pcards.net.journal import Journal
from p2pcards.net.lobby import read_want
from p2pcards.net.store import Header, Store
from p2pcards.net.wire import VERSION, Hello, Kind, decode_hello, encode_hello, frame, reason_of
from p2pcards.net.wire import split as split_frame
from p2pcards.protocol.envelope import Payload, body_of, seal, unseal
from p2pcards.protocol.evidence import EvidenceError, check_evidence, make_evidence
from p2pcards.protocol.messages import BODIES, Cut, Roster, Terms, WireError, decode, encode
from p2pcards.protocol.observer import Observer, Receipt
from p2pcards.protocol.record import RecordError, check_record, write_record
from p2pcards.protocol.table import RosterError
from p2pcards.protocol.traffic import Chat, Env, Leaving, Said, Status, pack, unpack
from tests.protocol.cheat import prepared
from tests.protocol.matches import finished, first_of_kinds, record
from tests.protocol.room import identity_key, make_roster

STAGES = (
    *("roster", "reveal", "key-commit", "key", "shuffle", "cut", "parts", "confirm"),
    *("shares", "bid", "play", "result", "end"),
)
KINDS = tuple(BODIES)


def frames(data: bytes) -> None:
    """A stream of frames in chunks, and whatever is in each."""
    decoder = FrameDecoder()
    size = data[0] + 1 if data else 1
    with contextlib.suppress(FrameError):
        for at in range(1, len(data), size):
            decoder.feed(data[at : at + size])
            while (one := decoder.next_frame()) is not None:
                assert len(one) <= LIMIT
                with contextlib.suppress(NetError):
                    split_frame(one)
                reason_of(one)


def greeting(data: bytes) -> None:
    """What a stranger says first."""
    with contextlib.suppress(NetError):
        read_want(decode_hello(data, VERSION).want)
    read_want(data)


def traffic(data: bytes) -> None:
    """A message between peers, and what it carries."""
    with contextlib.suppress(WireError):
        message = unpack(data)
        wire = getattr(message, "wire", b"")
        if wire:
            body_of(unseal(wire).payload)
    for kind in (Terms, Roster):
        with contextlib.suppress(WireError):
            decode(kind, data)


def envelope(data: bytes) -> None:
    """An envelope by itself: what decodes comes out the same when it is encoded."""
    with contextlib.suppress(WireError):
        payload = unseal(data).payload
        assert encode(payload) == data[64:]
        body = body_of(payload)
        assert encode(body) == payload.body


def records(data: bytes) -> None:
    """A record file: the two of which one continues the other, or any bytes."""
    with contextlib.suppress(RecordError):
        verdict = check_record(data)
        assert verdict.envelopes <= len(data) // 4
        if verdict.good and verdict.observer is not None:
            assert verdict.observer.fault is None


def evidence(data: bytes) -> None:
    """An evidence file: what is taken names somebody of the roster."""
    with contextlib.suppress(EvidenceError):
        proof = check_evidence(data)
        assert proof.fault.seat in range(4)


def journal(data: bytes) -> None:
    """A journal file of any bytes, and one of any entries: read, or refused in words."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "aa.journal"
        path.write_bytes(data)
        with contextlib.suppress(NetError):
            Store.resume(path).close()
        made = Journal.create(Path(folder), b"\xbb")
        entries = [b"H" + data, data] if data[:1] > b"\x80" else [_header(), b"E" + data]
        for entry in entries:
            if entry:
                made.append(entry, sync=False)
        made.close()
        with contextlib.suppress(NetError):
            Store.resume(Path(folder) / "journals" / "bb.journal").close()


def _header() -> bytes:
    return b"H" + msgspec.msgpack.encode(Header(encode(make_roster()), bytes(32), 1))


# -- the observer ------------------------------------------------------------------------------


class Table:
    """An honest peer's observer at one step, and the envelope that a cheat owes there."""

    def __init__(self, kind: str) -> None:
        den = prepared(kind)
        choice = den.choose(den.liar) if kind in ("bid", "play") else None
        self.seat = den.liar.seat
        self.honest = unseal(den.liar.make(choice)).payload  # type: ignore[arg-type]
        self.sign = identity_key(den.roster.players[den.cheat].name).sign
        self.start = den.observer(den.honest[0])
        self.start.events()
        self.now = copy.deepcopy(self.start)

    def receive(self, wire: bytes) -> None:
        """Give an envelope to the observer: nobody but the cheat may be blamed for it."""
        observer = self.now
        receipt = observer.receive(wire)
        fault = observer.fault
        assert (receipt is Receipt.FAULT) == (fault is not None)
        if fault is not None:
            assert fault.seat == self.seat, fault
        if receipt is not Receipt.REFUSED or len(observer.events()) > 50:
            self.now = copy.deepcopy(self.start)


@cache
def table(index: int) -> Table:
    """The table at one kind of step."""
    return Table(STAGES[index % len(STAGES)])


def observer(data: bytes) -> None:
    """A cheat's envelope, altered and signed again, before an observer at some step.

    Bytes: the step, a kind, what to change, how many changes; then for each change two bytes
    of place and one of value; the rest is inserted at the last place.
    """
    if len(data) < 4:
        return
    place = table(data[0])
    payload = place.honest
    body = _edited(payload.body, data[3:])
    kind = KINDS[data[1] % len(KINDS)] if data[2] & 1 else payload.kind
    step = payload.step + (data[2] >> 1 & 3) - 1 if data[2] & 8 else payload.step
    prev = bytes(32) if data[2] & 16 else payload.prev
    sender = (payload.sender + 1) % 4 if data[2] & 32 else payload.sender
    made = Payload(payload.session, max(0, step), sender, prev, kind, body)
    with contextlib.suppress(WireError):
        place.receive(seal(made, place.sign))


def _edited(body: bytes, data: bytes) -> bytes:
    out, at = bytearray(body), 0
    count, rest = data[0] % 8, data[1:]
    for i in range(count):
        part = rest[3 * i : 3 * i + 3]
        if len(part) < 3 or not out:
            break
        at = int.from_bytes(part[:2], "big") % len(out)
        out[at] = part[2]
    tail = rest[3 * count :]
    if data[0] & 0x80:
        return tail
    out[at:at] = tail
    return bytes(out)


def first_envelope(data: bytes) -> None:
    """The first envelope of a session, from nobody knows whom."""
    with contextlib.suppress(WireError, RosterError):
        Observer.from_first(data).receive(data)


TARGETS: tuple[Callable[[bytes], None], ...] = (
    frames,
    greeting,
    traffic,
    envelope,
    records,
    evidence,
    journal,
    observer,
    first_envelope,
)


def run(data: bytes) -> None:
    """Give an input to the target that its first byte names."""
    if data:
        TARGETS[data[0] % len(TARGETS)](data[1:])


def seeds() -> dict[str, bytes]:
    """Inputs to start from, by name: one of everything that is well formed."""
    wires = record(finished())
    hello = encode_hello(Hello(VERSION, "Aigul", 4711, b"\x93\xa4join\xc4\x00\xc4\x00"))
    found = {
        "frames": b"\x07" + hello + frame(Kind.PING, bytes(8)) + frame(Kind.REFUSE, b"full"),
        "greeting": hello[5:],
        "greeting-nested": b"\x95\x01" + b"\x91" * 3000,
        "traffic-env": pack(Env(wires[0])),
        "traffic-status": pack(Status(wires[0][70:102], 7, 5, 15, False)),
        "traffic-chat": pack(Chat("salut")),
        "traffic-said": pack(Said(bytes(32), "salut")),
        "traffic-leaving": pack(Leaving("supper")),
        "records": write_record(wires[:5]),
        "journal": b"\x00" + wires[4],
        "journal-header": _header()[1:],
        "first_envelope": wires[0],
    }
    den = prepared("cut")
    den.push(den.split(den.envelope("cut", Cut(3)), den.envelope("cut", Cut(4))))
    den.run()
    found["evidence"] = make_evidence(den.observer(den.honest[0])) or b""
    for kind, index in first_of_kinds().items():
        if len(wires[index]) < 2000:
            found[f"envelope-{kind}"] = wires[index]
    for index, kind in enumerate(STAGES):
        found[f"observer-{kind}"] = bytes([index, 0, 0, 0])
    return found


def tagged(name: str, data: bytes) -> bytes:
    """The input of the target that a seed's name begins with."""
    names = [target.__name__ for target in TARGETS]
    return bytes([names.index(name.split("-")[0])]) + data
