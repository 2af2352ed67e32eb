"""The course of a deal that both games share, by what each says in its rulebook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from p2pcards.cards import DECK, Card, Suit
from p2pcards.games.awaited import (
    AwaitAnnounce,
    AwaitBid,
    AwaitDeck,
    Awaited,
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
    Dealt,
    DeckReady,
    IllegalActionError,
    Name,
    Pass,
    Phase,
    Play,
    Redeal,
    Rule,
    Seat,
    Signed,
    Take,
    Trick,
    View,
    following,
    trump_of,
    with_cards,
    with_sizes,
    without_card,
)
from p2pcards.games.options import Options
from p2pcards.games.rulebook import Rulebook, S


class Game(Rulebook[S]):
    """One game, complete: pure functions over its public state."""

    def parse_options(self, items: Mapping[str, str]) -> Options:
        """Options from texts; raises OptionError with the valid ones."""
        return self.options_type.parse(items)

    def awaited(self, state: S) -> Awaited:
        """Who owes what next."""
        match state.phase:
            case Phase.DECK:
                order = tuple(following(state.dealer, i) for i in (1, 2, 3, 4))
                return AwaitDeck(order, self.cutter(state))
            case Phase.PACKET:
                return self.packet(state)
            case Phase.BID:
                return AwaitBid(state.turn, self.bids(state))
            case Phase.REDEAL:
                return AwaitRedeal()
            case Phase.ANNOUNCE:
                return AwaitAnnounce(self.announced_card())
            case Phase.PLAY:
                return AwaitPlay(state.turn)
            case Phase.SCORED:
                return AwaitSigned()
            case Phase.OVER:
                return MatchOver(state.winner)

    def apply(self, state: S, action: Action) -> S:
        """The state after an action.

        Raises:
            IllegalActionError: the action breaks a rule that public knowledge can show.
        """
        match action:
            case DeckReady():
                self._need(state, Phase.DECK, "no deck is awaited")
                return replace(state, phase=Phase.PACKET)
            case Dealt(turned):
                return self._dealt(state, turned)
            case Pass() | Take() | Name():
                return self._bid(state, action)
            case Redeal(hands):
                return self._redeal(state, hands)
            case Announced(holder):
                return self._announced(state, holder)
            case Play():
                return self._play(state, action)
            case Signed(stop):
                self._need(state, Phase.SCORED, "there is no result to sign now")
                return self.next_deal(state, stop)

    def legal(self, state: S, hand: Iterable[Card]) -> tuple[Card, ...]:
        """The cards of this hand that the seat to play may play, sorted."""
        held = frozenset(hand)
        return tuple(sorted(c for c in held if not self.excluded(state, c) & (held - {c})))

    def why_illegal(self, state: S, hand: frozenset[Card], card: Card) -> IllegalActionError | None:
        """Why the owner may not play this card now, or None if it may."""
        if state.phase is not Phase.PLAY:
            return IllegalActionError(Rule.WRONG_PHASE, "no card is to be played now")
        if card not in hand:
            return IllegalActionError(Rule.NOT_IN_HAND, f"{card} is not in your hand")
        if not self.excluded(state, card) & (hand - {card}):
            return None
        return self.obligation(state, hand, card)

    def to_prove(self, state: S, card: Card) -> frozenset[Card]:
        """The cards of which the seat to play must still show that no hidden slot holds them.

        ``excluded`` without what everybody already knows: cards played, the card itself, cards
        open in some hand, and cards this seat has shown before not to hold.
        """
        known = state.played | state.absent[state.turn] | frozenset({card})
        known |= frozenset().union(*state.shown)
        return self.excluded(state, card) - known

    def check_play(self, state: S, play: Play) -> None:
        """Raise unless public knowledge allows this play; hidden cards are another matter."""
        self._need(state, Phase.PLAY, "no card is to be played now")
        self._need_turn(state, play.seat)
        card = play.card
        if card in state.played:
            raise IllegalActionError(Rule.ALREADY_PLAYED, "this card was already played", (card,))
        if card in state.absent[play.seat]:
            text = f"seat {play.seat} showed earlier that it does not hold this card"
            raise IllegalActionError(Rule.REVOKE, text, (card,))
        for seat in SEATS:
            if seat != play.seat and card in state.shown[seat]:
                text = f"this card lies open in seat {seat}'s hand"
                raise IllegalActionError(Rule.NOT_IN_HAND, text, (card,))
        held = state.shown[play.seat] - {card}
        if self.excluded(state, card) & held:
            raise self.obligation(state, held, card)

    def note_absent(self, state: S, seat: Seat, cards: frozenset[Card]) -> S:
        """The state once a seat has shown that it holds none of these cards."""
        return replace(state, absent=with_cards(state.absent, seat, cards))

    def trick_winner(self, trick: Trick, trump: Suit) -> Seat:
        """The seat that holds the trick so far; the trick has at least one card."""
        led = self.suit_of(trick.cards[0], trump)

        def rank(card: Card) -> tuple[bool, bool, int]:
            suit = self.suit_of(card, trump)
            return (suit == trump, suit == led, self.strength(card, trump))

        best = max(range(len(trick.cards)), key=lambda i: rank(trick.cards[i]))
        return following(trick.leader, best)

    def of_suit(self, suit: Suit, trump: Suit) -> frozenset[Card]:
        """Every card of the deck that counts as this suit."""
        return frozenset(c for c in DECK if self.suit_of(c, trump) == suit)

    def lowest(self, state: S, cards: Iterable[Card]) -> Card:
        """The lowest card: fewest points, plain before trump, weakest, then deck order."""
        trump = trump_of(state)
        return min(
            cards,
            key=lambda c: (
                self.points(c, trump),
                self.suit_of(c, trump) == trump,
                self.strength(c, trump),
                c.index,
            ),
        )

    def public_bot(self, view: View) -> Bid | Play:
        """What the public bot does: the bid of the stated rule, or the lowest legal card."""
        state = view.state
        if state.phase is Phase.BID:
            return self.simple_bid(view)
        card = self.lowest(state, self.legal(state, view.hand))  # type: ignore[arg-type]
        return Play(view.seat, card, call=True)

    # -- inside --------------------------------------------------------------------------------

    def _need(self, state: S, phase: Phase, text: str) -> None:
        if state.phase is not phase:
            raise IllegalActionError(Rule.WRONG_PHASE, text)

    def _need_turn(self, state: S, seat: Seat) -> None:
        if seat != state.turn:
            text = f"seat {seat} acted in seat {state.turn}'s turn"
            raise IllegalActionError(Rule.NOT_YOUR_TURN, text)

    def _dealt(self, state: S, turned: Card | None) -> S:
        self._need(state, Phase.PACKET, "no cards are to be dealt now")
        packet = self.packet(state)
        if (turned is None) != (packet.turned is None):
            raise IllegalActionError(Rule.NOT_A_CHOICE, "a card is turned up exactly when due")
        gains = tuple((seat, 1) for _, seat in packet.hidden + packet.given)
        sizes = with_sizes(state.hand_sizes, gains)
        return self.after_packet(replace(state, hand_sizes=sizes, packet=state.packet + 1), turned)

    def _bid(self, state: S, bid: Bid) -> S:
        self._need(state, Phase.BID, "nobody is bidding now")
        self._need_turn(state, bid.seat)
        if bid not in self.bids(state):
            raise IllegalActionError(Rule.NOT_A_CHOICE, "that bid is not open now")
        return self.bid(state, bid)

    def _redeal(self, state: S, hands: tuple[frozenset[Card] | None, ...]) -> S:
        self._need(state, Phase.REDEAL, "nobody is asked for a new deal now")
        for seat, hand in enumerate(hands):
            if hand is not None and not self.is_weak(hand):
                text = f"seat {seat}'s hand gives no right to a new deal"
                raise IllegalActionError(Rule.NOT_WEAK, text, tuple(sorted(hand)))
        return self.after_redeal(state, any(hand is not None for hand in hands))

    def _announced(self, state: S, holder: Seat) -> S:
        self._need(state, Phase.ANNOUNCE, "nothing is to be announced now")
        card = frozenset({self.announced_card()})
        shown = with_cards(state.shown, holder, card)
        for seat in SEATS:
            if seat != holder:
                state = self.note_absent(state, seat, card)
        return self.after_announce(replace(state, shown=shown), holder)

    def _play(self, state: S, play: Play) -> S:
        self.check_play(state, play)
        seat, card = play.seat, play.card
        state = self.note_absent(state, seat, self.excluded(state, card) - state.played - {card})
        trick = replace(state.trick, cards=(*state.trick.cards, card))
        state = replace(
            self.on_play(state, play),
            trick=trick,
            turn=following(seat),
            hand_sizes=with_sizes(state.hand_sizes, ((seat, -1),)),
            shown=without_card(state.shown, seat, card),
        )
        if len(trick.cards) < 4:
            return state
        winner = self.trick_winner(trick, trump_of(state))
        tricks = (*state.tricks, replace(trick, winner=winner))
        state = replace(state, tricks=tricks, trick=Trick(winner), turn=winner)
        return self.settle(state) if len(tricks) == 8 else state


def fresh_deal(state: S, dealer: Seat) -> S:
    """The state before the next deck, with everything that belongs to one deal cleared."""
    return replace(
        state,
        dealer=dealer,
        deal=state.deal + 1,
        deal_in_game=state.deal_in_game + 1,
        phase=Phase.DECK,
        packet=0,
        turn=following(dealer),
        trump=None,
        trick=Trick(following(dealer)),
        tricks=(),
        hand_sizes=(0, 0, 0, 0),
        shown=NO_CARDS,
        absent=NO_CARDS,
    )
