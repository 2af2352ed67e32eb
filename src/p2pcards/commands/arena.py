"""``p2pcards arena``: two kinds of bots against each other, and how sure the figures are."""

from __future__ import annotations

import argparse
import time
from contextlib import ExitStack
from math import isfinite
from pathlib import Path
from typing import Any

from p2pcards.bots.arena.duel import TARGETS, Duel, PairOfMatches, bot_for
from p2pcards.bots.arena.pool import ArenaError, Store, cluster, processes, run_pairs
from p2pcards.bots.arena.tally import Mean, Summary, Times, summarize
from p2pcards.commands import common
from p2pcards.games.options import OptionError
from p2pcards.games.registry import GAMES
from p2pcards.ui.i18n import _, n_, why

PROGRESS = 2.0
"""Seconds between two lines of progress."""


def run(args: argparse.Namespace) -> int:
    """Play and report; the exit status."""
    try:
        duel = _duel(args)
        store = Store(duel, Path(args.resume) if args.resume else None)
        summary = _play(args, duel, store)
    except (common.UsageError, OptionError, ArenaError, ValueError) as exc:
        return common.fail(common.USAGE, why(exc))
    if args.json:
        common.out_json(_as_json(duel, summary))
    else:
        for line in _words(duel, summary):
            common.out(line)
    return common.DONE


def _duel(args: argparse.Namespace) -> Duel:
    for name in (args.a, args.b):
        bot_for(name, "")
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
            width = min(args.jobs, args.deals)  # a pair of matches has a pair of deals at least
            executor = stack.enter_context(processes(width))
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
        parts = [_("{n} of {all} deals", n=done, all=self._deals)]
        if done > 1:
            points = summarize(pairs, self._deals).points
            parts.append(_("{points} points a deal so far", points=points))
        if left is not None:
            parts.append(_("about {time} left", time=_span(left)))
        common.say(", ".join(parts))


def _span(seconds: float) -> str:
    if seconds < 90:
        return _("{n} s", n=f"{seconds:.0f}")
    if seconds < 5400:
        return _("{n} min", n=f"{seconds / 60:.0f}")
    return _("{n} h", n=f"{seconds / 3600:.1f}")


def _words(duel: Duel, summary: Summary) -> list[str]:
    options = GAMES[duel.game].parse_options(dict(duel.options)).differences()
    played = ", ".join(f"{key}={value}" for key, value, _default in options)
    won, title = summary.won, GAMES[duel.game].title
    rows = [
        (_("card points a deal"), f"{summary.points}  ({_('95% interval')})"),
        (_("score a deal"), f"{summary.score}"),
        (_("matches won by {bot}", bot=duel.a), f"{100 * won.mean:.1f}% ± {100 * won.half:.1f}"),
    ]
    for name, times in zip((duel.a, duel.b), summary.times, strict=True):
        rows.append((_("time a move, {bot}", bot=name), _times(times)))
    width = max(len(label) for label, _figures in rows)
    deals = n_("{n} deal, played twice with the sides exchanged",
               "{n} deals, each played twice with the sides exchanged", summary.deals)  # fmt: skip
    return [
        _("{one} against {two} at {game}, seed {seed}", one=duel.a, two=duel.b,
          game=f"{title} ({played})" if played else title, seed=duel.seed),
        f"  {deals}; " + n_("{n} match", "{n} matches", summary.matches),
        *(f"  {label:<{width}}   {figures}" for label, figures in rows),
    ]  # fmt: skip


def _times(times: Times) -> str:
    values = (times.median, times.p95, times.p99, times.most)
    a, b, c, d = (f"{1000 * value:.1f}" for value in values)
    return _("median {a} ms, 95% {b} ms, 99% {c} ms, most {d} ms", a=a, b=b, c=c, d=d)


def _as_json(duel: Duel, summary: Summary) -> dict[str, Any]:
    def mean(value: Mean) -> dict[str, float | None]:
        half = round(value.half, 4) if isfinite(value.half) else None  # JSON has no infinity
        return {"mean": round(value.mean, 4), "half": half, "n": value.n}

    def times(value: Times) -> dict[str, float]:
        names = ("median", "p95", "p99", "most")
        return {name: round(getattr(value, name), 5) for name in names} | {"n": value.n}

    return {
        "a": duel.a, "b": duel.b, "game": duel.game, "options": dict(duel.options),
        "seed": duel.seed, "deals": summary.deals, "matches": summary.matches,
        "points": mean(summary.points), "score": mean(summary.score), "won": mean(summary.won),
        "times": {"a": times(summary.times[0]), "b": times(summary.times[1])},
    }  # fmt: skip
