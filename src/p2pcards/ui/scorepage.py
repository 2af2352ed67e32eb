"""The page of score sheets, and the course of the match below them."""

from __future__ import annotations

from p2pcards.ui import panel, sheets
from p2pcards.ui.canvas import Text, pad
from p2pcards.ui.i18n import _
from p2pcards.ui.screen import Screen


def score_page(screen: Screen, width: int) -> tuple[str, Text]:
    """Every deal's sheet, the newest first, and the course of the match."""
    state, speaker = screen.table.state, screen.table.speaker
    if state is None or not state.sheets:
        return _("Score"), [(_("no deal has been scored yet"), "class:felt.dim")]
    out: Text = []
    for sheet in reversed(state.sheets):
        head, *lines, last = sheets.table(speaker, sheet, width)
        out += [(head, "bold"), *((line, "") for line in lines), (last, "class:turn"), ("", "")]
    return _("Score"), [*out, *curve(screen, width)]


def curve(screen: Screen, width: int) -> Text:
    """The match as two rows of bars, one column a deal, as high as the score after it."""
    state = screen.table.state
    if state is None or len(state.sheets) < 2:
        return []
    bars = "▁▂▃▄▅▆▇█"
    names = 8 if screen.table.me is not None else min(24, width // 2)
    shown = state.sheets[-max(1, width - names - 12) :]
    top = max(1, max(max(sheet.scores) for sheet in shown))
    out: Text = [(_("The match so far"), "bold")]
    for side in panel.order(screen):
        row = "".join(bars[min(7, sheet.scores[side] * 7 // top)] for sheet in shown)
        name = pad(screen.table.speaker.side(side), names)
        out.append((f"{name} {row} {shown[-1].scores[side]}", ""))
    return out
