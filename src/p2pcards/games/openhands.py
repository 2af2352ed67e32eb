"""A match whose hands all lie open: for the arena and for tests, where nobody plays for real.

The one who walks through it says how the deck lies and what the seats choose.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

from p2pcards.cards import DECK, Card
from p2pcards.games.awaited import (
    AwaitAnnounce,
    AwaitBid,
    AwaitDeck,
    AwaitPacket,
    AwaitPlay,
    AwaitRedeal,
    AwaitSigned,
    MatchOver,
)
from p2pcards.games.base import (
    NO_CARDS,
    SEATS,
    Action,
    Announced,
    Bid,
    CardSets,
    Dealt,
    DeckReady,
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


class OpenHands(ABC, Generic[S]):
    """Plays a match by itself.

    ``hands`` are the cards that each seat holds now, ``dealt`` those it was dealt, and ``deck``
    the order in which they lay.
    """

    def __init__(self, game: Game[S], state: S) -> None:
        self.game, self.state = game, state
        self.deck: Sequence[Card] = DECK
        self.hands: CardSets = NO_CARDS
        self.dealt: CardSets = NO_CARDS

    @abstractmethod
    def shuffled(self) -> Sequence[Card]:
        """The deck of the next deal: 32 cards."""

    @abstractmethod
    def choose(self, awaited: AwaitBid | AwaitPlay) -> Bid | Play:
        """What the seat whose turn it is does; it must be legal."""

    def shown(self) -> Redeal:
        """Which weak hands are shown for a new deal: none."""
        return Redeal((None,) * 4)

    def steps(self, most_deals: int = 1000) -> Iterator[tuple[S, Action]]:
        """Each state with the action applied to it, until the match ends or all ask to stop."""
        while not isinstance(self.game.awaited(self.state), MatchOver):
            before, action = self.state, self.next_action(most_deals)
            self.state = self.game.apply(before, action)
            if self.state.phase is Phase.DECK:
                self.hands = self.dealt = NO_CARDS
            yield before, action

    def next_action(self, most_deals: int) -> Action:
        """What happens next, with the hands brought up to date."""
        awaited = self.game.awaited(self.state)
        match awaited:
            case AwaitDeck():
                self.deck = self.shuffled()
                return DeckReady()
            case AwaitPacket():
                return self._deal(awaited)
            case AwaitBid() | AwaitPlay():
                chosen = self.choose(awaited)
                if isinstance(chosen, Play):
                    self.hands = without_card(self.hands, chosen.seat, chosen.card)
                return chosen
            case AwaitRedeal():
                return self.shown()
            case AwaitAnnounce(card):
                return Announced(next(s for s in SEATS if card in self.hands[s]))
            case AwaitSigned():
                return Signed(stop=len(self.state.sheets) >= most_deals)
            case MatchOver():
                raise RuntimeError("nothing follows the end of a match")

    def view(self, seat: Seat) -> View:
        """What this seat may know."""
        return View(self.state, seat, self.hands[seat])

    def _deal(self, packet: AwaitPacket) -> Dealt:
        for position, seat in packet.hidden + packet.given:
            self.hands = with_cards(self.hands, seat, frozenset({self.deck[position]}))
        self.dealt = self.hands
        return Dealt(None if packet.turned is None else self.deck[packet.turned])
