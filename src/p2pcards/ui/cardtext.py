"""Cards as text: suit signs where the terminal has them, letters where not, and local ranks."""

from __future__ import annotations

from collections.abc import Iterable

from p2pcards.cards import Card, InvalidCardError, Rank, Suit
from p2pcards.games.base import State
from p2pcards.games.engine import Game
from p2pcards.ui.i18n import N_, _

SUIT_ORDER = (Suit.SPADES, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS)
"""Black and red in turn, as people sort a hand."""

_LETTERS = {
    Rank.JACK: N_("rank J"),
    Rank.QUEEN: N_("rank Q"),
    Rank.KING: N_("rank K"),
    Rank.ACE: N_("rank A"),
}
_SUIT_NAMES = (N_("clubs"), N_("diamonds"), N_("hearts"), N_("spades"))
_SUIT_LETTERS = (N_("suit letter c"), N_("suit letter d"), N_("suit letter h"), N_("suit letter s"))


def rank_text(rank: Rank) -> str:
    """The rank as it is printed in the language chosen."""
    return _(_LETTERS[rank]).rpartition(" ")[2] if rank in _LETTERS else rank.symbol


def suit_text(suit: Suit, ascii_only: bool = False) -> str:
    """The suit's sign, or its capital letter."""
    return suit.letter.upper() if ascii_only else suit.symbol


def suit_name(suit: Suit) -> str:
    """The suit in words."""
    return _(_SUIT_NAMES[suit])


def suit_letter(suit: Suit) -> str:
    """The small letter that stands for the suit in the language chosen."""
    return _(_SUIT_LETTERS[suit]).rpartition(" ")[2].lower()


def card_text(card: Card, ascii_only: bool = False) -> str:
    """The card: ``10♣`` or ``10C``."""
    return rank_text(card.rank) + suit_text(card.suit, ascii_only)


def cards_text(cards: Iterable[Card], ascii_only: bool = False) -> str:
    """Cards separated by spaces."""
    return " ".join(card_text(c, ascii_only) for c in cards)


def read_suit(text: str) -> Suit:
    """A suit as a person types it, in English or the language chosen; raises InvalidCardError."""
    low = text.strip().lower()
    for suit in Suit:
        if low and low in (suit_letter(suit), suit_name(suit)):
            return suit
    return Suit.parse(text)


def read_card(text: str) -> Card:
    """A card as a person types it: ``10c``, ``Tc``, ``k♥``, or with local letters.

    Raises InvalidCardError.
    """
    low = text.strip().lower().replace(" ", "")
    for rank in _LETTERS:
        local = rank_text(rank).lower()
        if low.startswith(local) and len(low) > len(local):
            try:
                return Card.of(rank, read_suit(low[len(local) :]))
            except InvalidCardError:
                continue
    if low[:-1] in ("7", "8", "9", "10", "t"):
        rank = Rank(3 if low[:-1] == "t" else int(low[:-1]) - 7)
        return Card.of(rank, read_suit(low[-1]))
    return Card.parse(text)


def grouped(cards: Iterable[Card], game: Game[State] | None, trump: Suit | None) -> list[Card]:
    """A hand in the order people hold it: trumps first, then suits in turn, high to low.

    Ranks follow the game; before there is a trump, as if none were.
    """

    def place(card: Card) -> tuple[int, int, int]:
        if game is None or trump is None:
            strength = _PLAIN_STRENGTH[card.rank] if game is not None else card.rank
            return (1, SUIT_ORDER.index(card.suit), -strength)
        suit = game.suit_of(card, trump)
        return (int(suit != trump), SUIT_ORDER.index(suit), -game.strength(card, trump))

    return sorted(cards, key=place)


_PLAIN_STRENGTH = {r: i for i, r in enumerate((0, 1, 2, 4, 5, 6, 3, 7))}
