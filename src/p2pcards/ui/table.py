"""The table as a person sees it: four seats around the trick, the own hand below, a side panel."""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.cards import Card
from p2pcards.games.base import Phase, State, Trick
from p2pcards.ui import cards, foot, panel
from p2pcards.ui.canvas import Canvas, fit, width_of, wrap
from p2pcards.ui.cards import LARGE, LOW, SMALL, Look
from p2pcards.ui.i18n import _
from p2pcards.ui.intents import Point
from p2pcards.ui.screen import STANDARD, Screen
from p2pcards.ui.shuffling import draw_shuffle

BOTTOM, LEFT, TOP, RIGHT = range(4)


@dataclass(frozen=True, slots=True)
class Plan:
    """Where things lie on a screen of this size.

    The felt has ``width`` columns and the rows ``top`` to ``bottom`` (not included); the hand
    begins at row ``hand``; the panel takes the columns from ``panel`` on.
    """

    width: int
    top: int
    bottom: int
    hand: int
    panel: int
    hand_card: tuple[int, int]
    trick_card: tuple[int, int]


def plan_for(width: int, height: int) -> Plan:
    """The plan of a screen that is large enough for cards in boxes."""
    side = 27 if width < 110 else 38
    felt = width - side
    roomy = height >= 34 and felt >= 72
    card = LARGE if roomy else SMALL
    hand = height - 4 - card[1]
    return Plan(felt, 1, hand - 2, hand, felt, card, LARGE if roomy else LOW)


def draw_table(canvas: Canvas, screen: Screen) -> None:
    """The whole table, in boxes or, on a small screen, line by line."""
    if canvas.width < STANDARD[0] or canvas.height < STANDARD[1]:
        from p2pcards.ui.compact import draw_compact

        draw_compact(canvas, screen)
        return
    plan = plan_for(canvas.width, canvas.height)
    panel.draw_bar(canvas, screen)
    _draw_felt(canvas, screen, plan)
    _draw_prompt(canvas, screen, plan)
    _draw_hand(canvas, screen, plan)
    panel.draw_panel(canvas, screen, plan.panel, canvas.height - 3)
    foot.draw_foot(canvas, screen)


def seat_at(screen: Screen, place: int) -> int:
    """The seat that is shown at this place; partners are opposite, play goes the table's way."""
    me = screen.table.me or 0
    state = screen.table.state
    turns = getattr(state.options, "direction", "cw") if state else "cw"
    step = place if turns == "cw" else (4 - place) % 4
    return (me + step) % 4


def place_of(screen: Screen, seat: int) -> int:
    """The place at which a seat is shown."""
    return next(p for p in range(4) if seat_at(screen, p) == seat)


# -- the felt ---------------------------------------------------------------------------------


def _draw_felt(canvas: Canvas, screen: Screen, plan: Plan) -> None:
    state = screen.table.state
    if state is None or state.phase is Phase.DECK:
        draw_shuffle(canvas, screen, plan.width, plan.top + 1, plan.bottom)
        return
    middle = (plan.top + 3 + plan.bottom) // 2
    for place in (TOP, LEFT, RIGHT):
        _draw_seat(canvas, screen, plan, place, middle)
    if state.phase in (Phase.BID, Phase.PACKET) and not state.tricks and not state.trick.cards:
        _draw_turned(canvas, screen, plan, middle)
    else:
        draw_trick(canvas, screen, plan, middle)


