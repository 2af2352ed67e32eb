"""After the last signature: who stays gives late ones the rest, and believes nobody more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import trio
from trio.testing import MockClock

from p2pcards.net.events import LinkDown, LinkUp, MeshEvent, Received
from p2pcards.net.link import CloseKind
from p2pcards.net.notices import ChatLine, Parted
from p2pcards.net.outcome import Ending
from p2pcards.net.session import LINGER
from p2pcards.protocol.envelope import seal, unseal
from p2pcards.protocol.faults import Fault
from p2pcards.protocol.messages import Vote, encode
from p2pcards.protocol.traffic import Chat, Env, Status, Traffic, pack, unpack
from tests.net.test_session import Sat, Wire, journal_of
from tests.protocol.cheat import Den
from tests.protocol.room import NAMES, identity_key, public

LATE = public(NAMES[2])


class Listening(Wire):
    """A mesh that notes what each peer is sent."""

    def __init__(self, journal: Path) -> None:
        super().__init__(journal)
        self.given: list[bytes] = []

    def put(self, event: MeshEvent) -> None:
        """Let something happen on the network."""
        self._put.send_nowait(event)

    def say(self, message: Traffic, peer: bytes = LATE) -> None:
        """Let a peer send something."""
        self.put(Received(peer, pack(message)))

    def send(self, peer: bytes, payload: bytes) -> None:
        message = unpack(payload)
        if peer == LATE and isinstance(message, Env):
            self.given.append(message.wire)


async def looking_back(folder: Path) -> tuple[Den, Sat, Listening]:
    """A match of which the journal has all, just ended."""
    den = Den(2)
    den.run()
    path = await journal_of(den, folder)
    sat = Sat(path)
    mesh = Listening(path)
    sat.session.mesh = sat.session._supply._mesh = mesh  # type: ignore[assignment]
    with trio.fail_after(2):
        outcome = await sat.session.run()
    assert outcome.ending is Ending.COMPLETE
    mesh.given.clear()
    sat.told.clear()
    return den, sat, mesh


def is_done(sat: Sat) -> Status:
    """Where a peer stands that has all."""
    return Status(sat.player.observer.session, sat.player.observer.step.number, 0, 15, False)


async def stays(sat: Sat, until: Callable[[], bool]) -> None:
    """Stay until something is true; all the others have the end."""
    for name in NAMES[1:]:
        sat.session._presence.note(public(name), is_done(sat), 0)

    async def look() -> None:
        while not until():  # noqa: ASYNC110 - what is waited for is a list
            await trio.sleep(0.02)

    with trio.fail_after(5):
        await sat.session.linger(look)


async def test_who_need_not_stay_goes_when_the_others_have_all(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    _den, sat, mesh = await looking_back(tmp_path)
    for name in NAMES[1:3]:
        mesh.say(is_done(sat), public(name))
    start = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(sat.session.linger)
        await trio.sleep(LINGER / 2)
        assert not nursery.cancel_scope.cancel_called
        assert len(nursery.child_tasks) == 1
        mesh.say(is_done(sat), public(NAMES[3]))
    assert LINGER / 2 <= trio.current_time() - start < LINGER / 2 + 1
    await sat.session.linger()
    assert trio.current_time() - start < LINGER / 2 + 2
    sat.store.close()


async def test_a_peer_that_has_not_all_is_waited_for_a_while_only(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    _den, sat, _mesh = await looking_back(tmp_path)
    start = trio.current_time()

    async def look() -> None:
        await trio.sleep(LINGER - 1)

    await sat.session.linger(look)
    assert LINGER <= trio.current_time() - start < LINGER + 1
    sat.store.close()


async def test_who_comes_back_late_is_given_all_it_lacks(tmp_path: Path) -> None:
    _den, sat, mesh = await looking_back(tmp_path)
    lacks = sat.player.observer.step.number - 9
    mesh.put(LinkUp(LATE, "x", b"", False, None))
    mesh.say(Status(sat.player.observer.session, lacks, 0, 15, True))
    wanted = sat.player.observer.since(lacks)
    await stays(sat, lambda: len(mesh.given) >= len(wanted))
    sat.store.close()
    assert mesh.given == wanted


async def test_people_talk_and_go(tmp_path: Path) -> None:
    _den, sat, mesh = await looking_back(tmp_path)
    seat = sat.session._presence.seat_of(LATE)
    assert seat is not None
    mesh.say(Chat("good game"))
    mesh.put(LinkDown(LATE, "this peer has left", CloseKind.LEFT))
    await stays(sat, lambda: len(sat.told) >= 2)
    sat.store.close()
    assert sat.told == [ChatLine(seat, "good game"), Parted(seat, "has left")]


async def test_attack_after_the_end_changes_nothing_of_it(tmp_path: Path) -> None:
    den, sat, mesh = await looking_back(tmp_path)
    observer = sat.player.observer
    before = observer.transcript, observer.step.number, observer.record()
    theirs = next(
        unseal(wire).payload
        for wire in observer.since(observer.step.number - 1)
        if den.roster.players[2].identity
        == observer.table.players[unseal(wire).payload.sender].identity
    )
    sign = identity_key(NAMES[2]).sign
    vote = encode(Vote(sat.player.seat))
    votes = {
        ahead: msgspec.structs.replace(theirs, step=theirs.step + ahead, kind="vote", body=vote)
        for ahead in (0, 1, 2)
    }
    for ahead in (0, 0, 2, 2):
        mesh.say(Env(seal(votes[ahead], sign)))
    for _n in range(50):
        mesh.put(Received(LATE, b"\xff" * 40))
        mesh.say(Env(seal(votes[1], sign)))
    mesh.say(Env(seal(msgspec.structs.replace(theirs, prev=bytes(32)), sign)))
    await stays(sat, lambda: any(isinstance(item, Fault) for item in sat.told))
    sat.store.close()
    fault = next(item for item in sat.told if isinstance(item, Fault))
    assert fault.seat == theirs.sender != sat.player.seat
    assert (observer.transcript, observer.step.number, observer.record()) == before
    assert LATE in mesh.dropped


async def test_nobody_waits_at_a_page_for_who_is_gone(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    _den, sat, mesh = await looking_back(tmp_path)
    for name in NAMES[1:]:
        mesh.put(LinkDown(public(name), "the connection is lost", CloseKind.BROKEN))
    start = trio.current_time()

    async def look() -> None:
        await trio.sleep(1)

    await sat.session.linger(look)
    assert trio.current_time() - start < 2
    sat.store.close()
