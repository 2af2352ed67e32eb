"""A table in one place: four hands, a deck, and an engine, with no secrets and no proofs."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeVar

from p2pcards.cards import DECK, Card
from p2pcards.games.awaited import AwaitBid, AwaitPlay
from p2pcards.games.base import Bid, Play, Redeal, State, View
from p2pcards.games.engine import Game
from p2pcards.games.openhands import OpenHands

S = TypeVar("S", bound=State)
Chooser = Callable[[Game[S], View, random.Random], Bid | Play]


def random_choice(game: Game[S], view: View, rng: random.Random) -> Bid | Play:
    """Any legal card; the public bot's bid, so that few deals are passed out."""
    chosen = game.public_bot(view)
    if not isinstance(chosen, Play):
        return chosen
    legal = game.legal(view.state, view.hand)  # type: ignore[arg-type]
    return Play(view.seat, rng.choice(legal), call=rng.random() < 0.8)


class Table(OpenHands[S]):
    """A match of one chooser, with decks from a source of chance; every weak hand is shown."""

    def __init__(
        self, game: Game[S], state: S, rng: random.Random, choose: Chooser[S] = random_choice
    ) -> None:
        super().__init__(game, state)
        self.rng, self.chooser = rng, choose

    def shuffled(self) -> Sequence[Card]:
        return self.rng.sample(DECK, 32)

    def choose(self, awaited: AwaitBid | AwaitPlay) -> Bid | Play:
        return self.chooser(self.game, self.view(awaited.seat), self.rng)

    def shown(self) -> Redeal:
        weak = [self.game.is_weak(hand) for hand in self.hands]
        hands = zip(weak, self.hands, strict=True)
        return Redeal(tuple(hand if asks else None for asks, hand in hands))
