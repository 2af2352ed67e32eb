"""From the state of the screen to what is on it: a pure function, for every size."""

from __future__ import annotations

from p2pcards.ui.canvas import Canvas, wrap
from p2pcards.ui.i18n import _
from p2pcards.ui.lobby import draw_lobby
from p2pcards.ui.overlays import draw_overlay
from p2pcards.ui.saved import draw_saved
from p2pcards.ui.screen import SMALLEST, Screen, is_too_small
from p2pcards.ui.start import draw_form, draw_settings, draw_start
from p2pcards.ui.table import draw_table


def render(screen: Screen, width: int, height: int) -> Canvas:
    """The screen of ``width`` columns and ``height`` rows."""
    canvas = Canvas(width, height, "class:felt", ascii_only=screen.ascii_only)
    if is_too_small(width, height):
        _draw_too_small(canvas)
        return canvas
    places = {
        "start": draw_start,
        "form": draw_form,
        "settings": draw_settings,
        "saved": draw_saved,
        "lobby": draw_lobby,
        "table": draw_table,
    }
    places[screen.place](canvas, screen)
    draw_overlay(canvas, screen)
    return canvas


def _draw_too_small(canvas: Canvas) -> None:
    text = _("The window is too small: {w} columns and {h} rows are needed. Enlarge it, or start "
             "with --plain.", w=SMALLEST[0], h=SMALLEST[1])  # fmt: skip
    for y, line in enumerate(wrap(text, max(1, canvas.width))):
        canvas.put(0, y, line, "class:warn")
