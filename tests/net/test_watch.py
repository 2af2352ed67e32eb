"""Spectators at tables of real processes: they see what the players see, and cannot disturb."""

from __future__ import annotations

import json
import os
import signal
import socket
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio

from p2pcards.net import spectator as spectator_module
from p2pcards.net.events import LinkDown, Received
from p2pcards.net.greet import LinkRefused
from p2pcards.net.identity import load_or_create
from p2pcards.net.lobby import Want, pack_want
from p2pcards.net.mesh import open_mesh
from p2pcards.net.spectator import Spectator, WatchWish
from p2pcards.net.watching import Watchers
from p2pcards.net.wire import VERSION, Hello
from p2pcards.protocol.traffic import Chat, Leaving, Status, Watching, pack, unpack
from tests.e2e.peers import Party, Peer, command
from tests.protocol.room import Room

LOCAL = "127.0.0.1"


class Tables(Party):
    """A party whose first two seats listen at known ports; the second lets nobody watch."""

    ports = (0, 0)

    def start(self, number: int) -> Peer:
        """Start a seat's process."""
        if number == 0:
            with socket.socket() as one, socket.socket() as two:
                one.bind((LOCAL, 0))
                two.bind((LOCAL, 0))
                self.ports = (one.getsockname()[1], two.getsockname()[1])
        own = ("--port", str(self.ports[number])) if number < 2 else ()
        shared, self.extra = self.extra, (*self.extra, *own, *(["--no-watch"] * (number == 1)))
        try:
            return super().start(number)
        finally:
            self.extra = shared


def watcher(folder: Path, *words: str) -> Peer:
    """A running ``p2pcards watch``."""

    def as_watch(line: Sequence[str]) -> list[str]:
        return ["watch" if word == "peer" else word for word in line]

    common = ("--data-dir", str(folder), "--record", str(folder), "--wait", "30")
    return Peer("Onlooker", [*common, *words], as_watch)


async def flood(port: int, folder: Path, payload: bytes | None) -> str:
    """Watch as one who floods; how the link ended. None floods with statuses that are in order."""
    identity, want = load_or_create(folder), pack_want(Want("watch", b"", b""))
    with trio.fail_after(60):
        async with open_mesh(identity, "Flood", [], want=want) as mesh:
            link = await mesh.dial([(LOCAL, port)])
            async for event in mesh.events:
                if isinstance(event, Received) and isinstance(unpack(event.payload), Status):
                    status = unpack(event.payload)
                    assert isinstance(status, Status)
                    mine = payload or pack(Status(status.session, 0, 0, 15, False))
                    for _n in range(500):
                        mesh.send(link.peer, mine)
                if isinstance(event, LinkDown):
                    return event.reason
    return ""


async def knock(port: int, folder: Path) -> str:
    """Ask to watch; the reason why not."""
    identity, want = load_or_create(folder), pack_want(Want("watch", b"", b""))
    async with open_mesh(identity, "Guest", [], want=want) as mesh:
        with pytest.raises(LinkRefused) as refused:
            await mesh.dial([(LOCAL, port)])
    return refused.value.reason


def test_a_spectator_sees_what_the_players_see(tmp_path: Path) -> None:
    party = Tables(tmp_path, extra=("--option", "target=101", "--deadline", "60"))
    with party.playing() as seats, ExitStack() as stack:
        seats[0].seen("play", 3)
        os.killpg(seats[3].process.pid, signal.SIGSTOP)  # the table waits while we come
        found = stack.enter_context(
            watcher(tmp_path / "W", "--table", party.table, "--interface", LOCAL)
        )
        found.seen("play", 3)
        _refused_at_the_second(party.ports[1], tmp_path)
        assert trio.run(flood, party.ports[0], tmp_path / "F", None)
        reason = trio.run(flood, party.ports[0], tmp_path / "C", pack(Chat("hello")))
        assert "nothing else" in reason
        again = trio.run(knock, party.ports[0], tmp_path / "C")
        assert again == "you may not watch here any more"
        os.killpg(seats[3].process.pid, signal.SIGCONT)
        assert [seat.end() for seat in seats] == [0, 0, 0, 0], [s.words for s in seats]
        assert found.end() == 0, found.words
        _saw_the_same(found, seats)
    (record,) = (tmp_path / "W").glob("*.p2prec")
    assert record.read_bytes() in [path.read_bytes() for path in party.records.iterdir()]


