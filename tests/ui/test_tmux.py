"""Whole games by keys only, in terminals as people have them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from p2pcards.protocol.record import write_record
from tests.protocol.room import Room
from tests.ui.terminals import HAS_TMUX, PATIENCE, SHEET, Terminals, next_keys, progress

pytestmark = pytest.mark.skipif(not HAS_TMUX, reason="tmux is not installed")
NAMES = ("Ana", "Bogdan", "Dana", "Erzhan")


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[Terminals]:
    with Terminals(tmp_path) as opened:
        yield opened


def settings(folder: Path, **values: object) -> None:
    """What somebody has set before."""
    folder.mkdir(mode=0o700)
    (folder / "settings.json").write_text(json.dumps({"pace": "fast", **values}))


def play_until(terminals: Terminals, names: tuple[str, ...], end: re.Pattern[str]) -> None:
    """Press keys in every window, as its screen says, until all of them show ``end``."""
    deadline = time.monotonic() + 3 * PATIENCE
    left = set(names)
    while left:
        assert time.monotonic() < deadline, "\n".join(map(terminals.text, sorted(left)))
        for name in sorted(left):
            text = terminals.text(name)
            if end.search(text):
                left.discard(name)
            elif keys := next_keys(text):
                seen = progress(text)
                terminals.keys(name, *keys)
                terminals.wait(name, partial(has_moved, seen))
        time.sleep(0.02)


def has_moved(seen: object, text: str) -> object:
    """Whether the screen has come further than it was."""
    return progress(text) != seen or SHEET.search(text)


def select(terminals: Terminals, name: str, table: str) -> None:
    """Walk through a start screen's tables, of which other tests may have some, to this one."""
    deadline = time.monotonic() + PATIENCE
    while f"▸ {table}" not in (text := terminals.text(name)):
        assert time.monotonic() < deadline, text
        if table in text:
            terminals.keys(name, "Down")
        time.sleep(0.2)


def test_four_people_find_each_other_and_play_a_deal(terminals: Terminals) -> None:
    """In four languages, at three sizes and in plain mode, with chat and resizing."""
    common = f"play --interface 127.0.0.1 --data-dir {terminals.folder}"
    sizes = {"Ana": (80, 24), "Bogdan": (120, 40), "Dana": (60, 20)}
    for name, lang in (("Ana", "en"), ("Bogdan", "ro"), ("Dana", "ru")):
        settings(terminals.folder / name, nick="" if name == "Ana" else name, language=lang)
        terminals.open(name, f"{common}/{name}", sizes[name])
    terminals.wait("Ana", "your name:")
    terminals.keys("Ana", "C-u")
    nick = f"Ana{os.getpid()}"
    terminals.type("Ana", nick)
    terminals.keys("Ana", "Enter", "o")
    terminals.wait("Ana", "A new table")
    terminals.keys("Ana", "Enter")
    for count, name in enumerate(("Bogdan", "Dana"), 2):
        select(terminals, name, f"{nick}'s table")
        terminals.keys(name, "Enter")
        terminals.wait("Ana", rf"{count} of 4 are here")
    plain = f'--join --table {nick!r}"\'s table" --plain --lang kk --name Erzhan'
    terminals.open("Erzhan", f"{common}/Erzhan {plain}")
    terminals.wait("Ana", "4 of 4 are here")
    terminals.wait("Bogdan", r"4  Erzhan")
    terminals.keys("Bogdan", "c")
    terminals.type("Bogdan", "noroc!")
    terminals.keys("Bogdan", "Enter")
    for name in NAMES:
        terminals.wait(name, "<Bogdan> noroc!")
    terminals.type("Erzhan", "say qosh keldik")
    terminals.keys("Erzhan", "Enter")
    for name in NAMES:
        terminals.wait(name, "<Erzhan> qosh keldik")
    for name in ("Ana", "Bogdan", "Dana"):
        terminals.wait(name, r"4  Erzhan")
        terminals.keys(name, "Enter")
    terminals.wait("Erzhan", rf"(?s){nick}.*>")
    terminals.type("Erzhan", "ready")
    terminals.keys("Erzhan", "Enter")
    terminals.wait("Ana", "deck by all four")
    terminals.keys("Ana", "c")
    terminals.wait("Ana", "say:")
    terminals.type("Ana", "good luck")
    terminals.keys("Ana", "Enter")
    for name in NAMES[1:]:
        terminals.wait(name, f"<{nick}> good luck")
    terminals.resize("Ana", 120, 40)
    terminals.wait("Ana", lambda text: len(text.splitlines()) == 40)
    play_until(terminals, NAMES, SHEET)
    ours, theirs = SHEET.findall(terminals.text("Ana"))[-1]
    for name in NAMES[1:]:
        one, two = rf"{ours}\D+{theirs}", rf"{theirs}\D+{ours}"
        terminals.wait(name, rf"(?m)([^\W\d] {{3,}}|: \w+ )({one}|{two})\W*$")
    terminals.keys("Ana", "Escape")
    terminals.resize("Ana", 30, 10)
    terminals.wait("Ana", "too small")
    terminals.keys("Ana", "C-c", "C-c")
    terminals.wait("Bogdan", r"Ana")
    terminals.keys("Erzhan", "C-c")
    terminals.wait("Erzhan", "шығу")  # whoever would leave a game is asked first
    terminals.keys("Erzhan", "C-c")
    assert terminals.status("Erzhan") == 0


