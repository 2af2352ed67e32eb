"""The screen of a replay: where one stands in the reel, what keys do, and what is drawn.

The table is drawn as it is for its players; only the lowest lines are a replay's own.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from p2pcards.games.base import Phase
from p2pcards.ui import foot, settings
from p2pcards.ui.canvas import Canvas, fit, pad, width_of, wrap
from p2pcards.ui.cards import draw_backs
from p2pcards.ui.i18n import N_, _
from p2pcards.ui.render import render
from p2pcards.ui.replay import HIDDEN, Reel, Stop
from p2pcards.ui.screen import SMALLEST, STANDARD, Screen
from p2pcards.ui.table import plan_for

KEYS: tuple[tuple[str, str], ...] = (
    ("← →", N_("one bid or card back or on")),
    ("↑ ↓", N_("one trick back or on")),
    ("PgUp PgDn", N_("one deal back or on")),
    ("Home End", N_("the beginning, and the end")),
    ("Tab", N_("turn the table: another player sits below")),
    ("s  l  v  g", N_("score sheets, last trick, what was verified, the log")),
    ("r  o", N_("the rules of this table; suits in two or four colours")),
    ("q", N_("end")),
)
_SHOWS = {"l": "last", "s": "score", "v": "checks", "g": "log", "r": "rules", "?": "keys",
          "f1": "keys"}  # fmt: skip
_SCROLLS = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}
_STEPS = {"left": -1, "right": 1, " ": 1, "enter": 1}

BAR = (4, 20)
"""Columns of the bar that shows where one is, at least and at most."""


@dataclass(slots=True)
class ReplayView:
    """Where one stands: ``at`` is a stop of the reel, ``seat`` sits below.

    ``verdict`` says what was verified, in a line. ``follows`` keeps a live view at the newest
    stop; ``live`` says that more may come.
    """

    reel: Reel
    screen: Screen = field(default_factory=Screen)
    at: int = 0
    seat: int = 0
    verdict: str = ""
    live: bool = False
    follows: bool = False

    def __post_init__(self) -> None:
        self.screen.place = "table"
        self.show(self.at)

    @property
    def stop(self) -> Stop | None:
        """The stop shown."""
        return self.reel.stops[self.at] if self.reel.stops else None

    def show(self, at: int) -> None:
        """Go to a stop."""
        moved = at != self.at
        self.at = max(0, min(at, len(self.reel.stops) - 1))
        self.follows = self.live and self.at >= len(self.reel.stops) - 1
        self.screen.table = self.reel.table_at(self.at, self.seat)
        stop = self.stop
        self.screen.held = stop is not None and stop.has_trick
        if not moved or stop is None or (self.follows and stop.kind in ("deal", "deck", "dealt")):
            return  # a live score sheet stays while the next deck is made
        self.screen.overlay, self.screen.scroll = "", 0
        if stop.kind in ("score", "end"):
            self.screen.overlay = "score"

    def more(self) -> None:
        """The reel has grown: go on with it if one stood at its end."""
        if self.follows:
            self.show(len(self.reel.stops) - 1)

    def press(self, key: str) -> bool:
        """Take a key; False when one wants to end."""
        key = key.lower() if len(key) == 1 else key
        screen, reel = self.screen, self.reel
        if key in ("q", "c-c", "c-d") or (key == "escape" and not screen.overlay):
            return False
        if screen.overlay and key in _SCROLLS:
            screen.scroll = max(0, screen.scroll + _SCROLLS[key])
        elif key in _STEPS:
            self.show(reel.step(self.at, _STEPS[key]))
        elif key in ("up", "down"):
            self.show(reel.by_trick(self.at, -1 if key == "up" else 1))
        elif key in ("pageup", "pagedown", "p", "n"):
            self.show(reel.by_deal(self.at, -1 if key in ("pageup", "p") else 1))
        elif key in ("home", "end"):
            self.show(0 if key == "home" else len(reel.stops) - 1)
        elif key in ("tab", "s-tab"):
            self.seat = (self.seat + (1 if key == "tab" else 3)) % 4
            self.show(self.at)
        elif key in _SHOWS:
            screen.overlay = "" if screen.overlay == _SHOWS[key] else _SHOWS[key]
            screen.scroll = 0
        elif key == "o":
            screen.settings = settings.turned(screen.settings, "deck", 1)
        else:
            screen.overlay = ""
        return True


def render_replay(view: ReplayView, width: int, height: int) -> Canvas:
    """The screen of a replay of ``width`` columns and ``height`` rows."""
    keys = view.screen.overlay == "keys"
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return render(view.screen, width, height)
    canvas = render(view.screen, width, height)
    if not view.screen.overlay:
        _draw_below(canvas, view)
    if keys:
        _draw_help(canvas)
    _draw_foot(canvas, view)
    return canvas


def _draw_below(canvas: Canvas, view: ReplayView) -> None:
    """Cards face down for the player below, when that hand is not known, and what happened."""
    screen, state = view.screen, view.screen.table.state
    if state is None:
        return
    count = state.hand_sizes[view.seat] if state.phase is not Phase.DECK else 0
    is_hidden = count and not view.live and view.reel.is_hidden(view.at, view.seat)
    why_hidden = _(HIDDEN) if is_hidden else ""
    if canvas.width < STANDARD[0] or canvas.height < STANDARD[1]:
        canvas.put(1, 7, fit(why_hidden, canvas.width - 2), "class:felt.dim")
        return
    plan = plan_for(canvas.width, canvas.height)
    if count and not screen.hand():
        canvas.centre(0, plan.width, plan.hand, why_hidden, "class:felt.dim")
        draw_backs(canvas, (plan.width - 2 * count) // 2, plan.hand + 1, count)
    stop = view.stop
    if stop is not None and stop.lines and stop.kind not in ("deal", "deck", "score", "end"):
        canvas.fill(0, plan.hand - 2, plan.width, 1, "class:felt")
        canvas.centre(0, plan.width, plan.hand - 2, stop.lines[0], "class:turn")


def _draw_foot(canvas: Canvas, view: ReplayView) -> None:
    """Where one is in the match, what was verified, and the keys."""
    y, reel = canvas.height - 2, view.reel
    canvas.fill(0, y, canvas.width, 1, "class:felt")
    count = len(reel.stops)
    where = _("{at} of {count}", at=view.at + 1, count=count) if count else _("nothing yet")
    if view.live:
        where += " · " + (_("live") if view.follows else _("End: live"))
    room = canvas.width - width_of(where) - 4
    bar = max(BAR[0], min(BAR[1], room // 4))
    spare = room - 1 - width_of(view.verdict)
    if BAR[0] <= spare < bar:  # rather a shorter bar than half a sentence
        bar = spare
    done = bar if count < 2 else view.at * bar // (count - 1)
    x = canvas.put(1, y, "█" * done + "░" * (bar - done), "class:good")
    x = canvas.put(x + 1, y, where, "bold")
    verdict = _whole(view.verdict, canvas.width - x - 3)
    canvas.put(x + 2, y, fit(verdict, canvas.width - x - 3), "class:good")
    keys = [("← →", _("card")), ("↑ ↓", _("trick")), ("PgUp PgDn", _("deal")), ("Tab", _("seat")),
            ("s", _("score")), ("?", _("keys")), ("q", _("end"))]  # fmt: skip
    foot.draw_keys(canvas, keys)


def _whole(text: str, width: int) -> str:
    """As many of the parts between semicolons as fit; of a single one, what comes before ``:``."""
    while width_of(text) > width and ";" in text:
        text = text.rpartition(";")[0]
    return text if width_of(text) <= width else text.partition(":")[0]


def _draw_help(canvas: Canvas) -> None:
    rows: list[str] = []
    width = min(canvas.width - 4, 70)
    for key, text in KEYS:
        first, *rest = wrap(_(text), width - 16) or [""]
        rows += [f"{pad(key, 10)}  {first}", *(" " * 12 + line for line in rest)]
    height = min(canvas.height - 3, len(rows) + 2)
    x, y = (canvas.width - width) // 2, max(0, (canvas.height - 2 - height) // 2)
    canvas.box(x, y, width, height, "class:felt class:line", _("Keys"))
    for i, row in enumerate(rows[: height - 2]):
        canvas.put(x + 2, y + 1 + i, fit(row, width - 4), "class:felt")
