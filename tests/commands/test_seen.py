"""The start screen's list: one line for each table, whoever announces it."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2pcards.commands.seen import listed
from p2pcards.commands.unfinished import Unfinished
from p2pcards.net.discovery import TableAd
from p2pcards.net.known import KnownPeers
from p2pcards.protocol.limits import VERSION
from p2pcards.ui import i18n
from p2pcards.ui.start import table_line


def ad(table_id: str, nick: str, state: str = "playing") -> TableAd:
    """What a player announces of a table."""
    return TableAd("Kitchen", table_id, "belota", "", 0, VERSION, nick, "f" * 32, 1, state=state)


def test_a_table_of_ones_own_that_others_play_at_is_listed_once(tmp_path: Path) -> None:
    left = Unfinished(tmp_path / "1.journal", "Kitchen", "belota", ("Ana", "Bogdan"), "a" * 32)
    quiet = Unfinished(tmp_path / "2.journal", "Porch", "belka", ("Ana", "Dana"), "b" * 32)
    ads = [ad("a" * 32, "Bogdan"), ad("a" * 32, "Dana"), ad("c" * 32, "Erzhan")]
    tables = listed(ads, [left, quiet], KnownPeers(tmp_path))
    assert [(seen.key, seen.state, seen.is_running) for seen in tables] == [
        (str(left.path), "mine", True), (str(quiet.path), "mine", False),
        ("c" * 32, "playing", False),
    ]  # fmt: skip
    gone = listed(ads[2:], [left, quiet], KnownPeers(tmp_path))
    assert [seen.is_running for seen in gone] == [False] * 3


@pytest.mark.parametrize("code", i18n.LANGUAGES)
def test_the_line_says_that_it_is_being_played(code: str, tmp_path: Path) -> None:
    i18n.choose(code)
    try:
        left = Unfinished(tmp_path / "1.journal", "Kitchen", "belota", ("Ana",), "a" * 32)
        known = KnownPeers(tmp_path)
        running, quiet = (
            table_line(listed(ads, [left], known)[0], 76) for ads in ([ad("a" * 32, "B")], [])
        )
        assert i18n._("being played now: come back, or d forgets it") in running
        assert i18n._("unfinished: come back, or d forgets it") in quiet
    finally:
        i18n.choose("en")
