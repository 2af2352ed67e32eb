"""Figures from the results of an arena: means with their intervals, and times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from p2pcards.bots.arena.duel import PairOfMatches


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean and the half-width of its 95% interval (normal approximation)."""

    mean: float
    half: float
    n: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        """From independent observations; the interval of fewer than two is infinite."""
        if len(values) < 2:
            return cls(values[0] if values else 0.0, float("inf"), len(values))
        return cls(fmean(values), 1.96 * stdev(values) / sqrt(len(values)), len(values))

    def __str__(self) -> str:
        return f"{self.mean:+.2f} ± {self.half:.2f}"


@dataclass(frozen=True, slots=True)
class Times:
    """How long decisions took, in seconds."""

    median: float
    p95: float
    p99: float
    most: float
    n: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Times:
        """From any number of times."""
        ordered = sorted(values) or [0.0]

        def at(share: float) -> float:
            return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

        return cls(at(0.5), at(0.95), at(0.99), ordered[-1], len(values))


@dataclass(frozen=True, slots=True)
class Summary:
    """What an arena found, seen from A.

    ``points`` and ``score`` are margins a deal, one observation a pair of deals; ``won`` is the
    share of matches won, one observation a pair of matches.
    """

    deals: int
    points: Mean
    score: Mean
    matches: int
    won: Mean
    times: tuple[Times, Times]


def summarize(pairs: Sequence[PairOfMatches], most_deals: int) -> Summary:
    """The figures of the first so many pairs of deals, in the order of the pairs of matches."""
    deals: list[tuple[float, float]] = []
    won: list[float] = []
    times: tuple[list[float], list[float]] = ([], [])
    for pair in pairs:
        if len(deals) >= most_deals:
            break
        deals += pair.deals()
        won.append(fmean(half.won for half in pair.halves))
        for half in pair.halves:
            for kept, new in zip(times, half.times, strict=True):
                kept.extend(new)
    deals = deals[:most_deals]
    return Summary(
        len(deals),
        Mean.of([points for points, _ in deals]),
        Mean.of([score for _, score in deals]),
        2 * len(won),
        Mean.of(won),
        (Times.of(times[0]), Times.of(times[1])),
    )
