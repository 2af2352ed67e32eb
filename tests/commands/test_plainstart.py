"""The start line by line: games listed and replayed, and what one sits down with."""

from __future__ import annotations

import argparse
import os
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from p2pcards.cli import main
from p2pcards.commands import common
from p2pcards.commands.looking import listed, verified
from p2pcards.commands.plainplay import from_start
from p2pcards.commands.plainstart import PlainStart
from p2pcards.commands.replay import files
from p2pcards.commands.seating import Seatings
from p2pcards.commands.seen import Shows
from p2pcards.net.forming import NobodyCame
from p2pcards.net.journal import Journal
from p2pcards.net.lock import hold
from p2pcards.net.peer import PeerSettings
from p2pcards.net.store import Store
from p2pcards.net.wish import Role, Wish
from p2pcards.protocol.envelope import session_of
from p2pcards.protocol.messages import encode
from p2pcards.protocol.record import write_record
from p2pcards.ui import i18n
from p2pcards.ui import settings as ui_settings
from p2pcards.ui.form import form_rows
from p2pcards.ui.screen import Screen, Seen
from p2pcards.ui.settings import Settings
from tests.protocol.room import Room


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A player's folder with one good record and one that is none."""
    i18n.choose("en")
    folder = tmp_path_factory.mktemp("mine")
    (folder / "games").mkdir()
    room = Room()
    room.run()
    (folder / "games" / "good.p2prec").write_bytes(write_record(room.players[0].observer.record()))
    (folder / "games" / "junk.p2prec").write_bytes(b"no game\n")
    return folder


JOIN, OPEN, PRACTISE, CONNECT, WATCH, SAVED, RULES, SETTINGS, QUIT = map(str, range(1, 10))
"""The numbers of the start list where no game was left in the middle."""


def start(folder: Path, *lines: str, named: bool = True) -> Seatings | None:
    """What one sits down with after these answers; somebody is ``named`` already."""
    wish = Wish("belota", {}, None, Role.AUTO, "drawn", 20, 60, 1.0, ("127.0.0.1",), ())
    settings = PeerSettings(folder, "ana", wish, "127.0.0.1")
    answers = list(lines)

    def ask(_prompt: str) -> str:
        if not answers:
            raise EOFError
        return answers.pop(0)

    if named:
        ui_settings.save(folder, Settings(nick="Ana"))
    args = argparse.Namespace(interface="127.0.0.1")
    chosen = PlainStart(args, settings, letters=False, ask=ask).run()
    assert answers == []
    return chosen


