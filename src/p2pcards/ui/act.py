"""What an intent does to the screen, and what of it goes out to the game."""

from __future__ import annotations

from p2pcards.games.registry import GAMES
from p2pcards.ui import playing, rows, settings
from p2pcards.ui.editing import edit, open_line
from p2pcards.ui.form import form_rows, settings_rows, turn
from p2pcards.ui.i18n import _
from p2pcards.ui.intents import (
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
from p2pcards.ui.screen import Screen
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
            return playing.letter(screen, char.lower())
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
    """Select; what is selected already is confirmed."""
    if screen.place == "table":
        return playing.point(screen, place)
    again = screen.cursor == place
    screen.cursor = place
    return _confirm(screen) if again else None


def _confirm(screen: Screen) -> Effect | None:
    match screen.place:
        case "start" if screen.cursor < len(screen.seen):
            return rows.join(screen)
        case "start":
            return _do(screen, ENTRIES[screen.cursor - len(screen.seen)][0])
        case "form":
            return rows.confirm_form(screen)
        case "settings":
            return rows.confirm_setting(screen)
        case "saved":
            return rows.open_saved(screen)
    return playing.play(screen)


# -- commands ---------------------------------------------------------------------------------


def _do(screen: Screen, what: str) -> Effect | None:
    match what:
        case "open" | "practise":
            rows.begin_form(screen, practise=what == "practise")
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
            return rows.watch(screen)
        case "ready":
            screen.is_ready = not screen.is_ready
        case "call":
            playing.call(screen)
        case "end":
            return playing.ask_end(screen)
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
