"""What is shown while a deck is made: every step, who has done it, and who is waited for."""

from __future__ import annotations

from p2pcards.games.awaited import AwaitDeck
from p2pcards.ui.canvas import Canvas, pad
from p2pcards.ui.i18n import N_, _
from p2pcards.ui.model import Check, Table
from p2pcards.ui.screen import Screen

_STEPS: tuple[tuple[str, str], ...] = (
    ("key-commit", N_("commit to keys")),
    ("key", N_("keys with proofs")),
    ("shuffle", N_("shuffles with proofs")),
    ("cut", N_("the cut")),
    ("parts", N_("parts of keys, in case one is lost")),
    ("confirm", N_("signatures on the deck")),
)
_SPINNER = "|/-\\"


def counts(steps: list[Check]) -> dict[str, tuple[int, ...]]:
    """The seats whose envelopes of each kind were verified in this deal."""
    out: dict[str, tuple[int, ...]] = {}
    for check in steps:
        out[check.kind] = out.get(check.kind, ()) + check.seats
    return out


def due(table: Table) -> dict[str, int]:
    """How many envelopes of each kind this deck takes; none of a seat that the bot plays."""
    live = 4 - len(table.bots)
    numbers = {kind: live for kind, _text in _STEPS}
    awaited = table.game.awaited(table.state) if table.game and table.state else None
    is_cut = not (isinstance(awaited, AwaitDeck) and awaited.cutter in table.bots)
    numbers.update(cut=int(is_cut), parts=0 if table.bots else live)
    return {kind: number for kind, number in numbers.items() if number}


def draw_shuffle(canvas: Canvas, screen: Screen, width: int, top: int, bottom: int) -> None:
    """The progress of the deck in the making, in the middle of the felt."""
    table = screen.table
    done = counts(table.checks.steps)
    title = _("The deck is shuffled by everybody") if table.checks.deal else _("Taking seats")
    y = max(top, (top + bottom - 11) // 2)
    canvas.centre(0, width, y, title, "class:turn")
    if table.checks.deal:
        x = max(1, (width - 48) // 2)
        texts = dict(_STEPS)
        for i, (kind, number) in enumerate(due(table).items()):
            seats = done.get(kind, ())
            marks = "".join("■" if n < len(seats) else "□" for n in range(number))
            style = "class:good" if len(seats) >= number else "class:felt.dim"
            canvas.put(x, y + 2 + i, pad(_(texts[kind]), 38), style)
            canvas.put(x + 39, y + 2 + i, marks, style)
    wait = _waited_for(screen)
    if wait:
        canvas.centre(0, width, y + 9, wait, "class:felt.dim")


def _waited_for(screen: Screen) -> str:
    waits, table = screen.table.waits, screen.table
    if waits is None:
        return ""
    names = table.speaker.everyone(waits.seats)
    return _("waiting for {names} … {n} s", names=names, n=int(waits.elapsed))
