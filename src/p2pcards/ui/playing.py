"""What a player does at the table: select cards and bids, play them, call, ask for the end."""

from __future__ import annotations

from p2pcards.cards import InvalidCardError
from p2pcards.games.base import Play
from p2pcards.ui import choices
from p2pcards.ui.cardtext import read_card
from p2pcards.ui.i18n import _
from p2pcards.ui.intents import Chosen, Command, Effect
from p2pcards.ui.screen import Screen


def point(screen: Screen, place: int) -> Effect | None:
    """Select; what is selected already, or without the guard anything, is confirmed."""
    again = screen.cursor == place
    screen.cursor = place
    if again or not screen.settings.guard:
        return play(screen)
    return None


def letter(screen: Screen, char: str) -> Effect | None:
    """A character of a card's name; a digit is the card's place in the hand, too."""
    hand = screen.hand()
    if char.isdecimal() and not screen.typed and 1 <= int(char) <= len(hand):
        again = screen.cursor == int(char) - 1
        screen.typed = "" if again else char
        return point(screen, int(char) - 1)
    if char == screen.typed and char.isdecimal():
        screen.typed = ""
        return play(screen)
    if char.isdecimal() and (screen.typed, char) != ("1", "0"):
        screen.typed = char if char in "789" else ""
        return point(screen, int(char) - 1) if 1 <= int(char) <= len(hand) else None
    screen.typed += char
    try:
        card = read_card(screen.typed)
    except InvalidCardError:
        screen.typed = screen.typed[-3:] if len(screen.typed) < 4 else ""
        return None
    screen.typed = ""
    if card in hand:
        screen.cursor = hand.index(card)
    else:
        screen.cursor = -1
        screen.say(_("you do not hold {card}", card=screen.table.speaker.card(card)), True)
    return None


def play(screen: Screen) -> Effect | None:
    """Play the selected card or make the selected bid, if the rules let one."""
    question = screen.table.question
    if question is None:
        if not screen.table.over:
            screen.say(_("it is not your turn"))
        return None
    entries = screen.bids()
    if entries:
        if screen.cursor < 0:
            screen.say(_("select a bid first: arrows or its number"))
            return None
        return Chosen(entries[screen.cursor].choice)
    hand = screen.hand()
    if not 0 <= screen.cursor < len(hand):
        screen.say(_("select a card first: arrows, its number, or its name"))
        return None
    card = hand[screen.cursor]
    refusal = question.game.why_illegal(question.view.state, question.view.hand, card)
    if refusal is not None:
        screen.say(screen.table.speaker.reason(refusal, question), is_bad=True)
        return None
    called = screen.calls and card in choices.callable_cards(question)
    return Chosen(choices.play(question, Play(question.view.seat, card), called))


def ask_end(screen: Screen) -> Effect | None:
    """Ask that the match end after this deal, or take that back."""
    if screen.table.over is not None:
        return None
    screen.wish_end = not screen.wish_end
    if screen.wish_end:
        screen.say(_("it ends if all four ask; e takes it back"))
    else:
        screen.say(_("you no longer ask that the match end"))
    return Command("end", int(screen.wish_end))


def call(screen: Screen) -> None:
    """Call belote with the next card, if it is one of the two, or do not."""
    cards = choices.callable_cards(screen.table.question)
    if not cards:
        screen.say(_("belote cannot be called now"))
        return
    screen.calls = not screen.calls
    named = " / ".join(screen.table.speaker.card(card) for card in sorted(cards))
    if screen.calls:
        screen.say(_("belote is called with {card}; ! takes it back", card=named))
    else:
        screen.say(_("belote is not called"))
