"""What an intent does to the screen, and what of it goes out to the game."""

from __future__ import annotations

from p2pcards.bots.levels import USUAL
from p2pcards.cards import InvalidCardError
from p2pcards.games.base import Play
from p2pcards.games.registry import GAMES
from p2pcards.ui import choices, settings
from p2pcards.ui.cardtext import read_card
from p2pcards.ui.editing import edit, open_line
from p2pcards.ui.form import form_rows, settings_rows, turn
from p2pcards.ui.i18n import _
from p2pcards.ui.intents import (
    Chosen,
    Close,
    Command,
    Confirm,
    Do,
    Edit,
    Effect,
    Intent,
    Letter,
    Move,
    Point,
    Scroll,
    Show,
    Turn,
    Write,
)
from p2pcards.ui.screen import Form, Screen
from p2pcards.ui.start import ENTRIES

PAGES = ("help", "last", "score", "checks", "log", "rules")
"""What lies on top only to be read: a key that means something else takes it away."""


def act(screen: Screen, intent: Intent) -> Effect | None:
    """Carry out an intent on the screen; what must go out, if anything."""
    effect = _act(screen, intent)
    if screen.place == "table" and screen.table.over is not None and not screen.overlay:
        screen.overlay = "over"  # what is read meanwhile lies on top of it, and not instead
    return effect


def _act(screen: Screen, intent: Intent) -> Effect | None:
    if not isinstance(intent, Edit):
        screen.say("")
    stays = isinstance(intent, Show | Close | Scroll | Edit) or intent == Do("other game")
    if screen.overlay in PAGES and not stays:
        screen.overlay = ""
    match intent:
        case Show(overlay):
            screen.overlay = "" if screen.overlay == overlay else overlay
            screen.scroll = 10**6 if overlay == "log" else 0  # the newest lines are the last
        case Close():
            return _close(screen)
        case Scroll(lines):
            screen.scroll = max(0, screen.scroll + lines)
        case Write(kind):
            open_line(screen, kind)
        case Edit():
            return edit(screen, intent)
        case Do(what):
            return _do(screen, what)
        case _:
            return _select(screen, intent)
    return None


def _close(screen: Screen) -> Effect | None:
    if screen.line is not None:
        must = screen.line.kind == "nick" and not screen.settings.nick
        screen.line = None
        return Command("quit") if must else None
    if screen.overlay:
        screen.overlay = ""
    elif screen.place in ("form", "settings", "saved"):
        screen.enter("start")
    else:
        screen.cursor, screen.typed = -1, ""
    return None


# -- selecting and confirming -----------------------------------------------------------------


def _select(screen: Screen, intent: Intent) -> Effect | None:
    count = _places(screen)
    match intent:
        case Move(steps) if count:
            screen.typed = ""
            if abs(steps) > 1:
                screen.cursor = 0 if steps < 0 else count - 1
            elif screen.cursor < 0:
                screen.cursor = 0 if steps > 0 else count - 1
            else:
                screen.cursor = (screen.cursor + steps) % count
        case Turn(steps):
            turn(screen, steps)
        case Point(place) if 0 <= place < count:
            return _point(screen, place)
        case Letter(char) if screen.place == "table":
            return _letter(screen, char.lower())
        case Letter(char) if screen.place == "form":
            if form_rows(screen)[screen.cursor].number is not None:
                open_line(screen, "value", char)
        case Confirm():
            screen.typed = ""
            return _confirm(screen)
    return None


def _places(screen: Screen) -> int:
    """How many things there are to select from."""
    match screen.place:
        case "start":
            return len(screen.seen) + len(ENTRIES)
        case "form":
            return len(form_rows(screen))
        case "settings":
            return len(settings_rows(screen))
        case "saved":
            return len(screen.saved)
        case "table":
            return len(screen.bids()) or len(screen.hand())
    return 0


def _point(screen: Screen, place: int) -> Effect | None:
    """Select; what is selected already, or without the guard anything, is confirmed."""
    again = screen.cursor == place
    screen.cursor = place
    at_table = screen.place == "table"
    if again or (at_table and not screen.settings.guard):
        return _confirm(screen)
    return None


def _letter(screen: Screen, char: str) -> Effect | None:
    """A character of a card's name; a digit is the card's place in the hand, too."""
    hand = screen.hand()
    if char.isdecimal() and not screen.typed and 1 <= int(char) <= len(hand):
        again = screen.cursor == int(char) - 1
        screen.typed = "" if again else char
        return _point(screen, int(char) - 1)
    if char == screen.typed and char.isdecimal():
        screen.typed = ""
        return _confirm(screen)
    if char.isdecimal() and (screen.typed, char) != ("1", "0"):
        screen.typed = char if char in "789" else ""
        return _point(screen, int(char) - 1) if 1 <= int(char) <= len(hand) else None
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