def _refused_at_the_second(port: int, folder: Path) -> None:
    """A player who wants no spectators refuses them, and the command says so."""
    assert trio.run(knock, port, folder / "K") == "this player lets nobody watch"
    done = command(
        "watch", "--connect", f"{LOCAL}:{port}", "--wait", "0", "--plain",
        "--data-dir", str(folder / "W"), home=folder,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (3, "")
    assert "lets nobody watch" in done.stderr


def _saw_the_same(found: Peer, seats: Sequence[Peer]) -> None:
    results = [who.last("result") for who in (*seats, found)]
    assert len({r["transcript"] for r in results}) == 1
    assert len({json.dumps(r["scores"]) for r in results}) == 1
    for kind in ("play", "bid", "score"):
        assert found.all(kind) == seats[1].all(kind)
    (drawn,) = seats[1].all("seats")
    assert drawn["names"][drawn.pop("seat")] == "P1"
    assert found.all("seats") == [drawn]
    told = [any(e["name"] == "Onlooker" and e["up"] for e in s.all("watched")) for s in seats]
    assert told == [True] * 4
    assert not any(seat.all("chat") for seat in seats)


async def test_a_player_that_does_not_send_what_it_has_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spectator_module, "SILENT", 0.2)
    monkeypatch.setattr(spectator_module, "ASK_EVERY", 0.05)
    said: list[str] = []
    wish = WatchWish("Guest", None, (), 5.0)
    spectator = Spectator(wish, lambda _o, _e: None, lambda trouble: said.append(trouble.text))
    _put, events = trio.open_memory_channel[Received](1)
    mesh: Any = SimpleNamespace(events=events)
    with trio.fail_after(5):
        await spectator._follow(mesh, b"silent")
    assert spectator._bad == {b"silent"}
    assert said == ["a player does not send what it says that it has"]


async def test_a_player_that_leaves_or_is_lost_is_called_by_name() -> None:
    room = Room()
    room.run()
    said: list[str] = []
    wish = WatchWish("Guest", None, (), 5.0)
    spectator = Spectator(wish, lambda _o, _e: None, lambda trouble: said.append(trouble.text))
    spectator.observer = room.players[0].observer
    player = spectator.observer.table.roster.players[2]
    mesh: Any = SimpleNamespace()
    assert await spectator._take(mesh, player.identity, pack(Leaving("has left")))
    assert spectator._left == f"{player.name} leaves: has left"
    assert spectator._name_of(bytes(32)) == ""
    assert spectator._name_of(None) == ""


def test_nothing_to_watch_is_said_with_what_to_do(tmp_path: Path) -> None:
    done = command(
        "watch", "--table", "no such table", "--interface", LOCAL, "--wait", "0", "--plain",
        "--data-dir", str(tmp_path / "W"), home=tmp_path,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (3, "")
    assert "no such table" in done.stderr
    assert "--connect" in done.stderr


def test_only_a_few_may_watch_through_one_peer() -> None:
    watchers = Watchers(bytes(16))
    hello = Hello(VERSION, "W", 0, pack_want(Want("watch", b"", b"")))
    for n in range(3):
        key = bytes([n]) * 32
        assert watchers.admit(key, hello) is None
        assert watchers.enter(key, f"\x1b[2JW{n}", 0.0)
    assert "too many" in (watchers.admit(bytes([9]) * 32, hello) or "")
    assert not watchers.enter(bytes([9]) * 32, "W9", 0.0)
    assert watchers.admit(bytes(32), hello) is None  # the same one, on a newer connection
    assert all("\x1b" not in name for name in watchers.names)
    assert len(unpack(pack(Watching(watchers.names))).names) == 3  # type: ignore[union-attr]
    assert watchers.leave(bytes(32)) is not None
    assert watchers.leave(bytes([9]) * 32) is None
    assert watchers.admit(bytes([9]) * 32, hello) is None
    other = Hello(VERSION, "W", 0, pack_want(Want("watch", b"\1" * 16, b"")))
    assert "not here" in (watchers.admit(bytes([9]) * 32, other) or "")
