"""A grid of character cells to draw a screen on, and what prompt_toolkit wants of it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from prompt_toolkit.utils import get_cwidth

from p2pcards.harmless import harmless
from p2pcards.ui.intents import Intent

Text = list[tuple[str, str]]
"""Lines with their styles."""


class Piece(NamedTuple):
    """A run of text in one style; a click on it is the intent."""

    style: str
    text: str
    intent: Intent | None = None


class _Row:
    """A row's cells: what stands in each (nothing behind a wide character), its style, its click.

    Kept apart because most of what is drawn changes many cells at once, and a screen is drawn
    anew at each change.
    """

    __slots__ = ("glyphs", "intents", "styles")

    def __init__(self, width: int, style: str) -> None:
        self.glyphs = [" "] * width
        self.styles = [style] * width
        self.intents: list[Intent | None] = [None] * width

    def write(
        self, x: int, glyphs: tuple[str, ...], style: str | None, intent: Intent | None
    ) -> None:
        """Put what fits into the row from column ``x`` on."""
        width = len(self.glyphs)
        start, stop = max(x, 0), min(x + len(glyphs), width)
        if start >= stop:
            return
        # Half a wide character, cut by the edge or by what lies over the rest, is a space.
        if start and not self.glyphs[start]:
            self.glyphs[start - 1] = " "
        if stop < width and not self.glyphs[stop]:
            self.glyphs[stop] = " "
        self.glyphs[start:stop] = glyphs[start - x : stop - x]
        if not self.glyphs[start]:
            self.glyphs[start] = " "
        if stop - x < len(glyphs) and not glyphs[stop - x]:
            self.glyphs[stop - 1] = " "
        if style is not None:
            self.styles[start:stop] = [style] * (stop - start)
        if intent is not None:
            self.intents[start:stop] = [intent] * (stop - start)

    def runs(self) -> list[Piece]:
        """The cells of equal style and intent together."""
        out: list[Piece] = []
        glyphs, styles, intents = self.glyphs, self.styles, self.intents
        start, width = 0, len(glyphs)
        while start < width:
            style, intent = styles[start], intents[start]
            end = start + 1
            while end < width and styles[end] == style and intents[end] is intent:
                end += 1
            out.append(Piece(style, "".join(glyphs[start:end]), intent))
            start = end
        return out


class Canvas:
    """``width`` by ``height`` cells. What is drawn outside is cut off; a wide character takes two.

    ``ascii_only`` replaces lines and signs that a poor terminal cannot show.
    """

    def __init__(
        self, width: int, height: int, style: str = "", *, ascii_only: bool = False
    ) -> None:
        self.width = width
        self.height = height
        self.ascii_only = ascii_only
        self._rows = [_Row(width, style) for _ in range(height)]

    def put(
        self, x: int, y: int, text: str, style: str | None = None, intent: Intent | None = None
    ) -> int:
        """Draw text from a cell on; the column after it. With no style the cells keep theirs."""
        glyphs = _glyphs(to_ascii(text) if self.ascii_only else text)
        if 0 <= y < self.height:
            self._rows[y].write(x, glyphs, style, intent)
        return x + len(glyphs)

    def right(self, x: int, y: int, text: str, style: str | None = None) -> None:
        """Draw text that ends before column ``x``."""
        self.put(x - width_of(text), y, text, style)

    def centre(
        self, x: int, width: int, y: int, text: str, style: str | None = None,
        intent: Intent | None = None,
    ) -> None:  # fmt: skip
        """Draw text in the middle of ``width`` columns from ``x`` on, cut to fit."""
        text = fit(text, width)
        self.put(x + (width - width_of(text)) // 2, y, text, style, intent)

    def fill(self, x: int, y: int, width: int, height: int, style: str, char: str = " ") -> None:
        """Fill a rectangle."""
        for row in range(y, y + height):
            self.put(x, row, char * max(0, width), style)

    def box(self, x: int, y: int, width: int, height: int, style: str, title: str = "") -> None:
        """Draw a frame with nothing in it, and a title in its upper edge."""
        self.fill(x, y, width, height, style)
        across = "─" * (width - 2)
        self.put(x, y, f"╭{across}╮", style)
        for row in range(y + 1, y + height - 1):
            self.put(x, row, "│", style)
            self.put(x + width - 1, row, "│", style)
        self.put(x, y + height - 1, f"╰{across}╯", style)
        if title:
            self.put(x + 2, y, fit(f" {title} ", width - 4), style + " bold")

    def lines(self) -> list[list[Piece]]:
        """The rows as runs of equal style and intent."""
        return [row.runs() for row in self._rows]

    def text(self) -> list[str]:
        """The rows as plain text, without spaces at the end."""
        return ["".join(row.glyphs).rstrip() for row in self._rows]


@lru_cache(maxsize=4096)
def _glyphs(text: str) -> tuple[str, ...]:
    """What stands in each column: a character with its marks, nothing behind a wide one."""
    glyphs: list[str] = []
    for char in harmless(text).replace("\u00a0", " "):
        width = get_cwidth(char)
        if width:
            glyphs += [char, *[""] * (width - 1)]
        elif glyphs:
            at = -1 if glyphs[-1] else -2
            glyphs[at] += char
    return tuple(glyphs)


_ASCII = str.maketrans({
    "─": "-", "│": "|", "╭": "+", "╮": "+", "╰": "+", "╯": "+", "━": "=", "┃": "#", "┏": "#",
    "┓": "#", "┗": "#", "┛": "#", "├": "+", "┤": "+", "┬": "+", "┴": "+", "▸": ">", "●": "*",
    "○": "o", "✓": "v", "·": ".", "…": ".", "–": "-", "—": "-", "▒": "#", "░": ":", "▲": "^",
    "▼": "v", "◂": "<", "★": "*", "█": "#", "▁": "_", "▏": "|", "→": ">", "⏳": "~",
    "♣": "C", "♦": "D", "♥": "H", "♠": "S", "■": "#", "□": ".", "┌": "+", "┐": "+", "└": "+",
    "┘": "+", "↑": "^", "↓": "v", "←": "<", "✗": "x", "▂": "_", "▃": "-", "▄": "-", "▅": "=",
    "▆": "=", "▇": "#", "ă": "a", "â": "a", "î": "i", "ș": "s", "ț": "t", "Ă": "A", "Â": "A",
    "Î": "I", "Ș": "S", "Ț": "T", "„": '"', "”": '"',
})  # fmt: skip


def to_ascii(text: str) -> str:
    """The text with its signs and lines in ASCII, and Romanian letters without their marks.

    Other letters stay: the terminal of who reads them knows them.
    """
    return text.translate(_ASCII)


def width_of(text: str) -> int:
    """The columns a text takes on the screen."""
    return get_cwidth(text)


def fit(text: str, width: int) -> str:
    """The text cut to this many columns, with ``…`` where something is missing."""
    if width_of(text) <= width:
        return text
    out, used = "", 0
    for char in text:
        used += get_cwidth(char)
        if used > width - 1:
            break
        out += char
    return out + "…" if width > 0 else ""


def pad(text: str, width: int) -> str:
    """The text cut or filled with spaces to exactly this many columns."""
    text = fit(text, width)
    return text + " " * (width - width_of(text))


def wrap(text: str, width: int, hang: int = 0) -> list[str]:
    """The text in lines of at most this many columns; words longer than a line are cut.

    Lines after the first begin with ``hang`` spaces.
    """
    lines: list[str] = []
    line = ""
    for word in text.split():
        room = width - (hang if lines else 0)
        if line and width_of(line) + 1 + width_of(word) <= room:
            line = f"{line} {word}"
            continue
        if line:
            lines.append(line)
            room = width - hang
        while width_of(word) > room:
            head = _head(word, room)
            lines.append(head)
            word, room = word[len(head) :], width - hang
        line = word
    if line:
        lines.append(line)
    return [*lines[:1], *(" " * hang + line for line in lines[1:])]


def _head(word: str, width: int) -> str:
    """The first characters of a word that fit, at least one."""
    head = word
    while width_of(head) > width and len(head) > 1:
        head = head[:-1]
    return head
