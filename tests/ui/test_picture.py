"""The README's picture of the table is the table."""

from __future__ import annotations

from prompt_toolkit.output import ColorDepth
from tools import make_picture

from p2pcards.ui import styles
from p2pcards.ui.render import render


def test_the_picture_is_drawn_from_the_screen_as_it_is_now() -> None:
    canvas = render(make_picture.scene().screen, make_picture.COLUMNS, make_picture.ROWS)
    drawn = make_picture.picture(canvas, styles.style(ColorDepth.DEPTH_24_BIT))
    kept = make_picture.FILE.read_text(encoding="utf-8")
    assert kept == drawn, "draw it anew: python -m tools.make_picture"
