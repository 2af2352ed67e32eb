"""Fit the weights of Belotă's bidding to deals played out by the bots' play policy.

    python -m tools.fit_bids [DEALS]

Prints the weight of each feature of :mod:`p2pcards.bots.bidding`, and how well they explain.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence

from p2pcards.bots.bidding import FEATURES, features
from p2pcards.bots.fast import Position
from p2pcards.bots.playout import play_out, whims
from p2pcards.bots.tables import tables
from p2pcards.cards import DECK, Suit
from p2pcards.games.belota import BELOTA
from p2pcards.games.belota_options import BelotaOptions
from p2pcards.games.belota_score import DealFacts, score_deal
from p2pcards.games.belota_state import LAST_TRICK


def one_deal(rng: random.Random) -> tuple[tuple[int, ...], int]:
    """The features of a taker's six cards, and the score margin the deal then brought."""
    deck = rng.sample(DECK, 32)
    trump = Suit(rng.randrange(4))
    options = BelotaOptions()
    t = tables(BELOTA, options, trump)
    hands = [t.mask(deck[seat * 8 : seat * 8 + 8]) for seat in range(4)]
    position = Position(t, list(hands), rng.randrange(4))
    play_out(position, 0, whims(rng.random, 0.1))
    taken = [position.taken[0], position.taken[1]]
    taken[position.last & 1] += LAST_TRICK
    royals = t.mask(c for c in DECK if c.suit is trump and c.rank.symbol in "KQ")
    owners = [seat for seat, hand in enumerate(hands) if hand & royals == royals]
    facts = DealFacts(
        0, (position.tricks[0], position.tricks[1]), (taken[0], taken[1]),
        owners[0] & 1 if owners else None,
    )  # fmt: skip
    score = score_deal(options, facts)
    return features(deck[:6], trump), score.added[0] - score.added[1]


def least_squares(rows: Sequence[Sequence[int]], values: Sequence[float]) -> list[float]:
    """The weights with the least squared error, by elimination on the normal equations."""
    n = len(rows[0])
    matrix = [
        [float(sum(r[i] * r[j] for r in rows)) for j in range(n)]
        + [float(sum(r[i] * v for r, v in zip(rows, values, strict=True)))]
        for i in range(n)
    ]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(matrix[k][i]))
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        for k in range(n):
            if k != i:
                share = matrix[k][i] / matrix[i][i]
                matrix[k] = [a - share * b for a, b in zip(matrix[k], matrix[i], strict=True)]
    return [matrix[i][n] / matrix[i][i] for i in range(n)]


def main() -> None:
    """Play, fit and print."""
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 20000
    rng = random.Random("bids")  # noqa: S311
    samples = [one_deal(rng) for _ in range(deals)]
    rows, values = [row for row, _ in samples], [float(value) for _, value in samples]
    weights = least_squares(rows, values)
    guesses = [sum(w * x for w, x in zip(weights, row, strict=True)) for row in rows]
    mean = sum(values) / deals
    left = sum((v - g) ** 2 for v, g in zip(values, guesses, strict=True))
    whole = sum((v - mean) ** 2 for v in values)
    for name, weight in zip(FEATURES, weights, strict=True):
        print(f"{name:<12} {weight:7.1f}")
    print(f"explains {1 - left / whole:.0%} of the variance, mean margin {mean:.1f}")


if __name__ == "__main__":
    main()
