"""What is told beside the table: the bar at the top, the panel at the side, the lines below."""

from __future__ import annotations

from p2pcards.cards import Card
from p2pcards.games.base import Name, Pass, Phase, State, Take, team
from p2pcards.games.belka_state import BelkaState, seat_suits
from p2pcards.ui.canvas import Canvas, fit, pad, width_of, wrap
from p2pcards.ui.cardtext import suit_name
from p2pcards.ui.i18n import _, n_
from p2pcards.ui.screen import Screen
from p2pcards.ui.words import STEPS

_STYLES = {"talk": "class:talk", "net": "class:warn", "bad": "class:bad", "game": ""}

SOON = 20.0
"""Seconds before a turn is over from which the clock is a warning."""
READABLE = 4
"""Columns from which on a name that is cut still says something."""


def clock(seconds: float | None) -> str:
    """Minutes and seconds left."""
    if seconds is None:
        return ""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02}"


def left_text(seconds: float | None) -> str:
    """The time left, or that there is none."""
    return _("time is up") if seconds is not None and seconds <= 0 else clock(seconds)


def is_turn(screen: Screen, seat: int) -> bool:
    """Whether the table waits for this seat's bid or card."""
    state = screen.table.state
    if state is None or screen.table.over:
        return False
    return state.phase in (Phase.BID, Phase.PLAY) and state.turn == seat


def order(screen: Screen) -> tuple[int, int]:
    """The teams, our own first."""
    first = (screen.table.me or 0) % 2
    return first, 1 - first


def bid_text(screen: Screen, seat: int) -> str:
    """What a seat bid last, or that it took, while that is of interest."""
    table, state = screen.table, screen.table.state
    if state is None:
        return ""
    if getattr(state, "taker", None) == seat and state.trump is not None:
        return _("took {suit}", suit=table.speaker.suit(state.trump))
    if state.phase is not Phase.BID:
        return ""
    match table.bids.get(seat):
        case Pass():
            return _("passed")
        case Take():
            return _("takes")
        case Name(suit=suit):
            return _("names {suit}", suit=table.speaker.suit(suit))
    return ""


def turn_text(screen: Screen) -> tuple[str, str]:
    """Whose turn it is and how long that seat has, in words."""
    table, state = screen.table, screen.table.state
    if state is None or table.over:
        return "", ""
    if table.is_alone():
        return _("nobody else is at the table now"), "class:bad"
    if table.is_my_turn():
        seconds = screen.left.get(table.me or 0)
        style = "class:bad" if seconds is not None and seconds < SOON else "class:turn"
        if seconds is not None and seconds <= 0:
            return _("Your time is up: the others may go on without you"), style
        return _("Your turn  {left}", left=clock(seconds)).rstrip(), style
    if table.waits and table.waits.elapsed > 2 and state.phase is not Phase.DECK:
        names = table.speaker.everyone(table.waits.seats)
        left = left_text(min((screen.left.get(s, 0.0) for s in table.waits.seats), default=0.0))
        what = _(STEPS.get(table.waits.kind, table.waits.kind))
        text = _("waiting for {names} to {what}  {left}", names=names, what=what, left=left)
        return text, "class:felt.dim"
    if is_turn(screen, state.turn) and state.turn != table.speaker.me:
        return _("{name} to play", name=table.speaker.who(state.turn)), "class:felt.dim"
    return "", ""


def typing(screen: Screen) -> str:
    """The card's name being typed; a single digit is a place in the hand so far."""
    if screen.typed in ("", *"123456789"):
        return ""
    return _("card: {text}_", text=screen.typed)


# -- the bar ----------------------------------------------------------------------------------


def draw_bar(canvas: Canvas, screen: Screen) -> None:
    """The top line: table, game, deal and score; the score before all else."""
    table, state = screen.table, screen.table.state
    canvas.fill(0, 0, canvas.width, 1, "class:bar")
    title = table.game.title if table.game else ""
    parts = [table.name, title]
    if state is not None:
        parts.append(_("deal {n}", n=state.deal))
    score = score_text(screen, canvas.width - 2)
    room = canvas.width - width_of(score) - 4
    shown = [part for part in parts if part]
    while len(shown) > 1 and width_of(" · ".join(shown)) > room:
        shown.pop()
    if room >= READABLE:
        canvas.put(1, 0, fit(" · ".join(shown), room), "class:bar")
    canvas.right(canvas.width - 1, 0, score, "class:bar.key")


def score_text(screen: Screen, room: int) -> str:
    """Both sides' scores, our own first; names, which a spectator reads there, are cut to fit."""
    state, speaker = screen.table.state, screen.table.speaker
    if state is None:
        return ""
    we, they = order(screen)
    names, longest = speaker.names, max(map(width_of, speaker.names))
    while True:
        text = f"{speaker.side(we)} {state.scores[we]} : {state.scores[they]} {speaker.side(they)}"
        if width_of(text) <= room or longest <= 1:
            return text
        longest -= 1
        speaker = speaker.seated(tuple(fit(name, longest) for name in names), speaker.me)