def screens(terminals: Terminals) -> dict[str, str]:
    """Open the program once for each screen: the window's name and how to leave it by Ctrl-C."""
    base = f"--interface 127.0.0.1 --data-dir {terminals.folder}"
    for name in ("start", "form", "settings", "lobby"):
        settings(terminals.folder / name, nick="Ana")
    for name in ("start", "form", "settings"):
        terminals.open(name, f"play {base}/{name}")
    terminals.open("lobby", f"play --open --table lobby-{os.getpid()} {base}/lobby")
    for name, key, shown in (
        ("form", "o", "A new table"), ("settings", "e", "Settings"), ("start", "r", "Rules|rules"),
    ):  # fmt: skip
        terminals.wait(name, "Tables on this network")
        terminals.keys(name, key)
        terminals.wait(name, shown)
    terminals.wait("lobby", "1 of 4 is here")
    return {"form": "start", "settings": "start", "start": "start", "lobby": ""}


def test_ctrl_c_leaves_every_screen_and_the_terminal_whole(terminals: Terminals) -> None:
    for name, after in screens(terminals).items():
        assert terminals.on_full_screen(name)
        terminals.keys(name, "C-c")
        if after:
            terminals.wait(name, "Tables on this network")
            terminals.keys(name, "C-c")
        assert terminals.status(name) == 0
        assert not terminals.on_full_screen(name)


def test_a_saved_game_is_replayed_and_the_start_screen_comes_again(terminals: Terminals) -> None:
    settings(terminals.folder / "me", nick="Ana")
    (terminals.folder / "me" / "games").mkdir()
    room = Room()
    room.run()
    record = write_record(room.players[0].observer.record())
    (terminals.folder / "me" / "games" / "one.p2prec").write_bytes(record)
    terminals.open("Ana", f"play --interface 127.0.0.1 --data-dir {terminals.folder}/me")
    terminals.wait("Ana", "Tables on this network")
    terminals.keys("Ana", "s")
    terminals.wait("Ana", "▸ .*verified ✓")
    terminals.keys("Ana", "Enter")
    terminals.wait("Ana", r"1 of \d+ +verified")
    terminals.keys("Ana", "q")
    terminals.wait("Ana", "▸ .*verified ✓")
    terminals.keys("Ana", "Escape")
    terminals.wait("Ana", "Tables on this network")
    terminals.keys("Ana", "x")
    assert terminals.status("Ana") == 0
    assert not terminals.on_full_screen("Ana")


