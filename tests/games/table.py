"""A table in one place: four hands, a deck, and an engine, with no secrets and no proofs."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

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
    Bid,
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

S = TypeVar("S", bound=State)
Chooser = Callable[[Game[S], View, random.Random], Bid | Play]


def random_choice(game: Game[S], view: View, rng: random.Random) -> Bid | Play:
    """Any legal card; the public bot's bid, so that few deals are passed out."""
    chosen = game.public_bot(view)
    if not isinstance(chosen, Play):
        return chosen
    legal = game.legal(view.state, view.hand)  # type: ignore[arg-type]
    return Play(view.seat, rng.choice(legal), call=rng.random() < 0.8)


class Table(Generic[S]):
    """Plays a match by itself; the hands are open to the test and to nobody else."""

    def __init__(
        self, game: Game[S], state: S, rng: random.Random, choose: Chooser[S] = random_choice
    ) -> None:
        self.game, self.state, self.rng, self.choose = game, state, rng, choose
        self.deck: list[Card] = list(DECK)
        self.hands = NO_CARDS
        self.dealt = NO_CARDS

    def steps(self, stop_after: int = 1000) -> Iterator[tuple[S, Action]]:
        """Each state with the action that was applied to it, until the match is over."""
        while not isinstance(self.game.awaited(self.state), MatchOver):
            before, action = self.state, self.next_action(stop_after)
            self.state = self.game.apply(before, action)
            if self.state.phase is Phase.DECK:
                self.hands = self.dealt = NO_CARDS
            yield before, action

    def next_action(self, stop_after: int) -> Action:
        """What happens next, with the hands brought up to date."""
        awaited = self.game.awaited(self.state)
        match awaited:
            case AwaitDeck():
                self.deck = self.rng.sample(DECK, 32)
                return DeckReady()
            case AwaitPacket():
                return self._deal(awaited)
            case AwaitBid(seat) | AwaitPlay(seat):
                chosen = self.choose(self.game, self.view(seat), self.rng)
                if isinstance(chosen, Play):
                    self.hands = without_card(self.hands, seat, chosen.card)
                return chosen
            case AwaitRedeal():
                weak = [self.game.is_weak(hand) for hand in self.hands]
                hands = zip(weak, self.hands, strict=True)
                return Redeal(tuple(hand if asks else None for asks, hand in hands))
            case AwaitAnnounce(card):
                return Announced(next(s for s in SEATS if card in self.hands[s]))
            case AwaitSigned():
                return Signed(stop=len(self.state.sheets) >= stop_after)
            case MatchOver():
                raise AssertionError("nothing follows the end of a match")

    def view(self, seat: Seat) -> View:
        """What this seat knows."""
        return View(self.state, seat, self.hands[seat])

    def _deal(self, packet: AwaitPacket) -> Dealt:
        for position, seat in packet.hidden + packet.given:
            self.hands = with_cards(self.hands, seat, frozenset({self.deck[position]}))
        self.dealt = self.hands
        return Dealt(None if packet.turned is None else self.deck[packet.turned])
