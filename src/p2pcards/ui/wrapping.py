"""Lines of text for a terminal, broken between words where the terminal would break inside them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from p2pcards.ui.canvas import width_of, wrap

GAP = "   "
"""Between the choices of a menu in one line: what stands between two gaps stays together."""


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most ``width`` columns, all of them indented as it is."""
    return [piece for line in text.split("\n") for piece in _pieces(line, width)]


def _pieces(line: str, width: int) -> list[str]:
    if width_of(line) <= width:
        return [line]
    bare = line.lstrip(" ")
    indent = min(len(line) - len(bare), width // 2)
    room = max(1, width - indent)
    out: list[str] = []
    for gap, part in _parts(bare, room):
        if out and width_of(out[-1] + gap + part) <= room:
            out[-1] += gap + part
        else:
            out += wrap(part, room)  # what is longer than a line is cut
    return [" " * indent + piece for piece in out]


def _parts(text: str, room: int) -> Iterator[tuple[str, str]]:
    """What stays together, and the space before it: the choices of a menu, else the words."""
    choices = text.split(GAP)
    if len(choices) > 1 and all(width_of(choice) <= room for choice in choices):
        yield from ((GAP, choice) for choice in choices)
    else:
        yield from re.findall(r"( *)([^ ]+)", text)