def test_a_running_table_is_watched_and_the_start_screen_comes_again(terminals: Terminals) -> None:
    for name in ("Ana", "Ion"):
        settings(terminals.folder / name, nick=name)
    table, base = f"seen-{os.getpid()}", f"--interface 127.0.0.1 --data-dir {terminals.folder}"
    terminals.open("Ana", f"play --open --table {table} {base}/Ana")
    terminals.wait("Ana", "1 of 4 is here")
    terminals.keys("Ana", "b", "b", "b", "Enter")
    terminals.wait("Ana", r"← → 1-\d")
    terminals.open("Ion", f"play {base}/Ion")
    select(terminals, "Ion", table)
    terminals.keys("Ion", "w")
    terminals.wait("Ion", "· live .*verified here")
    terminals.wait("Ana", "(?s)Ion +watches")
    terminals.keys("Ion", "q")
    terminals.wait("Ion", "Tables on this network")
    terminals.keys("Ion", "x")
    assert terminals.status("Ion") == 0
    terminals.keys("Ana", "x")
    terminals.wait("Ana", "go with you")
    terminals.keys("Ana", "y")
    assert terminals.status("Ana") == 0
    assert "run p2pcards play again to come back" in terminals.text("Ana")  # on the bare terminal
    terminals.open("Back", f"play --open --table {table} {base}/Ana")
    terminals.wait("Back", "not here yet")
    terminals.wait("Back", lambda text: text.count(" connected") == 3 and "not con" not in text)


def test_a_signal_in_the_middle_of_a_choice_leaves_the_terminal_whole(
    terminals: Terminals,
) -> None:
    settings(terminals.folder / "me", nick="Ana")
    terminals.open("Ana", f"demo --data-dir {terminals.folder}/me")
    terminals.wait("Ana", r"← → 1-\d")
    assert terminals.on_full_screen("Ana")
    os.kill(terminals.pid("Ana"), signal.SIGTERM)
    assert terminals.status("Ana") == 143
    assert not terminals.on_full_screen("Ana")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes have no files here")
@pytest.mark.parametrize("words", ["play", "play --plain"])
def test_stopped_in_the_background_the_terminal_is_the_shells(
    terminals: Terminals, words: str
) -> None:
    settings(terminals.folder / "me", nick="Ana")
    table = f"stop-{os.getpid()}"
    terminals.open("Ana", f"{words} --open --table {table} --interface 127.0.0.1 --data-dir "
                          f"{terminals.folder}/me")  # fmt: skip
    terminals.wait("Ana", "1 of 4 is here")
    full = terminals.on_full_screen("Ana")
    pid = terminals.pid("Ana")
    if full:
        terminals.keys("Ana", "C-z")
    else:
        os.kill(pid, signal.SIGTSTP)
    terminals.wait("Ana", lambda _text: state(pid) == "T")
    assert not terminals.on_full_screen("Ana")
    os.kill(pid, signal.SIGCONT)
    terminals.wait("Ana", "1 of 4 is here")
    terminals.wait("Ana", lambda _text: terminals.on_full_screen("Ana") == full)
    terminals.keys("Ana", "C-c")
    assert terminals.status("Ana") == 0
    assert not terminals.on_full_screen("Ana")


