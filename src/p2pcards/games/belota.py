"""Belotă: 32 cards, one trump suit chosen over a turned card, eight tricks, 162 points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from operator import attrgetter
from typing import ClassVar

from p2pcards.cards import Card, Rank, Suit
from p2pcards.games.awaited import AwaitPacket
from p2pcards.games.base import (
    Bid,
    IllegalActionError,
    Name,
    Pass,
    Phase,
    Play,
    Rule,
    Seat,
    Take,
    Trick,
    View,
    following,
    trump_of,
    with_cards,
)
from p2pcards.games.belota_cards import (
    NOTHING,
    ROYALS,
    barred,
    points,
    situation,
    strength,
    suit_cards,
    trumps_above,
)
from p2pcards.games.belota_options import BelotaOptions
from p2pcards.games.belota_score import (
    close_deal,
    deal_facts,
    game_winner,
    passed_out,
    score_deal,
)
from p2pcards.games.belota_state import BelotaState
from p2pcards.games.belota_text import chapters
from p2pcards.games.engine import Game, fresh_deal
from p2pcards.games.options import Options
from p2pcards.games.rulestext import Chapter, Translate, english
from p2pcards.games.tally import ahead

_index = attrgetter("index")

TURNED = 20
"""The deck's position that is turned face up, after five cards for each seat."""


class Belota(Game[BelotaState]):
    """The rules of Belotă over its public state."""

    name = "belota"
    title = "Belotă"
    options_type: ClassVar[type[Options]] = BelotaOptions

    def chapters(self, options: Options, t: Translate = english) -> tuple[Chapter, ...]:
        """The rules in words, as these options make them."""
        return chapters(_own(options), t)

    # -- the deal ------------------------------------------------------------------------------

    def start(self, options: Options, dealer: Seat) -> BelotaState:
        """The state before the first deck, with this first dealer."""
        first = following(dealer)
        return BelotaState(options=_own(options), dealer=dealer, turn=first, trick=Trick(first))

    def cutter(self, state: BelotaState) -> Seat:
        """The seat before the dealer cuts."""
        return following(state.dealer, 3)

    def packet(self, state: BelotaState) -> AwaitPacket:
        """First three and two cards to each seat and one turned up, then the remaining eleven."""
        if state.packet == 0:
            return AwaitPacket(hidden=first_packet(state.dealer), turned=TURNED)
        taker = taker_of(state)
        return AwaitPacket(hidden=second_packet(state.dealer, taker), given=((TURNED, taker),))

    def after_packet(self, state: BelotaState, turned: Card | None) -> BelotaState:
        """Bidding after the first packet, play after the second."""
        first = following(state.dealer)
        if turned is not None:
            return replace(state, phase=Phase.BID, turned=turned, turn=first)
        given = frozenset() if state.turned is None else frozenset({state.turned})
        shown = with_cards(state.shown, taker_of(state), given)
        return replace(state, phase=Phase.PLAY, shown=shown, turn=first, trick=Trick(first))

    # -- the choice of trump -------------------------------------------------------------------

    def bids(self, state: BelotaState) -> tuple[Bid, ...]:
        """Take or pass in the first round; name one of the other suits or pass in the second."""
        seat = state.turn
        if state.passes < 4:
            return (Take(seat), Pass(seat))
        others = (suit for suit in Suit if suit != turned_of(state).suit)
        return (*(Name(seat, suit) for suit in others), Pass(seat))

    def bid(self, state: BelotaState, bid: Bid) -> BelotaState:
        """The state after a bid; the eighth pass ends the deal without a score."""
        if isinstance(bid, Pass):
            passes = state.passes + 1
            state = replace(state, passes=passes, turn=following(bid.seat))
            return close_deal(state, passed_out(state), None) if passes == 8 else state
        trump = bid.suit if isinstance(bid, Name) else turned_of(state).suit
        return replace(state, taker=bid.seat, trump=trump, phase=Phase.PACKET)

    def simple_bid(self, view: View) -> Bid:
        """A suit is good enough with three cards, the jack or the nine among them.

        In the first round the turned card counts as held, and a good turned suit is taken. In
        the second the good suit with most cards (the first in the order ♣ ♦ ♥ ♠ among equals)
        is named. Otherwise: pass.
        """
        state = view.state
        if not isinstance(state, BelotaState):
            raise TypeError("this is not a state of Belotă")
        if state.passes < 4:
            suit = turned_of(state).suit
            good = good_suits(view.hand | {turned_of(state)})
            return Take(view.seat) if suit in good else Pass(view.seat)
        for suit in good_suits(view.hand):
            if suit != turned_of(state).suit:
                return Name(view.seat, suit)
        return Pass(view.seat)

    # -- cards ---------------------------------------------------------------------------------

    def suit_of(self, card: Card, trump: Suit) -> Suit:
        """Every card counts as its printed suit."""
        return card.suit

    def strength(self, card: Card, trump: Suit) -> int:
        """Its place in the order of trumps or of plain cards."""
        return strength(card, trump)

    def points(self, card: Card, trump: Suit) -> int:
        """What it counts in a trick."""
        return points(card, trump)

    # -- play ----------------------------------------------------------------------------------

    def excluded(self, state: BelotaState, card: Card) -> frozenset[Card]:
        """The cards that the seat to play must not hold for this play to be legal."""
        cards = state.trick.cards
        if not cards:
            return NOTHING
        where = situation(trump_of(state), cards)
        return barred(where, card.index, *_trumping(state.options))

    def legal(self, state: BelotaState, hand: Iterable[Card]) -> tuple[Card, ...]:
        """The same as for every game, with the trick looked at only once."""
        held, cards = frozenset(hand), state.trick.cards
        if cards:
            rules = _trumping(state.options)
            where = situation(trump_of(state), cards)
            held = frozenset(c for c in held if barred(where, c.index, *rules).isdisjoint(held))
        return tuple(sorted(held, key=_index))

    def obligation(
        self, state: BelotaState, hand: frozenset[Card], card: Card
    ) -> IllegalActionError:
        """Why this card may not be played, and what must be played instead."""
        where = situation(trump_of(state), state.trick.cards)
        trumps = suit_cards(where.trump)
        due = self.legal(state, hand - {card})
        if hand & suit_cards(where.led) and card.index >> 3 != where.led:
            suit = Suit(where.led).symbol
            return IllegalActionError(Rule.MUST_FOLLOW, f"follow suit: {suit} was led", due)
        if where.mine and where.led != where.trump:
            text = "your partner's trump holds the trick: trump higher or play another suit"
            return IllegalActionError(Rule.MUST_NOT_UNDERTRUMP, text, due)
        if where.top < 0:
            text = "you cannot follow suit and an opponent holds the trick: trump it"
            return IllegalActionError(Rule.MUST_TRUMP, text, due)
        top = Card(where.top)
        if hand & trumps_above(where.trump, where.top):
            return IllegalActionError(Rule.MUST_OVERTRUMP, f"play a trump above the {top}", due)
        if hand & trumps:
            text = f"you cannot beat the {top}: play a lower trump"
            return IllegalActionError(Rule.MUST_UNDERTRUMP, text, due)
        raise RuntimeError(f"{card} was legal")

    def on_play(self, state: BelotaState, play: Play) -> BelotaState:
        """Remember who played the king and the queen of trump, and whether it was called."""
        if play.card.suit == state.trump and play.card.rank in ROYALS:
            return replace(state, royals=(*state.royals, play))
        return state

    # -- scores --------------------------------------------------------------------------------

    def settle(self, state: BelotaState) -> BelotaState:
        """The state with this deal's sheet and the new scores."""
        facts = deal_facts(state)
        return close_deal(state, score_deal(state.options, facts), facts)

    def next_deal(self, state: BelotaState, stop: bool) -> BelotaState:
        """The next deck, the first deck of the series' next game, or the end of the match."""
        game_over = game_winner(state.options, state.scores) is not None
        majority = state.options.games // 2 + 1
        if stop or max(state.games_won) >= majority:
            winner = ahead(state.games_won, (0, 0) if game_over else state.scores)
            return replace(state, phase=Phase.OVER, winner=winner, pot=0)
        again = state.taker is None and state.options.all_pass == "same"  # noqa: S105
        dealer = state.dealer if again else following(state.dealer)
        state = replace(fresh_deal(state, dealer), turned=None, taker=None, passes=0, royals=())
        return replace(state, scores=(0, 0), deal_in_game=1) if game_over else state


