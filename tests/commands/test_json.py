"""With --json every line is one object, whatever goes wrong, and a thing has one name."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from p2pcards import __main__, cli
from p2pcards.commands import common
from p2pcards.commands.eventjson import as_json
from p2pcards.commands.tables import _as_json
from p2pcards.net.discovery import TableAd
from p2pcards.protocol import events
from p2pcards.protocol.record import write_record
from p2pcards.protocol.terms import make_terms, options_hash, own_rules
from p2pcards.ui import i18n
from tests.protocol.room import NAMES, Room, make_roster

DOC = Path(__file__).parents[2] / "docs" / "json.md"


@pytest.fixture(autouse=True)
def nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person with nothing kept, who speaks Russian."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LANG", "ru_RU.UTF-8")


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a whole match."""
    room = Room(make_roster(options={"target": "100"}))
    room.run()
    path = tmp_path_factory.mktemp("games") / "game.p2prec"
    path.write_bytes(write_record(room.players[0].observer.record()))
    return path


def objects(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[dict[str, Any]]]:
    """A command's exit status, and the objects that it printed; nothing else is there."""
    try:
        status = cli.main([*words, "--json"])
    except SystemExit as exc:
        status = int(str(exc.code))
    finally:
        common.for_programs(False)
        i18n.choose("en")
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all(isinstance(row, dict) for row in rows)
    return status, rows


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("rules belota target=7", 2), ("rules poker", 2), ("rules", 2), ("id --purse", 2),
        ("bench --only none", 2), ("bench --rounds 0", 2), ("arena easy", 2),
        ("arena easy clever", 2), ("check-bot /nowhere/bot", 2), ("verify", 2),
        ("replay /nowhere/game", 1), ("replay --html out", 2), ("watch --connect here", 2),
        ("peer --bot clever", 2), ("peer --open --join", 2), ("doctor --connect here", 2),
        ("tables --wait soon", 2), ("demo --headless --points 1", 2), ("demo", 2),
        ("peer --join --wait 0.1 --unlisted --interface 127.0.0.1 --connect 127.0.0.1:9", 3),
        ("watch --wait 0.1 --connect 127.0.0.1:9", 3),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_one_object_in_english(
    words: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    done, rows = objects(capsys, *words.split())
    assert done == status
    *before, error = rows
    assert set(error) == {"event", "status", "text"}
    assert (error["event"], error["status"]) == ("error", status)
    assert not re.search("[а-яё]", error["text"].lower())
    assert all(row["event"] == "trouble" for row in before)


def test_a_mistake_of_our_own_is_an_object_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def wrong(_args: object) -> int:
        raise LookupError("the card that was not there")

    monkeypatch.setattr("p2pcards.commands.ident.run", wrong)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["p2pcards", "id", "--json"])
    try:
        assert __main__.main() == 70
    finally:
        common.for_programs(False)
        i18n.choose("en")
    (row,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (row["event"], row["status"]) == ("error", 70)
    assert "LookupError" in row["text"]


def test_commands_print_what_the_page_about_them_says(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    documented = set(re.findall(r"`([a-z0-9_]+)`", DOC.read_text(encoding="utf-8")))
    page = tmp_path / "page.html"
    for words in (
        "id", "rules belka", f"verify {record}", f"replay {record}",
        f"replay {record} --html {page}", "tables --wait 0.1 --interface 127.0.0.1",
        "arena easy easy --deals 1 --jobs 1", "bench --only open_card --rounds 1",
        f"check-bot {sys.executable} --positions 2 --seconds 0.1",
    ):  # fmt: skip
        _status, rows = objects(capsys, *words.split())
        assert rows or words.startswith("tables")
        for row in rows:
            assert set(row) <= documented, words


def test_names_are_by_seat_wherever_they_are(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _status, (first, *rows) = objects(capsys, "replay", str(record))
    seats = next(row for row in rows if row["event"] == "seats")
    assert sorted(first["names"]) == sorted(NAMES)
    assert seats["names"] == first["names"]
    assert [NAMES[place] for place in seats["places"]] == first["names"]
    _status, (checked,) = objects(capsys, "verify", str(record))
    assert checked["names"] == first["names"]
    assert {"game", "winner", "scores"} <= set(checked)


def test_an_announcement_is_told_with_the_names_used_everywhere() -> None:
    ad = TableAd("Den", "a" * 32, "belka", "b" * 64, 2, 1, "Ana", "c" * 32, 9, ("10.0.0.1",))
    assert _as_json(ad) == {
        "table": "Den", "table_id": "a" * 32, "game": "belka", "options_hash": "b" * 64,
        "free": 2, "version": 1, "name": "Ana", "fingerprint": "c" * 32, "port": 9,
        "addresses": ("10.0.0.1",), "state": "open", "rules": None,
        "guests": (),
    }  # fmt: skip
    terms = make_terms(bytes(16), "Den", "belka", {"jack_eye": "off"})
    told = options_hash("belka", terms.options).hex()
    ad = replace(ad, options=told, rules=own_rules(terms))
    assert _as_json(ad)["rules"] == {"jack_eye": "off"}
    assert as_json(events.SeatsDrawn((2, 0, 1, 3), 1)) == {
        "event": "seats", "places": [2, 0, 1, 3], "dealer": 1,
    }  # fmt: skip
