"""The table on a small screen, from 40 columns and 12 rows on: one line for each thing."""

from __future__ import annotations

from p2pcards.games.base import Phase
from p2pcards.ui import cards, foot, panel
from p2pcards.ui.canvas import Canvas, fit, width_of
from p2pcards.ui.i18n import _
from p2pcards.ui.intents import Point
from p2pcards.ui.screen import Screen
from p2pcards.ui.shuffling import counts, due
from p2pcards.ui.table import (
    BOTTOM,
    LEFT,
    RIGHT,
    TOP,
    place_of,
    seat_at,
    seat_lines,
    shown_trick,
)

WIDEST, BESIDE = 3, 5
"""Columns of the widest card, and by how many the cards at the sides are off the middle."""


def draw_compact(canvas: Canvas, screen: Screen) -> None:
    """The whole table in at least 12 rows."""
    panel.draw_bar(canvas, screen)
    state = screen.table.state
    width, height = canvas.width, canvas.height
    canvas.centre(0, width, 1, fit(panel.trump_line(screen)[0], width - 2), "class:turn")
    if state is None or state.phase is Phase.DECK:
        _draw_making(canvas, screen)
    else:
        _draw_seats(canvas, screen)
    _draw_prompt(canvas, screen)
    if screen.bids():
        _draw_bids(canvas, screen)
    row = _draw_hand(canvas, screen, 8 if screen.bids() else 7)
    for i, (line, look) in enumerate(panel.log_lines(screen, width - 2, height - 2 - row)):
        canvas.put(1, row + i, line, look)
    foot.draw_foot(canvas, screen)


def _draw_making(canvas: Canvas, screen: Screen) -> None:
    done = sum(len(seats) for seats in counts(screen.table.checks.steps).values())
    steps = sum(due(screen.table).values())
    text = _("shuffling: {n} of {steps} steps", n=min(done, steps), steps=steps)
    canvas.centre(0, canvas.width, 3, text, "bold")
    if screen.table.waits:
        names = screen.table.speaker.everyone(screen.table.waits.seats)
        text = _("waiting for {names}", names=names)
        canvas.centre(0, canvas.width, 4, text, "class:felt.dim")


def _draw_prompt(canvas: Canvas, screen: Screen) -> None:
    """Whose turn it is or what was said of a key; at the right who sits here, if there is room."""
    text, style = panel.turn_text(screen)
    if screen.message:
        text, style = screen.message, "class:bad" if screen.is_bad else "class:turn"
    if panel.typing(screen):
        text, style = panel.typing(screen), "class:turn"
    x = canvas.put(1, 6, fit(text, canvas.width - 2), style)
    if screen.table.state is not None:
        own = _own_words(screen, canvas.width - x - 3)
        canvas.right(canvas.width - 1, 6, own, "class:felt.dim")


def _own_words(screen: Screen, room: int) -> str:
    """What is told of who sits here; a player need not read the own name, a spectator must."""
    (name, _style), *told = seat_lines(screen, screen.table.me or 0)
    rest = [text for text, _style in told]
    left = room - width_of(", ".join(["", *rest]))
    if screen.table.speaker.me is None and left >= panel.READABLE:
        name = fit(name, left)
    for own in (", ".join([name, *rest]), ", ".join(rest)):
        if width_of(own) <= room:
            return own
    return ""


def _draw_seats(canvas: Canvas, screen: Screen) -> None:
    """Four players with what they played: top, left and right, and our own card."""
    width = canvas.width
    trick, _done = shown_trick(screen)
    played = {}
    if trick is not None:
        played = {place_of(screen, s): screen.table.speaker.card(c) for s, c in trick.by_seat()}
    _draw_across(canvas, screen, seat_at(screen, TOP))
    for place in (LEFT, RIGHT):
        _draw_beside(canvas, screen, seat_at(screen, place), place)
    spots = {TOP: (0, 3), LEFT: (-BESIDE, 4), RIGHT: (BESIDE, 4), BOTTOM: (0, 5)}
    for place, (dx, y) in spots.items():
        card = played.get(place, "")
        canvas.put((width - width_of(card)) // 2 + dx, y, card, "class:turn")


def _draw_across(canvas: Canvas, screen: Screen, seat: int) -> None:
    """The player opposite: everything in one line, of which the name is cut if need be."""
    (name, style), *told = seat_lines(screen, seat)
    rest = _count(screen, seat) + "".join(f", {text}" for text, _style in told)
    room = canvas.width - 2
    text = fit(fit(name, max(8, room - width_of(rest))) + rest, room)
    canvas.centre(0, canvas.width, 2, text, style)


def _draw_beside(canvas: Canvas, screen: Screen, seat: int, place: int) -> None:
    """A player at the left or the right: the name, and below it what else is told."""
    (name, style), *told = seat_lines(screen, seat)
    count = _count(screen, seat)
    room = (canvas.width - WIDEST) // 2 - BESIDE - 2
    name = fit(name, room - width_of(count)) + count
    below = fit(", ".join(text for text, _style in told), room + BESIDE)
    for y, text, look in ((4, name, style), (5, below, "class:felt.dim")):
        if place == LEFT:
            canvas.put(1, y, text, look)
        else:
            canvas.right(canvas.width - 1, y, text, look)


def _count(screen: Screen, seat: int) -> str:
    state = screen.table.state
    return f" {state.hand_sizes[seat]}" if state else ""


def _draw_bids(canvas: Canvas, screen: Screen) -> None:
    x = 1
    for i, entry in enumerate(screen.bids()):
        chosen = i == screen.cursor
        text = f"[{i + 1} {entry.label}]" if chosen else f" {i + 1} {entry.label} "
        style = "class:cursor" if chosen else "class:key"
        x = canvas.put(x, 7, text, style, Point(i, is_click=True))


def _draw_hand(canvas: Canvas, screen: Screen, y: int) -> int:
    """The hand in up to two lines, barred cards in brackets; the row after it."""
    legal, state = screen.legal(), screen.table.state
    mine = screen.table.question is not None and screen.table.question.kind == "play"
    x, before = 1, None
    for i, card in enumerate(screen.hand()):
        name = screen.table.speaker.card(card)
        text = f"{i + 1}:{name}" if mine and card in legal else f"({name})" if mine else name
        trump = state.trump if state else None
        group = (cards.is_trump(screen.table.game, card, trump), card.suit)
        x += 1 if before not in (None, group) and x > 1 else 0
        if x + width_of(text) + 1 > canvas.width:
            x, y = 1, y + 1
        chosen = i == screen.cursor and mine
        style = f"class:card class:suit.{card.suit.letter}" if card in legal else "class:dim"
        style = "class:cursor" if chosen else style
        x = canvas.put(x, y, text, style, Point(i, is_click=True)) + 1
        before = group
    return y + 1
