"""A grid of character cells to draw a screen on, and what prompt_toolkit wants of it."""

from __future__ import annotations

from dataclasses import dataclass

from prompt_toolkit.utils import get_cwidth

from p2pcards.harmless import harmless
from p2pcards.ui.intents import Intent

Text = list[tuple[str, str]]
"""Lines with their styles."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text in one style; a click on it is the intent."""

    style: str
    text: str
    intent: Intent | None = None


_Cell = tuple[str, str, Intent | None]


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
        self._cells: list[list[_Cell]] = [[(" ", style, None)] * width for _ in range(height)]

    def put(
        self, x: int, y: int, text: str, style: str | None = None, intent: Intent | None = None
    ) -> int:
        """Draw text from a cell on; the column after it. With no style the cells keep theirs."""
        if self.ascii_only:
            text = to_ascii(text)
        for char in harmless(text):
            width = get_cwidth(char)
            if width == 0:
                self._combine(x - 1, y, char)
                continue
            if 0 <= y < self.height and x >= 0 and x + width <= self.width:
                row = self._cells[y]
                mine = row[x][1] if style is None else style
                click = row[x][2] if intent is None else intent
                row[x] = (char, mine, click)
                for extra in range(1, width):
                    row[x + extra] = ("", mine, click)
            x += width
        return x

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

    def cells(self) -> list[list[_Cell]]:
        """The rows as they are: each cell's character (none behind a wide one), style, intent."""
        return self._cells

    def lines(self) -> list[list[Piece]]:
        """The rows as runs of equal style and intent."""
        return [_runs(row) for row in self._cells]

    def text(self) -> list[str]:
        """The rows as plain text, without spaces at the end."""
        return ["".join(cell[0] for cell in row).rstrip() for row in self._cells]

    def _combine(self, x: int, y: int, mark: str) -> None:
        if 0 <= y < self.height and 0 <= x < self.width:
            char, style, intent = self._cells[y][x]
            self._cells[y][x] = (char + mark, style, intent)


def _runs(row: list[_Cell]) -> list[Piece]:
    out: list[Piece] = []
    if not row:
        return out
    start, (_char, style, intent) = 0, row[0]
    for at, cell in enumerate(row):
        if (cell[1] is not style and cell[1] != style) or cell[2] is not intent:
            out.append(Piece(style, "".join([c[0] for c in row[start:at]]), intent))
            start, style, intent = at, cell[1], cell[2]
    out.append(Piece(style, "".join([c[0] for c in row[start:]]), intent))
    return out


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
