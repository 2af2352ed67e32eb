"""What the start screen offers besides playing, without a screen."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
import trio
from prompt_toolkit.input import DummyInput
from prompt_toolkit.output import DummyOutput

from p2pcards.commands.looking import Watching, meant, verify_saved, watch_of, why_not
from p2pcards.net.errors import NetError
from p2pcards.net.spectator import CannotWatch
from p2pcards.ui.full import Full
from p2pcards.ui.intents import Command
from p2pcards.ui.screen import Saved, Screen, Seen


def face() -> Full:
    """A start screen with a table that is played at and a saved game that is none."""
    screen = Screen()
    screen.seen = [Seen("1", "Porch", "belka", "Dana", "", 0, "playing", True, "new")]
    screen.saved = [Saved("/nowhere/game.p2prec", 0.0, "bad")]
    return Full(screen, lambda _settings: True, DummyInput(), DummyOutput())


def test_a_table_is_watched_by_its_name() -> None:
    assert trio.run(meant, face(), Command("watch", 0)) == Watching("Porch")
    assert trio.run(meant, face(), Command("watch", 3)) is None
    assert trio.run(meant, face(), Command("join", 0)) is None
    watch = watch_of("Porch", argparse.Namespace(interface="127.0.0.1"), "Ana", letters=False)
    assert watch.reel.stops == []


def test_a_file_that_is_no_game_is_not_opened() -> None:
    shown = face()
    assert trio.run(meant, shown, Command("replay", 0)) is None
    assert shown.screen.is_bad
    assert "No such file" in shown.screen.message


def test_why_nothing_is_watched() -> None:
    gone = CannotWatch("the players answer nothing")
    assert why_not(gone, "Porch").startswith("Porch cannot be watched now")
    assert why_not(ExceptionGroup("", [gone]), None) == "no table is played at now"
    assert why_not(NetError("no network"), None) == "no network"
    with pytest.raises(ValueError, match="our own"):
        why_not(ValueError("our own"), "Porch")


def test_a_list_that_is_made_anew_is_not_written_by_the_one_before(tmp_path: Path) -> None:
    shown = face()
    for name in "abc":
        (tmp_path / f"{name}.p2prec").write_bytes(b"none\n")

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(verify_saved, shown, tmp_path, ())
            await trio.lowlevel.checkpoint()
            (tmp_path / "c.p2prec").unlink()
            nursery.start_soon(verify_saved, shown, tmp_path, ())

    trio.run(main)
    assert [saved.state for saved in shown.screen.saved] == ["bad", "bad"]
