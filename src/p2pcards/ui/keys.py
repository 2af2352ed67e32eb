"""From a key to what it means, given what is on the screen. Pure: nothing is changed here."""

from __future__ import annotations

from p2pcards.cards import Rank, Suit
from p2pcards.ui.cardtext import rank_text, suit_letter
from p2pcards.ui.intents import (
    Close,
    Confirm,
    Do,
    Edit,
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

SPECIAL = (
    "left", "right", "up", "down", "pageup", "pagedown", "home", "end", "enter", "escape", "tab",
    "s-tab", "backspace", "delete", "c-c", "c-d", "c-u", "c-w", "c-a", "c-e", "c-l", "f1",
)  # fmt: skip
"""Keys that have a name instead of a character."""

_LAYOUT = str.maketrans("йцукенгшщзфывапролдячсмить", "qwertyuiopasdfghjklzxcvbnm")
_SCROLL = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, "home": -(10**6), "end": 10**6}
_CLOSING = ("escape", "enter", " ", "q", "backspace")
_QUESTIONS = ("leave", "vote", "over", "left")
_MOVES = {"left": -1, "up": -1, "right": 1, "down": 1, "tab": 1, "s-tab": -1}
_SHOWS = {"?": "help", "f1": "help", "l": "last", "s": "score", "v": "checks", "g": "log",
          "r": "rules", "x": "leave", "w": "vote"}  # fmt: skip


def intent_for(key: str, screen: Screen) -> Intent | None:
    """What a key means now; a key is a character or one of SPECIAL.

    On a Cyrillic keyboard a command's key is the one with its Latin letter, unless the letter
    means a card.
    """
    if screen.line is not None:
        return _in_line(key)
    key = key.lower() if len(key) == 1 else key
    if screen.overlay:
        on_top = _on_overlay(key.translate(_LAYOUT), screen)
        if on_top is not None:
            return on_top
    if screen.place != "table":
        key = key.translate(_LAYOUT)
    return _on_place(key, screen) or _on_place(key.translate(_LAYOUT), screen)


def _on_place(key: str, screen: Screen) -> Intent | None:
    match screen.place:
        case "start":
            return _at_start(key)
        case "form" | "settings":
            return _in_rows(key)
        case "saved":
            return _in_list(key)
        case "lobby":
            return _in_lobby(key, screen)
    return _at_table(key, screen)


def _in_line(key: str) -> Intent | None:
    if key in ("escape", "c-c"):
        return Close()
    return Edit(key, is_text=len(key) == 1 or key not in SPECIAL)


def _on_overlay(low: str, screen: Screen) -> Intent | None:
    """What a key does to what lies on top; None if it means the place below, which it shows."""
    if low in _SCROLL:
        return Scroll(_SCROLL[low])
    if screen.overlay == "rules" and low in _MOVES and screen.place not in ("table", "lobby"):
        return Do("other game")
    if screen.overlay == "leave" and low in ("y", "c-c"):
        return Do("leave")
    if screen.overlay == "vote" and low in ("v", "x"):
        return _on_vote(low, screen)
    if screen.overlay == "left" and low == "x":
        return Do("leave")
    if screen.overlay == "over":
        return _at_the_end(low, screen)
    if low == "c-c":
        return Show("leave") if screen.place == "table" else Close()
    if low == "x" and screen.place != "table":
        return Close()
    if screen.overlay in _QUESTIONS or low in _CLOSING or low in _MOVES:
        return Close()
    return None


def _on_vote(low: str, screen: Screen) -> Intent:
    """A key at the question what becomes of a seat that does not answer."""
    table = screen.table
    if low == "v":
        return Do("vote") if table.can_vote() else Close()
    return Show("leave") if table.has_voted() else Do("stop")


