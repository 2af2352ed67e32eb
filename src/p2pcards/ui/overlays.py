"""What can lie on top of the table: help, last trick, score sheets, checks, log, questions."""

from __future__ import annotations

from collections.abc import Callable

from p2pcards.games.base import following
from p2pcards.ui import cards, choices, panel, partings
from p2pcards.ui.canvas import Canvas, Text, fit, pad, width_of, wrap
from p2pcards.ui.cards import LOW, Look
from p2pcards.ui.i18n import N_, _, n_
from p2pcards.ui.intents import Close, Do
from p2pcards.ui.rulespage import rules_page
from p2pcards.ui.scorepage import score_page
from p2pcards.ui.screen import Screen
from p2pcards.ui.words import STEPS

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


QUESTIONS = ("leave", "vote", "left", "over")
"""Pages that end with the keys that answer them."""


def draw_overlay(canvas: Canvas, screen: Screen) -> None:
    """Draw what lies on top, if anything does."""
    if screen.overlay == "last":
        _draw_last(canvas, screen)
        return
    makers: dict[str, Callable[[Screen, int], tuple[str, Text]]] = {
        "help": _help, "score": score_page, "checks": _checks, "log": _log, "rules": rules_page,
        "leave": partings.leave, "vote": partings.vote, "left": partings.left,
        "over": partings.over,
    }  # fmt: skip
    maker = makers.get(screen.overlay)
    if maker is not None:
        room = min(canvas.width - 4, 84)
        title, text = maker(screen, room - 4)
        _draw_text(canvas, screen, title, text, room)


def _draw_text(canvas: Canvas, screen: Screen, title: str, text: Text, room: int) -> None:
    """A framed page in the middle; what does not fit is scrolled."""
    keys = ""
    if screen.overlay in QUESTIONS and len(text) > 1:
        *text, keys = *text[:-2], text[-1][0]
    # What is being written stands below the page.
    height = min(canvas.height - (4 if screen.line else 2), len(text) + 4)
    shown = height - 4
    screen.scroll = max(0, min(screen.scroll, len(text) - shown))
    longest = max((width_of(line) for line, _style in text), default=0)
    width = min(room, max(longest, width_of(title) + 4, 34) + 4)
    x, y = (canvas.width - width) // 2, max(0, (canvas.height - height) // 2)
    canvas.box(x, y, width, height, "class:felt class:line", title)
    canvas.fill(x + 1, y + 1, width - 2, height - 2, "class:felt")
    for i, (line, style) in enumerate(text[screen.scroll : screen.scroll + shown]):
        canvas.put(x + 2, y + 1 + i, fit(line, width - 4), style)
    # A question has its own line of keys.
    hint = keys if screen.overlay in QUESTIONS else _("Esc closes")
    if screen.overlay == "rules" and screen.place not in ("table", "lobby"):
        hint = _("← → another game") + "  " + hint
    if len(text) > shown:
        at = f"{screen.scroll + shown}/{len(text)}"
        long = _("↑ ↓ PgUp PgDn scroll  {at}", at=at) + "  " + hint
        hint = long if width_of(long) <= width - 4 else f"↑ ↓  {at}  {hint}"
        hint = f"{keys}  ↑ ↓" if keys else hint
    closing = Do("on") if screen.overlay == "over" else Close()
    end = x + width - 2
    x = _draw_turn(canvas, screen, x + 2, y + height - 2)
    canvas.put(x, y + height - 2, fit(hint, end - x), "class:felt.dim", closing)


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
