"""``p2pcards arena``: two kinds of bots against each other, and how sure the figures are."""

from __future__ import annotations

import argparse
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from p2pcards.bots.arena.duel import TARGETS, Duel, PairOfMatches, bot_for
from p2pcards.bots.arena.pool import ArenaError, Store, cluster, processes, run_pairs
from p2pcards.bots.arena.tally import Mean, Summary, Times, summarize
from p2pcards.commands import common
from p2pcards.games.options import OptionError
from p2pcards.games.registry import GAMES

PROGRESS = 2.0
"""Seconds between two lines of progress."""


def run(args: argparse.Namespace) -> int:
    """Play and report; the exit status."""
    try:
        duel = _duel(args)
        store = Store(duel, Path(args.resume) if args.resume else None)
        summary = _play(args, duel, store)
    except (common.UsageError, OptionError, ArenaError, ValueError) as exc:
        return common.fail(common.USAGE, str(exc))
    if args.json:
        common.out_json(_as_json(duel, summary))
    else:
        for line in _words(duel, summary):
            common.out(line)
    return common.DONE


def _duel(args: argparse.Namespace) -> Duel:
    for name in (args.a, args.b):
        bot_for(name, "")
    if not 1 <= args.deals <= 1_000_000:
        raise common.UsageError("--deals: a number from 1 to 1000000")
    if not 1 <= args.jobs <= 1024:
        raise common.UsageError("--jobs: a number from 1 to 1024")
    target = {"target": TARGETS[args.game]} if args.game in TARGETS else {}
    options = {**target, **common.read_options(args.option)}
    items = GAMES[args.game].parse_options(options).items()
    return Duel(args.a, args.b, args.game, items, args.seed)


def _play(args: argparse.Namespace, duel: Duel, store: Store) -> Summary:
    show = Progress(args.deals)
    with ExitStack() as stack:
        if args.dask:
            executor, width = stack.enter_context(cluster(args.dask))
        else:
            executor, width = stack.enter_context(processes(args.jobs)), args.jobs
        pairs = run_pairs(duel, args.deals, executor, width, store, show)
    return summarize(pairs, args.deals)


class Progress:
    """Says now and then how far it is, and how long the rest will take."""

    def __init__(self, deals: int) -> None:
        self._deals = deals
        self._begin = time.monotonic()
        self._told = self._begin
        self._first: int | None = None

    def __call__(self, pairs: list[PairOfMatches]) -> None:
        """Told after each pair of matches."""
        now = time.monotonic()
        done = sum(len(pair.deals()) for pair in pairs)
        if self._first is None:
            self._first = done
        if now - self._told < PROGRESS or done >= self._deals:
            return
        self._told = now
        fresh = done - self._first
        left = (self._deals - done) * (now - self._begin) / fresh if fresh else None
        rest = "" if left is None else f", about {_span(left)} left"
        points = summarize(pairs, self._deals).points
        found = f", {points} points a deal so far" if done > 1 else ""
        common.say(f"{done} of {self._deals} deals{found}{rest}")


def _span(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _words(duel: Duel, summary: Summary) -> list[str]:
    options = GAMES[duel.game].parse_options(dict(duel.options)).differences()
    played = ", ".join(f"{key}={value}" for key, value, _ in options)
    won = summary.won
    lines = [
        f"{duel.a} against {duel.b} at {GAMES[duel.game].title}"
        f"{f' ({played})' if played else ''}, seed {duel.seed}",
        f"  {summary.deals} deals, each played twice with the sides exchanged; "
        f"{summary.matches} matches",
        f"  card points a deal   {summary.points}  (95% interval)",
        f"  score a deal         {summary.score}",
        f"  matches won by {duel.a}   {100 * won.mean:.1f}% ± {100 * won.half:.1f}",
    ]
    for name, times in zip((duel.a, duel.b), summary.times, strict=True):
        lines.append(f"  time a move, {name}   {_times(times)}")
    return lines


def _times(times: Times) -> str:
    ms = [1000 * value for value in (times.median, times.p95, times.p99, times.most)]
    return "median {:.1f} ms, 95% {:.1f} ms, 99% {:.1f} ms, most {:.1f} ms".format(*ms)


def _as_json(duel: Duel, summary: Summary) -> dict[str, Any]:
    def mean(value: Mean) -> dict[str, float]:
        return {"mean": round(value.mean, 4), "half": round(value.half, 4), "n": value.n}

    def times(value: Times) -> dict[str, float]:
        names = ("median", "p95", "p99", "most")
        return {name: round(getattr(value, name), 5) for name in names} | {"n": value.n}

    return {
        "a": duel.a, "b": duel.b, "game": duel.game, "options": dict(duel.options),
        "seed": duel.seed, "deals": summary.deals, "matches": summary.matches,
        "points": mean(summary.points), "score": mean(summary.score), "won": mean(summary.won),
        "times": {"a": times(summary.times[0]), "b": times(summary.times[1])},
    }  # fmt: skip