def _at_the_end(low: str, screen: Screen) -> Intent | None:
    """A key at the page that tells how it ended; one without a meaning does not end it."""
    if low in (*_CLOSING, "x", "c-c", "c-d"):
        return Do("on")
    if low in ("c", "m") and screen.can_talk():
        return Write("chat")
    return Show(_SHOWS[low]) if low in _SHOWS else Close()


def _at_start(key: str) -> Intent | None:
    if key in _MOVES:
        return Move(_MOVES[key])
    for what, letter, _text in ENTRIES:
        if key == letter:
            return Do(what)
    others: dict[str, Intent] = {
        "enter": Confirm(), "c-c": Do("quit"), "c-d": Do("quit"), "q": Do("quit"),
        "?": Show("rules"), "f1": Show("rules"), "c-l": Do("redraw"), "d": Do("forget"),
        "delete": Do("forget"),
    }  # fmt: skip
    if key.isdecimal() and key != "0":
        return Point(int(key) - 1)
    return others.get(key)


def _in_rows(key: str) -> Intent | None:
    if key in ("left", "right"):
        return Turn(-1 if key == "left" else 1)
    if key.isdecimal():
        return Letter(key)
    return _in_list(key)


def _in_list(key: str) -> Intent | None:
    if key in _MOVES:
        return Move(_MOVES[key])
    if key in ("home", "end"):
        return Move(_SCROLL[key])
    if key in ("escape", "c-c", "x", "q"):
        return Close()
    if key in ("?", "f1"):
        return Show("help")
    return Confirm() if key in ("enter", " ") else None


def _in_lobby(key: str, screen: Screen) -> Intent | None:
    lobby = screen.table.gathering
    if key in ("c", "m"):
        return Write("chat") if lobby is not None and len(lobby.people) > 1 else None
    leave = Show("leave") if lobby is not None and lobby.closes_for_others else Do("leave")
    keys: dict[str, Intent] = {
        "enter": Do("ready"), " ": Do("ready"), "b": Do("bot"), "p": Do("partner"),
        "-": Do("no bot"), "delete": Do("no bot"), "backspace": Do("no bot"),
        "r": Show("rules"), "?": Show("help"), "f1": Show("help"), "x": leave,
        "q": leave, "escape": leave, "c-c": leave, "c-l": Do("redraw"),
    }  # fmt: skip
    return keys.get(key)


def _at_table(key: str, screen: Screen) -> Intent | None:
    if screen.typed and (key in "cdhs0" or _is_suit_letter(key)):
        return Letter(key)
    if key in _MOVES and key not in ("up", "down"):
        return Move(_MOVES[key])
    if key in ("enter", "up"):
        return Confirm()
    if key in ("escape", "backspace", "down"):
        return Close()
    if screen.bids():
        return _at_bids(key, screen)
    if key.isdecimal() or _is_rank_letter(key):
        return Letter(key)
    return _table_command(key, screen)


def _at_bids(key: str, screen: Screen) -> Intent | None:
    count = len(screen.bids())
    if key.isdecimal():
        return Point(int(key) - 1) if 1 <= int(key) <= count else Do("bid first")
    if key in ("t", "p"):
        return Point(0 if key == "t" else count - 1)
    return _table_command(key, screen)


def _table_command(key: str, screen: Screen) -> Intent | None:
    if key == "v" and screen.table.asked_losses:
        return Show("vote")
    if key == "c-c":
        return Show("leave")
    if key in _SHOWS:
        return Show(_SHOWS[key])
    if key in ("c", "m"):
        return Write("chat")
    commands = {"i": "hint", "o": "colours", "!": "call", "e": "end", "c-l": "redraw"}
    return Do(commands[key]) if key in commands else None


def _is_rank_letter(key: str) -> bool:
    local = {rank_text(rank).lower() for rank in Rank}
    return len(key) == 1 and (key in "tjqka" or key in local)


def _is_suit_letter(key: str) -> bool:
    return len(key) == 1 and (key in "♣♦♥♠" or key in map(suit_letter, Suit))
