"""The arena: exact controls, the same result however it is run, and figures that can be checked."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest

from p2pcards.bots.arena.duel import Duel, Half, PairOfMatches, play_pair
from p2pcards.bots.arena.oracle import Oracle
from p2pcards.bots.arena.pool import ArenaError, Store, run_pairs
from p2pcards.bots.arena.tally import Mean, Times, summarize
from p2pcards.cli import main
from p2pcards.games.registry import GAMES

HARD = "hard:samples=2,solved=2,solve=1,budget=none"


def duel(a: str, b: str, game: str) -> Duel:
    target = {"belota": {"target": "200"}, "belka": {"target": "6"}}[game]
    return Duel(a, b, game, GAMES[game].parse_options(target).items(), "t")


class Shuffled(Executor):
    """Runs in this process, and hands results out in an order of its own."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.waiting: list[tuple[Future[Any], Callable[[], Any]]] = []
        self.number = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.waiting.append((future, lambda: fn(*args, **kwargs)))
        if len(self.waiting) == 4:
            future, work = self.waiting.pop(self.rng.randrange(4))
            future.set_result(work())
            rest, self.waiting = self.waiting, []
            for other, later in rest:
                other.set_result(later())
        return future


@pytest.mark.parametrize("game", list(GAMES))
@pytest.mark.parametrize("level", ["easy", "normal", HARD])
def test_a_level_against_itself_is_exactly_even(game: str, level: str) -> None:
    pair = play_pair(duel(level, level, game), 3)
    assert pair.deals()
    assert set(pair.deals()) == {(0.0, 0.0)}
    assert sum(half.won for half in pair.halves) == 1
    assert pair.halves[0].margins == tuple(-margin for margin in pair.halves[1].margins)


@pytest.mark.parametrize("game", list(GAMES))
def test_exchanging_the_names_turns_the_sign(game: str) -> None:
    one = play_pair(duel("normal", "easy", game), 1)
    other = play_pair(duel("easy", "normal", game), 1)
    assert [(-points, -score) for points, score in one.deals()] == other.deals()


def test_order_and_width_make_no_difference() -> None:
    arena = duel("normal", "easy", "belka")
    results = []
    for seed in range(2):
        pairs = run_pairs(arena, 9, Shuffled(seed), 4, Store(arena), lambda _: None)
        summary = summarize(pairs, 9)
        results.append((summary.deals, summary.points, summary.score, summary.won))
    assert results[0] == results[1]
    assert results[0][0] == 9


def test_an_arena_goes_on_from_its_file_and_refuses_another_s(tmp_path: Path) -> None:
    arena, path = duel("normal", "easy", "belka"), tmp_path / "arena.jsonl"
    first = run_pairs(arena, 4, Shuffled(0), 4, Store(arena, path), lambda _: None)
    with path.open("a") as file:
        file.write('{"number": 77, "halv')
    store = Store(arena, path)
    assert store.pairs[0] == first[0]

    class Nothing(Executor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            raise AssertionError("everything is known already")

    again = run_pairs(arena, 4, Nothing(), 4, store, lambda _: None)
    assert summarize(again, 4).points == summarize(first, 4).points
    with pytest.raises(ArenaError, match="another arena"):
        Store(duel("easy", "normal", "belka"), path)


def test_an_interval_of_one_deal_is_null_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    def refuse(text: str) -> None:
        raise ValueError(text)

    assert main(["arena", "easy", "easy", "--deals", "1", "--jobs", "64", "--json"]) == 0
    found = json.loads(capsys.readouterr().out, parse_constant=refuse)
    assert found["points"] == {"mean": 0.0, "half": None, "n": 1}


def test_processes_that_die_are_told_in_words() -> None:
    class Broken(Executor):
        def submit(self, *_args: Any, **_values: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_exception(BrokenProcessPool("killed"))
            return future

    asked = duel("easy", "easy", "belka")
    with pytest.raises(ArenaError, match="ended from outside"):
        run_pairs(asked, 1, Broken(), 1, Store(asked), lambda _pairs: None)


def test_a_line_cut_short_costs_one_pair_and_no_more(tmp_path: Path) -> None:
    path, asked = tmp_path / "results", duel("easy", "easy", "belka")
    first, second = play_pair(asked, 0), play_pair(asked, 1)
    Store(asked, path).add(first)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"number":1,"halv')
    Store(asked, path).add(second)
    assert Store(asked, path).pairs == {0: first, 1: second}


def test_a_file_that_is_no_arena_s_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_text("junk\n", encoding="utf-8")
    with pytest.raises(ArenaError, match="no file of an arena's results"):
        Store(duel("easy", "easy", "belka"), path)
    assert path.read_text(encoding="utf-8") == "junk\n"


def half(margins: list[int], won: float) -> Half:
    return Half(tuple(margins), tuple(m // 10 for m in margins), won, ((0.001,), (0.002, 0.004)))


def test_figures_from_results_worked_by_hand() -> None:
    pairs = [
        PairOfMatches(0, (half([10, 30, 99], 1), half([20, -10], 0))),
        PairOfMatches(1, (half([40], 1), half([0, 50], 1))),
    ]
    assert pairs[0].deals() == [(15, 1.5), (10, 1.0)]
    summary = summarize(pairs, 3)
    assert (summary.deals, summary.matches) == (3, 4)
    assert summary.points.mean == pytest.approx(15)
    assert summary.points.half == pytest.approx(1.96 * 5 / 3**0.5)
    assert summary.won.mean == pytest.approx(0.75)
    assert summarize(pairs, 1).points == Mean(15, float("inf"), 1)
    times = Times.of([0.001 * i for i in range(1, 101)])
    assert (times.median, times.p95, times.most) == pytest.approx((0.051, 0.096, 0.1))


@pytest.mark.parametrize("game", list(GAMES))
def test_a_pair_survives_its_file_form(game: str) -> None:
    pair = play_pair(duel("easy", "normal", game), 0)
    assert PairOfMatches.from_json(json.loads(json.dumps(pair.as_json()))) == pair


def test_who_sees_all_cards_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2pcards.bots.arena.oracle.NODES", 500)
    pair = play_pair(duel("oracle", "normal", "belka"), 5)
    assert sum(points for points, _ in pair.deals()) > 0


def test_the_oracle_knows_nothing_without_an_arena() -> None:
    assert Oracle()._hands == (frozenset(),) * 4  # nothing to peek at


def test_the_command_reports_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["arena", "normal", "easy", "--game", "belka", "--deals", "3", "--jobs", "1", "--json"]
    assert main(args) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["a"], result["b"], result["deals"]) == ("normal", "easy", 3)
    assert set(result["points"]) == {"mean", "half", "n"}
    assert main(["arena", "normal", "best"]) == 2
    assert "the levels are easy, normal, hard" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (["--option", "target=7"], "target=7: the values are 100 to 3000"),
        (["--dask", "tcp://127.0.0.1:1"], "--dask "),
    ],
)
def test_wrong_use_is_said_in_words(
    args: list[str], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", "normal", "easy", *args]) == 2
    assert text in capsys.readouterr().err
