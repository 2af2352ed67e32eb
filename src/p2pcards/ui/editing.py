"""The input line: how it is opened, written in, and what comes of it."""

from __future__ import annotations

from p2pcards.ui import settings
from p2pcards.ui.form import put_typed
from p2pcards.ui.intents import Edit, Effect, Typed
from p2pcards.ui.screen import Line, Screen

LIMITS = {"chat": 200, "nick": 32, "connect": 100, "name": 32, "value": 6}
"""Characters of each kind of input line."""


def open_line(screen: Screen, kind: str, text: str = "") -> None:
    """Open an input line; a name for the first time is only offered."""
    is_offered = kind == "nick" and not screen.settings.nick
    screen.line = Line(kind, text, len(text), LIMITS[kind], is_offered)
    if kind == "chat":
        screen.unread = 0


def edit(screen: Screen, intent: Edit) -> Effect | None:
    """Write in the line, or end it; what must go out, if anything."""
    line = screen.line
    if line is None:
        return None
    if line.is_offered and intent.is_text:
        line.text, line.at = "", 0
    line.is_offered = False
    if intent.is_text:
        room = line.limit - len(line.text)
        text = "".join(c for c in intent.key if c.isprintable())[:room]
        line.text = line.text[: line.at] + text + line.text[line.at :]
        line.at += len(text)
        return None
    match intent.key:
        case "enter":
            return _finish(screen, line)
        case "backspace" if line.at:
            line.text = line.text[: line.at - 1] + line.text[line.at :]
            line.at -= 1
        case "delete":
            line.text = line.text[: line.at] + line.text[line.at + 1 :]
        case "left":
            line.at = max(0, line.at - 1)
        case "right":
            line.at = min(len(line.text), line.at + 1)
        case "home" | "c-a":
            line.at = 0
        case "end" | "c-e":
            line.at = len(line.text)
        case "c-u":
            line.text, line.at = line.text[line.at :], 0
        case "c-w":
            kept = line.text[: line.at].rstrip().rpartition(" ")
            before = kept[0] + kept[1]
            line.text, line.at = before + line.text[line.at :], len(before)
    return None


def _finish(screen: Screen, line: Line) -> Effect | None:
    text = line.text.strip()
    if not text:
        if line.kind != "nick" or screen.settings.nick:
            screen.line = None
        return None
    screen.line = None
    if line.kind == "name":
        screen.form.name = text
        return None
    if line.kind == "value":
        put_typed(screen, text)
        return None
    if line.kind == "nick":
        screen.settings = settings.with_nick(screen.settings, text)
    return Typed(line.kind, text)
