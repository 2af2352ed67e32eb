"""What is told beside the table: the bar at the top, the panel at the side, the lines below."""

from __future__ import annotations

from p2pcards.cards import Card
from p2pcards.games.base import Name, Pass, Phase, State, Take, team
from p2pcards.games.belka_state import BelkaState, seat_suits
from p2pcards.ui import choices
from p2pcards.ui.canvas import Canvas, fit, pad, width_of, wrap
from p2pcards.ui.cardtext import suit_name
from p2pcards.ui.i18n import _, n_
from p2pcards.ui.intents import Show
from p2pcards.ui.screen import STANDARD, Screen
from p2pcards.ui.words import STEPS

_STYLES = {"talk": "class:talk", "net": "class:warn", "bad": "class:bad", "game": ""}

SOON = 20.0
"""Seconds before a turn is over from which the clock is a warning."""


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
        return _("Your turn  {left}", left=left_text(seconds)).rstrip(), style
    if table.waits and table.waits.elapsed > 2 and state.phase is not Phase.DECK:
        names = table.speaker.everyone(table.waits.seats)
        left = left_text(min((screen.left.get(s, 0.0) for s in table.waits.seats), default=0.0))
        what = _(STEPS.get(table.waits.kind, table.waits.kind))
        text = _("waiting for {names} to {what}  {left}", names=names, what=what, left=left)
        return text, "class:felt.dim"
    if is_turn(screen, state.turn) and state.turn != table.me:
        return _("{name} to play", name=table.speaker.who(state.turn)), "class:felt.dim"
    return "", ""


def typing(screen: Screen) -> str:
    """The card's name being typed; a single digit is a place in the hand so far."""
    if screen.typed in ("", *"123456789"):
        return ""
    return _("card: {text}_", text=screen.typed)


# -- the bar ----------------------------------------------------------------------------------


def draw_bar(canvas: Canvas, screen: Screen) -> None:
    """The top line: table, game, deal and score."""
    table, state = screen.table, screen.table.state
    canvas.fill(0, 0, canvas.width, 1, "class:bar")
    title = table.game.title if table.game else ""
    parts = [table.name, title]
    if state is not None:
        parts.append(_("deal {n}", n=state.deal))
    score = score_text(screen)
    room = canvas.width - width_of(score) - 4
    shown = [part for part in parts if part]
    while len(shown) > 1 and width_of(" · ".join(shown)) > room:
        shown.pop()
    canvas.put(1, 0, fit(" · ".join(shown), room), "class:bar")
    canvas.right(canvas.width - 1, 0, score, "class:bar.key")


def score_text(screen: Screen) -> str:
    """Both sides' scores, our own first."""
    state, speaker = screen.table.state, screen.table.speaker
    if state is None:
        return ""
    we, they = order(screen)
    return f"{speaker.side(we)} {state.scores[we]} : {state.scores[they]} {speaker.side(they)}"


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


# -- the foot ---------------------------------------------------------------------------------


def trust_text(screen: Screen) -> str:
    """What has been verified of this deal, in a few words."""
    checks = screen.table.checks
    if not checks.deal:
        return ""
    parts = [_("deck by all four ✓") if checks.is_deck_signed else _("deck in the making")]
    if checks.plays:
        parts.append(n_("{n} play proved ✓", "{n} plays proved ✓", checks.plays))
    return " · ".join(parts)


def wish_text(screen: Screen, is_small: bool) -> str:
    """Who asks that the match end: this player, and on a small table the others, too."""
    table = screen.table
    if table.over:
        return ""
    if screen.wish_end:
        return _("you ask to end after this deal")
    if is_small and table.wish_end:
        return _("asking that the match end: {names}", names=table.speaker.everyone(table.wish_end))
    return ""


def loss_text(screen: Screen, width: int) -> str:
    """Who does not answer and what to do, or whose vote is waited for."""
    table = screen.table
    seat = table.asked_losses[0]
    name = table.speaker.who(seat)
    if table.has_voted():
        voted = table.votes[seat]
        rest = tuple(s for s in range(4) if s not in voted and s != seat)
        return _("you voted; waiting for {names}", names=table.speaker.everyone(rest))
    text = _("{name} does not answer: v let the bot play on, or x end the game; or wait", name=name)
    tail = _(": v to vote")
    if not table.can_vote():
        text = _("{name} does not answer: wait, or v and then x to end the game", name=name)
        tail = _(": v says more")
    if width_of(text) <= width:
        return text
    room = width - width_of(_("{name} does not answer", name="") + tail)
    return _("{name} does not answer", name=fit(name, max(4, room))) + tail


