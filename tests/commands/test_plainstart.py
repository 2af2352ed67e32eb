"""The start line by line: games listed and replayed, and what one sits down with."""

from __future__ import annotations

import argparse
import os
import shutil
from pathlib import Path

import pytest

from p2pcards.cli import main
from p2pcards.commands.looking import listed, verified
from p2pcards.commands.plainstart import PlainStart
from p2pcards.commands.replay import files
from p2pcards.commands.seating import Seatings
from p2pcards.net.journal import Journal
from p2pcards.net.lock import hold
from p2pcards.net.peer import PeerSettings
from p2pcards.net.wish import Role, Wish
from p2pcards.protocol.record import write_record
from p2pcards.ui import i18n
from p2pcards.ui import settings as ui_settings
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
