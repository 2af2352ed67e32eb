"""The start screen's list: one line for each table, whoever announces it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from p2pcards.commands.seen import listed
from p2pcards.commands.unfinished import Unfinished
from p2pcards.net.discovery import TableAd
from p2pcards.net.known import KnownPeers
from p2pcards.protocol.limits import VERSION
from p2pcards.protocol.messages import Terms
from p2pcards.protocol.terms import make_terms, options_hash, own_rules
from p2pcards.ui import i18n
from p2pcards.ui.screen import Seen
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


def test_own_rules_are_listed_where_they_are_told_and_true(tmp_path: Path) -> None:
    terms = make_terms(bytes(16), "Kitchen", "belota", {"target": "501", "rounding": "ten"})
    usual = make_terms(bytes(16), "Kitchen", "belota", {})

    def listing(of: Terms, rules: str) -> Seen:
        options = options_hash(of.game, of.options).hex()
        told = replace(ad("a" * 32, "Bogdan", "open"), options=options, rules=rules)
        return listed([told], [], KnownPeers(tmp_path))[0]

    seen = listing(terms, own_rules(terms))
    assert not seen.usual
    assert {(key, value) for key, value, _default in seen.changed} == {
        ("target", "501"), ("rounding", "ten"),
    }  # fmt: skip
    for rules in ("", "target=501", "target=none", "x", "rounding=ten,target=1001", "=,=,="):
        assert (listing(terms, rules).usual, listing(terms, rules).changed) == (False, ())
    assert (listing(usual, "").usual, listing(usual, "").changed) == (True, ())


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
