"""The strongest level: deals that agree with what it knows, each choice played out in all.

It draws deals that fit every void, every shown card and every proof, prefers those in which the
others would have bid and played as they did, and plays every choice of its own to the end in
the same deals: by the play policy with a little chance, and exactly once few cards are left.
What counts is the chance to win the game, by the game's own score.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Any

from p2pcards.bots.auction import choose_bid
from p2pcards.bots.beliefs import Beliefs
from p2pcards.bots.fast import Position
from p2pcards.bots.policy import pick, play_out
from p2pcards.bots.sight import Sight, choice_of, stream
from p2pcards.bots.solver import Solver
from p2pcards.bots.stakes import Stakes, stakes_of
from p2pcards.games.base import Action, Phase, View
from p2pcards.games.engine import Game

RESERVE = 0.15
"""The part of the time budget that is kept for finishing a deal already begun."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How hard Hard thinks.

    Attributes:
        samples: the most deals to look at for one decision.
        budget: the seconds for one decision, or None for no clock: then a seed and the view
            alone make the decision.
        noise: the share of plays that are random when a deal is played out.
        solve: with so many cards in a hand or fewer, deals are solved exactly.
        solved: the most deals to look at there.
        belief: how much less likely a play that the policy would not make is.
        lead: stop early when the best choice leads by so many standard errors.
    """

    samples: int = 120
    budget: float | None = 1.0
    noise: float = 0.1
    solve: int = 3
    solved: int = 60
    belief: float = 0.4
    lead: float = 3.0


class Hard:
    """Searches; it keeps nothing from one decision to the next but what it could work out again."""

    def __init__(
        self,
        seed: bytes,
        settings: Settings | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.seed = seed
        self.settings = settings or Settings()
        self._clock = clock

    def act(self, game: Game[Any], view: View, choices: tuple[Action, ...]) -> Action:
        """The choice with the best chance to win the game."""
        rng = random.Random(stream(self.seed, view))
        until = Deadline(self.settings.budget, self._clock)
        if len(choices) == 1:
            return choices[0]
        if view.state.phase is Phase.BID:
            return choose_bid(game, view, choices, rng, self.settings.samples, until)
        sight = Sight.of(game, view)
        slot = self._search(view, sight, rng, until)
        return choice_of(sight.tables, slot, choices)

    def _search(self, view: View, sight: Sight, rng: random.Random, until: Deadline) -> int:
        """The slot to play."""
        position, legal = sight.position, _legal(sight)
        slots = Solver(sight.tables).distinct(position.turn, legal, _full(sight))
        if len(slots) == 1:
            return slots[0]
        habit = pick(position, sight.hand, sight.out, sight.taker)
        stakes = stakes_of(sight.tables, view.state)
        exact = sight.hand.bit_count() <= self.settings.solve
        beliefs = Beliefs(sight, view, rng, self.settings.belief)
        most = self.settings.solved if exact else self.settings.samples
        tried = Trial(slots, 1 if position.turn & 1 == 0 else -1)
        for world in beliefs.draw(most, until):
            deal = Deal(position, world, sight, stakes)
            tried.add(deal.solve(slots) if exact else deal.play(slots, rng, self.settings.noise))
            if until.passed() or tried.is_clear(self.settings.lead):
                break
        return tried.best(habit)


class Deadline:
    """When to stop thinking."""

    def __init__(self, budget: float | None, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._end = None if budget is None else clock() + budget * (1 - RESERVE)

    def passed(self) -> bool:
        """Whether it is time to answer."""
        return self._end is not None and self._clock() >= self._end


def _legal(sight: Sight) -> int:
    return sight.position.legal()


def _full(sight: Sight) -> Position:
    """The position with all other cards in one other hand, to see which cards are equal."""
    position = sight.position.copy()
    position.hands[(position.turn + 1) & 3] = sight.out
    return position


class Deal:
    """One guess at the hands, and what each choice comes to in it."""

    def __init__(self, position: Position, hands: list[int], sight: Sight, stakes: Stakes) -> None:
        self._position = position.copy()
        self._position.hands = hands
        self._stakes, self._taker = stakes, sight.taker
        dealt = [hand | gone for hand, gone in zip(hands, sight.played, strict=True)]
        self._favoured = stakes.favoured(dealt)

    def play(self, slots: list[int], rng: random.Random, noise: float) -> list[float]:
        """Team 0's worth of each slot when the rest is played by the policy."""
        out = []
        for slot in slots:
            deal = self._position.copy()
            deal.play(slot)
            play_out(deal, self._taker, rng.random, noise)
            out.append(self._stakes.worth(deal.taken[0], deal.tricks[0], deal.last, self._favoured))
        return out

    def solve(self, slots: list[int]) -> list[float]:
        """Team 0's worth of each slot when the rest is played perfectly with open cards."""
        solver = Solver(self._position.tables, self._stakes.last_bonus)
        out = []
        for slot in slots:
            deal = self._position.copy()
            deal.play(slot)
            while any(deal.hands):
                deal.play(solver.best(deal, deal.legal()))
            out.append(self._stakes.worth(deal.taken[0], deal.tricks[0], deal.last, self._favoured))
        return out


class Trial:
    """The choices and what they came to, deal by deal."""

    def __init__(self, slots: list[int], sign: int) -> None:
        self._slots, self._sign = slots, sign
        self._rows: list[list[float]] = []
        self._sums = [0.0] * len(slots)

    def add(self, row: list[float]) -> None:
        """What each choice came to in one deal, for team 0."""
        self._rows.append(row)
        for i, value in enumerate(row):
            self._sums[i] += self._sign * value

    def is_clear(self, errors: float) -> bool:
        """Whether the best choice leads every other by so many standard errors."""
        n = len(self._rows)
        if n < 24 or n % 8:
            return False
        best = max(range(len(self._slots)), key=self._sums.__getitem__)
        return all(i == best or self._lead(best, i) > errors for i in range(len(self._slots)))

    def _lead(self, best: int, other: int) -> float:
        """By how many standard errors one choice leads another."""
        n = len(self._rows)
        gaps = [self._sign * (row[best] - row[other]) for row in self._rows]
        mean = sum(gaps) / n
        variance = sum((gap - mean) ** 2 for gap in gaps) / (n - 1)
        return mean / sqrt(variance / n) if variance else (9e9 if mean else 0.0)

    def best(self, habit: int) -> int:
        """The best choice; the policy's own, if it is as good as that to within the noise."""
        if not self._rows:
            return habit
        best = max(range(len(self._slots)), key=self._sums.__getitem__)
        if habit in self._slots and len(self._rows) > 1:
            usual = self._slots.index(habit)
            if usual != best and self._lead(best, usual) < HABIT:
                return habit
        return self._slots[best]


HABIT = 0.5
"""Within so many standard errors of the best choice, the policy's own is played."""


def batches(total: int, size: int) -> Iterator[int]:
    """Sizes of batches that sum to a total."""
    while total > 0:
        yield min(size, total)
        total -= size
