"""The mesh: one link to each peer, whoever dialled, whatever strangers do."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from typing import TypeVar

import pytest
import trio
import trio.lowlevel

from p2pcards.net.accept import Gate, ListenFailed
from p2pcards.net.dial import DialFailed, order
from p2pcards.net.errors import NetError
from p2pcards.net.events import LinkDown, LinkUp, Received
from p2pcards.net.greet import LinkRefused
from p2pcards.net.identity import Identity
from p2pcards.net.limits import LinkLimits
from p2pcards.net.link import CloseKind
from p2pcards.net.mesh import Mesh, open_mesh
from p2pcards.net.tls import MAGIC
from p2pcards.net.wire import Hello
from tests.net.wires import LOCAL

Two = tuple[Identity, Identity]
Maker = Callable[[], Identity]
T = TypeVar("T", LinkUp, LinkDown, Received)
QUICK = LinkLimits(heartbeat=0.1, silence=0.6, greeting=1, farewell=0.5)


@contextlib.asynccontextmanager
async def mesh_of(
    who: Identity, name: str = "Ana", port: int = 0, **more: object
) -> AsyncIterator[Mesh]:
    """A mesh on loopback with quick deadlines."""
    options = {"limits": QUICK, **more}
    async with open_mesh(who, name, [(LOCAL, port)], **options) as mesh:  # type: ignore[arg-type]
        yield mesh


async def next_of(mesh: Mesh, kind: type[T]) -> T:
    """The next event of a kind, dropping others."""
    with trio.fail_after(5):
        while True:
            event = await mesh.events.receive()
            if isinstance(event, kind):
                return event


async def until(condition: Callable[[], bool], seconds: float = 5) -> None:
    """Wait for a condition to hold."""
    with trio.fail_after(seconds):
        while not condition():  # noqa: ASYNC110
            await trio.sleep(0.01)


def at(mesh: Mesh) -> list[tuple[str, int]]:
    """Where a mesh listens."""
    return [(LOCAL, mesh.port)]


async def test_dial_send_and_leave(two: Two) -> None:
    async with mesh_of(two[0], "Ana") as ana:
        async with mesh_of(two[1], "Ion", want=b"seat") as ion:
            link = await ion.dial(at(ana), two[0].public)
            assert link.hello.name == "Ana"
            up = await next_of(ana, LinkUp)
            assert up == LinkUp(two[1].public, "Ion", b"seat", True, (LOCAL, ion.port))
            assert (await next_of(ion, LinkUp)).inbound is False
            assert ana.linked() == {two[1].public}
            assert ana.send(two[1].public, b"move")
            assert await next_of(ion, Received) == Received(two[0].public, b"move")
            assert ion.broadcast(b"all") == {two[0].public}
            assert ion.broadcast(b"all", except_=[two[0].public]) == set()
            assert not ana.send(bytes(32), b"nobody")
        down = await next_of(ana, LinkDown)
        assert down == LinkDown(two[1].public, "this peer has left", CloseKind.REFUSED)
        assert ana.linked() == set()


async def test_a_cancelled_mesh_says_goodbye_too(two: Two) -> None:
    async with mesh_of(two[0], "Ana") as ana:
        with trio.CancelScope() as scope:
            async with mesh_of(two[1], "Ion") as ion:
                await ion.dial(at(ana), two[0].public)
                await next_of(ana, LinkUp)
                await trio.sleep(0.05)  # nothing is half sent
                scope.cancel()
                await trio.sleep_forever()
        down = await next_of(ana, LinkDown)
        assert down == LinkDown(two[1].public, "this peer has left", CloseKind.REFUSED)


async def test_a_dropped_peer_hears_why(two: Two) -> None:
    async with mesh_of(two[0]) as ana, mesh_of(two[1]) as ion:
        await ion.dial(at(ana))
        ion.drop(two[0].public, "you are too slow")
        assert (await next_of(ana, LinkDown)).reason == "you are too slow"
        assert (await next_of(ion, LinkDown)).kind is CloseKind.DROPPED


async def test_admission_is_asked_with_the_proven_key(two: Two) -> None:
    asked: list[tuple[bytes, str]] = []

    def admit(peer: bytes, hello: Hello) -> str | None:
        asked.append((peer, hello.name))
        return "name taken"

    async with mesh_of(two[0], admit=admit) as ana, mesh_of(two[1], "Ion") as ion:
        with pytest.raises(LinkRefused, match="name taken"):
            await ion.dial(at(ana))
        assert asked == [(two[1].public, "Ion")]
        assert ana.linked() == set()


async def test_a_fault_in_admission_refuses_and_goes_on(
    two: Two, caplog: pytest.LogCaptureFixture
) -> None:
    faults = [RuntimeError("bug")]

    def admit(peer: bytes, hello: Hello) -> str | None:
        if faults:
            raise faults.pop()
        return None

    async with mesh_of(two[0], admit=admit) as ana, mesh_of(two[1]) as ion:
        with pytest.raises(NetError, match=r"without a word|hung up before its hello"):
            await ion.dial(at(ana))
        assert "fault of this program" in caplog.text
        await ion.dial(at(ana))


@pytest.mark.parametrize("versions", [(1, 2), (2, 1)])
async def test_a_version_mismatch_is_said_to_the_dialler(
    two: Two, versions: tuple[int, int]
) -> None:
    async with (
        mesh_of(two[0], version=versions[0]) as ana,
        mesh_of(two[1], version=versions[1]) as ion,
    ):
        with pytest.raises(LinkRefused, match="same release"):
            await ion.dial(at(ana))


async def test_both_dial_and_one_link_is_kept(two: Two) -> None:
    for _ in range(5):
        async with mesh_of(two[0]) as low, mesh_of(two[1]) as high:
            async with trio.open_nursery() as nursery:
                for mesh, other in ((low, high), (high, low)):
                    nursery.start_soon(_try_dial, mesh, other)
            await until(lambda: _agree(low, high, two))
            await trio.sleep(0.1)
            assert _agree(low, high, two)
            assert low.send(two[1].public, b"one way")
            assert high.send(two[0].public, b"and back")
            assert (await next_of(high, Received)).payload == b"one way"
            assert (await next_of(low, Received)).payload == b"and back"


async def _try_dial(mesh: Mesh, other: Mesh) -> None:
    with contextlib.suppress(LinkRefused):
        await mesh.dial(at(other))


def _agree(low: Mesh, high: Mesh, two: Two) -> bool:
    ends = low.link(two[1].public), high.link(two[0].public)
    if ends[0] is None or ends[1] is None:
        return False
    same = ends[0].inbound is not ends[1].inbound
    return same and low.linked() == {two[1].public} and high.linked() == {two[0].public}


async def test_dialling_twice_gives_the_same_link(two: Two) -> None:
    async with mesh_of(two[0]) as ana, mesh_of(two[1]) as ion:
        first = await ion.dial(at(ana))
        assert await ion.dial(at(ana)) is first


async def test_maintained_peers_find_each_other_and_come_back(make_identity: Maker) -> None:
    ids = [make_identity() for _ in range(4)]
    async with contextlib.AsyncExitStack() as stack:
        meshes = [await stack.enter_async_context(mesh_of(who)) for who in ids[:3]]
        where = {who.public: at(mesh) for who, mesh in zip(ids, meshes, strict=False)}
        async with mesh_of(ids[3]) as last:
            everyone = {**where, ids[3].public: at(last)}
            for mesh in (*meshes, last):
                mesh.upkeep.maintain(everyone)
            await until(lambda: all(len(mesh.linked()) == 3 for mesh in (*meshes, last)))
        await until(lambda: all(len(mesh.linked()) == 2 for mesh in meshes))
        # It is back with another port, and only it knows where the others are.
        async with mesh_of(ids[3]) as back:
            back.upkeep.maintain(where)
            await until(lambda: all(len(mesh.linked()) == 3 for mesh in (*meshes, back)))
        async with mesh_of(ids[3]) as moved:
            for mesh in meshes:
                mesh.upkeep.update_addresses(ids[3].public, at(moved))
            await until(lambda: all(len(mesh.linked()) == 3 for mesh in (*meshes, moved)))


async def test_a_first_address_that_is_dead_does_not_delay_much(two: Two) -> None:
    with socket.socket() as deaf:
        deaf.bind((LOCAL, 0))
        deaf.listen(0)
        async with mesh_of(two[0]) as ana, mesh_of(two[1]) as ion:
            started = trio.current_time()
            await ion.dial([deaf.getsockname(), *at(ana)], two[0].public)
            assert trio.current_time() - started < 1.5


async def test_an_address_of_somebody_else_is_passed_over(make_identity: Maker) -> None:
    ana, ion, eve = (make_identity() for _ in range(3))
    async with mesh_of(ana) as one, mesh_of(ion) as two, mesh_of(eve) as impostor:
        link = await two.dial([*at(impostor), *at(two), *at(one)], ana.public)
        assert link.peer == ana.public
        with pytest.raises(DialFailed, match="expected there"):
            await two.dial(at(impostor), ana.public)


async def test_nobody_there_is_said_in_words(two: Two) -> None:
    async with mesh_of(two[0]) as ana:
        with pytest.raises(DialFailed, match=r"nothing listens there.*firewall"):
            await ana.dial([(LOCAL, 1)], two[1].public)
        with pytest.raises(DialFailed, match="--connect"):
            await ana.dial([("::", 4000), ("fe80::1", 4000), (LOCAL, 0)])
        with pytest.raises(DialFailed, match=r"this very peer.*another machine"):
            await ana.dial(at(ana))


def test_addresses_to_dial_are_bounded() -> None:
    assert order([(LOCAL, 5), (LOCAL, 5), ("224.0.0.1", 5), (LOCAL, 65536)]) == [(LOCAL, 5)]
    assert len(order((f"10.0.0.{n}", 5) for n in range(200))) == 16


async def test_a_taken_port_is_said_in_words(two: Two) -> None:
    async with mesh_of(two[0]) as ana:
        with pytest.raises(ListenFailed, match=rf"port {ana.port}.*taken"):
            async with mesh_of(two[1], port=ana.port):
                pass
        with pytest.raises(ListenFailed, match="does not have that address"):
            async with open_mesh(two[1], "x", [(LOCAL, 0), ("203.0.113.9", 0)]):
                pass


def test_the_gate_bounds_all_and_each() -> None:
    gate = Gate(total=3, each=2)
    with gate.enter("a") as first, gate.enter("a") as second, gate.enter("a") as third:
        assert (first, second, third) == (True, True, False)
        with gate.enter("b") as fourth, gate.enter("c") as fifth:
            assert (fourth, fifth) == (True, False)
    with gate.enter("a") as again:
        assert again
    assert not gate._inside


async def test_half_open_strangers_do_not_keep_a_friend_out(two: Two) -> None:
    async with mesh_of(two[0]) as ana, mesh_of(two[1]) as ion, contextlib.AsyncExitStack() as stack:
        for _ in range(40):
            stranger = await trio.open_tcp_stream(LOCAL, ana.port, local_address="127.0.0.9")
            stack.callback(stranger.socket.close)
            await stranger.send_all(MAGIC[:3])
        await until(lambda: ana._gate._inside["127.0.0.9"] == 16)
        await ion.dial(at(ana))
        assert ana._gate._inside["127.0.0.9"] == 16


async def test_floods_leave_a_good_link_alive(make_identity: Maker) -> None:
    ana, ion, eve = (make_identity() for _ in range(3))
    async with mesh_of(ana) as one, mesh_of(ion) as two, mesh_of(eve) as flooder:
        await two.dial(at(one))
        await flooder.dial(at(one))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_flood_link, flooder, ana.public)
            nursery.start_soon(_flood_port, one.port)
            for number in range(10):
                payload = b"move %d" % number
                assert two.send(ana.public, payload)
                with trio.fail_after(3):
                    while (await next_of(one, Received)) != Received(ion.public, payload):
                        pass
                await trio.sleep(0.1)
            nursery.cancel_scope.cancel()
        assert ion.public in one.linked()
        assert ana.public in two.linked()


async def _flood_link(mesh: Mesh, victim: bytes) -> None:
    while mesh.send(victim, bytes(1000)):
        await trio.lowlevel.checkpoint()
    await trio.sleep_forever()


async def _flood_port(port: int) -> None:
    while True:
        with contextlib.suppress(OSError, trio.BrokenResourceError):
            stream = await trio.open_tcp_stream(LOCAL, port, local_address="127.0.0.8")
            async with stream:
                await stream.send_all(b"\xff" * 1000)


async def test_leaving_is_bounded_when_nobody_reads(two: Two) -> None:
    async with mesh_of(two[0]) as ana:
        started = 0.0
        async with mesh_of(two[1]) as ion:
            await ion.dial(at(ana))
            for _ in range(400):
                ana.send(two[1].public, bytes(5000))
            await trio.sleep(0.3)
            started = trio.current_time()
        assert trio.current_time() - started < 4
