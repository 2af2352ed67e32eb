"""Cards: one value type, its text forms, and the deck of thirty-two."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Self


class InvalidCardError(ValueError):
    """The text names no card of the deck."""


class Suit(IntEnum):
    """The four suits, in the order in which cards are numbered."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def symbol(self) -> str:
        """The suit's sign: ``♣``, ``♦``, ``♥`` or ``♠``."""
        return "♣♦♥♠"[self]

    @property
    def letter(self) -> str:
        """The suit's ASCII letter: ``c``, ``d``, ``h`` or ``s``."""
        return "cdhs"[self]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a sign, a letter or an English name, in any case."""
        low = text.strip().replace("\N{VARIATION SELECTOR-16}", "").lower()
        for suit in cls:
            if low and low in (suit.symbol, suit.letter, suit.name.lower()):
                return suit
        raise InvalidCardError(f"not a suit: {text!r}; write c, d, h, s or ♣, ♦, ♥, ♠")


class Rank(IntEnum):
    """The eight ranks, in printed order."""

    SEVEN = 0
    EIGHT = 1
    NINE = 2
    TEN = 3
    JACK = 4
    QUEEN = 5
    KING = 6
    ACE = 7

    @property
    def symbol(self) -> str:
        """The printed rank: ``7`` to ``10``, ``J``, ``Q``, ``K`` or ``A``."""
        return ("7", "8", "9", "10", "J", "Q", "K", "A")[self]


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One of the thirty-two cards; suit-major, so that sorting groups a hand by suit.

    >>> Card.parse("10♣")
    Card.parse('10♣')
    >>> Card.parse("th") == Card.parse("10H")
    True
    """

    index: int

    def __post_init__(self) -> None:
        if not 0 <= self.index < 32:
            raise InvalidCardError(f"card index out of range: {self.index}")

    @classmethod
    def of(cls, rank: Rank, suit: Suit) -> Self:
        """The card of this rank and suit."""
        return cls(suit * 8 + rank)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a rank and a suit: ``10♣``, ``10c`` and ``Tc`` are one card."""
        low = text.strip().replace("\N{VARIATION SELECTOR-16}", "").lower()
        rank_text = "10" if low[:-1] == "t" else low[:-1]
        for rank in Rank:
            if rank_text == rank.symbol.lower():
                try:
                    return cls.of(rank, Suit.parse(low[-1]))
                except InvalidCardError:
                    break
        raise InvalidCardError(f"not a card: {text!r}; write a rank and a suit, as in 10c or J♦")

    @property
    def suit(self) -> Suit:
        """The printed suit."""
        return Suit(self.index >> 3)

    @property
    def rank(self) -> Rank:
        """The printed rank."""
        return Rank(self.index & 7)

    @property
    def ascii(self) -> str:
        """The card in ASCII: ``10c``."""
        return self.rank.symbol + self.suit.letter

    def __str__(self) -> str:
        return self.rank.symbol + self.suit.symbol

    def __repr__(self) -> str:
        return f"Card.parse({str(self)!r})"


DECK: tuple[Card, ...] = tuple(Card(i) for i in range(32))
"""All thirty-two cards in the order of their index."""


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by white space or commas, in the order written."""
    return tuple(Card.parse(part) for part in text.replace(",", " ").split())


def show_cards(cards: tuple[Card, ...] | frozenset[Card] | list[Card]) -> str:
    """Cards separated by spaces; a set is sorted first."""
    return " ".join(str(c) for c in (sorted(cards) if isinstance(cards, frozenset) else cards))
