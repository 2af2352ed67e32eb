"""The bots that a person brings: what they are called, and how long they stay."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import pytest

from p2pcards.commands import common, peer
from p2pcards.commands.crew import NAMES, command_for, free_name
from p2pcards.net.peer import PeerSettings
from p2pcards.net.text import BOT_MARK
from p2pcards.net.wish import Role, Wish


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
    line = command_for(settings, wish.terms("Ana"), [], "Ainur", "easy", str(tmp_path))
    assert line[line.index("--wait") + 1] == "0"
    asked: list[float] = []

    def noted(args: argparse.Namespace) -> PeerSettings:
        asked.append(args.wait)
        raise common.UsageError("enough")

    monkeypatch.setattr(peer, "settings_of", noted)
    peer.run(argparse.Namespace(wait=0.0, verbose=False))
    assert asked == [math.inf]
