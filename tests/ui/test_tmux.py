"""Whole games by keys only, in terminals as people have them."""

from __future__ import annotations

import json
import os
import re
import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.ui.terminals import HAS_TMUX, PATIENCE, Terminals, next_keys, progress

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


def play_until(terminals: Terminals, names: tuple[str, ...], end: str) -> None:
    """Press keys in every window, as its screen says, until all of them show ``end``."""
    deadline = time.monotonic() + 3 * PATIENCE
    left = set(names)
    while left:
        assert time.monotonic() < deadline, "\n".join(map(terminals.text, sorted(left)))
        for name in sorted(left):
            text = terminals.text(name)
            if re.search(end, text):
                left.discard(name)
            elif keys := next_keys(text):
                seen = progress(text)
                terminals.keys(name, *keys)
                terminals.wait(name, partial(has_moved, seen))
        time.sleep(0.02)


def has_moved(seen: object, text: str) -> bool:
    """Whether the screen has come further than it was."""
    return progress(text) != seen


def test_four_people_find_each_other_and_play_a_deal(terminals: Terminals) -> None:
    sizes = {"Ana": (80, 24), "Bogdan": (120, 40), "Dana": (60, 20), "Erzhan": (80, 24)}
    common = f"play --interface 127.0.0.1 --data-dir {terminals.folder}"
    for name in NAMES:
        settings(terminals.folder / name)
        terminals.open(name, f"{common}/{name}", sizes[name])
    for name in NAMES:
        terminals.wait(name, "your name:")
        terminals.keys(name, "C-u")
        terminals.type(name, name)
        terminals.keys(name, "Enter")
    terminals.keys("Ana", "o")
    terminals.wait("Ana", "A new table")
    terminals.keys("Ana", "Enter")
    for count, name in enumerate(NAMES[1:], 2):
        terminals.wait(name, r"▸ Ana's table")
        terminals.keys(name, "Enter")
        terminals.wait(name, rf"{count} of 4")
    for name in NAMES:
        terminals.wait(name, "4 of 4 are here")
        terminals.keys(name, "Enter")
    terminals.wait("Dana", "deck by all four")
    terminals.keys("Dana", "c")
    terminals.wait("Dana", "say:")
    terminals.type("Dana", "good luck")
    terminals.keys("Dana", "Enter")
    terminals.wait("Erzhan", "<Dana> good luck")
    terminals.resize("Ana", 120, 40)
    terminals.wait("Ana", lambda text: len(text.splitlines()) == 40)
    play_until(terminals, NAMES, "─ Score ─")
    scores = {re.findall(r"Score +(\d+) +(\d+)", terminals.text(n))[0] for n in NAMES}
    assert len({tuple(sorted(pair)) for pair in scores}) == 1
    terminals.keys("Ana", "Escape")
    terminals.resize("Ana", 30, 10)
    terminals.wait("Ana", "too small")
    terminals.keys("Ana", "C-c", "C-c")
    terminals.resize("Ana", 80, 24)
    terminals.wait("Ana", "you have left the table")
    terminals.wait("Bogdan", "Ana leaves|Ana lost connection|not connected")


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


def test_a_demo_lost_in_the_middle_of_a_choice_leaves_the_terminal_whole(
    terminals: Terminals,
) -> None:
    settings(terminals.folder / "me", nick="Ana")
    terminals.open("Ana", f"demo --data-dir {terminals.folder}/me")
    terminals.wait("Ana", r"1 take|1 name|Your turn")
    os.kill(terminals.pid("Ana"), signal.SIGTERM)
    assert terminals.status("Ana") == 143
    assert not terminals.on_full_screen("Ana")


def test_a_bot_killed_while_the_person_chooses_is_voted_out(terminals: Terminals) -> None:
    settings(terminals.folder / "me", nick="Ana")
    terminals.open("Ana", f"demo --deadline 3 --data-dir {terminals.folder}/me")
    terminals.wait("Ana", r"1 take|1 name|Your turn")
    bots = bots_of(terminals.pid("Ana"))
    assert len(bots) == 3
    os.kill(bots[0], signal.SIGKILL)
    terminals.wait("Ana", "not connected|lost connection")
    play_until(terminals, ("Ana",), "A player is gone|does not answer")
    terminals.keys("Ana", "v")
    terminals.wait("Ana", "the public bot plays|lost: bot")
    play_until(terminals, ("Ana",), "─ Score ─|shuffled by all")


def bots_of(pid: int) -> list[int]:
    """The processes of the bots that a program has started."""
    import subprocess

    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    return [int(line) for line in found.stdout.split()]
