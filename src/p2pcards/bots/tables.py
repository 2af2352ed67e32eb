"""A game's rules for one trump suit as tables of bit masks, compiled from the game itself.

Looking ahead plays millions of cards, so cards become *slots*: bits 0 to 31, sorted by the suit
they count as (three plain *groups* 0, 1, 2, then trumps, group 3) and within it by strength.
A hand is a mask of slots. Every table here is filled by asking ``Game.suit_of``, ``strength``,
``points``, ``trick_winner`` and ``excluded``; there is no rule of any game in this module.

What may follow in a trick is looked up by its *situation*: the group led, the best slot so far
and whether the partner holds it, and where a game looks at that, the groups led earlier in the
deal. That this is all that legality depends on is checked against the engine by property tests.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeAlias

from p2pcards.cards import DECK, Card, Suit
from p2pcards.games.base import Phase, Trick
from p2pcards.games.engine import Game
from p2pcards.games.options import Options

TRUMPS = 3
"""The group of the trumps; the plain groups are 0, 1 and 2."""

ALL = (1 << 32) - 1

Row: TypeAlias = tuple[int, int]
"""A mask of excluded slots and the slots that are legal for a hand with none of those."""

Rules: TypeAlias = tuple[list[tuple[Row, ...]], list[tuple[Row, ...]]]
"""Rows by ``group led * 32 + best slot``: while an opponent, and while the partner, holds it."""

Bars: TypeAlias = tuple[list[tuple[int, ...]], list[tuple[int, ...]]]
"""For the same index and a slot played, the slots its player must not hold."""


class Tables:
    """The tables of one game with its options and one trump suit. Immutable once made.

    Attributes:
        cards: the card in each slot.
        slots: the slot of each card, by ``Card.index``.
        group: the group of each slot.
        masks: the slots of each group.
        points: the points of each slot.
        beats: for each slot, the slots that take the trick from it.
        above: for each slot, the slots of its own group that are stronger.
    """

    def __init__(self, game: Game[Any], options: Options, trump: Suit) -> None:
        self.game, self.options, self.trump = game, options, trump
        self.cards = tuple(sorted(DECK, key=self._order))
        self.slots = tuple(self.cards.index(card) for card in DECK)
        suits = [game.suit_of(card, trump) for card in self.cards]
        plain = sorted(set(suits) - {trump})
        self.group = tuple(TRUMPS if suit == trump else plain.index(suit) for suit in suits)
        self.masks = tuple(
            sum(1 << slot for slot in range(32) if self.group[slot] == g) for g in range(4)
        )
        self.points = tuple(game.points(card, trump) for card in self.cards)
        self.beats = tuple(self._beaten_by(slot) for slot in range(32))
        self.above = tuple(self.beats[s] & self.masks[self.group[s]] for s in range(32))
        self._rules: dict[int, tuple[Rules, Bars]] = {}
        self.uses_history = any(
            self._barred(led, lowest(self.masks[led]), mine, 0)
            != self._barred(led, lowest(self.masks[led]), mine, 0b1111)
            for led in range(4)
            for mine in (False, True)
        )

    def _order(self, card: Card) -> tuple[bool, Suit, int]:
        suit = self.game.suit_of(card, self.trump)
        return (suit == self.trump, suit, self.game.strength(card, self.trump))

    def _beaten_by(self, slot: int) -> int:
        first = self.cards[slot]
        return self.mask(
            card
            for card in DECK
            if card != first and self.game.trick_winner(Trick(0, (first, card)), self.trump) == 1
        )

    def mask(self, cards: Iterable[Card]) -> int:
        """The mask of these cards."""
        out = 0
        for card in cards:
            out |= 1 << self.slots[card.index]
        return out

    def of_mask(self, mask: int) -> tuple[Card, ...]:
        """The cards of a mask, in the order of the slots."""
        return tuple(self.cards[slot] for slot in bits(mask))

    def rules(self, history: int) -> tuple[Rules, Bars]:
        """The tables while the groups in ``history`` (a mask of four bits) have been led."""
        key = history if self.uses_history else 0
        found = self._rules.get(key)
        if found is None:
            found = self._rules[key] = self._compile(key)
        return found

    def legal(self, hand: int, led: int, best: int, mine: bool, history: int = 0) -> int:
        """The slots of ``hand`` that may follow; for leading every card may be played."""
        rows = self.rules(history)[0][mine][led * 32 + best]
        legal = 0
        for bar, cards in rows:
            if not hand & bar:
                legal |= cards
        return legal & hand

    # -- compiling -----------------------------------------------------------------------------

    def _compile(self, history: int) -> tuple[Rules, Bars]:
        rules: Rules = ([()] * 128, [()] * 128)
        bars: Bars = ([()] * 128, [()] * 128)
        for led in range(4):
            for best in range(32):
                if self.group[best] not in (led, TRUMPS):
                    continue
                for mine in (False, True):
                    row = self._barred(led, best, mine, history)
                    bars[mine][led * 32 + best] = row
                    rules[mine][led * 32 + best] = _grouped(row)
        return rules, bars

    def _barred(self, led: int, best: int, mine: bool, history: int) -> tuple[int, ...]:
        """For each slot, what must not be held to play it in this situation."""
        trick = self._sample_trick(led, best, mine)
        seat = len(trick) % 4
        state = replace(
            self.game.start(self.options, 0),
            phase=Phase.PLAY,
            trump=self.trump,
            trick=Trick(0, trick),
            tricks=self._sample_history(history, set(trick)),
            turn=seat,
        )
        return tuple(
            self.mask(self.game.excluded(state, card)) & ~(1 << slot)
            for slot, card in enumerate(self.cards)
        )

    def _sample_trick(self, led: int, best: int, mine: bool) -> tuple[Card, ...]:
        """A trick in this situation, as short as can be."""
        slots = [best]
        if self.group[best] != led:
            slots.insert(0, lowest(self.masks[led]))
        if mine:
            weaker = ALL & ~self.beats[best] & ~sum(1 << s for s in slots)
            slots.append(lowest(weaker & (self.masks[led] | self.masks[0] | self.masks[1])))
        return tuple(self.cards[slot] for slot in slots)

    def _sample_history(self, history: int, avoid: set[Card]) -> tuple[Trick, ...]:
        """Finished tricks to which the groups in ``history`` were led."""
        tricks = []
        for g in range(4):
            if history >> g & 1:
                lead = next(c for c in self.of_mask(self.masks[g]) if c not in avoid)
                tricks.append(Trick(0, (lead,) * 4, 0))
        return tuple(tricks)


def _grouped(row: tuple[int, ...]) -> tuple[Row, ...]:
    """Rows of equal excluded masks, so that legality takes few tests."""
    cards: dict[int, int] = {}
    for slot, bar in enumerate(row):
        cards[bar] = cards.get(bar, 0) | 1 << slot
    return tuple(sorted(cards.items()))


def bits(mask: int) -> Iterable[int]:
    """The slots in a mask, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def lowest(mask: int) -> int:
    """The lowest slot of a mask that is not empty."""
    return (mask & -mask).bit_length() - 1


def highest(mask: int) -> int:
    """The highest slot of a mask that is not empty; -1 for an empty one."""
    return mask.bit_length() - 1


@lru_cache(maxsize=64)
def tables(game: Game[Any], options: Options, trump: Suit) -> Tables:
    """The tables, compiled once for each game, options and trump."""
    return Tables(game, options, trump)