# -- the panel --------------------------------------------------------------------------------


def draw_panel(canvas: Canvas, screen: Screen, x: int, bottom: int) -> None:
    """Scores, trump and tricks, and below them the log with the newest line last."""
    for row in range(1, bottom + 1):
        canvas.put(x, row, "│", "class:line")
    width = canvas.width - x - 3
    row = 1
    for text, style in facts(screen, width):
        canvas.put(x + 2, row, fit(text, width), style)
        row += 1
    canvas.put(x, row, "├" + "─" * (canvas.width - x - 1), "class:line")
    lines = log_lines(screen, width, bottom - row)
    for i, (text, style) in enumerate(lines):
        canvas.put(x + 2, row + 1 + i, text, style)


def facts(screen: Screen, width: int) -> list[tuple[str, str]]:
    """The state of the match and of the deal, a few lines."""
    table, state = screen.table, screen.table.state
    if state is None:
        return [(table.name, "class:title")]
    out = []
    for side in order(screen):
        name = pad(table.speaker.pair(side), width - 6)
        out.append((f"{name} {state.scores[side]:>5}", "bold"))
        if eyes := sixes(state, state.scores[side]):
            out.append(("  " + eyes, "class:warn"))
    goal = _goal(state)
    if goal:
        out.append((goal, "class:felt.dim"))
    out.append(trump_line(screen))
    if state.phase in (Phase.PLAY, Phase.SCORED):
        out.append((_tricks(screen, state), ""))
    return out


def sixes(state: State, eyes: int) -> str:
    """Belka's score as it is shown with the sixes: their pips uncovered one by one."""
    if not isinstance(state, BelkaState):
        return ""
    target = state.options.target
    pips = "●" * min(eyes, target) + "○" * (target - min(eyes, target))
    return " ".join(pips[at : at + 6] for at in range(0, target, 6))


def own_suit(screen: Screen, seat: int) -> str:
    """The suit that a seat owns in Belka: trump when that seat is dealt the jack of clubs."""
    state = screen.table.state
    suits = seat_suits(state) if isinstance(state, BelkaState) else None
    return screen.table.speaker.suit(suits[seat]) if suits else ""


def _goal(state: State) -> str:
    target = getattr(state.options, "target", None)
    if isinstance(state, BelkaState):
        text = n_("{n} egg waits", "{n} eggs wait", state.eggs) if state.eggs else ""
    else:
        text = _("to {points} points", points=target) if target else ""
    pot = getattr(state, "pot", 0)
    if pot:
        text += ", " + _("{points} held", points=pot)
    if sum(state.games_won):
        text += ", " + _("games {ns}:{ew}", ns=state.games_won[0], ew=state.games_won[1])
    return text


def trump_line(screen: Screen) -> tuple[str, str]:
    """Trump and who chose it, or the card turned up while it is chosen."""
    speaker, state = screen.table.speaker, screen.table.state
    if state is None:
        return "", ""
    turned: Card | None = getattr(state, "turned", None)
    if state.trump is None:
        if turned is not None and state.phase is Phase.BID:
            return _("Turned up {card}", card=speaker.card(turned)), "class:turn"
        return "", ""
    taker = getattr(state, "taker", None)
    owner = taker if taker is not None else getattr(state, "jack", None)
    by = f" · {speaker.who(owner)}" if owner is not None else ""
    sign = speaker.suit(state.trump)
    return _("Trump {sign} {suit}", sign=sign, suit=suit_name(state.trump)) + by, "class:turn"


def _tricks(screen: Screen, state: State) -> str:
    """Tricks and card points of both sides in this deal so far; all of it is public."""
    tricks, points = [0, 0], [0, 0]
    game, trump = screen.table.game, state.trump
    for trick in state.tricks:
        if trick.winner is not None and game is not None and trump is not None:
            tricks[team(trick.winner)] += 1
            points[team(trick.winner)] += sum(game.points(c, trump) for c in trick.cards)
    we, they = order(screen)
    return _("Tricks {a}:{b} points {c}:{d}", a=tricks[we], b=tricks[they], c=points[we],
             d=points[they])  # fmt: skip


def log_lines(screen: Screen, width: int, height: int) -> list[tuple[str, str]]:
    """The newest lines of the log that fit, wrapped."""
    out: list[tuple[str, str]] = []
    for line in reversed(screen.table.log):
        pieces = wrap(line.text, width, hang=1)
        if len(out) + len(pieces) > height:
            break
        out = [*((piece, _STYLES[line.kind]) for piece in pieces), *out]
    return out
