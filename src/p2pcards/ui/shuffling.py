"""What is shown while a deck is made: every step, who has done it, and who is waited for."""

from __future__ import annotations

from p2pcards.ui.canvas import Canvas, pad
from p2pcards.ui.i18n import N_, _
from p2pcards.ui.model import Check
from p2pcards.ui.screen import Screen

_STEPS: tuple[tuple[str, str], ...] = (
    ("key-commit", N_("commit to keys")),
    ("key", N_("keys with proofs")),
    ("parts", N_("parts of keys, in case one is lost")),
    ("shuffle", N_("shuffles with proofs")),
    ("cut", N_("the cut")),
    ("confirm", N_("signatures on the deck")),
)
_SPINNER = "|/-\\"


def counts(steps: list[Check]) -> dict[str, tuple[int, ...]]:
    """The seats whose envelopes of each kind were verified in this deal."""
    out: dict[str, tuple[int, ...]] = {}
    for check in steps:
        out[check.kind] = out.get(check.kind, ()) + check.seats
    return out


def draw_shuffle(canvas: Canvas, screen: Screen, width: int, top: int, bottom: int) -> None:
    """The progress of the deck in the making, in the middle of the felt."""
    table = screen.table
    done = counts(table.checks.steps)
    title = _("The deck is shuffled by all four") if table.checks.deal else _("Taking seats")
    y = max(top, (top + bottom - 11) // 2)
    canvas.centre(0, width, y, title, "class:turn")
    if table.checks.deal:
        x = max(1, (width - 48) // 2)
        for i, (kind, text) in enumerate(_STEPS):
            seats = done.get(kind, ())
            due = 1 if kind == "cut" else 4
            marks = "".join("■" if n < len(seats) else "□" for n in range(due))
            style = "class:good" if len(seats) >= due else "class:felt.dim"
            canvas.put(x, y + 2 + i, pad(_(text), 38), style)
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
