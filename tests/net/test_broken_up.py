"""A lobby whose opener leaves: the guests hear of it, and look for it for a while only."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import trio

from p2pcards.net import forming
from p2pcards.net.forming import Refused
from p2pcards.net.lobby import LobbyView
from p2pcards.net.notices import BrokenUp
from p2pcards.net.outcome import OnLoss
from p2pcards.net.peer import Peer, PeerSettings
from p2pcards.net.wish import Role, Wish
from p2pcards.protocol.choosing import Choice, Question, Refusal


class Nobody:
    """Chooses nothing, for no game begins."""

    async def choose(self, question: Question) -> Choice:
        raise AssertionError(question)

    async def refused(self, refusal: Refusal) -> None:
        raise AssertionError(refusal)


async def wait_on(seat: int) -> OnLoss:
    return OnLoss.WAIT


def peer(
    folder: Path,
    role: Role,
    connect: tuple[tuple[str, int], ...],
    told: list[object],
    game: str = "belota",
) -> Peer:
    """A peer that is never ready and tells nobody of its table."""
    wish = Wish(
        game, {}, None if connect else "Kitchen", role, None, None, None, math.inf,
        ("127.0.0.1",), connect, only_there=bool(connect),
    )  # fmt: skip
    settings = PeerSettings(folder, folder.name, wish, "127.0.0.1", unlisted=True)
    return Peer(settings, Nobody(), told.append, wait_on, lambda: False)


async def lobby_of(told: list[object], count: int) -> LobbyView:
    """The lobby once so many are there."""
    while True:
        for event in reversed(told):
            if isinstance(event, LobbyView) and len(event.guests) == count:
                return event
        await trio.sleep(0.02)


async def test_guests_hear_that_the_opener_left_and_give_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forming, "GONE", 0.5)
    opened: list[object] = []
    told: list[object] = []
    refusals: list[Refused] = []

    async def sit(address: tuple[str, int]) -> None:
        with pytest.raises(Refused) as caught:
            await peer(tmp_path / "Ion", Role.JOIN, (address,), told).run()
        refusals.append(caught.value)

    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            ana = trio.CancelScope()

            async def open_table() -> None:
                with ana:
                    await peer(tmp_path / "Ana", Role.OPEN, (), opened, "belka").run()

            nursery.start_soon(open_table)
            first = (await lobby_of(opened, 1)).guests[0].addresses[0]
            host, _, port = first.rpartition(":")
            nursery.start_soon(sit, (host, int(port)))
            await lobby_of(told, 2)
            ana.cancel()
    (broken,) = [event for event in told if isinstance(event, BrokenUp)]
    assert broken.text.endswith("Ana, who opened it, has left")
    assert str(refusals[0]) == broken.text
