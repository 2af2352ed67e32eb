"""Attacks on a peer before and beside the game: its greeting, and what it has stored."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2pcards.net.journal import Journal, JournalError
from p2pcards.net.lobby import read_want
from p2pcards.net.store import Store
from p2pcards.net.wire import WireError, decode_hello
from p2pcards.protocol.envelope import session_of
from p2pcards.protocol.messages import encode
from tests.protocol.room import make_roster


@pytest.mark.parametrize("is_finished", [True, False])
def test_attack_the_same_roster_proposed_again(tmp_path: Path, is_finished: bool) -> None:
    """An opener that proposes an old roster would turn the old envelopes against the new ones."""
    roster = make_roster()
    session = session_of(encode(roster))
    store = Store.begin(tmp_path, session, roster, bytes(32), 0)
    if is_finished:
        store.finish()
    with pytest.raises(JournalError, match=r"played at this very table before|exists"):
        Store.begin(tmp_path, session, roster, bytes(32), 0)
    if not is_finished:
        store.close()


def test_a_new_table_of_the_same_four_is_another_session(tmp_path: Path) -> None:
    """Only the very same roster is refused; the table's random id makes the next one differ."""
    first, second = make_roster(), make_roster(options={"target": "500"})
    Journal.create(tmp_path, session_of(encode(first))).finish()
    Journal.create(tmp_path, session_of(encode(second))).close()


def test_attack_hello_nested_without_end() -> None:
    """A stranger's greeting that would exhaust the stack is a malformed one, no crash."""
    nested = b"\x95\x01" + b"\x91" * 60_000 + b"\x00"
    with pytest.raises(WireError, match="malformed"):
        decode_hello(nested, 1)
    assert read_want(b"\x94\xa4join" + b"\x91" * 60_000) is None