def state(pid: int) -> str:
    """The state of a process: R running, S sleeping, T stopped."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def test_bots_sit_down_by_a_key_and_one_that_is_killed_is_voted_out(terminals: Terminals) -> None:
    settings(terminals.folder / "me", nick="Ana")
    table = f"bots-{os.getpid()}"
    net = "--interface 127.0.0.1 --deadline 3"
    terminals.open("Ana", f"play --open --table {table} {net} --data-dir {terminals.folder}/me")
    terminals.wait("Ana", "1 of 4 is here")
    terminals.keys("Ana", "b", "b", "b", "Enter")
    terminals.wait("Ana", r"← → 1-\d")
    bots = bots_of(terminals.pid("Ana"))
    assert len(bots) == 3
    os.kill(bots[0], signal.SIGKILL)
    terminals.wait("Ana", "not connected|lost connection")
    play_until(terminals, ("Ana",), re.compile("A player is gone|does not answer"))
    terminals.keys("Ana", "v")
    terminals.wait("Ana", "a bot plays|lost: bot")
    play_until(terminals, ("Ana",), re.compile("─ Score ─|shuffled by"))


def bots_of(pid: int) -> list[int]:
    """The processes of the bots that a program has started."""
    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    return [int(line) for line in found.stdout.split()]


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
def test_practice_from_the_plain_start_to_a_card_and_back(
    terminals: Terminals, size: tuple[int, int]
) -> None:
    def write(text: str) -> None:
        terminals.type("Ana", text)
        terminals.keys("Ana", "Enter")

    folder = terminals.folder / "me"
    command = f"play --plain --interface 127.0.0.1 --data-dir {folder}"
    terminals.open("Ana", command, size)
    terminals.wait("Ana", "your name at the table")
    write("Ana")
    terminals.wait("Ana", r"3  practise(.|\n)*9  quit\n>")
    write("3")
    terminals.wait("Ana", r"an empty line: sit down with the bots\n>")
    write("1")
    terminals.wait("Ana", r"2  Belka\nan empty line goes back\n>")
    write("2")
    terminals.wait("Ana", r"an eye for beating(.|\n)*sit down with the bots\n>")
    write("")
    terminals.wait("Ana", r"your card: 1 (.|\n)*\n>")
    write("1")
    terminals.wait("Ana", "Ana plays ")
    write("?")
    text = terminals.wait("Ana", r"leave\s+the\s+table")
    words = "let another guest be your partner, at a table of your own"
    assert words in re.sub(r"\s+", " ", text)
    assert max(map(len, text.splitlines())) < size[0]
    write("quit")
    terminals.wait("Ana", r"Write quit again to\s+leave")
    write("quit")
    terminals.wait("Ana", r"you have left the table(.|\n)*9  quit\n>")
    write("9")
    assert terminals.status("Ana") == 0
    assert json.loads((folder / "settings.json").read_text())["nick"] == "Ana"


def test_who_comes_back_after_the_end_is_shown_it_and_can_talk(terminals: Terminals) -> None:
    """While another still looks at it: the bot ended the match for who was gone."""
    table = f"late-{os.getpid()}"
    sit = f"--table {table} --interface 127.0.0.1 --deadline 3 --data-dir {terminals.folder}"
    for name in ("Ana", "Bogdan"):
        settings(terminals.folder / name, nick=name)
    terminals.open("Ana", f"play --open --option target=101 {sit}/Ana")
    terminals.wait("Ana", "1 of 4 is here")
    terminals.open("Bogdan", f"play --join {sit}/Bogdan")
    terminals.wait("Ana", "2 of 4 are here")
    terminals.keys("Ana", "b", "b", "Enter")
    terminals.wait("Bogdan", "4 of 4 are here")
    terminals.keys("Bogdan", "Enter")
    terminals.wait("Ana", "deck by all four")
    os.kill(terminals.pid("Bogdan"), signal.SIGKILL)
    play_until(terminals, ("Ana",), re.compile("A player is gone|does not answer"))
    terminals.keys("Ana", "v")
    terminals.wait("Ana", "a bot plays|lost: bot")
    play_until(terminals, ("Ana",), re.compile("Enter goes on"))
    terminals.open("again", f"play --join {sit}/Bogdan")
    terminals.wait("again", r"win the match(.|\n)*Enter goes on")
    terminals.keys("again", "c")
    terminals.wait("again", "say:")
    terminals.type("again", "good game")
    terminals.keys("again", "Enter")
    terminals.wait("Ana", "<Bogdan> good game(.|\n)*Enter goes on")
    terminals.keys("Ana", "Enter")
    assert terminals.status("Ana") == 0
    terminals.keys("again", "Enter")
    assert terminals.status("again") == 0
