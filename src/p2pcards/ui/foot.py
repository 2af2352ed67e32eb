"""The two lowest lines: what was verified or who is away, what is being written, and the keys."""

from __future__ import annotations

from p2pcards.ui import choices
from p2pcards.ui.canvas import Canvas, fit, width_of
from p2pcards.ui.i18n import _, n_
from p2pcards.ui.intents import Show
from p2pcards.ui.screen import STANDARD, Screen


def trust_text(screen: Screen) -> str:
    """What has been verified of this deal, in a few words."""
    checks = screen.table.checks
    if not checks.deal:
        return ""
    made = _("deck by all but the bot ✓") if screen.table.bots else _("deck by all four ✓")
    parts = [made if checks.is_deck_signed else _("deck in the making")]
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
        return _("no link to anybody: has the game ended there, or this machine lost its network?")
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
    talk = [("c", _("chat"))] if screen.can_talk() else []
    return [*keys, ("l", _("last trick")), ("s", _("score")), *talk,
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
