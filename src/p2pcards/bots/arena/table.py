"""A table in one process, with open hands: it deals, asks four bots, and keeps the time."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

from p2pcards.bots.levels import Bot
from p2pcards.cards import DECK, Card
from p2pcards.games.base import (
    NO_CARDS,
    SEATS,
    Action,
    Announced,
    AwaitAnnounce,
    AwaitBid,
    AwaitDeck,
    AwaitPacket,
    AwaitPlay,
    AwaitRedeal,
    AwaitSigned,
    CardSets,
    Dealt,
    DeckReady,
    MatchOver,
    Phase,
    Play,
    Redeal,
    Seat,
    Signed,
    State,
    View,
    with_cards,
    without_card,
)
from p2pcards.games.engine import Game


@runtime_checkable
class Seer(Protocol):
    """A player that is shown everything; there are none outside the arena."""

    def see(self, hands: CardSets, deck: Sequence[Card]) -> None:
        """All four hands as they are now, and the whole deck in its order."""


class Table:
    """One match among four bots, with decks that depend on the seed and the deal's number only."""

    def __init__(
        self,
        game: Game[Any],
        state: State,
        bots: Sequence[Bot],
        seed: str,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.game, self.state, self.bots, self.seed = game, state, bots, seed
        self.hands: CardSets = NO_CARDS
        self.deck: list[Card] = []
        self.times: list[tuple[Seat, str, float]] = []
        self._clock = clock

    def play(self, most_deals: int = 1000) -> State:
        """The state at the end of the match, or once so many deals were played."""
        while not isinstance(self.game.awaited(self.state), MatchOver):
            action = self._next(most_deals)
            self.state = self.game.apply(self.state, action)
            if self.state.phase is Phase.DECK:
                self.hands = NO_CARDS
        return self.state

    def _next(self, most_deals: int) -> Action:
        awaited = self.game.awaited(self.state)
        match awaited:
            case AwaitDeck():
                name = f"{self.seed}/{len(self.state.sheets)}"
                self.deck = random.Random(name).sample(DECK, 32)
                return DeckReady()
            case AwaitPacket():
                return self._deal(awaited)
            case AwaitBid(seat, choices):
                return self._ask(seat, "bid", choices)
            case AwaitPlay(seat):
                return self._card(seat)
            case AwaitRedeal():
                return Redeal((None,) * 4)
            case AwaitAnnounce(card):
                return Announced(next(s for s in SEATS if card in self.hands[s]))
            case AwaitSigned():
                return Signed(stop=len(self.state.sheets) >= most_deals)
            case MatchOver():
                raise RuntimeError("nothing follows the end of a match")

    def _deal(self, packet: AwaitPacket) -> Dealt:
        for position, seat in packet.hidden + packet.given:
            self.hands = with_cards(self.hands, seat, frozenset({self.deck[position]}))
        return Dealt(None if packet.turned is None else self.deck[packet.turned])

    def _card(self, seat: Seat) -> Action:
        legal = self.game.legal(self.state, self.hands[seat])
        choices = tuple(Play(seat, card, call=True) for card in legal)
        action = self._ask(seat, "play", choices) if len(choices) > 1 else choices[0]
        if isinstance(action, Play):
            self.hands = without_card(self.hands, seat, action.card)
        return action

    def _ask(self, seat: Seat, kind: str, choices: tuple[Action, ...]) -> Action:
        bot = self.bots[seat]
        if isinstance(bot, Seer):
            bot.see(self.hands, self.deck)
        view = View(self.state, seat, self.hands[seat])
        begin = self._clock()
        action = bot.act(self.game, view, choices)
        self.times.append((seat, kind, self._clock() - begin))
        if action not in choices:
            raise RuntimeError(f"the bot in seat {seat} chose {action}, which is not legal")
        return action
