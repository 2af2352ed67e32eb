"""The bots that a person brings: what they are called, and how long they stay."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import cast

import pytest
import trio

from p2pcards.commands import common, peer
from p2pcards.commands.crew import NAMES, Crew, command_for, free_name
from p2pcards.commands.heard import heard
from p2pcards.commands.quarters import Bot, at_table, forget, move_in, sweep
from p2pcards.commands.sitting import Sitting
from p2pcards.net import notices
from p2pcards.net.journal import Journal
from p2pcards.net.lock import hold
from p2pcards.net.peer import PeerSettings
from p2pcards.net.text import BOT_MARK
from p2pcards.net.wish import Role, Wish
from p2pcards.ui import happenings as hap


def test_a_bot_is_called_like_nobody_at_the_table() -> None:
    assert free_name([]) == NAMES[0]
    assert free_name(["Ana", NAMES[0].upper()]) == NAMES[1]
    # Neither with the mark beside a person without it, nor the other way round.
    assert free_name([NAMES[0]], BOT_MARK) == NAMES[1] + BOT_MARK
    assert free_name([NAMES[0] + BOT_MARK, NAMES[1]], BOT_MARK) == NAMES[2] + BOT_MARK
    assert free_name(NAMES, BOT_MARK) == "Bot 1" + BOT_MARK


def test_a_bot_waits_in_the_lobby_as_long_as_the_table_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wish = Wish("belota", {}, "Kitchen", Role.OPEN, None, None, None, 1.0, (), ())
    settings = PeerSettings(tmp_path, "Ana", wish)
    terms = wish.terms("Ana")
    line = command_for(settings, terms, [], move_in(tmp_path, terms.table, Bot("Ainur", "easy")))
    assert line[line.index("--wait") + 1] == "0"
    asked: list[float] = []

    def noted(args: argparse.Namespace) -> PeerSettings:
        asked.append(args.wait)
        raise common.UsageError("enough")

    monkeypatch.setattr(peer, "settings_of", noted)
    peer.run(argparse.Namespace(wait=0.0, verbose=False))
    assert asked == [math.inf]


TABLE = bytes(15) + b"\x01"
OTHER = bytes(15) + b"\x02"


def played(path: Path) -> None:
    """Let an unfinished game lie in a bot's room."""
    Journal.create(path, bytes(32)).close()


def test_a_bot_has_its_room_while_its_game_is_unfinished(tmp_path: Path) -> None:
    room = move_in(tmp_path, TABLE, Bot("Ainur", "hard"))
    assert at_table(tmp_path, TABLE) == []
    room.leave()
    assert not room.path.exists()
    room = move_in(tmp_path, TABLE, Bot("Ainur", "hard"))
    played(room.path)
    room.leave()
    assert at_table(tmp_path, TABLE) == [room]
    assert at_table(tmp_path, OTHER) == []
    with hold(room.path):
        assert at_table(tmp_path, TABLE) == []
    forget(tmp_path, TABLE)
    assert at_table(tmp_path, TABLE) == []


def test_what_killed_bots_left_is_swept_and_what_may_go_on_stays(tmp_path: Path) -> None:
    idle, going, over, running = (
        move_in(tmp_path, table, Bot("Ainur", "easy")) for table in (TABLE, TABLE, OTHER, OTHER)
    )
    for room in (going, over, running):
        played(room.path)
    sweep(tmp_path)
    assert [room.path.exists() for room in (idle, going, over)] == [False, True, True]
    with hold(running.path):
        sweep(tmp_path, {TABLE.hex()})
    assert [room.path.exists() for room in (going, over, running)] == [True, False, True]


def test_a_room_that_is_spoilt_is_passed_over(tmp_path: Path) -> None:
    room = move_in(tmp_path, TABLE, Bot("Ainur", "easy"))
    played(room.path)
    (room.path / "bot.json").write_bytes(b"{")
    assert at_table(tmp_path, TABLE) == []


def test_what_cannot_be_done_about_bots_is_denied_and_not_put_down_as_a_trouble(
    tmp_path: Path,
) -> None:
    told: list[hap.Happening] = []
    wish = Wish("belota", {}, "Kitchen", Role.OPEN, None, None, None, 1.0, (), ())
    sitting = Sitting(PeerSettings(tmp_path, "Ana", wish))
    crew = Crew(sitting, cast("trio.Nursery", None), told.append)
    crew.dismiss()
    crew.add("easy")
    assert told == [hap.Denied("you have brought no bot"), hap.Denied("no seat is free for a bot")]
    assert heard(notices.Denied("too fast")) == hap.Denied("too fast")
