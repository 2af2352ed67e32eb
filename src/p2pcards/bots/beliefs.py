"""Which deals to think of: those that fit what is known, by how likely the others made them."""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Iterator
from itertools import accumulate
from typing import Protocol

from p2pcards.bots.bidding import chance, mask_of, says, speakers
from p2pcards.bots.fast import Position
from p2pcards.bots.policy import pick
from p2pcards.bots.sight import Sight
from p2pcards.bots.tables import Tables, bits
from p2pcards.bots.worlds import Unseen
from p2pcards.games.base import View
from p2pcards.games.belota_state import BelotaState

BATCH = 12
"""How many deals are chosen at a time."""

SURPLUS = 3
"""How many deals are drawn for each one that is looked at."""

DOUBT = 0.15
"""The chance that a bid means nothing: a strange bid never rules a deal out."""


class Stop(Protocol):
    """Says when to stop."""

    def passed(self) -> bool:
        """Whether it is time to answer."""


class Beliefs:
    """Draws deals for one decision.

    A deal is drawn from all that fit, several for each one used, and then chosen in proportion
    to the chance that the others would have bid and played as they did with those hands.
    """

    def __init__(self, sight: Sight, view: View, rng: random.Random, belief: float) -> None:
        self._sight, self._view, self._rng, self._belief = sight, view, rng, belief
        self._unseen = Unseen.of(sight.tables, view)
        self._moves = _moves(sight, view)
        self._known: dict[tuple[int, ...], float] = {}

    def draw(self, most: int, until: Stop) -> Iterator[list[int]]:
        """Up to ``most`` deals: the masks of all four hands as they are now."""
        given = 0
        while given < most:
            size = min(BATCH, most - given)
            yield from self._batch(size, until)
            given += size

    def _batch(self, size: int, until: Stop) -> list[list[int]]:
        if self._unseen.deals <= 1:
            return [self._one() for _ in range(size)]
        deals: list[list[int]] = []
        weights: list[float] = []
        for _ in range(size * SURPLUS):
            hands = self._one()
            deals.append(hands)
            weights.append(self._weight(hands))
            if until.passed():
                break
        ends = list(accumulate(weights))
        step = ends[-1] / size
        first = self._rng.random() * step
        return [deals[min(bisect(ends, first + i * step), len(deals) - 1)] for i in range(size)]

    def _one(self) -> list[int]:
        hands = self._unseen.draw(self._rng)
        hands[self._view.seat] = self._sight.hand
        return hands

    def _weight(self, hands: list[int]) -> float:
        """How likely the others are to have bid and played as they did with these hands."""
        dealt = [h | gone for h, gone in zip(hands, self._sight.played, strict=True)]
        key = tuple(hands)
        plays = self._known.get(key)
        if plays is None:
            plays = self._known[key] = self._plays(dealt)
        return plays * self._bids(dealt)

    def _plays(self, dealt: list[int]) -> float:
        """Less for each play of another seat that the policy would not have made."""
        if self._belief >= 1 or not self._moves:
            return 1.0
        tables, me, taker = self._sight.tables, self._view.seat, self._sight.taker
        position = Position(tables, list(dealt), self._moves[0][0])
        left = dealt[0] | dealt[1] | dealt[2] | dealt[3]
        hands, strange = position.hands, 0
        for seat, slot in self._moves:
            if seat != me:
                hand = hands[seat]
                usual = pick(position, hand, left & ~hand, taker)
                if usual != slot and not _alike(tables, left, usual, slot):
                    strange += 1
            left &= ~(1 << slot)
            position.play(slot)
        weight: float = self._belief**strange
        return weight

    def _bids(self, dealt: list[int]) -> float:
        state = self._view.state
        if not isinstance(state, BelotaState) or state.turned is None or state.taker is None:
            return 1.0
        weight, tables, turned = 1.0, self._sight.tables, state.turned
        slot = 1 << tables.slots[turned.index]
        spoken = [(seat, second, False) for seat, second in speakers(state)]
        spoken.append((state.taker, state.passes >= 4, True))
        firsts: dict[int, int] = {}
        for seat, second, took in spoken:
            if seat == self._view.seat:
                continue
            if seat not in firsts:
                five = self._rng.sample(list(bits(dealt[seat] & ~slot)), 5)
                firsts[seat] = mask_of([turned, *(tables.cards[s] for s in five)])
            if took:
                likely = chance(firsts[seat], tables.trump, second)
            else:
                likely = says(firsts[seat], turned.suit, second, False)
            weight *= DOUBT + (1 - DOUBT) * likely
        return weight


def _moves(sight: Sight, view: View) -> list[tuple[int, int]]:
    """Every play of the deal so far: the seat and the slot."""
    state, slots = view.state, sight.tables.slots
    tricks = (*state.tricks, state.trick)
    return [(seat, slots[card.index]) for trick in tricks for seat, card in trick.by_seat()]


def _alike(tables: Tables, left: int, one: int, other: int) -> bool:
    """Whether two cards are as good as the same: same suit and points, none left between."""
    if tables.group[one] != tables.group[other] or tables.points[one] != tables.points[other]:
        return False
    low, high = min(one, other), max(one, other)
    return not left & ((1 << high) - (2 << low))
