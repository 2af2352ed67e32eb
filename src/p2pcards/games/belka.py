"""Belka: 32 cards, the jacks always trumps, the holder of the J♣ decides trump, twelve eyes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from operator import attrgetter
from typing import ClassVar

from p2pcards.cards import Card, Suit
from p2pcards.games import belka_cards as cards
from p2pcards.games.awaited import AwaitPacket
from p2pcards.games.base import (
    IllegalActionError,
    Phase,
    Play,
    Rule,
    Seat,
    Trick,
    following,
    trump_of,
)
from p2pcards.games.belka_options import BelkaOptions
from p2pcards.games.belka_score import close_deal, deal_facts, score_deal
from p2pcards.games.belka_state import BelkaState, held_aces
from p2pcards.games.belka_text import chapters
from p2pcards.games.engine import Game, fresh_deal
from p2pcards.games.options import Options
from p2pcards.games.rulestext import Chapter, Translate, english
from p2pcards.games.tally import ahead

_index = attrgetter("index")


class Belka(Game[BelkaState]):
    """The rules of Belka over its public state."""

    name = "belka"
    title = "Belka"
    options_type: ClassVar[type[Options]] = BelkaOptions

    def chapters(self, options: Options, t: Translate = english) -> tuple[Chapter, ...]:
        """The rules in words, as these options make them."""
        return chapters(_own(options), t)

    # -- the deal ------------------------------------------------------------------------------

    def start(self, options: Options, dealer: Seat) -> BelkaState:
        """The state before the first deck, with this first dealer."""
        first = following(dealer)
        return BelkaState(options=_own(options), dealer=dealer, turn=first, trick=Trick(first))

    def cutter(self, state: BelkaState) -> Seat:
        """The dealer's left neighbour cuts: the seat before it if play goes to the right."""
        return following(state.dealer, 3 if state.options.direction == "ccw" else 1)

    def packet(self, state: BelkaState) -> AwaitPacket:
        """All thirty-two cards, two at a time from the seat after the dealer on."""
        seats = [following(state.dealer, i) for i in (1, 2, 3, 4)]
        owners = [seat for _ in range(4) for seat in seats for _ in range(2)]
        return AwaitPacket(hidden=tuple(enumerate(owners)))

    def after_packet(self, state: BelkaState, turned: Card | None) -> BelkaState:
        """Clubs are trump in the first deal of a game; later the J♣ has to be announced first."""
        if state.is_first_deal:
            state = replace(state, trump=Suit.CLUBS)
        if state.options.redeal == "weak":
            return replace(state, phase=Phase.REDEAL)
        return self._hands_stand(state)

    def is_weak(self, hand: frozenset[Card]) -> bool:
        """At most thirteen points, or five cards of one suit, jacks not counted to it."""
        return cards.is_weak(hand)

    def after_redeal(self, state: BelkaState, redeal: bool) -> BelkaState:
        """The same seat deals the same deal again, or the hands stand."""
        if not redeal:
            return self._hands_stand(state)
        number, in_game = state.deal, state.deal_in_game
        return replace(fresh_deal(state, state.dealer), deal=number, deal_in_game=in_game)

    def announced_card(self) -> Card:
        """The J♣."""
        return cards.JACK_OF_CLUBS

    def after_announce(self, state: BelkaState, holder: Seat) -> BelkaState:
        """The holder's suit is trump; the first deal gives its holder clubs."""
        owner = holder if state.clubs is None else state.clubs
        trump = cards.suit_of_seat(state.options.direction, owner, holder)
        return self._play_begins(replace(state, jack=holder, clubs=owner, trump=trump))

    def _hands_stand(self, state: BelkaState) -> BelkaState:
        if state.is_first_deal and state.options.announce_first == "no":
            return self._play_begins(state)
        return replace(state, phase=Phase.ANNOUNCE)

    def _play_begins(self, state: BelkaState) -> BelkaState:
        leader = following(state.dealer, 3 if state.options.lead == "previous" else 1)
        if state.options.lead == "jack" and state.jack is not None:
            leader = state.jack
        return replace(state, phase=Phase.PLAY, turn=leader, trick=Trick(leader))

    # -- cards ---------------------------------------------------------------------------------

    def suit_of(self, card: Card, trump: Suit) -> Suit:
        """Its printed suit, but trump for a jack."""
        return cards.suit_of(card, trump)

    def strength(self, card: Card, trump: Suit) -> int:
        """Its place in the order of its suit, the jacks above all others."""
        return cards.STRENGTH[card.index]

    def points(self, card: Card, trump: Suit) -> int:
        """What it counts in a trick."""
        return cards.POINTS[card.index]

    # -- play ----------------------------------------------------------------------------------

    def excluded(self, state: BelkaState, card: Card) -> frozenset[Card]:
        """The cards that the seat to play must not hold for this play to be legal."""
        if not state.trick.cards:
            return cards.NOTHING
        trump = trump_of(state)
        led = cards.suit_of(state.trick.cards[0], trump)
        return cards.barred(trump, led, card.index, held_aces(state))

    def legal(self, state: BelkaState, hand: Iterable[Card]) -> tuple[Card, ...]:
        """The same as for every game, with the trick looked at only once."""
        held = frozenset(hand)
        if state.trick.cards:
            trump, aces = trump_of(state), held_aces(state)
            led = cards.suit_of(state.trick.cards[0], trump)
            barred = {c: cards.barred(trump, led, c.index, aces) for c in held}
            held = frozenset(c for c in held if barred[c].isdisjoint(held))
        return tuple(sorted(held, key=_index))

    def obligation(
        self, state: BelkaState, hand: frozenset[Card], card: Card
    ) -> IllegalActionError:
        """Why this card may not be played, and what must be played instead."""
        trump = trump_of(state)
        led = cards.suit_of(state.trick.cards[0], trump)
        due = self.legal(state, hand - {card})
        if hand & cards.suit_cards(led, trump):
            name = f"trump ({trump.symbol} and the jacks)" if led == trump else led.symbol
            return IllegalActionError(Rule.MUST_FOLLOW, f"follow suit: {name} was led", due)
        text = f"{card.suit.symbol} has not been led in this deal: keep the ace, play another card"
        return IllegalActionError(Rule.ACE_HELD, text, due)

    def on_play(self, state: BelkaState, play: Play) -> BelkaState:
        """An unannounced J♣ shows at last whose it was, and so gives the suits to the seats."""
        if play.card != cards.JACK_OF_CLUBS:
            return state
        owner = play.seat if state.clubs is None else state.clubs
        return replace(state, jack=play.seat, clubs=owner)

    # -- scores --------------------------------------------------------------------------------

    def settle(self, state: BelkaState) -> BelkaState:
        """The state with this deal's sheet and the new scores."""
        facts = deal_facts(state)
        return close_deal(state, score_deal(state.options, facts), facts)

    def next_deal(self, state: BelkaState, stop: bool) -> BelkaState:
        """The next deck, the first deck of the series' next game, or the end of the match."""
        game_over = state.game_won is not None
        majority = state.options.games // 2 + 1
        if stop or max(state.games_won) >= majority:
            winner = ahead(state.games_won, (0, 0) if game_over else state.scores)
            return replace(state, phase=Phase.OVER, winner=winner, eggs=0)
        clubs = state.jack if state.options.suits == "rolling" else state.clubs
        state = replace(fresh_deal(state, following(state.dealer)), jack=None, clubs=clubs)
        if not game_over:
            return state
        fresh = replace(state, scores=(0, 0), deal_in_game=1, clubs=None)
        return replace(fresh, eggs=0, eggs_in_game=0, game_won=None)


def _own(options: Options) -> BelkaOptions:
    if not isinstance(options, BelkaOptions):
        raise TypeError("these are not options of Belka")
    return options


BELKA = Belka()
"""The one instance; it has no state of its own."""
