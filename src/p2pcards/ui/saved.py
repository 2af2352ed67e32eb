"""The list of saved games: each verified anew, opened in a replay, or gone back to."""

from __future__ import annotations

import time

from p2pcards.ui import foot
from p2pcards.ui.canvas import Canvas, fit, width_of, wrap
from p2pcards.ui.i18n import _
from p2pcards.ui.intents import Point
from p2pcards.ui.screen import Saved, Screen
from p2pcards.ui.start import draw_message

_WIDE = 64
"""Columns from which the whole date and the state in words have room."""


def draw_saved(canvas: Canvas, screen: Screen) -> None:
    """A line for each game, and below it all about the selected one."""
    canvas.fill(0, 0, canvas.width, 1, "class:bar")
    canvas.put(1, 0, _("Saved games"), "class:bar.key")
    if not screen.saved:
        text = _("none yet; every game that you play is kept here")
        for i, line in enumerate(wrap(text, canvas.width - 4)):
            canvas.put(2, 2 + i, line, "class:felt.dim")
    below = _below(screen, canvas.width - 6)[: canvas.height // 3]
    room = max(1, canvas.height - 5 - len(below))
    first = max(0, min(screen.cursor - room // 2, len(screen.saved) - room))
    for i, saved in list(enumerate(screen.saved))[first : first + room]:
        _draw_row(canvas, saved, 2 + i - first, i, i == screen.cursor)
    y = canvas.height - 2 - len(below)
    for i, line in enumerate(below):
        canvas.put(3, y + i, line, "class:felt.dim")
    if screen.message:
        draw_message(canvas, screen)
    foot.draw_keys(canvas, saved_keys(screen))


def saved_keys(screen: Screen) -> list[tuple[str, str]]:
    """The keys that are of use now."""
    chosen = _chosen(screen)
    if chosen is None:
        return [("Esc", _("back"))]
    what = _("come back") if chosen.state == "mine" else _("replay")
    return [("↑ ↓", _("select")), ("Enter", what), ("Esc", _("back"))]


def state_text(saved: Saved) -> tuple[str, str]:
    """What is known of a game, in words, and their style."""
    texts = {
        "mine": (_("unfinished: come back"), "class:turn"),
        "checking": (_("verifying …"), "class:felt.dim"),
        "good": (_("verified") + " ✓", "class:good"),
        "part": (_("verified") + " ✓ " + _("unfinished"), "class:good"),
        "bad": (_("NOT verified"), "class:bad"),
    }
    return texts[saved.state]


def date_text(at: float) -> str:
    """When a game was saved."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def _draw_row(canvas: Canvas, saved: Saved, y: int, place: int, chosen: bool) -> None:
    canvas.put(2, y, "▸ " if chosen else "  ", "class:turn")
    date, (state, style) = date_text(saved.at), state_text(saved)
    marks = {"good": "✓", "part": "✓ …", "bad": "✗", "checking": "…", "mine": "▸"}
    if canvas.width < _WIDE:
        date, state = date[5:10], marks[saved.state]
    parts = (date, saved.game, saved.score, saved.sides or saved.text.partition("\n")[0])
    text = "  ".join(part for part in parts if part)
    room = canvas.width - 7 - width_of(state)
    click = Point(place, is_click=True)
    canvas.put(4, y, fit(text, room), "class:cursor" if chosen else "", click)
    canvas.right(canvas.width - 1, y, state, style)


def _below(screen: Screen, width: int) -> list[str]:
    """Everything about the selected game."""
    chosen = _chosen(screen)
    if chosen is None:
        return []
    parts = (chosen.game, chosen.sides, chosen.score, state_text(chosen)[0])
    out = wrap(" · ".join(part for part in parts if part), width)
    return [*out, *wrap(chosen.text, width)]


def _chosen(screen: Screen) -> Saved | None:
    return screen.saved[screen.cursor] if 0 <= screen.cursor < len(screen.saved) else None
