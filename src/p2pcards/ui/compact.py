"""The table on a small screen, from 40 columns and 12 rows on: one line for each thing."""

from __future__ import annotations

from p2pcards.games.base import Phase
from p2pcards.ui import cards, panel
from p2pcards.ui.canvas import Canvas, fit, width_of
from p2pcards.ui.i18n import _
from p2pcards.ui.intents import Point
from p2pcards.ui.screen import Screen
from p2pcards.ui.shuffling import counts, due

BOTTOM, LEFT, TOP, RIGHT = range(4)


def draw_compact(canvas: Canvas, screen: Screen) -> None:
    """The whole table in at least 12 rows."""
    panel.draw_bar(canvas, screen)
    state = screen.table.state
    width, height = canvas.width, canvas.height
    canvas.centre(0, width, 1, panel.trump_line(screen)[0], "class:turn")
    if state is None or state.phase is Phase.DECK:
        _draw_making(canvas, screen)
    else:
        _draw_seats(canvas, screen)
    text, style = panel.turn_text(screen)
    if screen.message:
        text, style = screen.message, "class:bad" if screen.is_bad else "class:turn"
    if panel.typing(screen):
        text, style = panel.typing(screen), "class:turn"
    canvas.put(1, 6, fit(text, width - 2), style)
    if screen.bids():
        _draw_bids(canvas, screen)
    row = _draw_hand(canvas, screen, 8 if screen.bids() else 7)
    for i, (line, look) in enumerate(panel.log_lines(screen, width - 2, height - 2 - row)):
        canvas.put(1, row + i, line, look)
    panel.draw_foot(canvas, screen)


def _draw_making(canvas: Canvas, screen: Screen) -> None:
    done = sum(len(seats) for seats in counts(screen.table.checks.steps).values())
    steps = sum(due(screen.table).values())
    text = _("shuffling: {n} of {steps} steps", n=min(done, steps), steps=steps)
    canvas.centre(0, canvas.width, 3, text, "bold")
    if screen.table.waits:
        names = screen.table.speaker.everyone(screen.table.waits.seats)
        text = _("waiting for {names}", names=names)
        canvas.centre(0, canvas.width, 4, text, "class:felt.dim")


def _draw_seats(canvas: Canvas, screen: Screen) -> None:
    """Four players with what they played: top, left and right, and our own card."""
    from p2pcards.ui.table import place_of, seat_at, shown_trick

    width = canvas.width
    trick, _done = shown_trick(screen)
    played = {}
    if trick is not None:
        played = {place_of(screen, s): screen.table.speaker.card(c) for s, c in trick.by_seat()}
    third = width // 3
    for place, x, y, room in ((TOP, 0, 2, width), (LEFT, 1, 4, third), (RIGHT, 0, 4, third)):
        seat = seat_at(screen, place)
        text = fit(_seat_text(screen, seat), room)
        style = "class:turn" if panel.is_turn(screen, seat) else ""
        if place == TOP:
            canvas.centre(x, room, y, text, style)
        elif place == LEFT:
            canvas.put(x, y, text, style)
        else:
            canvas.right(width - 1, y, text, style)
    spots = {TOP: (0, 3), LEFT: (-6, 4), RIGHT: (6, 4), BOTTOM: (0, 5)}
    for place, (dx, y) in spots.items():
        card = played.get(place, "")
        canvas.put((width - width_of(card)) // 2 + dx, y, card, "class:turn")


def _seat_text(screen: Screen, seat: int) -> str:
    state, table = screen.table.state, screen.table
    mark = "▸" if panel.is_turn(screen, seat) else ""
    gone = " !" if seat in table.down else " [bot]" if seat in table.bots else ""
    said = panel.bid_text(screen, seat)
    count = f" {state.hand_sizes[seat]}" if state else ""
    return f"{mark}{table.speaker.who(seat)}{gone} {said}".rstrip() + count


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
