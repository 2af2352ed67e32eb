"""A table in one process, with open hands: it deals, asks four bots, and keeps the time."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

from p2pcards.bots.levels import Bot
from p2pcards.cards import DECK, Card
from p2pcards.games.awaited import AwaitBid, AwaitPlay
from p2pcards.games.base import Action, Bid, CardSets, Play, Seat, State
from p2pcards.games.engine import Game
from p2pcards.games.openhands import OpenHands


@runtime_checkable
class Seer(Protocol):
    """A player that is shown everything; there are none outside the arena."""

    def see(self, hands: CardSets, deck: Sequence[Card]) -> None:
        """All four hands as they are now, and the whole deck in its order."""


class Table(OpenHands[Any]):
    """One match among four bots, with decks that depend on the seed and the deal's number only."""

    def __init__(
        self,
        game: Game[Any],
        state: State,
        bots: Sequence[Bot],
        seed: str,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        super().__init__(game, state)
        self.bots, self.seed = bots, seed
        self.times: list[tuple[Seat, str, float]] = []
        self._clock = clock

    def play(self, most_deals: int = 1000) -> State:
        """The state at the end of the match, or once so many deals were played."""
        for _ in self.steps(most_deals):
            pass
        return self.state  # type: ignore[no-any-return]

    def shuffled(self) -> Sequence[Card]:
        """The deck of this seed and deal."""
        return random.Random(f"{self.seed}/{len(self.state.sheets)}").sample(DECK, 32)

    def choose(self, awaited: AwaitBid | AwaitPlay) -> Bid | Play:
        """What the bot in this seat does; it is not asked for the only card it may play."""
        seat = awaited.seat
        if isinstance(awaited, AwaitBid):
            return self._ask(seat, "bid", awaited.choices)
        legal = self.game.legal(self.state, self.hands[seat])
        plays = tuple(Play(seat, card, call=True) for card in legal)
        return self._ask(seat, "play", plays) if len(plays) > 1 else plays[0]

    def _ask(self, seat: Seat, kind: str, choices: tuple[Any, ...]) -> Bid | Play:
        bot = self.bots[seat]
        if isinstance(bot, Seer):
            bot.see(self.hands, self.deck)
        view = self.view(seat)
        begin = self._clock()
        action: Action = bot.act(self.game, view, choices)
        self.times.append((seat, kind, self._clock() - begin))
        if action not in choices:
            raise RuntimeError(f"the bot in seat {seat} chose {action}, which is not legal")
        return action  # type: ignore[return-value]
