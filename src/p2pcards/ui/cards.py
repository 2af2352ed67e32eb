"""How a card is drawn: face up or down, small or large, legal, barred, chosen, trump."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from p2pcards.cards import Card, Suit
from p2pcards.games.base import State
from p2pcards.games.engine import Game
from p2pcards.ui.canvas import Canvas, pad
from p2pcards.ui.cardtext import rank_text, suit_text
from p2pcards.ui.intents import Intent

SMALL = (5, 4)
LARGE = (7, 5)
LOW = (5, 3)
"""Columns and rows: of a hand at 80 by 24, of everything on a large screen, of a small trick."""

_PLAIN_EDGE = "╭─╮│╰╯"
_TRUMP_EDGE = "┏━┓┃┗┛"


@dataclass(frozen=True, slots=True)
class Look:
    """How one card is to be shown."""

    is_trump: bool = False
    is_off: bool = False
    is_chosen: bool = False


def is_trump(game: Game[State] | None, card: Card, trump: Suit | None) -> bool:
    """Whether a card counts as trump."""
    return game is not None and trump is not None and game.suit_of(card, trump) == trump


def draw_card(
    canvas: Canvas, x: int, y: int, size: tuple[int, int], card: Card, look: Look,
    intent: Intent | None = None,
) -> None:  # fmt: skip
    """Draw a card face up with its upper left corner at a cell; trumps have a heavy frame."""
    width, height = size
    face, edge, ink = _styles(card, look)
    corner = _TRUMP_EDGE if look.is_trump else _PLAIN_EDGE
    canvas.put(x, y, corner[0] + corner[1] * (width - 2) + corner[2], edge, intent)
    for row in range(1, height - 1):
        canvas.put(x, y + row, corner[3], edge, intent)
        canvas.put(x + 1, y + row, " " * (width - 2), face, intent)
        canvas.put(x + width - 1, y + row, corner[3], edge, intent)
    canvas.put(x, y + height - 1, corner[4] + corner[1] * (width - 2) + corner[5], edge, intent)
    rank, suit = rank_text(card.rank), suit_text(card.suit, canvas.ascii_only)
    if height == 3:
        canvas.centre(x + 1, width - 2, y + 1, rank + suit, ink, intent)
    elif height == 4:
        canvas.put(x + 1, y + 1, pad(f" {rank}" if len(rank) < 2 else rank, 3), ink, intent)
        canvas.put(x + 2, y + 2, suit, ink, intent)
    else:
        canvas.put(x + 1, y + 1, rank, ink, intent)
        canvas.put(x + width // 2, y + height // 2, suit, ink, intent)
        canvas.right(x + width - 1, y + height - 2, rank, ink)


def _styles(card: Card, look: Look) -> tuple[str, str, str]:
    """Styles of the face, the edge and the print."""
    if look.is_off:
        return "class:card.off", "class:card.off.edge", "class:card.off"
    face = "class:card.chosen" if look.is_chosen else "class:card"
    edge = "class:edge.trump" if look.is_trump else "class:edge.plain"
    return face, f"{face} {edge}", f"{face} class:suit.{card.suit.letter}"


def draw_backs(canvas: Canvas, x: int, y: int, count: int) -> None:
    """Draw so many cards face down, in one row of two columns each."""
    for i in range(count):
        canvas.put(x + 2 * i, y, "▒", "class:back")


def place_hand(
    cards: list[Card], game: Game[State] | None, trump: Suit | None, width: int, card: int
) -> list[int]:
    """The column of each card: side by side with a gap between suits, overlapping if need be.

    ``width`` is the room there is, ``card`` the width of one card.
    """
    if not cards:
        return []

    def group(c: Card) -> tuple[bool, Suit]:
        trumps = is_trump(game, c, trump)
        return trumps, trump if trumps and trump is not None else c.suit

    step, gap = card, 2
    while True:
        columns, x = [0], 0
        for before, after in pairwise(cards):
            x += step + (gap if group(before) != group(after) else 0)
            columns.append(x)
        total = x + card
        if total <= width or step <= 2:
            break
        if gap:
            gap -= 1
        else:
            step -= 1
    left = max(0, (width - total) // 2)
    return [left + column for column in columns]
