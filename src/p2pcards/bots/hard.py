"""The strongest level: deals that agree with what it knows, each choice played out in all.

It draws deals that fit every void, every shown card and every proof, prefers those in which the
others would have bid and played as they did, and plays every choice of its own to the end in
the same deals: by the play policy with a little chance, and exactly once few cards are left.
What counts is the chance to win the game, by the game's own score.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any

from p2pcards.bots.auction import choose_bid
from p2pcards.bots.beliefs import Beliefs
from p2pcards.bots.fast import Position
from p2pcards.bots.playout import play_out, whims
from p2pcards.bots.policy import pick
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
        lead: drop a choice that falls behind the best by so many standard errors.
    """

    samples: int = 100
    budget: float | None = 1.0
    noise: float = 0.1
    solve: int = 3
    solved: int = 40
    belief: float = 0.4
    lead: float = 2.5


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
        position, legal = sight.position, sight.position.legal()
        slots = Solver(sight.tables).distinct(position.turn, legal, _full(sight))
        if len(slots) == 1:
            return slots[0]
        habit = pick(position, sight.hand, sight.out, sight.taker)
        stakes = stakes_of(sight.tables, view.state)
        exact = sight.hand.bit_count() <= self.settings.solve
        beliefs = Beliefs(sight, view, rng, self.settings.belief)
        most = self.settings.solved if exact else self.settings.samples
        solved = Solved()
        tried = Trial(slots, 1 if position.turn & 1 == 0 else -1, self.settings.lead)
        for world in beliefs.draw(most, until):
            deal = Deal(position, world, sight, stakes)
            if exact:
                tried.add(solved(deal, tuple(world), tried.slots))
            else:
                tried.add(deal.play(tried.slots, rng, self.settings.noise))
            if len(tried.slots) == 1 or until.passed():
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
        out, whim = [], whims(rng.random, noise)
        for slot in slots:
            deal = self._position.copy()
            deal.play(slot)
            play_out(deal, self._taker, whim)
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


class Solved:
    """Remembers what each choice comes to in deals that were solved: few cards, few deals."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, ...], dict[int, float]] = {}

    def __call__(self, deal: Deal, hands: tuple[int, ...], slots: list[int]) -> list[float]:
        """Team 0's worth of each slot."""
        known = self._known.get(hands)
        if known is None:
            known = self._known[hands] = dict(zip(slots, deal.solve(slots), strict=True))
        return [known[slot] for slot in slots]


class Trial:
    """The choices and what they came to, deal by deal; what falls far behind is dropped.

    Attributes:
        slots: the choices still in the running.
    """

    def __init__(self, slots: list[int], sign: int, lead: float) -> None:
        self.slots = list(slots)
        self._sign, self._lead = sign, lead
        self._rows: list[list[float]] = []

    def add(self, row: list[float]) -> None:
        """What each choice in the running came to in one deal, for team 0."""
        self._rows.append([self._sign * value for value in row])
        n = len(self._rows)
        if n >= ENOUGH and n % EVERY == 0:
            self._drop()

    def _drop(self) -> None:
        best = self._leader()
        kept = [i for i in range(len(self.slots)) if i == best or self._gap(best, i) <= self._lead]
        if len(kept) < len(self.slots):
            self.slots = [self.slots[i] for i in kept]
            self._rows = [[row[i] for i in kept] for row in self._rows]

    def _leader(self) -> int:
        sums = [sum(column) for column in zip(*self._rows, strict=True)]
        return max(range(len(sums)), key=sums.__getitem__)

    def _gap(self, best: int, other: int) -> float:
        """By how many standard errors one choice leads another."""
        n = len(self._rows)
        gaps = [row[best] - row[other] for row in self._rows]
        mean = sum(gaps) / n
        variance = sum((gap - mean) ** 2 for gap in gaps) / max(1, n - 1)
        return mean / sqrt(variance / n) if variance else (9e9 if mean else 0.0)

    def best(self, habit: int) -> int:
        """The best choice; the policy's own, if it is as good as that to within the noise."""
        if not self._rows:
            return habit
        best = self._leader()
        if habit in self.slots and self._gap(best, self.slots.index(habit)) < HABIT:
            return habit
        return self.slots[best]


ENOUGH, EVERY = 16, 8
"""Choices are dropped after so many deals at the earliest, and then after every so many."""

HABIT = 0.5
"""Within so many standard errors of the best choice, the policy's own is played."""