def _draw_seat(canvas: Canvas, screen: Screen, plan: Plan, place: int, middle: int) -> None:
    """A player: name and marks, cards in hand, and what the player bid."""
    seat = seat_at(screen, place)
    state = screen.table.state
    lines = seat_lines(screen, seat)
    count = state.hand_sizes[seat] if state else 0
    room = (plan.width - plan.trick_card[0]) // 2 - plan.trick_card[0] - 6
    if place == TOP:
        rest = "".join(f"  {text}" for text, _s in lines[1:])
        text = fit(lines[0][0], max(8, plan.width - 2 - width_of(rest))) + rest
        canvas.centre(0, plan.width, plan.top + 1, text, lines[0][1])
        cards.draw_backs(canvas, (plan.width - 2 * count) // 2, plan.top + 2, count)
        return
    y = middle - 1
    lines = [(fit(lines[0][0], room), lines[0][1])] + [
        (piece, style) for text, style in lines[1:] for piece in wrap(text, room)
    ]
    for i, (text, style) in enumerate(lines):
        x = 2 if place == LEFT else plan.width - 2 - width_of(text)
        canvas.put(x, y + i, text, style)
    x = 2 if place == LEFT else plan.width - 2 - 2 * count + 1
    cards.draw_backs(canvas, x, y + len(lines), count)


def seat_lines(screen: Screen, seat: int) -> list[tuple[str, str]]:
    """What is told of a player beside the table: lines with their styles."""
    table, state = screen.table, screen.table.state
    turn = panel.is_turn(screen, seat)
    suit = panel.own_suit(screen, seat)
    name = ("▸ " if turn else "") + table.speaker.who(seat) + (f" {suit}" if suit else "")
    marks = []
    if state is not None and state.dealer == seat:
        marks.append(_("dealer"))
    me = table.speaker.me  # a spectator, who looks on from some seat, has no partner
    if me is not None and (me + 2) % 4 == seat:
        marks.append(_("partner"))
    lines = [(name, "class:turn" if turn else "bold")]
    if marks:
        lines.append((", ".join(marks), "class:felt.dim"))
    if seat in table.bots:
        lines.append((_("a bot plays"), "class:warn"))
    elif seat in table.down:
        lines.append((_("not connected"), "class:bad"))
    if seat in table.wish_end:
        lines.append((_("asks to end"), "class:warn"))
    said = panel.bid_text(screen, seat)
    if said:
        lines.append((said, "class:good"))
    if turn and seat in screen.left and seat != table.me:
        lines.append((panel.left_text(screen.left[seat]), "class:felt.dim"))
    return lines


def _draw_turned(canvas: Canvas, screen: Screen, plan: Plan, middle: int) -> None:
    """The card turned up, while trump is being chosen."""
    state = screen.table.state
    turned: Card | None = getattr(state, "turned", None)
    if turned is None:
        canvas.centre(0, plan.width, middle, _("dealing …"), "class:felt.dim")
        return
    size = plan.trick_card
    x, y = (plan.width - size[0]) // 2, middle - size[1] // 2
    cards.draw_card(canvas, x, y, size, turned, Look())
    canvas.centre(0, plan.width, y - 1, _("turned up"), "class:felt.dim")


def shown_trick(screen: Screen) -> tuple[Trick | None, bool]:
    """The trick that lies on the table, and whether it is finished and about to be swept."""
    state = screen.table.state
    if state is None:
        return None, False
    if state.trick.cards or not state.tricks:
        return state.trick, False
    if screen.held or state.phase is not Phase.PLAY:
        return state.tricks[-1], True
    return state.trick, False


def draw_trick(canvas: Canvas, screen: Screen, plan: Plan, middle: int) -> None:
    """The cards of the trick, each before its player; a finished one says who took it."""
    trick, is_done = shown_trick(screen)
    state = screen.table.state
    if trick is None or state is None:
        return
    width, height = plan.trick_card
    centre = (plan.width - width) // 2
    spots = {
        TOP: (centre, middle - height - height // 2),
        BOTTOM: (centre, middle + height - height // 2),
        LEFT: (centre - width - 3, middle - height // 2),
        RIGHT: (centre + width + 3, middle - height // 2),
    }
    winner = _winner(screen, state, trick)
    for seat, card in trick.by_seat():
        x, y = spots[place_of(screen, seat)]
        trump = cards.is_trump(screen.table.game, card, state.trump)
        best = seat == winner and len(trick.cards) > 1
        look = Look(is_trump=trump, is_chosen=best)
        cards.draw_card(canvas, x, y, (width, height), card, look)
        if best:
            canvas.put(x + width - 1, y, "★", "class:card.chosen class:edge.trump")
    if is_done and winner is not None:
        text = _("{name} takes", name=screen.table.speaker.who(winner))
        lines = wrap(text, width + 5)
        for i, line in enumerate(lines[:3]):  # between the cards at the left and the right
            canvas.centre(centre - 3, width + 6, middle - (len(lines) > 1) + i, line, "class:turn")


def _winner(screen: Screen, state: State, trick: Trick) -> int | None:
    """The seat that holds the trick now."""
    if trick.winner is not None or not trick.cards:
        return trick.winner
    game, trump = screen.table.game, state.trump
    return None if game is None or trump is None else game.trick_winner(trick, trump)


# -- the own place ----------------------------------------------------------------------------


def _draw_prompt(canvas: Canvas, screen: Screen, plan: Plan) -> None:
    """The line above the hand: whose turn it is, the choices of a bid, or why not."""
    y = plan.hand - 2
    entries = screen.bids()
    if screen.message:
        style = "class:bad" if screen.is_bad else "class:turn"
        canvas.centre(0, plan.width, y, screen.message, style)
        y -= 1 if entries else 0
    if entries:
        draw_choices(canvas, screen, plan.width, y)
    elif not screen.message:
        text, style = panel.turn_text(screen)
        canvas.centre(0, plan.width, y, text, style)


def draw_choices(canvas: Canvas, screen: Screen, width: int, y: int) -> None:
    """The choices of a bid in a row, the selected one in brackets."""
    entries = screen.bids()
    labels = [f"{i} {entry.label}" for i, entry in enumerate(entries, 1)]
    total = sum(width_of(label) + 4 for label in labels)
    left = panel.left_text(screen.left.get(screen.table.me or 0))
    x = max(0, (width - total - width_of(left)) // 2)
    for i, label in enumerate(labels):
        chosen = i == screen.cursor
        text = f"[{label}]" if chosen else f" {label} "
        style = "class:cursor" if chosen else "class:key"
        x = canvas.put(x, y, text, style, Point(i, is_click=True)) + 2
    canvas.put(x, y, left, "class:felt.dim")


def _draw_hand(canvas: Canvas, screen: Screen, plan: Plan) -> None:
    """The own hand: legal cards bright with their number, the selected one raised."""
    hand, legal = screen.hand(), screen.legal()
    state, table = screen.table.state, screen.table
    if state is None or not hand:
        _draw_name(canvas, screen, plan)
        return
    width, height = plan.hand_card
    columns = cards.place_hand(hand, table.game, state.trump, plan.width - 2, width)
    cursor = -1 if screen.bids() else screen.cursor
    for i, (card, x) in enumerate(zip(hand, columns, strict=True)):
        chosen = i == cursor
        trump = cards.is_trump(table.game, card, state.trump)
        look = Look(is_trump=trump, is_off=card not in legal, is_chosen=chosen)
        y = plan.hand - (1 if chosen else 0)
        click = Point(i, is_click=True)
        cards.draw_card(canvas, x + 1, y, plan.hand_card, card, look, click)
        label = "" if screen.bids() else str(i + 1) if card in legal else "·"
        style = "class:key" if card in legal and table.is_my_turn() else "class:felt.dim"
        label = f"[{label}]" if chosen else label
        canvas.centre(x + 1, min(width, 5), plan.hand + height, label, style)
    _draw_name(canvas, screen, plan)


def _draw_name(canvas: Canvas, screen: Screen, plan: Plan) -> None:
    """Below the hand: our own name, marks and what we bid."""
    table = screen.table
    if table.me is None or not table.speaker.names[table.me]:
        return
    y = canvas.height - 3
    parts = [text for text, _style in seat_lines(screen, table.me)]
    if screen.message and table.is_my_turn():
        parts.append(panel.turn_text(screen)[0])
    if panel.typing(screen):
        parts = [panel.typing(screen)]
    style = "class:turn" if panel.is_turn(screen, table.me) or screen.typed else "bold"
    canvas.centre(0, plan.width, y, "  ".join(parts), style)