def test_an_empty_line_lists_again_and_quit_or_the_end_of_input_leaves(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert start(folder, "", "", QUIT) is None
    assert capsys.readouterr().out.count("1  tables on this network") == 3
    assert start(folder, "quit") is None
    assert start(folder) is None


def test_a_player_who_plays_elsewhere_is_told_and_may_still_look(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with hold(folder):
        assert start(folder, SAVED, "", QUIT) is None
    out = capsys.readouterr().out
    assert out.count("another p2pcards already plays") == 2
    assert "saved games" in out


def test_a_broken_journal_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = Journal.create(tmp_path, bytes(32))
    journal.append(b"no beginning")
    journal.close()
    assert start(tmp_path, QUIT) is None
    assert f"the journal {journal.path} cannot be read" in capsys.readouterr().out


def test_only_files_that_are_there_are_listed(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = tmp_path / "games"
    shutil.copytree(folder / "games", games)
    (games / "gone.p2prec").symlink_to(tmp_path / "nothing")
    (games / "folder.p2prec").mkdir()
    os.mkfifo(games / "pipe.p2prec")
    (games / "bad\x1b[31m\u202e\n.p2prec").write_bytes(b"")
    assert main(["replay", "--data-dir", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert len(out.splitlines()) == 6
    assert "/bad[31m .p2prec" in out
    assert "\x1b" not in out
    assert next(path.name for _at, path in files(games)).startswith("bad")


def test_a_saved_game_is_replayed_and_the_start_comes_again(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, at in (("good", 100), ("junk", 200)):
        os.utime(folder / "games" / f"{name}.p2prec", (at, at))
    assert start(folder, SAVED, "9", "1", SAVED, "2", QUIT) is None
    out = capsys.readouterr().out
    assert out.count("1  tables on this network") == 3
    assert "a number from 1 to 2" in out
    assert out.count("plays 7") > 1
    assert "after deal 1:" in out
    assert out.count("NOT VALID") == 3


def test_the_list_keeps_what_was_verified_until_a_file_changes(folder: Path) -> None:
    first = listed(folder / "games", (), ())
    assert {saved.state for saved in first} == {"checking"}
    known = [verified(saved) for saved in first]
    assert sorted(saved.state for saved in known) == ["bad", "good"]
    assert listed(folder / "games", (), known) == known
    (folder / "games" / "junk.p2prec").write_bytes(b"other\n")
    states = {Path(s.key).name: s.state for s in listed(folder / "games", (), known)}
    assert states == {"good.p2prec": "good", "junk.p2prec": "checking"}


def test_a_nickname_is_asked_for_once_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert start(tmp_path, "  Zoe  ", QUIT, named=False) is None
    assert "an empty line takes ana" in capsys.readouterr().out
    assert ui_settings.load(tmp_path).nick == "Zoe"
    assert start(tmp_path, QUIT, named=False) is None
    assert "your name" not in capsys.readouterr().out
    empty = tmp_path / "empty"
    assert start(empty, "", QUIT, named=False) is None
    assert ui_settings.load(empty).nick == "ana"


def test_a_name_has_a_letter_or_a_digit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert start(tmp_path, "?", "!!", "Zoe", QUIT, named=False) is None
    assert capsys.readouterr().out.count("at least one letter or digit") == 2
    assert ui_settings.load(tmp_path).nick == "Zoe"


@pytest.mark.parametrize("word", ["?", "help", "HELP"])
def test_a_list_is_told_again_and_left_by_a_word(
    word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert start(tmp_path, RULES, word, "nonsense", "back", QUIT) is None
    out = capsys.readouterr().out
    assert out.count("the rules of which game?") == 2
    assert out.count("a number from 1 to 2; ? says the choices again") == 1


def test_settings_are_changed_by_number_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        lines = ("1", "Mia", "2", "3", "3", "2", "4", "2", "5", "2", "5", "", "")
        assert start(tmp_path, SETTINGS, *lines, QUIT) is None
    finally:
        i18n.choose("en")
    kept = ui_settings.load(tmp_path)
    assert (kept.nick, kept.language, kept.suits) == ("Mia", "ro", "letters")
    assert (kept.bell, kept.auto) == (False, True)
    out = capsys.readouterr().out
    assert "suit colours" not in out
    assert "green felt" not in out
    assert "3  Română" in out
    assert "o linie goală" in out


def test_practice_begins_with_three_bots_of_this_machine(tmp_path: Path) -> None:
    chosen = start(tmp_path, PRACTISE, "1", "2", "2", "1", "")
    assert chosen is not None
    assert (chosen.bots, chosen.ready, chosen.alone) == (("easy",) * 3, True, True)
    settings = chosen.settings
    assert (settings.name, settings.interface, settings.unlisted) == ("Ana", "127.0.0.1", True)
    assert (settings.wish.game, settings.wish.role) == ("belka", Role.OPEN)


def test_a_table_is_opened_with_every_option_told_and_changed_by_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = form_rows(Screen())
    place = {row.key: str(number) for number, row in enumerate(rows, 1)}
    chosen = start(
        tmp_path, OPEN, place["name"], "Kitchen", place["partners"], "2", place["think"], "0",
        "45", place["litige"], "4", place["target"], "99", "501", place["rounding"], "", "",
    )  # fmt: skip
    assert chosen is not None
    wish = chosen.settings.wish
    assert (wish.table, wish.partners, wish.think) == ("Kitchen", "chosen", 45)
    assert dict(wish.options) == {"litige": "made", "target": "501"}
    assert not chosen.bots
    out = capsys.readouterr().out
    for row in rows[4:-1]:
        assert f"{row.label}: " in out
    assert "(usually takers' held)" in out
    assert "time to think: 1 to 86400, and not 0" in out
    assert ": 100 to 3000, and not 99" in out
    assert "The takers have won, as if they had more points." in out


def test_the_form_shows_the_rules_of_the_table_and_goes_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    count = len(form_rows(Screen()))
    assert start(tmp_path, OPEN, str(count), str(count + 2), QUIT) is None
    assert "Belotă\n======" in capsys.readouterr().out


def test_an_address_is_joined_and_a_bad_one_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = start(tmp_path, CONNECT, "", CONNECT, "nowhere", "10.0.0.7:4000")
    assert chosen is not None
    assert chosen.settings.wish.connect == (("10.0.0.7", 4000),)
    assert chosen.settings.wish.only_there
    assert "not an address: 'nowhere'" in capsys.readouterr().out


def table(name: str, **values: object) -> Seen:
    """A table that is announced."""
    seen = Seen(name, name, "belka", "Bek", "1111 2222", 2, "open", True, "new")
    return replace(seen, **values)  # type: ignore[arg-type]


def test_the_tables_are_listed_with_warnings_and_joined_by_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [
        table("Den", known="changed", usual=False), table("Full", state="full"),
        table("Old", version_fits=False), table("Ours", known="same"),
    ]  # fmt: skip
    shown: list[list[Seen]] = [[], found]

    async def watch(face: Shows, _settings: PeerSettings, _mine: object) -> None:
        face.screen.seen = shown.pop(0) if len(shown) > 1 else shown[0]

    monkeypatch.setattr("p2pcards.commands.plaintables.watch_tables", watch)
    chosen = start(tmp_path, JOIN, "", "2", "3", "4")
    assert chosen is not None
    assert (chosen.settings.wish.table, chosen.settings.wish.role) == ("Ours", Role.JOIN)
    out = capsys.readouterr().out
    assert "no table is here now" in out
    assert "1  Den: Belka, 2 free seats; opened by Bek, OTHER KEY; own rules" in out
    assert "WARNING: Bek comes with another key than before" in out
    assert "1111 2222" in out
    assert "opened by Bek, known; the usual rules" in out
    assert "no seat is free at that table" in out
    assert "that table needs another version of this program" in out
    assert start(tmp_path, JOIN, "5", WATCH, "1", QUIT) is None
    assert "no table is played at now" in capsys.readouterr().out


def test_rules_of_both_games_are_there_to_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert start(tmp_path, RULES, "1", RULES, "2", RULES, "", QUIT) is None
    out = capsys.readouterr().out
    assert "Belotă\n======" in out
    assert "Belka\n=====" in out


def test_rules_are_laid_out_for_the_width_of_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(common, "columns", lambda: 39)
    row = "               10 (10)  K (4)  Q (3)\n"
    assert main(["rules", "belota"]) == 0
    assert row in capsys.readouterr().out
    count = len(form_rows(Screen()))
    assert start(tmp_path, RULES, "1", OPEN, str(count), str(count + 2), QUIT) is None
    assert capsys.readouterr().out.count(row) == 2


def test_an_unfinished_game_is_come_back_to_or_forgotten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    roster = Room().roster
    session = session_of(encode(roster))
    Store.begin(tmp_path, session, roster, bytes(32), 0).close()
    chosen = start(tmp_path, "1")
    assert chosen is not None
    assert chosen.settings.resume
    assert chosen.settings.wish.table == roster.terms.name
    assert start(tmp_path, "10", "", "10", "1", QUIT) is None
    out = capsys.readouterr().out
    assert f"{roster.terms.name} is forgotten" in out
    assert out.count("forget an unfinished game") == 3


def test_why_a_table_did_not_come_together_is_told_and_the_start_comes_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sat: list[Seatings] = []

    def at_table(_args: object, seating: Seatings, _letters: bool, _habits: object) -> int:
        sat.append(seating)
        if len(sat) == 1:
            raise BaseExceptionGroup("", [NobodyCame("no table came together")])
        return 4

    answers = iter([PRACTISE, "", PRACTISE, "", QUIT])
    monkeypatch.setattr("p2pcards.commands.plainplay.at_table", at_table)
    asked = partial(PlainStart, ask=lambda _prompt: next(answers))
    monkeypatch.setattr("p2pcards.commands.plainstart.PlainStart", asked)
    ui_settings.save(tmp_path, Settings(nick="Ana"))
    wish = Wish("belota", {}, None, Role.AUTO, "drawn", 20, 60, 1.0, ("127.0.0.1",), ())
    settings = PeerSettings(tmp_path, "ana", wish, "127.0.0.1")
    args = argparse.Namespace(interface="127.0.0.1", name=None)
    assert from_start(args, settings, False) == 4
    assert len(sat) == 2
    assert "no table came together" in capsys.readouterr().out


def test_a_pipe_does_not_wait_for_ever_for_four_to_meet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    def at_table(_args: object, seating: Seatings, _letters: bool, _habits: object) -> int:
        waits.append(seating.settings.wish.wait)
        return 0

    monkeypatch.setattr("p2pcards.commands.plainplay.at_table", at_table)
    for more in ([], ["--wait", "5"]):
        assert main(["play", "--plain", "--data-dir", str(tmp_path), *more]) == 0
    assert waits == [600.0, 5.0]
