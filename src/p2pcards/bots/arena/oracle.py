"""The oracle: a player that sees all cards, to measure how far a level is from the ceiling.

It exists in the arena alone. It is no level, cannot be named at a table, and sees nothing where
no arena shows it the hands. Its cards are the best against perfect play with open cards; where
finding them takes too long, and in the bidding, it plays the deal out as it lies.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from p2pcards.bots.auction import Auction
from p2pcards.bots.fast import Position
from p2pcards.bots.playout import play_out, whims
from p2pcards.bots.policy import pick
from p2pcards.bots.sight import Sight, choice_of
from p2pcards.bots.solver import OutOfNodesError, Solver
from p2pcards.bots.stakes import Stakes, stakes_of
from p2pcards.bots.tables import Tables
from p2pcards.cards import Card
from p2pcards.games.base import NO_CARDS, Action, CardSets, Phase, Seat, View
from p2pcards.games.belota import second_packet
from p2pcards.games.engine import Game

ORACLE = "oracle"

NODES = 600_000
"""Cards tried for one decision before the search is given up."""

TIMES = 6
"""How often a deal is played out where it is not solved."""

NOISE = 0.1


class Oracle:
    """Plays with all hands open."""

    _solver: tuple[tuple[object, ...], Solver] | None = None  # shared by both partners

    def __init__(self) -> None:
        self._hands: CardSets = NO_CARDS
        self._deck: Sequence[Card] = ()

    def see(self, hands: CardSets, deck: Sequence[Card]) -> None:
        """Remember all hands and the deck."""
        self._hands, self._deck = hands, tuple(deck)

    def act(self, game: Game[Any], view: View, choices: tuple[Action, ...]) -> Action:
        """The best choice with all cards open."""
        rng = random.Random(f"{view.state.deal}/{sum(view.state.hand_sizes)}")
        if view.state.phase is Phase.BID:
            return self._bid(game, view, choices, rng)
        sight = Sight.of(game, view)
        position = sight.position.copy()
        position.hands = [sight.tables.mask(hand) for hand in self._hands]
        stakes = stakes_of(sight.tables, view.state)
        slot = self._card(sight, position, stakes, rng)
        return choice_of(sight.tables, slot, choices)

    def _card(self, sight: Sight, position: Position, stakes: Stakes, rng: random.Random) -> int:
        solver, legal = self._solver_of(sight, position, stakes), position.legal()
        habit = pick(position, sight.hand, sight.out, sight.taker)
        solver.limit = solver.nodes + NODES
        try:
            best = solver.best(position, legal)
            if best == habit or sight.hand.bit_count() > 5:
                return best
            values = solver.values(position, legal)
        except OutOfNodesError:
            return self._played_out(sight, position, stakes, rng)
        return habit if values.get(habit) == values[best] else best

    def _played_out(
        self, sight: Sight, position: Position, stakes: Stakes, rng: random.Random
    ) -> int:
        """The slot with the best mean over deals played out from the true hands."""
        dealt = [h | gone for h, gone in zip(position.hands, sight.played, strict=True)]
        favoured, sign = stakes.favoured(dealt), 1 - 2 * (position.turn & 1)
        best, most = -1, -1e9
        moods = [whims(rng.random, NOISE) for _ in range(TIMES)]
        for slot in Solver(sight.tables).distinct(position.turn, position.legal(), position):
            total = 0.0
            for whim in moods:
                deal = position.copy()
                deal.play(slot)
                play_out(deal, sight.taker, whim)
                total += sign * stakes.worth(deal.taken[0], deal.tricks[0], deal.last, favoured)
            if total > most:
                best, most = slot, total
        return best

    @classmethod
    def _solver_of(cls, sight: Sight, position: Position, stakes: Stakes) -> Solver:
        """The solver of this deal, whichever partner asks."""
        dealt = (h | gone for h, gone in zip(position.hands, sight.played, strict=True))
        key = (id(sight.tables), *dealt)
        if cls._solver is None or cls._solver[0] != key:
            cls._solver = (key, Solver(sight.tables, stakes.last_bonus))
        return cls._solver[1]

    def _bid(
        self, game: Game[Any], view: View, choices: tuple[Action, ...], rng: random.Random
    ) -> Action:
        auction = OpenAuction(game, view, rng, self._deck)
        hands = [sorted(hand) for hand in self._hands]
        sign = 1 - 2 * (view.seat & 1)
        moods = [whims(rng.random, NOISE) for _ in range(TIMES)]

        def mean(bid: Action) -> float:
            return sum(sign * auction.worth(bid, hands, [], whim) for whim in moods)

        return max(choices, key=mean)


class OpenAuction(Auction):
    """An auction in which the cards still to be dealt are known."""

    def __init__(
        self, game: Game[Any], view: View, rng: random.Random, deck: Sequence[Card]
    ) -> None:
        super().__init__(game, view, rng)
        self._deck = deck

    def dealt(
        self, taker: Seat, t: Tables, hands: Sequence[Sequence[Card]], rest: Sequence[Card]
    ) -> list[int]:
        """The full hands if this seat takes."""
        masks = [t.mask(hand) for hand in hands]
        for position, seat in second_packet(self._state.dealer, taker):
            masks[seat] |= t.mask([self._deck[position]])
        masks[taker] |= t.mask([self._turned])
        return masks
