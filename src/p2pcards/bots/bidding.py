"""Belotă's choice of trump: what a hand is worth with a suit as trump, before the last cards.

The weights were fitted by least squares to the scores of deals that the bots' own play policy
played out (``python -m tools.fit_bids``). They are rounded; nothing depends on their digits.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import exp

from p2pcards.cards import Card, Rank, Suit
from p2pcards.games.base import Action, Name, Pass, Seat, Take, View
from p2pcards.games.belota_state import BelotaState

FEATURES: tuple[str, ...] = (
    "one", "J", "9", "A", "10", "K", "Q", "8", "7", "J and 9", "belote", "four trumps",
    "side ace", "guarded ten", "bare ten", "side king", "void",
)  # fmt: skip
"""What is counted of a hand of six: trumps by rank, the other suits' high cards, and shape."""

WEIGHTS: tuple[float, ...] = (
    -127, 81, 47, 34, 26, 28, 27, 16, 15, 16, 16,
    16, 24, 0, 3, 0, 11,
)  # fmt: skip
"""Points of score margin for each feature."""

TAKE_ABOVE = 0.0
NAME_ABOVE = 0.0
SOFTNESS = 30.0
"""The margin over which the chance of a bid falls from even to about a quarter."""

_TRUMPS = (
    Rank.JACK, Rank.NINE, Rank.ACE, Rank.TEN, Rank.KING, Rank.QUEEN, Rank.EIGHT, Rank.SEVEN,
)  # fmt: skip


def features(cards: Iterable[Card], trump: Suit) -> tuple[int, ...]:
    """How often each feature occurs in these six cards: five of a hand and the turned one."""
    held = set(cards)
    ranks = {card.rank for card in held if card.suit is trump}
    sides = [
        {card.rank for card in held if card.suit is suit} for suit in Suit if suit is not trump
    ]
    tens = [Rank.ACE in side for side in sides if Rank.TEN in side]
    return (
        1,
        *(int(rank in ranks) for rank in _TRUMPS),
        int({Rank.JACK, Rank.NINE} <= ranks),
        int({Rank.KING, Rank.QUEEN} <= ranks),
        max(0, len(ranks) - 3),
        sum(Rank.ACE in side for side in sides),
        sum(tens),
        len(tens) - sum(tens),
        sum(Rank.KING in side for side in sides),
        sum(not side for side in sides),
    )


def _weigh(cards: Iterable[Card], trump: Suit) -> float:
    return sum(w * n for w, n in zip(WEIGHTS, features(cards, trump), strict=True))


@cache
def _by_suit() -> tuple[tuple[float, ...], tuple[float, ...]]:
    """What any set of ranks is worth as trumps, and as another suit: no feature spans two."""
    suits = [[Card(i) for i in range(8) if ranks >> i & 1] for ranks in range(256)]
    nothing = _weigh([], Suit.CLUBS)
    void = (nothing - WEIGHTS[0]) / 3
    as_trumps = tuple(_weigh(suit, Suit.CLUBS) - 3 * void for suit in suits)
    others = tuple(_weigh(suit, Suit.SPADES) - nothing + void for suit in suits)
    return as_trumps, others


def mask_of(cards: Iterable[Card]) -> int:
    """Cards as a mask of their indexes."""
    mask = 0
    for card in cards:
        mask |= 1 << card.index
    return mask


def estimate_mask(mask: int, trump: int) -> float:
    """The same as :func:`estimate`, for a mask of card indexes."""
    as_trumps, others = _by_suit()
    ranks = (mask & 255, mask >> 8 & 255, mask >> 16 & 255, mask >> 24)
    total = others[ranks[0]] + others[ranks[1]] + others[ranks[2]] + others[ranks[3]]
    return total + as_trumps[ranks[trump]] - others[ranks[trump]]


def estimate(cards: Iterable[Card], trump: Suit) -> float:
    """The score margin to expect from taking with these six cards and two more to come."""
    return estimate_mask(mask_of(cards), trump)


def best_bid(view: View, choices: tuple[Action, ...]) -> Action:
    """Take or name the best suit if it is worth more than passing usually is."""
    state = view.state
    if not isinstance(state, BelotaState) or state.turned is None:
        raise TypeError("there is no choice of trump in this state")
    cards = view.hand | {state.turned}
    limit = TAKE_ABOVE if state.passes < 4 else NAME_ABOVE
    found: Action = next(bid for bid in choices if isinstance(bid, Pass))
    most = limit
    for bid in choices:
        if isinstance(bid, Take | Name):
            suit = bid.suit if isinstance(bid, Name) else state.turned.suit
            worth = estimate(cards, suit)
            if worth > most:
                found, most = bid, worth
    return found


def chance(mask: int, trump: int, second: bool) -> float:
    """How likely a seat with these six cards is to make this suit trump when it is asked."""
    limit = NAME_ABOVE if second else TAKE_ABOVE
    return 1 / (1 + exp(-(estimate_mask(mask, trump) - limit) / SOFTNESS))


def best_other(mask: int, turned: int) -> int:
    """The best suit of six cards but the turned one."""
    return max((suit for suit in range(4) if suit != turned), key=lambda s: estimate_mask(mask, s))


def says(mask: int, turned: Suit, second: bool, took: bool) -> float:
    """How likely a seat with these six cards is to take (or name a suit), or to pass."""
    likely = chance(mask, best_other(mask, turned) if second else turned, second)
    return likely if took else 1 - likely


def speakers(state: BelotaState) -> list[tuple[Seat, bool]]:
    """The seats that passed so far, each with whether it was in the second round."""
    first = (state.dealer + 1) % 4
    return [((first + i) % 4, i >= 4) for i in range(state.passes)]
