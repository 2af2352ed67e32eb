"""What can lie on top of the table: help, last trick, score sheets, checks, log, questions."""

from __future__ import annotations

import re
from collections.abc import Callable

from p2pcards.games.base import following
from p2pcards.games.registry import GAMES
from p2pcards.games.rulestext import WIDTH, options_chapter
from p2pcards.protocol.faults import Fault
from p2pcards.ui import cards, choices, narration, optionwords, panel, sheets
from p2pcards.ui import happenings as hap
from p2pcards.ui.canvas import Canvas, fit, pad, width_of, wrap
from p2pcards.ui.cards import LOW, Look
from p2pcards.ui.i18n import N_, _, n_
from p2pcards.ui.intents import Close
from p2pcards.ui.model import Table
from p2pcards.ui.screen import Screen
from p2pcards.ui.words import STEPS

Text = list[tuple[str, str]]
"""Lines with their styles."""

HELP: tuple[tuple[str, str], ...] = (
    ("← →  1–8", N_("select a card or a bid; Enter plays it")),
    ("10h  ks", N_("type a card's name: rank, then c d h s; then Enter")),
    ("!", N_("call belote with the next card")),
    ("l", N_("the last trick")),
    ("s", N_("score sheets and the course of the match")),
    ("v", N_("what was verified in this deal; while a player is gone, the vote")),
    ("g", N_("the log of the game")),
    ("c", N_("chat with the table")),
    ("i", N_("ask a bot for a hint")),
    ("r", N_("the rules with this table's options")),
    ("o", N_("suits in two or four colours")),
    ("e", N_("ask that the match end after this deal, or take it back")),
    ("x", N_("leave the table")),
    ("Esc", N_("close this, or take a selection back")),
)


LOBBY_HELP: tuple[tuple[str, str], ...] = (
    ("Enter", N_("say that you want to play, or take it back")),
    ("b", N_("bring a bot, which runs on this machine")),
    ("-", N_("send the bot away that you brought last")),
    ("p", N_("let another guest be your partner, at your own table")),
    ("c", N_("chat with those who are here")),
    ("r", N_("the rules with this table's options")),
    ("x", N_("leave the lobby")),
)
ROWS_HELP: tuple[tuple[str, str], ...] = (
    ("↑ ↓", N_("select a line; Home and End go to the first and the last")),
    ("← →", N_("change what the line says")),
    ("Enter", N_("go, change, or write")),
    ("Esc", N_("back")),
)


def draw_overlay(canvas: Canvas, screen: Screen) -> None:
    """Draw what lies on top, if anything does."""
    if screen.overlay == "last":
        _draw_last(canvas, screen)
        return
    makers: dict[str, Callable[[Screen, int], tuple[str, Text]]] = {
        "help": _help, "score": _score, "checks": _checks, "log": _log, "leave": _leave,
        "vote": _vote, "over": _over, "rules": _rules, "left": _left,
    }  # fmt: skip
    maker = makers.get(screen.overlay)
    if maker is not None:
        room = min(canvas.width - 4, 84)
        title, text = maker(screen, room - 4)
        _draw_text(canvas, screen, title, text, room)


def _draw_text(canvas: Canvas, screen: Screen, title: str, text: Text, room: int) -> None:
    """A framed page in the middle; what does not fit is scrolled."""
    height = min(canvas.height - 2, len(text) + 4)
    shown = height - 4
    screen.scroll = max(0, min(screen.scroll, len(text) - shown))
    longest = max((width_of(line) for line, _style in text), default=0)
    width = min(room, max(longest, width_of(title) + 4, 34) + 4)
    x, y = (canvas.width - width) // 2, max(0, (canvas.height - height) // 2)
    canvas.box(x, y, width, height, "class:felt class:line", title)
    canvas.fill(x + 1, y + 1, width - 2, height - 2, "class:felt")
    for i, (line, style) in enumerate(text[screen.scroll : screen.scroll + shown]):
        canvas.put(x + 2, y + 1 + i, fit(line, width - 4), style)
    hint = _("Esc closes")
    if screen.overlay == "rules" and screen.place not in ("table", "lobby"):
        hint = _("← → another game") + "  " + hint
    if len(text) > shown:
        at = f"{screen.scroll + shown}/{len(text)}"
        long = _("↑ ↓ PgUp PgDn scroll  {at}", at=at) + "  " + hint
        hint = long if width_of(long) <= width - 4 else f"↑ ↓  {at}  {hint}"
    end = x + width - 2
    x = _draw_turn(canvas, screen, x + 2, y + height - 2)
    canvas.put(x, y + height - 2, fit(hint, end - x), "class:felt.dim", Close())


