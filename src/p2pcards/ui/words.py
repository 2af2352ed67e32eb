"""What happens at the table, in words: the log of the screen and the lines of plain mode."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from p2pcards.cards import Card, Suit
from p2pcards.games.base import (
    TEAM_NAMES,
    Action,
    Bid,
    IllegalActionError,
    Name,
    Pass,
    Play,
    Rule,
    Take,
    View,
)
from p2pcards.protocol.choosing import Question
from p2pcards.protocol.course import Bar
from p2pcards.protocol.faults import seat_words
from p2pcards.ui.cardtext import card_text, cards_text, suit_name, suit_text
from p2pcards.ui.i18n import N_, _

STEPS = {
    "roster": N_("sign the table"),
    "commit": N_("commit to the draw"),
    "reveal": N_("open the draw"),
    "key-commit": N_("commit to a deal key"),
    "key": N_("show a deal key"),
    "parts": N_("share out a deal key"),
    "shuffle": N_("shuffle"),
    "cut": N_("cut"),
    "confirm": N_("confirm the deck"),
    "shares": N_("deal"),
    "bid": N_("bid"),
    "redeal": N_("say whether a hand is weak"),
    "announce": N_("say who holds the J♣"),
    "play": N_("play a card"),
    "result": N_("sign the score"),
    "end": N_("sign the end"),
}
BARS = {
    Bar.UNDRAWN: N_("The bot cannot take that seat over: the seats are not drawn yet."),
    Bar.BOT: N_("The bot cannot take that seat over: it plays another one already."),
    Bar.VOTED: N_("You have voted about another player already, and have one vote at a time."),
    Bar.UNASKED: N_("It is not a move of that player that is missing, but a word on the vote about "
                    "another one; nothing can be voted about that."),
}  # fmt: skip
"""Why a seat cannot be voted about."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """Puts things into words with the names of the players, and with ASCII suits if need be."""

    names: tuple[str, ...] = ("", "", "", "")
    me: int | None = None
    ascii_only: bool = False

    def seated(self, names: tuple[str, ...], me: int | None) -> Speaker:
        """The same speaker at a table where these sit."""
        return replace(self, names=names, me=me)

    def who(self, seat: int) -> str:
        """A seat's player."""
        return self.names[seat] or _(seat_words(seat))

    def everyone(self, seats: tuple[int, ...]) -> str:
        """Several players."""
        return ", ".join(self.who(seat) for seat in seats)

    def pair(self, team: int) -> str:
        """Both players of a team."""
        if not self.names[team]:
            return TEAM_NAMES[team]
        return _("{one} & {two}", one=self.names[team], two=self.names[team + 2])

    def side(self, team: int) -> str:
        """A team as this player sees it: we, they; for a spectator the names."""
        if self.me is None:
            return self.pair(team)
        return _("We") if self.me % 2 == team else _("They")

    def card(self, card: Card) -> str:
        """A card."""
        return card_text(card, self.ascii_only)

    def suit(self, suit: Suit) -> str:
        """A suit's sign."""
        return suit_text(suit, self.ascii_only)

    # -- actions and reasons -------------------------------------------------------------------

    def choice(self, action: Action, view: View) -> str:
        """A choice as an entry of a menu."""
        match action:
            case Play(_, card):
                return self.card(card)
            case Take():
                turned = getattr(view.state, "turned", None)
                if turned is not None:
                    return _("take {suit}", suit=self.suit(turned.suit))
                return _("take")
            case Name(_, suit):
                return _("name {suit}", suit=self.suit(suit))
            case Pass():
                return _("pass")
        return type(action).__name__.lower()

    def bid(self, bid: Bid, by_bot: bool = False, view: View | None = None) -> str:
        """What a bid says."""
        name = self.who(bid.seat) + (" " + _("[bot]") if by_bot else "")
        match bid:
            case Pass():
                return _("{name} passes", name=name)
            case Take():
                turned = getattr(view.state, "turned", None) if view else None
                if turned is None:
                    return _("{name} takes", name=name)
                return _("{name} takes {suit} as trump", name=name, suit=self.suit(turned.suit))
            case Name(_, suit):
                return _("{name} names {suit} as trump", name=name, suit=self.suit(suit))

    def reason(self, error: IllegalActionError, question: Question | None) -> str:
        """Why a card or bid is refused, and what may be played instead."""
        due = ": " + cards_text(error.cards, self.ascii_only) if error.cards else ""
        match error.rule:
            case Rule.MUST_FOLLOW:
                led = _led_suit(question)
                if led is None or question is None:
                    return _("you must follow suit") + due
                if led == question.view.state.trump:
                    return _("trump was led, and you must follow it") + due
                return _("you must follow {suit}", suit=suit_name(led)) + due
            case Rule.MUST_TRUMP:
                return _("you cannot follow suit, so you must trump") + due
            case Rule.MUST_OVERTRUMP:
                return _("you must play a higher trump") + due
            case Rule.MUST_UNDERTRUMP:
                return _("you cannot beat that trump, but must play a lower one") + due
            case Rule.MUST_NOT_UNDERTRUMP:
                text = _("your partner's trump holds the trick: trump higher or play another suit")
                return text + due
            case Rule.ACE_HELD:
                return _("that ace must be held back now") + due
            case Rule.NOT_IN_HAND:
                return _("you do not hold that card")
            case Rule.NOT_YOUR_TURN:
                return _("it is not your turn")
            case Rule.WRONG_PHASE:
                return _("that cannot be done now")
            case Rule.NOT_WEAK:
                return _("your hand gives no right to a new deal")
            case _:
                return _("that is not a choice now")

    def won(self, winner: int | None, scores: tuple[int, int] | None = None) -> str:
        """Who won the match, and how it stands in the end, the winner's points first."""
        text = _("the match is over, with no winner")
        if winner is not None:
            text = _("{names} win the match", names=self.pair(winner))
        if scores is None:
            return text
        first = (self.me or 0) % 2 if winner is None else winner
        return f"{text} ({scores[first]}:{scores[1 - first]})"


def named(text: str, seats: Iterable[int], who: Callable[[int], str]) -> str:
    """A sentence about seats, in the person's language and with the players' names."""
    told = _(text)
    for seat in seats:
        told = told.replace(_(seat_words(seat)), who(seat), 1)
    return told


def _led_suit(question: Question | None) -> Suit | None:
    """The suit that was led; trump when the card led counts as one."""
    if question is None or not question.view.state.trick.cards:
        return None
    state = question.view.state
    led = state.trick.cards[0]
    return led.suit if state.trump is None else question.game.suit_of(led, state.trump)
