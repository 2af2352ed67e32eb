"""Belka's cards: their order, their points, whose suit is trump, and which plays are legal.

Everything here is a small table or a cached function over them, because the legality of a card
is asked for thousands of times by a bot that looks ahead.
"""

from __future__ import annotations

from functools import cache

from p2pcards.cards import DECK, Card, Rank, Suit
from p2pcards.games.base import Seat

JACK_SUITS: tuple[Suit, ...] = (Suit.CLUBS, Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS)
"""The jacks from the highest down; all four are trumps in every deal, above all others."""

JACK_POINTS = 2

SUIT_RANKS: tuple[tuple[Rank, int], ...] = (
    (Rank.ACE, 11),
    (Rank.TEN, 10),
    (Rank.KING, 4),
    (Rank.QUEEN, 3),
    (Rank.NINE, 0),
    (Rank.EIGHT, 0),
    (Rank.SEVEN, 0),
)
"""The other cards of every suit from the highest down, trump or not, each with its points."""

CARD_POINTS = 4 * (JACK_POINTS + sum(points for _, points in SUIT_RANKS))
"""All cards together."""

JACK_OF_CLUBS = Card.of(Rank.JACK, Suit.CLUBS)

WEAK_POINTS = 13
"""A hand with at most so many points is weak."""

WEAK_LENGTH = 5
"""So is one with so many cards of a suit; jacks belong to no suit of their own."""

NOTHING: frozenset[Card] = frozenset()

_RANKS = len(SUIT_RANKS)
_STRENGTH = {rank: _RANKS - 1 - i for i, (rank, _) in enumerate(SUIT_RANKS)}
_POINTS = {**dict(SUIT_RANKS), Rank.JACK: JACK_POINTS}
_SUITS_FROM_CLUBS = (Suit.CLUBS, Suit.HEARTS, Suit.SPADES, Suit.DIAMONDS)


def _strength(card: Card) -> int:
    if card.rank is Rank.JACK:
        return _RANKS + 3 - JACK_SUITS.index(card.suit)
    return _STRENGTH[card.rank]


STRENGTH: tuple[int, ...] = tuple(_strength(card) for card in DECK)
"""Each card's place within the suit it counts as, 0 for the lowest, by its index."""

POINTS: tuple[int, ...] = tuple(_POINTS[card.rank] for card in DECK)
"""What each card counts in a trick, by its index."""


def suit_of(card: Card, trump: Suit) -> Suit:
    """The printed suit, but trump for a jack."""
    return trump if card.index & 7 == Rank.JACK else card.suit


@cache
def suit_cards(suit: Suit, trump: Suit) -> frozenset[Card]:
    """Every card that counts as this suit: eleven trumps, seven cards of each other suit."""
    return frozenset(card for card in DECK if suit_of(card, trump) == suit)


def suit_of_seat(direction: str, clubs: Seat, seat: Seat) -> Suit:
    """The suit a seat owns when ``clubs`` owns clubs: hearts at its right, diamonds at its left.

    Play that runs counter-clockwise goes to the right, so there the next seat has hearts.
    """
    steps = (seat - clubs) % 4
    return _SUITS_FROM_CLUBS[steps if direction == "ccw" else -steps % 4]


def is_weak(hand: frozenset[Card]) -> bool:
    """Few points, or many cards of one suit."""
    lengths = [sum(c.suit is suit and c.rank is not Rank.JACK for c in hand) for suit in Suit]
    return sum(POINTS[c.index] for c in hand) <= WEAK_POINTS or max(lengths) >= WEAK_LENGTH


@cache
def barred(trump: Suit, led: Suit, index: int, held: frozenset[Suit]) -> frozenset[Card]:
    """The cards that whoever plays the card of this index must not hold beside it.

    ``led`` is the suit that the card led counts as, ``held`` are the suits whose ace must not
    be discarded while there is any other card.
    """
    card = DECK[index]
    if suit_of(card, trump) == led:
        return NOTHING
    aces = frozenset(Card.of(Rank.ACE, suit) for suit in held)
    return frozenset(DECK) - aces if card in aces else suit_cards(led, trump)
