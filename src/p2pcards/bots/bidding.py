"""Belotă's choice of trump: what a hand is worth with a suit as trump, before the last cards.

The weights were fitted by least squares to the scores of deals that the bots' own play policy
played out (``python -m tools.fit_bids``). They are rounded; nothing depends on their digits.
"""

from __future__ import annotations

from collections.abc import Iterable
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


def estimate(cards: Iterable[Card], trump: Suit) -> float:
    """The score margin to expect from taking with these six cards and two more to come."""
    return sum(w * n for w, n in zip(WEIGHTS, features(cards, trump), strict=True))


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


def chance(cards: Iterable[Card], trump: Suit, second: bool) -> float:
    """How likely a seat with these six cards is to make this suit trump when it is asked."""
    limit = NAME_ABOVE if second else TAKE_ABOVE
    return 1 / (1 + exp(-(estimate(cards, trump) - limit) / SOFTNESS))


def speakers(state: BelotaState) -> list[tuple[Seat, bool]]:
    """The seats that passed so far, each with whether it was in the second round."""
    first = (state.dealer + 1) % 4
    return [((first + i) % 4, i >= 4) for i in range(state.passes)]