def _draw_turn(canvas: Canvas, screen: Screen, x: int, y: int) -> int:
    """On a page that hides the table: that it is one's turn, and for how long; the column after."""
    if screen.place != "table" or not screen.table.is_my_turn():
        return x
    text, style = panel.turn_text(screen)
    return canvas.put(x, y, text, style) + 2


# -- pages ------------------------------------------------------------------------------------


def _help(screen: Screen, width: int) -> tuple[str, Text]:
    out: Text = []
    has_call = choices.is_called_by_hand(screen.table.state)
    for key, text in {"table": HELP, "lobby": LOBBY_HELP}.get(screen.place, ROWS_HELP):
        if key == "!" and not has_call:
            continue
        first, *rest = wrap(_(text), max(10, width - 12)) or [""]
        out.append((f"{pad(key, 10)}  {first}", ""))
        out += [(" " * 12 + line, "") for line in rest]
    return _("Keys"), out


def _score(screen: Screen, width: int) -> tuple[str, Text]:
    state, speaker = screen.table.state, screen.table.speaker
    if state is None or not state.sheets:
        return _("Score"), [(_("no deal has been scored yet"), "class:felt.dim")]
    out: Text = []
    for sheet in reversed(state.sheets):
        head, *lines, last = sheets.table(speaker, sheet, width)
        out += [(head, "bold"), *((line, "") for line in lines), (last, "class:turn"), ("", "")]
    curve = _curve(screen, width)
    return _("Score"), [*out, *curve]


