"""A link: hello or refusal in words, heartbeat, bounds in memory and time."""

from __future__ import annotations

import dataclasses
import tracemalloc

import pytest
import trio

from p2pcards.net import frames, wire
from p2pcards.net.greet import GreetingError, LinkRefused, greet
from p2pcards.net.identity import Identity
from p2pcards.net.limits import Bucket, LinkLimits
from p2pcards.net.link import CloseKind, Link, LinkClosed
from p2pcards.net.tls import SecureStream
from p2pcards.net.wire import Hello, Kind
from tests.net.wires import both, greeted, hello, linked, secured

Two = tuple[Identity, Identity]
QUICK = LinkLimits(heartbeat=0.1, silence=0.5, greeting=0.5, farewell=0.5)


class Inbox:
    """Runs a link and keeps what it delivers and how it ends."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.closed: LinkClosed | None = None
        self.ended = trio.Event()
        self._send, self.payloads = trio.open_memory_channel[bytes](1000)

    async def run(self) -> None:
        """Run the link to its end."""
        self.closed = await self.link.run(self._send.send)
        self.ended.set()


async def end_of(*inboxes: Inbox) -> None:
    """Wait until these links have ended."""
    with trio.fail_after(5):
        for inbox in inboxes:
            await inbox.ended.wait()


async def test_hellos_and_payloads_both_ways(two: Two) -> None:
    async with linked(*two) as (left, right), trio.open_nursery() as nursery:
        assert (left.hello.name, right.hello.name) == ("Ion", "Ana")
        assert (left.peer, right.peer) == (two[1].public, two[0].public)
        assert (left.inbound, right.inbound) == (False, True)
        ana, ion = Inbox(left), Inbox(right)
        nursery.start_soon(ana.run)
        nursery.start_soon(ion.run)
        big = bytes(wire.MAX_PAYLOAD)
        assert all(left.send_nowait(payload) for payload in (b"", b"move", big))
        assert right.send_nowait(b"answer")
        assert [await ion.payloads.receive() for _ in range(3)] == [b"", b"move", big]
        assert await ana.payloads.receive() == b"answer"
        with pytest.raises(ValueError, match="frame"):
            left.send_nowait(bytes(wire.MAX_PAYLOAD + 1))
        left.send_nowait(b"last words")
        left.close("the game is \x1b[31mover")
        await end_of(ana, ion)
    assert await ion.payloads.receive() == b"last words"
    assert ion.closed == LinkClosed(CloseKind.REFUSED, "the game is [31mover")
    assert ana.closed is not None
    assert ana.closed.kind is CloseKind.DROPPED
    assert not left.send_nowait(b"too late")


@pytest.mark.parametrize("newer_dials", [True, False])
async def test_versions_that_differ_are_named_on_both_sides(two: Two, newer_dials: bool) -> None:
    hellos = (hello("Ana", version=2), hello("Ion", version=1))
    async with secured(*two) as ends:
        results = await greeted(ends, hellos if newer_dials else hellos[::-1])
    for result, by_us in zip(results, (False, True), strict=True):
        assert isinstance(result, LinkRefused)
        assert result.by_us is by_us
        assert {"1", "2"} <= set(result.reason.replace(":", "").split())
        assert "same release" in result.reason


async def test_a_dialler_that_meets_a_newer_peer_says_so(two: Two) -> None:
    async with secured(*two) as (left, right):

        async def newer() -> bytes:
            await right.stream.send_all(wire.encode_hello(hello("Ion", version=3)))
            data = b""
            while b"release" not in data:
                data += await right.stream.receive_some()
            return data

        results = await both(lambda: greet(left, hello("Ana"), inbound=False), newer)
    assert isinstance(results[0], LinkRefused)
    assert results[0].by_us
    assert isinstance(results[1], bytes)


async def test_a_peer_that_is_not_admitted_hears_why(two: Two) -> None:
    def admit(theirs: Hello) -> str | None:
        return f"the table is full, {theirs.name}"

    async with secured(*two) as ends:
        dialler, accepter = await greeted(ends, admit=admit)
    assert isinstance(dialler, LinkRefused)
    assert dialler.reason == "the table is full, Ana"
    assert isinstance(accepter, LinkRefused)


@pytest.mark.parametrize(
    "first",
    [
        b"\xff\xff\xff\xff",
        b"\x00\x00\x00\x00",
        frames.encode(b"\x09what"),
        wire.frame(Kind.DATA, b"before hello"),
        wire.frame(Kind.HELLO, b"\xc1"),
        wire.frame(Kind.REFUSE, b"\xff\x1b[2J" * 5000),
    ],
)
async def test_garbage_in_place_of_a_hello(two: Two, first: bytes) -> None:
    async with secured(*two) as (left, right):
        await left.stream.send_all(first)
        with trio.fail_after(3), pytest.raises((GreetingError, LinkRefused)) as caught:
            await greet(right, hello(), inbound=True)
    assert len(str(caught.value)) < 300
    assert "\x1b" not in str(caught.value)


async def test_no_hello_meets_the_deadline(two: Two) -> None:
    async with secured(*two) as (_, right):
        with pytest.raises(GreetingError, match=r"no hello in 0\.5 s"):
            await greet(right, hello(), inbound=True, limits=QUICK)


async def test_a_dialler_refused_after_tls_gets_an_error_and_no_hang(two: Two) -> None:
    async with secured(*two) as (left, right):
        await right.aclose()
        with trio.fail_after(2), pytest.raises(GreetingError):
            await greet(left, hello(), inbound=False)


async def test_heartbeats_keep_an_idle_link_and_measure_it(two: Two) -> None:
    async with linked(*two, QUICK) as (left, right), trio.open_nursery() as nursery:
        ana, ion = Inbox(left), Inbox(right)
        nursery.start_soon(ana.run)
        nursery.start_soon(ion.run)
        await trio.sleep(1.2)
        assert ana.closed is None
        assert ion.closed is None
        assert left.rtt is not None
        assert 0 < left.rtt < 0.5
        nursery.cancel_scope.cancel()


async def test_silence_ends_a_link(two: Two) -> None:
    async with linked(*two, QUICK) as (left, right), trio.open_nursery() as nursery:
        ana = Inbox(left)
        nursery.start_soon(ana.run)
        await end_of(ana)
        assert ana.closed is not None
        assert ana.closed.kind is CloseKind.SILENT
        await right._secure.aclose()


async def test_a_byte_now_and_then_is_silence_too(two: Two) -> None:
    async with linked(*two, QUICK) as (left, right), trio.open_nursery() as nursery:
        ana = Inbox(left)
        nursery.start_soon(ana.run)
        for byte in wire.frame(Kind.DATA, b"slow as can be")[:12]:
            if ana.closed is None:
                await right._secure.stream.send_all(bytes((byte,)))
                await trio.sleep(0.1)
        await end_of(ana)
        assert ana.closed is not None
        assert ana.closed.kind is CloseKind.SILENT


@pytest.mark.parametrize(
    "bad",
    [
        (frames.LIMIT + 1).to_bytes(4, "big"),
        frames.encode(b"\x2a???"),
        wire.encode_hello(hello()),
        wire.frame(Kind.PING, b"short"),
        wire.frame(Kind.PONG, bytes(100)),
    ],
)
async def test_garbage_on_a_link_ends_it_with_a_word(two: Two, bad: bytes) -> None:
    async with linked(*two, QUICK) as (left, right), trio.open_nursery() as nursery:
        ana = Inbox(left)
        nursery.start_soon(ana.run)
        await right._secure.stream.send_all(bad)
        data = b""
        with trio.fail_after(2):
            while more := await right._secure.stream.receive_some():
                data += more
                if bytes((Kind.REFUSE,)) + b"it " in data:
                    break
        await right._secure.aclose()
        await end_of(ana)
        assert ana.closed is not None
        assert ana.closed.kind is CloseKind.GARBAGE


async def test_a_peer_that_does_not_read_is_given_up(two: Two) -> None:
    small = dataclasses.replace(QUICK, queue=1 << 20)
    async with linked(*two, small) as (left, right), trio.open_nursery() as nursery:
        ana = Inbox(left)
        nursery.start_soon(ana.run)
        nursery.start_soon(_ping_for_ever, right._secure)
        with trio.fail_after(5):
            while left.send_nowait(bytes(60_000)):  # noqa: ASYNC110
                await trio.sleep(0.001)
        await end_of(ana)
        assert ana.closed is not None
        assert ana.closed.kind is CloseKind.SLOW
        nursery.cancel_scope.cancel()


async def _ping_for_ever(secure: SecureStream) -> None:
    try:
        while True:
            await secure.stream.send_all(wire.frame(Kind.PING, bytes(8)))
            await trio.sleep(0.1)
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        pass


async def test_a_peer_slowed_down_by_us_is_not_dead(two: Two) -> None:
    async with linked(*two, QUICK) as (left, right), trio.open_nursery() as nursery:
        send, receive = trio.open_memory_channel[bytes](0)
        nursery.start_soon(left.run, send.send)
        ion = Inbox(right)
        nursery.start_soon(ion.run)
        right.send_nowait(b"one")
        right.send_nowait(b"two")
        await trio.sleep(1.2)
        assert left.is_open
        assert right.is_open
        assert [await receive.receive(), await receive.receive()] == [b"one", b"two"]
        nursery.cancel_scope.cancel()


async def test_a_flood_does_not_grow_memory(two: Two) -> None:
    limits = dataclasses.replace(QUICK, frames_rate=200, frames_burst=50, queue=1 << 20)
    flood = (wire.frame(Kind.PING, bytes(8)) + wire.frame(Kind.DATA, bytes(100))) * 200
    async with linked(*two, limits) as (left, right), trio.open_nursery() as nursery:
        count = 0

        async def consume(payload: bytes) -> None:
            nonlocal count
            count += 1

        async def attack() -> None:
            try:
                while True:
                    await right._secure.stream.send_all(flood)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                pass

        nursery.start_soon(left.run, consume)
        nursery.start_soon(attack)
        await trio.sleep(0.3)
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        await trio.sleep(0.7)
        grown = tracemalloc.get_traced_memory()[0] - before
        tracemalloc.stop()
        assert grown < 1 << 20
        assert count < 200
        nursery.cancel_scope.cancel()


async def test_a_vanished_peer_is_noticed_at_once(two: Two) -> None:
    async with linked(*two) as (left, right), trio.open_nursery() as nursery:
        ana = Inbox(left)
        nursery.start_soon(ana.run)
        await trio.sleep(0.05)
        await right._secure.aclose()
        await end_of(ana)
        assert ana.closed is not None
        assert ana.closed.kind in {CloseKind.BROKEN, CloseKind.LEFT}


def test_the_bucket_lets_a_burst_through_and_then_the_rate() -> None:
    bucket = Bucket(rate=10, burst=5, level=5, at=0.0)
    assert [bucket.take(1, 0.0) for _ in range(5)] == [0.0] * 5
    assert bucket.take(1, 0.0) == pytest.approx(0.1)
    assert bucket.take(1, 0.0) == pytest.approx(0.2)
    assert bucket.take(1, 10.0) == 0.0
