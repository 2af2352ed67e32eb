"""Deals that agree with everything a seat knows, each as likely as it is among them.

Cards that the same seats may hold are alike, so a deal is drawn in two steps: how many of each
kind every seat gets, with the exact number of deals for each such split as its weight, and then
which cards. No deal is favoured and none is refused.
"""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from math import comb

from p2pcards.bots.tables import ALL, Tables, bits
from p2pcards.games.base import View


class Unseen:
    """What one seat knows of the three other hands.

    Attributes:
        seats: the three other seats.
        fixed: cards each of them is known to hold.
        possible: cards each of them may hold besides, by what has been shown.
        needs: how many of those each holds.
    """

    def __init__(
        self,
        seats: Sequence[int],
        fixed: Sequence[int],
        possible: Sequence[int],
        needs: Sequence[int],
    ) -> None:
        self.seats, self.fixed = tuple(seats), tuple(fixed)
        self.possible, self.needs = tuple(possible), tuple(needs)
        self._classes = self._sort()
        self._splits, weights = self._count()
        if not self._splits:  # nothing fits: an honest table never gets here
            everything = self.possible[0] | self.possible[1] | self.possible[2]
            self.possible = (everything,) * 3
            self._classes = self._sort()
            self._splits, weights = self._count()
        self.deals = sum(weights)
        self._ends = list(accumulate(weights))

    @classmethod
    def of(cls, tables: Tables, view: View) -> Unseen:
        """What a seat knows in phase ``PLAY``."""
        state, me = view.state, view.seat
        seats = tuple(seat for seat in range(4) if seat != me)
        hand = tables.mask(view.hand)
        gone = tables.mask(state.played)
        fixed = [tables.mask(state.shown[seat]) & ~gone & ~hand for seat in seats]
        free = ALL & ~(hand | gone | fixed[0] | fixed[1] | fixed[2])
        possible = [free & ~tables.mask(state.absent[seat]) for seat in seats]
        needs = [
            state.hand_sizes[seat] - held.bit_count()
            for seat, held in zip(seats, fixed, strict=True)
        ]
        return cls(seats, fixed, possible, needs)

    def draw(self, rng: random.Random) -> list[int]:
        """The masks of all four hands; the seat that knows gets an empty one."""
        split = self._splits[bisect(self._ends, rng.random() * self.deals)]
        hands = [0, 0, 0, 0]
        for seat, fixed in zip(self.seats, self.fixed, strict=True):
            hands[seat] = fixed
        for kind, slots in enumerate(self._classes):
            if not slots:
                continue
            rng.shuffle(slots)
            place = 0
            for which, seat in enumerate(self.seats):
                for slot in slots[place : place + split[kind][which]]:
                    hands[seat] |= 1 << slot
                place += split[kind][which]
        return hands

    def _sort(self) -> list[list[int]]:
        """The free slots by which of the three seats may hold them, a mask of three bits."""
        a, b, c = self.possible
        classes: list[list[int]] = [[] for _ in range(8)]
        for slot in bits(a | b | c):
            kind = (a >> slot & 1) | (b >> slot & 1) << 1 | (c >> slot & 1) << 2
            classes[kind].append(slot)
        return classes

    def _count(self) -> tuple[list[tuple[tuple[int, int, int], ...]], list[int]]:
        """Every split of the kinds among the seats, and the number of deals in each."""
        n = [len(slots) for slots in self._classes]
        splits: list[tuple[tuple[int, int, int], ...]] = []
        weights: list[int] = []
        for ab in range(n[3] + 1):
            for ac in range(n[5] + 1):
                for bc in range(n[6] + 1):
                    a = self.needs[0] - n[1] - ab - ac
                    b = self.needs[1] - n[2] - (n[3] - ab) - bc
                    c = self.needs[2] - n[4] - (n[5] - ac) - (n[6] - bc)
                    if min(a, b, c) < 0 or a + b + c != n[7]:
                        continue
                    splits.append((
                        (0, 0, 0), (n[1], 0, 0), (0, n[2], 0), (ab, n[3] - ab, 0),
                        (0, 0, n[4]), (ac, 0, n[5] - ac), (0, bc, n[6] - bc), (a, b, c),
                    ))  # fmt: skip
                    ways = comb(n[3], ab) * comb(n[5], ac) * comb(n[6], bc)
                    weights.append(ways * comb(n[7], a) * comb(n[7] - a, b))
        return splits, weights
