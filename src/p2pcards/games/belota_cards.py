"""Belotă's cards: their order, their points, and which plays are legal.

Everything here is a small table or a cached function over them, because the legality of a card
is asked for thousands of times by a bot that looks ahead.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from p2pcards.cards import DECK, Card, Rank, Suit

TRUMP_RANKS: tuple[tuple[Rank, int], ...] = (
    (Rank.JACK, 20),
    (Rank.NINE, 14),
    (Rank.ACE, 11),
    (Rank.TEN, 10),
    (Rank.KING, 4),
    (Rank.QUEEN, 3),
    (Rank.EIGHT, 0),
    (Rank.SEVEN, 0),
)
"""Trumps from the highest down, each with its points."""

PLAIN_RANKS: tuple[tuple[Rank, int], ...] = (
    (Rank.ACE, 11),
    (Rank.TEN, 10),
    (Rank.KING, 4),
    (Rank.QUEEN, 3),
    (Rank.JACK, 2),
    (Rank.NINE, 0),
    (Rank.EIGHT, 0),
    (Rank.SEVEN, 0),
)
"""Cards of the other suits from the highest down, each with its points."""

ROYALS = (Rank.KING, Rank.QUEEN)
"""The two trumps that make a belote."""

NOTHING: frozenset[Card] = frozenset()


def _by_rank(table: tuple[tuple[Rank, int], ...]) -> tuple[tuple[int, int], ...]:
    """For each rank in printed order, its strength (0..7) and its points."""
    ranked = [(rank, 7 - i, points) for i, (rank, points) in enumerate(table)]
    return tuple((strength, points) for _, strength, points in sorted(ranked))


_TRUMP = _by_rank(TRUMP_RANKS)
_PLAIN = _by_rank(PLAIN_RANKS)


def strength(card: Card, trump: Suit) -> int:
    """The card's place within its suit, 0 for the lowest."""
    table = _TRUMP if card.index >> 3 == trump else _PLAIN
    return table[card.index & 7][0]


def points(card: Card, trump: Suit) -> int:
    """What the card counts in a trick."""
    table = _TRUMP if card.index >> 3 == trump else _PLAIN
    return table[card.index & 7][1]


class Situation(NamedTuple):
    """What of an unfinished trick decides which cards may follow.

    ``top`` is the index of the highest trump in the trick, -1 if there is none; ``mine`` tells
    whether the partner of the seat to play holds the trick.
    """

    trump: int
    led: int
    top: int
    mine: bool


def situation(trump: Suit, cards: tuple[Card, ...]) -> Situation:
    """The situation of the seat that is to play next to these cards; there is at least one."""
    led = cards[0].index >> 3
    best, holder = -1, 0
    for place, card in enumerate(cards):
        suit = card.index >> 3
        if suit == trump:
            power = 8 + _TRUMP[card.index & 7][0]
        elif suit == led:
            power = _PLAIN[card.index & 7][0]
        else:
            continue
        if power > best:
            best, holder = power, place
    top = cards[holder].index if best >= 8 else -1
    return Situation(int(trump), led, top, holder == len(cards) - 2)


@cache
def suit_cards(suit: int) -> frozenset[Card]:
    """The eight cards of a suit."""
    return frozenset(DECK[suit * 8 : suit * 8 + 8])


@cache
def trumps_above(trump: int, top: int) -> frozenset[Card]:
    """The trumps that beat the trump of this index; all of them for -1."""
    least = _TRUMP[top & 7][0] if top >= 0 else -1
    return frozenset(c for c in suit_cards(trump) if _TRUMP[c.index & 7][0] > least)


@cache
def barred(where: Situation, index: int, must_under: bool, only_higher: bool) -> frozenset[Card]:
    """The cards that whoever plays the card of this index there must not hold beside it.

    ``must_under`` is the option ``undertrump=must``, ``only_higher`` is
    ``partner_trump=higher``.
    """
    suit, card = index >> 3, DECK[index]
    above = trumps_above(where.trump, where.top)
    if where.led == where.trump:
        if suit != where.trump:
            return suit_cards(where.trump)
        return NOTHING if card in above else above
    if suit == where.led:
        return NOTHING
    follow = suit_cards(where.led)
    trumps = suit_cards(where.trump)
    lower = suit == where.trump and card not in above
    if where.mine:
        if lower and only_higher:
            return frozenset(DECK) - (trumps - above)
        return follow
    if suit == where.trump:
        return follow | above if lower else follow
    return follow | (trumps if must_under else above)
