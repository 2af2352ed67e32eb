"""Draws the table for the README: ``python -m tools.make_picture [FILE]``.

The picture is the real screen of a table in mid-game, in its real colours; only the game is made
up, and always the same. ``--text`` prints the screen as text instead.
"""

from __future__ import annotations

import sys
from html import escape
from pathlib import Path

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style
from tests.ui.scene import Scene

from p2pcards.ui import styles
from p2pcards.ui.canvas import Canvas, width_of
from p2pcards.ui.render import render

FILE = Path(__file__).parent.parent / "docs" / "table.svg"
COLUMNS, ROWS = 80, 24
WIDTH, HEIGHT = 10, 20
"""Pixels of one character cell."""
SEED, TRICKS, CARDS = 3, 3, 2


def scene() -> Scene:
    """The game in the picture: some tricks are taken, and it is our turn."""
    made = Scene(seed=SEED).until_play(TRICKS, CARDS)
    made.screen.left = {0: 92.0}
    made.screen.cursor = made.screen.hand().index(max(made.screen.legal()))
    return made


def picture(canvas: Canvas, style: Style) -> str:
    """The canvas as SVG: coloured cells below, characters above, each run at its column."""
    width, height = canvas.width * WIDTH, canvas.height * HEIGHT
    cells, texts = [], []
    for row, pieces in enumerate(canvas.lines()):
        column = 0
        for piece in pieces:
            attrs = style.get_attrs_for_style_str("class:felt " + piece.style)
            ink, ground = f"#{attrs.color}", f"#{attrs.bgcolor}"
            if attrs.reverse:
                ink, ground = ground, ink
            x, y, span = column * WIDTH, row * HEIGHT, width_of(piece.text) * WIDTH
            place = f'x="{x}" y="{y}" width="{span}" height="{HEIGHT}"'
            cells.append(f'<rect {place} fill="{ground}"/>')
            weight = ' font-weight="bold"' if attrs.bold else ""
            for at, char in enumerate(piece.text):
                if char != " ":
                    place = f'x="{x + at * WIDTH}" y="{y + 15}"'
                    texts.append(f'<text {place} fill="{ink}"{weight}>{escape(char)}</text>')
            column += width_of(piece.text)
    font = "DejaVu Sans Mono, Menlo, Consolas, monospace"
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="{font}" font-size="16.5" shape-rendering="crispEdges">',
        *cells, *texts, "</svg>", "",
    ])  # fmt: skip


def main(argv: list[str]) -> None:
    """Draw the picture, or print the text."""
    canvas = render(scene().screen, COLUMNS, ROWS)
    if "--text" in argv:
        print("\n".join(canvas.text()))
        return
    file = Path(argv[0]) if argv else FILE
    file.parent.mkdir(exist_ok=True)
    svg = picture(canvas, styles.style(ColorDepth.DEPTH_24_BIT))
    file.write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