def away_text(screen: Screen) -> str:
    """Who is not connected, if anybody is not."""
    table = screen.table
    if table.over is not None:
        return ""
    if table.is_left():
        return _("nobody else is here: wait, or x to leave and come back later")
    if table.is_alone():
        return _("no link to any of the others: is this machine still on the network?")
    if away := table.away():
        return _("not connected: {names}", names=table.speaker.everyone(away))
    return ""


def draw_foot(canvas: Canvas, screen: Screen) -> None:
    """The two lowest lines: what was verified (or what is being written), and the keys."""
    y = canvas.height - 2
    losses = screen.table.asked_losses
    if screen.line is not None:
        draw_input(canvas, screen, y)
    elif losses:
        text = loss_text(screen, canvas.width - 2)
        canvas.put(1, y, fit(text, canvas.width - 2), "class:bad", Show("vote"))
    else:
        is_small = canvas.width < STANDARD[0] or canvas.height < STANDARD[1]
        asked = away_text(screen) or wish_text(screen, is_small)
        text, style = asked or trust_text(screen), "class:warn" if asked else "class:good"
        x = canvas.put(1, y, fit(text, canvas.width - 2), style, Show("checks"))
        if screen.unread:
            more = f" +{screen.unread - 1}" if screen.unread > 1 else ""
            room = max(canvas.width - x - 3, canvas.width // 2)
            talk = fit(screen.talk, room - len(more)) + more
            canvas.right(canvas.width - 1, y, f" {talk}", "class:talk")
    draw_keys(canvas, table_keys(screen))


def table_keys(screen: Screen) -> list[tuple[str, str]]:
    """The keys that are of use now."""
    if screen.line is not None:
        return [("Enter", _("send")), ("Esc", _("back"))]
    mine = screen.table.is_my_turn()
    count = len(screen.bids()) or 8
    keys = [(f"← → 1-{count}", _("select")), ("Enter", _("play"))] if mine else []
    if choices.callable_cards(screen.table.question):
        call = _("call belote") + (" ✓" if screen.calls else "")
        return [*keys, ("!", call), ("s", _("score")), ("?", _("help"))]
    return [*keys, ("l", _("last trick")), ("s", _("score")), ("c", _("chat")),
            ("v", _("vote") if screen.table.asked_losses else _("checks")),
            ("?", _("help"))]  # fmt: skip


def draw_keys(canvas: Canvas, keys: list[tuple[str, str]]) -> None:
    """The lowest line: keys and what they do, as many as fit; the last one always."""
    y, x = canvas.height - 1, 1
    canvas.fill(0, y, canvas.width, 1, "class:bar")
    while len(keys) > 1 and sum(width_of(f"{k} {t}  ") for k, t in keys) > canvas.width:
        keys = [*keys[:-2], keys[-1]]
    for key, text in keys:
        x = canvas.put(x, y, key, "class:bar.key")
        x = canvas.put(x + 1, y, text, "class:bar") + 2


def draw_input(canvas: Canvas, screen: Screen, y: int) -> None:
    """The input line, scrolled so that the cursor is in sight."""
    line = screen.line
    if line is None:
        return
    heads = {"chat": _("say:"), "nick": _("your name:"), "connect": _("address (host:port):"),
             "name": _("name of the table:"), "value": _("the number:")}  # fmt: skip
    x = canvas.put(1, y, heads.get(line.kind, "") + " ", "class:key")
    room = canvas.width - x - 2
    start = 0
    while width_of(line.text[start : line.at]) >= room:
        start += 1
    canvas.put(x, y, fit(line.text[start:] + " ", room + 1), "")
    at = x + width_of(line.text[start : line.at])
    char = line.text[line.at : line.at + 1] or " "
    canvas.put(at, y, char, "class:cursor")
