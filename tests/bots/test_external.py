"""Programs as bots: the example plays, broken ones are named with the reason."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from p2pcards.bots.dialogue import LONGEST, DialogueError, question, read_answer, read_hello
from p2pcards.bots.external import ExternalBot, ProgramError, _lines, check_command
from p2pcards.cards import parse_cards
from p2pcards.cli import main
from p2pcards.commands.checkbot import check
from p2pcards.games.base import Action, Dealt, DeckReady, Pass, Play, Take, View
from p2pcards.games.registry import GAMES
from p2pcards.protocol.choosing import Question

BROKEN = Path(__file__).parent / "broken"
EXAMPLE = Path(__file__).parents[2] / "examples" / "lowest_bot.py"


def command(path: Path) -> str:
    return f'"{sys.executable}" "{path}"'


def test_the_example_passes_the_check_in_both_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-bot", command(EXAMPLE), "--seconds", "60", "--json"]) == 0
    reports = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(r["game"], r["good"], r["positions"]) for r in reports] == [
        ("belota", True, 100),
        ("belka", True, 100),
    ]
    assert reports[0]["bids"] > 0
    assert reports[1]["bids"] == 0


def test_the_example_is_short() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) < 60


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("silent", "did not answer question 1 within 0.5 seconds"),
        ("dies", "ended with exit status 7"),
        ("nonsense", '"thinking \ufffd[31mhard\ufffd[0m ...", which is not JSON'),
        ("illegal", "which is not legal now; legal are"),
        ("version", "speaks version 2 of the dialogue, we speak 1"),
        ("flood", "a line of more than 65536 bytes"),
        ("stale", "answered question 0, not 1"),
    ],
)
def test_a_broken_program_fails_the_check_with_its_reason(name: str, reason: str) -> None:
    seconds = 0.5 if name == "silent" else 60
    report = check(command(BROKEN / f"{name}.py"), "belota", 100, seconds, "1")
    assert report.fault is not None
    assert reason in report.fault
    assert report.positions < 100


def test_check_bot_ends_with_status_1_and_says_where(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-bot", command(BROKEN / "illegal.py"), "--game", "belka"]) == 1
    out = capsys.readouterr().out
    assert "FAILED" in out
    assert "in belka, hand " in out


def test_a_command_that_cannot_be_started_is_a_fault_of_the_program() -> None:
    report = check("/nonexistent/program", "belka", 5, 1, "1")
    assert report.fault is not None
    assert report.fault.startswith("it could not be started: ")


def bidding_view() -> tuple[View, tuple[Action, ...]]:
    game = GAMES["belota"]
    state = game.start(game.parse_options({}), 3)
    state = game.apply(state, DeckReady())
    state = game.apply(state, Dealt(parse_cards("Jh")[0]))
    return View(state, 0, frozenset(parse_cards("7c 9h Ah 10s Ks"))), game.bids(state)


def test_a_question_holds_the_own_hand_and_public_facts_only() -> None:
    view, choices = bidding_view()
    asked = question(view, choices, 4)
    assert asked["hand"] == ["7c", "9h", "Ah", "10s", "Ks"]
    assert asked["choices"] == ["take", "pass"]
    assert (asked["id"], asked["kind"], asked["seat"]) == (4, "bid", 0)
    assert asked["state"]["turned"] == "Jh"
    assert asked["state"]["hand_sizes"] == [5, 5, 5, 5]
    assert asked["state"]["trick"] == {"leader": 0, "cards": [], "winner": None}
    assert set(asked["state"]) == {
        "deal", "dealer", "trump", "trick", "tricks", "hand_sizes", "shown", "absent", "scores",
        "games_won", "turned", "taker", "passes", "pot",
    }  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"answer","id":1,"choice":"take"}\n',
        b'{"type":"answer","id":true,"choice":"take"}\n',
        b'{"type":"answer","id":2,"choice":"jump"}\n',
        b'{"type":"answer","id":2,"choice":["take"]}\n',
        b'{"type":"answer","id":2}\n',
        b'{"type":"hello","id":2,"choice":"take"}\n',
        b"[2]\n",
        b"\xff\xfe\n",
        b"[" * 60000 + b"\n",
        b'{"type":"answer","id":2,"choice":"take"',
    ],
)
def test_an_answer_that_is_not_one_is_refused(line: bytes) -> None:
    with pytest.raises(DialogueError, match=r"^it "):
        read_answer(line, 2, (Take(0), Pass(0)))


def test_an_answer_is_a_choice() -> None:
    take = b'{"type":"answer","id":2,"choice":"take","note":"unknown keys are fine"}\n'
    assert read_answer(take, 2, (Take(0), Pass(0))) == Take(0)
    card = parse_cards("10c")[0]
    line = b'{"type":"answer","id":7,"choice":"10c"}\n'
    assert read_answer(line, 7, (Play(1, card, call=True),)) == Play(1, card, call=True)
    assert read_hello(b'{"type":"hello","version":1,"name":"N"}\n') == "N"


def test_a_program_that_failed_is_never_asked_again() -> None:
    view, choices = bidding_view()
    bot = ExternalBot(command(BROKEN / "dies.py"), 60)
    assert bot.act(GAMES["belota"], view, choices) == Take(0)
    for _ in range(2):
        with pytest.raises(ProgramError, match="exit status 7"):
            bot.act(GAMES["belota"], view, choices)
    bot.close()


async def test_a_failed_program_costs_its_seat_a_message_and_a_bot_takes_over() -> None:
    from p2pcards.bots.levels import make_bot
    from p2pcards.commands.choosers import BotChooser
    from p2pcards.commands.execchooser import ExecChooser

    told: list[tuple[int, str]] = []
    view, choices = bidding_view()
    program = ExternalBot(command(BROKEN / "nonsense.py"), 60)
    fallback = BotChooser(make_bot("easy", b""))
    chooser = ExecChooser(program, fallback, lambda seat, why: told.append((seat, why)))
    asked = Question(GAMES["belota"], view, "bid", choices)
    assert await chooser.choose(asked) == Take(0)
    assert await chooser.choose(asked) == Take(0)
    chooser.close()
    assert [seat for seat, _ in told] == [0]
    assert "is not JSON" in told[0][1]


def test_no_thread_of_a_program_is_left_behind() -> None:
    before = set(threading.enumerate())
    values: dict[str, Any] = {}
    view, choices = bidding_view()
    bot = ExternalBot(command(EXAMPLE), 60)
    values["choice"] = bot.act(GAMES["belota"], view, choices)
    bot.close()
    for thread in set(threading.enumerate()) - before:
        thread.join(timeout=30)
        assert not thread.is_alive()
    assert values["choice"] == Take(0)
    assert bot.name == "lowest"


async def test_a_program_never_forgets_to_call_belote() -> None:
    from p2pcards.bots.levels import make_bot
    from p2pcards.commands.choosers import BotChooser
    from p2pcards.commands.execchooser import ExecChooser

    view, _ = bidding_view()
    program = ExternalBot(command(EXAMPLE), 60)
    chooser = ExecChooser(program, BotChooser(make_bot("easy", b"")), lambda *_: None)
    state = view.state
    game = GAMES["belota"]
    state = game.apply(state, Take(0))
    cards = parse_cards("Ks Qs")
    playing = View(state, 0, frozenset(cards))
    asked = Question(game, playing, "play", tuple(Play(0, card) for card in cards))
    choice = await chooser.choose(asked)
    chooser.close()
    assert isinstance(choice, Play)
    assert choice.call


@pytest.mark.parametrize("text", ["", "/nonexistent/program", '"open'])
@pytest.mark.parametrize("words", [("check-bot",), ("peer", "--exec")])
def test_a_command_without_a_program_is_wrong_use(
    words: tuple[str, ...], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, text]) == 2
    said = capsys.readouterr()
    assert "program" in said.err or "quotation" in said.err
    assert said.out == ""


@pytest.mark.skipif(sys.platform == "win32", reason="no process groups")
def test_a_program_that_ended_is_said_to_have_ended_though_its_child_holds_its_output() -> None:
    view, choices = bidding_view()
    bot = ExternalBot(command(BROKEN / "leaves_a_child.py"), 1)
    with pytest.raises(ProgramError, match="ended with exit status 1"):
        bot.act(GAMES["belota"], view, choices)


@pytest.mark.skipif(sys.platform == "win32", reason="no process groups")
def test_what_a_program_started_does_not_outlive_it() -> None:
    view, choices = bidding_view()
    bot = ExternalBot(command(BROKEN / "leaves_a_child.py"), 5)
    with pytest.raises(ProgramError):
        bot.act(GAMES["belota"], view, choices)
    child = int(bot.name)
    end = time.monotonic() + 10
    while alive(child):
        assert time.monotonic() < end
        time.sleep(0.01)


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits to be collected does not."""
    try:
        os.kill(pid, 0)
        stat = Path(f"/proc/{pid}/stat")
        return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


@pytest.mark.parametrize("extra", [0, 1])
def test_a_line_is_as_long_as_the_document_says_and_no_longer(extra: int) -> None:
    line = b"x" * (LONGEST - 1 + extra) + b"\n"
    _short, long, *_rest = _lines(io.BytesIO(b"y\n" + line * 2))
    assert long.endswith(b"\n") is not bool(extra)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no program is named"),
        ("  ", "no program is named"),
        ('"python', "could not be split"),
        ("/nonexistent/program --fast", "there is no program /nonexistent/program"),
    ],
)
def test_a_command_without_a_program_is_known_before_it_is_run(text: str, why: str) -> None:
    with pytest.raises(ProgramError, match=why):
        check_command(text)


def test_a_directory_is_no_program(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match="there is no program"):
        check_command(f'"{tmp_path}"')
    check_command(command(EXAMPLE))
