"""What each game says for itself; the course that both share is the engine's.

``excluded`` is the heart: for a card played in a public state, the cards its player must not
hold for that play to be legal. The owner's legal cards, the statement that is proved, what
others may infer, and the check of open play all come from it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Generic, TypeVar

from p2pcards.cards import Card, Suit
from p2pcards.games.awaited import AwaitPacket
from p2pcards.games.base import Bid, IllegalActionError, Play, Rule, Seat, State, View
from p2pcards.games.options import Options
from p2pcards.games.rulestext import Chapter, Translate, english

S = TypeVar("S", bound=State)


class Rulebook(ABC, Generic[S]):
    """One game's own rules: static facts, and pure functions over its public state.

    What is not abstract is what a game without that part says.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    options_type: ClassVar[type[Options]]

    @abstractmethod
    def start(self, options: Options, dealer: Seat) -> S:
        """The state before the first deck, with this first dealer."""

    @abstractmethod
    def cutter(self, state: S) -> Seat:
        """The seat that cuts the shuffled deck."""

    @abstractmethod
    def packet(self, state: S) -> AwaitPacket:
        """What is dealt next, while the phase is ``PACKET``."""

    @abstractmethod
    def after_packet(self, state: S, turned: Card | None) -> S:
        """The state once that packet is dealt; hand sizes are already counted."""

    @abstractmethod
    def suit_of(self, card: Card, trump: Suit) -> Suit:
        """The suit a card counts as: its printed one, or trump for a card that always trumps."""

    @abstractmethod
    def strength(self, card: Card, trump: Suit) -> int:
        """The card's rank among the cards of the suit it counts as; higher beats lower."""

    @abstractmethod
    def points(self, card: Card, trump: Suit) -> int:
        """The card's points when it is won in a trick."""

    @abstractmethod
    def excluded(self, state: S, card: Card) -> frozenset[Card]:
        """The cards that the seat to play must not hold for this play to be legal.

        Pure public knowledge; empty means always legal. Cards already played may be among them.
        """

    @abstractmethod
    def obligation(self, state: S, hand: frozenset[Card], card: Card) -> IllegalActionError:
        """Why this card of the hand may not be played now, in words and with the cards due."""

    @abstractmethod
    def settle(self, state: S) -> S:
        """The state with this deal's sheet and the new scores; called once, after trick eight."""

    @abstractmethod
    def next_deal(self, state: S, stop: bool) -> S:
        """The state after all four signed a deal: the next deck, or the end of the match."""

    def chapters(self, options: Options, t: Translate = english) -> tuple[Chapter, ...]:
        """The rules in words, chapter by chapter, as these options make them."""
        return ()

    def bids(self, state: S) -> tuple[Bid, ...]:
        """The bids the seat to speak may choose from."""
        return ()

    def bid(self, state: S, bid: Bid) -> S:
        """The state after a bid that is among :meth:`bids`."""
        raise IllegalActionError(Rule.WRONG_PHASE, f"{self.title} has no bidding")

    def simple_bid(self, view: View) -> Bid:
        """The bid of the public bot: a fixed, stated rule."""
        raise IllegalActionError(Rule.WRONG_PHASE, f"{self.title} has no bidding")

    def announced_card(self) -> Card:
        """The card asked for in the phase ``ANNOUNCE``."""
        raise NotImplementedError

    def after_announce(self, state: S, holder: Seat) -> S:
        """The state once everybody knows who holds the announced card."""
        raise IllegalActionError(Rule.WRONG_PHASE, f"nothing is announced in {self.title}")

    def is_weak(self, hand: frozenset[Card]) -> bool:
        """Whether this full hand gives the right to a new deal, where the table has that."""
        return False

    def after_redeal(self, state: S, redeal: bool) -> S:
        """The state once everybody answered whether a hand is weak."""
        raise IllegalActionError(Rule.WRONG_PHASE, f"{self.title} has no new deal on request")

    def on_play(self, state: S, play: Play) -> S:
        """A game's own bookkeeping for a play that was checked; called before it is counted."""
        return state