def _trumping(options: BelotaOptions) -> tuple[bool, bool]:
    """The two options that legality depends on, as :func:`barred` takes them."""
    return options.undertrump == "must", options.partner_trump == "higher"


def _own(options: Options) -> BelotaOptions:
    if not isinstance(options, BelotaOptions):
        raise TypeError("these are not options of Belotă")
    return options


def turned_of(state: BelotaState) -> Card:
    """The card turned up; asking before there is one is our own bug."""
    if state.turned is None:
        raise RuntimeError("no card has been turned up yet")
    return state.turned


def taker_of(state: BelotaState) -> Seat:
    """The seat that chose trump; asking before there is one is our own bug."""
    if state.taker is None:
        raise RuntimeError("nobody has chosen trump yet")
    return state.taker


def first_packet(dealer: Seat) -> tuple[tuple[int, Seat], ...]:
    """Three cards to each seat from the one after the dealer on, then two to each."""
    owners = [following(dealer, i) for i in (1, 2, 3, 4) for _ in range(3)]
    owners += [following(dealer, i) for i in (1, 2, 3, 4) for _ in range(2)]
    return tuple(enumerate(owners))


def second_packet(dealer: Seat, taker: Seat) -> tuple[tuple[int, Seat], ...]:
    """Three more cards to each seat in the same order, two to the taker."""
    seats = [following(dealer, i) for i in (1, 2, 3, 4)]
    owners = [seat for seat in seats for _ in range(2 if seat == taker else 3)]
    return tuple(enumerate(owners, TURNED + 1))


def good_suits(cards: Iterable[Card]) -> list[Suit]:
    """The suits with three cards or more, jack or nine among them; the longest first."""
    held = list(cards)
    ranks = {suit: [c.rank for c in held if c.suit == suit] for suit in Suit}
    good = [
        suit
        for suit in Suit
        if len(ranks[suit]) >= 3 and (Rank.JACK in ranks[suit] or Rank.NINE in ranks[suit])
    ]
    return sorted(good, key=lambda suit: -len(ranks[suit]))


BELOTA = Belota()
"""The one instance; it has no state of its own."""