def _curve(screen: Screen, width: int) -> Text:
    """The match as two rows of bars, one column a deal, as high as the score after it."""
    state = screen.table.state
    if state is None or len(state.sheets) < 2:
        return []
    bars = "▁▂▃▄▅▆▇█"
    names = 8 if screen.table.me is not None else min(24, width // 2)
    sheets = state.sheets[-max(1, width - names - 12) :]
    top = max(1, max(max(sheet.scores) for sheet in sheets))
    out: Text = [(_("The match so far"), "bold")]
    for side in panel.order(screen):
        row = "".join(bars[min(7, sheet.scores[side] * 7 // top)] for sheet in sheets)
        name = pad(screen.table.speaker.side(side), names)
        out.append((f"{name} {row} {sheets[-1].scores[side]}", ""))
    return out


def _checks(screen: Screen, width: int) -> tuple[str, Text]:
    checks, speaker = screen.table.checks, screen.table.speaker
    out: Text = []
    if not checks.deal:
        return _("Verified"), [(_("no deck has been made yet"), "class:felt.dim")]
    for check in checks.steps:
        what = _(STEPS.get(check.kind, check.kind))
        names = speaker.everyone(check.seats)
        line = f"✓ {check.when}  {what}: {names}"
        out += [(piece, "") for piece in wrap(line, width, hang=12)]
    if checks.plays:
        text = n_("{n} card opened by its owner's key", "{n} cards opened by their owners' keys",
                  checks.plays)  # fmt: skip
        out += [(line, "") for line in wrap(f"✓ {text}", width, hang=2)]
        text = n_("{n} proof that no card had to be played instead",
                  "{n} proofs that no card had to be played instead", checks.proofs)  # fmt: skip
        out += [(line, "") for line in wrap(f"✓ {text}", width, hang=2)]
    out += [("", "")]
    note = _("Everything above came signed, and this program checked it itself.")
    out += [(line, "class:felt.dim") for line in wrap(note, width)]
    return _("Verified in deal {n}", n=checks.deal), out


def _log(screen: Screen, width: int) -> tuple[str, Text]:
    out = panel.log_lines(screen, width, 10**6)
    return _("What happened"), out or [(_("nothing yet"), "class:felt.dim")]


def _leave(screen: Screen, width: int) -> tuple[str, Text]:
    text = _("Leave the table? The others wait for you, and may let a bot play your hand. "
             "You can come back with the same table.")  # fmt: skip
    if screen.alone:
        text = _("Leave? The practice ends here; one cannot come back to it.")
    elif screen.place == "lobby":
        text = _("Leave? The table is yours: it closes, and whoever is here must look for another.")
    out: Text = [(line, "") for line in wrap(text, width)]
    if screen.table.brought and not screen.alone:
        bots = _("The bots that you brought go with you: {names}.",
                 names=", ".join(screen.table.brought))  # fmt: skip
        out += [(line, "class:warn") for line in wrap(bots, width)]
    return _("Leave"), [*out, ("", ""), (_("y leaves   n stays"), "class:key")]


def _vote(screen: Screen, width: int) -> tuple[str, Text]:
    table = screen.table
    out: Text = []
    for seat in dict.fromkeys((*table.asked_losses, *table.away())):
        name = table.speaker.who(seat)
        reason = table.down.get(seat, "")
        gone = _("{name} does not answer", name=name) + (f": {_(reason)}" if reason else "")
        out += [(line, "class:bad") for line in wrap(gone, width)]
        voted = table.speaker.everyone(tuple(sorted(table.votes.get(seat, ()))))
        if voted:
            out.append((_("votes for the bot: {names}", names=voted), ""))
    if not out:
        return _("Who is here"), [(_("everybody is here"), "")]
    for text in _about_vote(table):
        out += [("", ""), *((line, "class:felt.dim") for line in wrap(text, width))]
    return _("A player is gone"), [*out, ("", ""), (_vote_keys(table), "class:key")]


def _about_vote(table: Table) -> list[str]:
    """What a vote does, and what may be in its way."""
    out = [_("With the votes of all three others the deal key of that seat is put together, and "
             "the public bot plays its hand until the deal ends.")]  # fmt: skip
    if not table.asked_losses:
        return [*out, _("It can be voted about once the time of that seat is up.")]
    if table.asked_losses[0] in table.barred:
        return [_("The bot cannot take that seat over now: it plays another one already, or the "
                  "seats are not drawn yet. So the game waits; it can be ended, and goes on when "
                  "all come back.")]  # fmt: skip
    if away := table.voters_away():
        out.append(_("The vote must wait, too, for who is not connected: {names}",
                     names=table.speaker.everyone(away)))  # fmt: skip
    return out


def _vote_keys(table: Table) -> str:
    if not table.asked_losses:
        return _("Esc waits on")
    if table.has_voted():
        return _("you have voted; x leaves the table   Esc waits on")
    if not table.can_vote():
        return _("x end the game   Esc wait on")
    return _("v let the bot play   x end the game   Esc wait on")


def _left(screen: Screen, width: int) -> tuple[str, Text]:
    """All the others have ended this game for now: who, why, and what can be done."""
    table = screen.table
    out: Text = []
    for seat, reason in sorted(table.parted.items()):
        for told in narration.lines(table.speaker, hap.Left(seat, reason)):
            out += [(line, "class:bad") for line in wrap(told, width)]
    text = _("The game is kept, and goes on when all are back at this table. Wait here, or leave "
             "and come back later.")  # fmt: skip
    out += [("", ""), *((line, "") for line in wrap(text, width))]
    return _("The others have left"), [*out, ("", ""), (_("x leaves   Esc waits"), "class:key")]


def _over(screen: Screen, width: int) -> tuple[str, Text]:
    table = screen.table
    if table.over is None:
        return _("The end"), []
    out: Text = []
    first, *rest = narration.over(table.speaker, table.over)
    for line in wrap(first, width):
        out.append((line, "class:turn" if table.over.ending == "complete" else "class:bad"))
    fault: Fault | None = table.fault
    if fault is not None:
        who = _("at fault: {name} ({kind}, step {step})", name=table.speaker.who(fault.seat),
                kind=fault.kind.value, step=fault.step)  # fmt: skip
        count = n_("{n} signed envelope is the evidence", "{n} signed envelopes are the evidence",
                   len(fault.evidence))  # fmt: skip
        out += [("", ""), (who, "class:bad"), (count, "")]
    for line in rest:
        out += [(piece, "class:felt.dim") for piece in wrap(line, width)]
    if table.over.transcript and table.over.ending == "complete":
        short = _("transcript {hash}, signed by all four", hash=table.over.transcript[:16])
        out += [(line, "class:good") for line in wrap(short, width)]
    if table.state is not None and table.state.sheets:
        head, *lines, last = sheets.table(table.speaker, table.state.sheets[-1], width)
        out += [("", ""), (head, "bold"), *((line, "") for line in lines), (last, "class:turn")]
        out += [("", ""), *_curve(screen, width)]
    return _("The end"), [*out, ("", ""), (_("Enter goes on"), "class:key")]


def _rules(screen: Screen, width: int) -> tuple[str, Text]:
    name, options = screen.form.game, None
    if screen.place == "table" and screen.table.game is not None and screen.table.state:
        name, options = screen.table.game.name, screen.table.state.options
    elif screen.place == "lobby" and screen.table.gathering is not None:
        name = screen.table.gathering.game
        changed = {key: value for key, value, _d in screen.table.gathering.changed}
        options = GAMES[name].parse_options(changed) if name in GAMES else None
    game = GAMES.get(name)
    if game is None:
        return _("Rules"), []
    options = options or game.parse_options(screen.form.options)
    out: Text = []
    for chapter in (*game.chapters(options, _), options_chapter(options, _, optionwords.IN_WORDS)):
        out += [(chapter.title, "class:turn"), ("", "")]
        for paragraph in chapter.paragraphs:
            out += [(line, "") for line in _rewrapped(paragraph, width)] + [("", "")]
    return _("The rules of {game}", game=game.title), out[:-1]


def _rewrapped(paragraph: str, width: int) -> list[str]:
    """A paragraph of the rules for this width; lists and tables keep their lines and indents."""
    if "\n" not in paragraph:
        return wrap(paragraph, width)
    out: list[str] = []
    for line, hang in _unwrapped(paragraph.split("\n")):
        if width_of(line) <= width:
            out.append(line)
            continue
        indent = min(_indent(line), width // 2)
        # Inside a row of a table the spaces between its columns must stay.
        if "  " in line.strip() and hang < width // 2:
            first, *rest = wrap(line[hang:], width - hang)
            out.append(line[:hang] + first)
        else:
            hang = min(hang, width // 2)
            first, *rest = wrap(line[indent:], width - max(indent, hang))
            out.append(" " * indent + first)
        out += [" " * hang + piece for piece in rest]
    return out


def _unwrapped(lines: list[str]) -> list[tuple[str, int]]:
    """Lines as they were before they were broken for a wide page, and the indent of what follows.

    A line goes on in the next one if the first word there had no room in it any more.
    """
    out: list[tuple[str, int]] = []
    last = 0
    for line in lines:
        words = line.split()
        deeper = _indent(line) - _indent(out[-1][0]) if out else -1
        is_item = _ITEM.match(line) or "  " in line.strip()
        goes_on = deeper > 0 or (deeper == 0 and _indent(line) and not is_item)
        if words and goes_on and last + 1 + len(words[0]) > WIDTH:
            out[-1] = (f"{out[-1][0]} {line.strip()}", _indent(line))
        else:
            out.append((line, _hang(line)))
        last = len(line)
    return out


def _hang(line: str) -> int:
    """Where a line goes on: below its second column, or a little to the right in a list."""
    indent = _indent(line)
    _name, gap, text = line.strip().partition("  ")
    if gap:
        return len(line) - len(text.lstrip())
    return indent + 2 if _ITEM.match(line) else indent


_ITEM = re.compile(r" *(\d+\.|[^.:]{1,40}:) ")
"""How the items of a list begin: with a number, or with a name and a colon."""


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _draw_last(canvas: Canvas, screen: Screen) -> None:
    """The last trick, its cards as they lay, who led and who took it."""
    trick, table = screen.table.last_trick(), screen.table
    state = table.state
    if trick is None or trick.winner is None or state is None:
        text = [(_("no trick was taken in this deal yet"), "class:felt.dim")]
        _draw_text(canvas, screen, _("Last trick"), text, canvas.width - 4)
        return
    width, height = min(canvas.width - 2, 60), 9
    x, y = (canvas.width - width) // 2, max(1, (canvas.height - height) // 2)
    canvas.box(x, y, width, height, "class:felt class:line", _("Last trick"))
    canvas.fill(x + 1, y + 1, width - 2, height - 2, "class:felt")
    column = (width - 4) // 4
    for i, card in enumerate(trick.cards):
        seat, left = following(trick.leader, i), x + 2 + i * column
        took = seat == trick.winner
        look = Look(is_trump=cards.is_trump(table.game, card, state.trump), is_chosen=took)
        canvas.centre(left, column, y + 1, table.speaker.who(seat), "class:turn" if took else "")
        cards.draw_card(canvas, left + (column - 5) // 2, y + 2, LOW, card, look)
    won = _("{name} took it", name=table.speaker.who(trick.winner))
    canvas.centre(x + 1, width - 2, y + 6, won, "class:turn")
    canvas.centre(x + 1, width - 2, y + 7, _("Esc closes"), "class:felt.dim", Close())
