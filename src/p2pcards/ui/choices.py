"""From what a person types or picks to a choice, and back to a reason where it is none."""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.cards import Card, InvalidCardError
from p2pcards.games.base import (
    Action,
    IllegalActionError,
    Name,
    Pass,
    Play,
    Redeal,
    Rule,
    State,
    Take,
)
from p2pcards.games.belota_cards import ROYALS
from p2pcards.protocol.choosing import Choice, Question
from p2pcards.ui.cardtext import grouped, read_card, read_suit
from p2pcards.ui.i18n import _
from p2pcards.ui.words import Speaker


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a menu of choices."""

    label: str
    choice: Choice


def is_asked(question: Question) -> bool:
    """Whether there is anything for a person to decide in this question."""
    if question.kind == "redeal":
        return question.game.is_weak(question.view.hand)
    return True


def menu(question: Question, speaker: Speaker) -> list[Entry]:
    """All choices, cards in the order in which a hand is held."""
    if question.kind == "redeal":
        return [
            Entry(_("play on"), None),
            Entry(_("show the weak hand and ask for a new deal"), show_hand(question)),
        ]
    plays = {a.card: a for a in question.choices if isinstance(a, Play)}
    if plays:
        order = grouped(plays, question.game, question.view.state.trump)
        return [Entry(speaker.card(card), play(question, plays[card])) for card in order]
    return [Entry(speaker.choice(a, question.view), a) for a in question.choices]


def show_hand(question: Question) -> Redeal:
    """The answer that shows this seat's hand."""
    me = question.view.seat
    return Redeal(tuple(question.view.hand if seat == me else None for seat in range(4)))


def play(question: Question, action: Play, called: bool = False) -> Play:
    """The play with its call: a belote is called by itself, unless the table wants it said."""
    return Play(action.seat, action.card, call=called or not is_called_by_hand(question.view.state))


def callable_cards(question: Question | None) -> frozenset[Card]:
    """The cards with which belote can be called now and may come to count."""
    if question is None or question.kind != "play" or not is_called_by_hand(question.view.state):
        return frozenset()
    view = question.view
    royals: tuple[Play, ...] = getattr(view.state, "royals", ())
    held = {c for c in view.hand if c.suit == view.state.trump and c.rank in ROYALS}
    shown = [play for play in royals if play.seat == view.seat and play.call]
    if len(held) + len(shown) < 2:
        return frozenset()
    return frozenset(a.card for a in question.choices if isinstance(a, Play) and a.card in held)


def is_called_by_hand(state: State | None) -> bool:
    """Whether this is a game with a belote, at a table where it must be called."""
    options = state.options if state is not None else None
    return getattr(options, "belote_call", "auto") == "manual"


class NotUnderstoodError(ValueError):
    """The text names no choice at all."""


def read(question: Question, text: str, speaker: Speaker) -> Choice:
    """The choice a text names: a menu's number, a card, or a bid. ``!`` after a card calls belote.

    Raises:
        NotUnderstoodError: it names nothing.
        IllegalActionError: it names a card or bid that the rules do not allow now.
    """
    word = text.strip().lower()
    called = word.endswith("!")
    word = word.rstrip("!").strip()
    entries = menu(question, speaker)
    if word.isdecimal() and 1 <= int(word) <= len(entries):
        choice = entries[int(word) - 1].choice
        return play(question, choice, called) if isinstance(choice, Play) else choice
    action = _named(question, word)
    if action is None:
        raise NotUnderstoodError(text)
    if isinstance(action, Play):
        view = question.view
        refusal = question.game.why_illegal(view.state, view.hand, action.card)
        if refusal is not None:
            raise refusal
        return play(question, action, called)
    if action not in question.choices:
        raise IllegalActionError(Rule.NOT_A_CHOICE, "that bid is not open now")
    return action


def _named(question: Question, word: str) -> Action | None:
    seat = question.view.seat
    try:
        if question.kind == "play":
            return Play(seat, read_card(word.removeprefix("play").strip()))
        if question.kind != "bid":
            return None
        if word in ("p", "pass", _("pass").lower()):
            return Pass(seat)
        turned = getattr(question.view.state, "turned", None)
        is_first = any(isinstance(a, Take) for a in question.choices)
        if word in ("t", "take", _("take").lower()):
            return Take(seat)
        suit = read_suit(word.removeprefix("name").removeprefix("take").strip())
        if is_first and turned is not None and suit == turned.suit:
            return Take(seat)
        return Name(seat, suit)
    except InvalidCardError:
        return None