def _confirm(screen: Screen) -> Effect | None:
    match screen.place:
        case "start":
            return _go(screen)
        case "form":
            return _confirm_form(screen)
        case "settings":
            return _confirm_setting(screen)
        case "saved":
            return _open_saved(screen)
    return _play(screen)


def _play(screen: Screen) -> Effect | None:
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


def _ask_end(screen: Screen) -> Effect | None:
    """Ask that the match end after this deal, or take that back."""
    if screen.table.over is not None:
        return None
    screen.wish_end = not screen.wish_end
    if screen.wish_end:
        screen.say(_("it ends if all four ask; e takes it back"))
    else:
        screen.say(_("you no longer ask that the match end"))
    return Command("end", int(screen.wish_end))


def _call(screen: Screen) -> None:
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


def _go(screen: Screen) -> Effect | None:
    """On the start screen: join the selected table or do the selected entry."""
    if screen.cursor < len(screen.seen):
        seen = screen.seen[screen.cursor]
        if seen.state == "full":
            screen.say(_("no seat is free at that table"), is_bad=True)
            return None
        if not seen.version_fits:
            screen.say(_("that table needs another version of this program"), is_bad=True)
            return None
        return Command("watch" if seen.state == "playing" else "join", screen.cursor)
    return _do(screen, ENTRIES[screen.cursor - len(screen.seen)][0])


def _watch(screen: Screen) -> Effect | None:
    """Watch the selected table, or else the only one that is played at."""
    running = [i for i, seen in enumerate(screen.seen) if seen.state == "playing"]
    if screen.cursor in running:
        return _go(screen)
    if len(running) == 1:
        screen.cursor = running[0]
        return _go(screen)
    text = _("select a table that is played at") if running else _("no table is played at now")
    screen.say(text, is_bad=True)
    return None


def _open_saved(screen: Screen) -> Effect | None:
    """Replay the selected game, or come back to the table that was left."""
    if not screen.saved:
        return None
    saved = screen.saved[screen.cursor]
    if saved.state != "mine":
        return Command("replay", screen.cursor)
    places = [i for i, seen in enumerate(screen.seen) if seen.key == saved.key]
    return Command("join", places[0]) if places else None


# -- rows -------------------------------------------------------------------------------------


def _confirm_form(screen: Screen) -> Effect | None:
    row = form_rows(screen)[screen.cursor]
    if row.key == "done":
        return Command("practise" if screen.form.practise else "open")
    if row.key == "name":
        open_line(screen, "name", screen.form.name)
    else:
        turn(screen, 1)
    return None


def _confirm_setting(screen: Screen) -> Effect | None:
    key = settings_rows(screen)[screen.cursor].key
    if key == "done":
        screen.enter("start")
    elif key == "nick":
        open_line(screen, "nick", screen.settings.nick)
    else:
        turn(screen, 1)
    return None


# -- commands ---------------------------------------------------------------------------------


def _do(screen: Screen, what: str) -> Effect | None:
    match what:
        case "open" | "practise":
            screen.form = Form(screen.form.game, practise=what == "practise",
                               level=usual_level(screen.levels))  # fmt: skip
            screen.form.name = _("{nick}'s table", nick=screen.settings.nick)[:32]
            screen.enter("form")
            screen.cursor = len(form_rows(screen)) - 1
        case "connect":
            open_line(screen, "connect")
        case "other game":
            names = list(GAMES)
            screen.form.put("game", names[(names.index(screen.form.game) + 1) % len(names)])
            screen.scroll = 0
        case "bid first":
            screen.say(_("select a bid first: arrows or its number"))
        case "rules":
            screen.overlay, screen.scroll = "rules", 0
        case "settings":
            screen.enter("settings")
        case "saved":
            screen.enter("saved")
            return Command(what)
        case "watch":
            return _watch(screen)
        case "ready":
            screen.is_ready = not screen.is_ready
        case "call":
            _call(screen)
        case "end":
            return _ask_end(screen)
        case "colours":
            screen.settings = settings.turned(screen.settings, "deck", 1)
        case "forget":
            seen = screen.seen[screen.cursor] if screen.cursor < len(screen.seen) else None
            if seen is not None and seen.state == "mine":
                return Command(what, screen.cursor)
        case "vote" | "stop":
            seats = list(screen.table.asked_losses)
            screen.overlay = ""
            return Command(what, seats[0]) if seats else None
        case _:
            return Command(what)
    return None


def usual_level(levels: tuple[str, ...]) -> str:
    """The level of bots one practises with, unless another is set."""
    return USUAL if USUAL in levels else levels[-1]
