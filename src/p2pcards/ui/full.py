"""The full screen as a running thing: the terminal on one side, the session on the other.

A key or a click is carried out at once; what is told is shown at the pace of :class:`Pace`.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

import trio
from prompt_toolkit.input import Input
from prompt_toolkit.layout import Layout
from prompt_toolkit.output import Output

from p2pcards.games.base import IllegalActionError
from p2pcards.protocol import events
from p2pcards.protocol.choosing import Choice, Question
from p2pcards.protocol.course import Bar
from p2pcards.ui import choices
from p2pcards.ui import happenings as hap
from p2pcards.ui.act import act
from p2pcards.ui.board import Board
from p2pcards.ui.canvas import Canvas
from p2pcards.ui.fullscreen import FullScreen
from p2pcards.ui.i18n import _
from p2pcards.ui.intents import Chosen, Command, Effect, Intent
from p2pcards.ui.keys import intent_for
from p2pcards.ui.model import Table
from p2pcards.ui.pace import Pace
from p2pcards.ui.panel import SOON
from p2pcards.ui.render import render
from p2pcards.ui.screen import Screen, is_too_small
from p2pcards.ui.settings import Settings
from p2pcards.ui.words import Speaker

IDLE = 8.0
"""Seconds without a key after which the bell rings for one's turn."""


class Full(FullScreen):
    """The full-screen face of one player."""

    def __init__(
        self, screen: Screen, keep: Callable[[Settings], bool],
        terminal_in: Input | None = None, terminal_out: Output | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            Layout(Board(self._draw, self.carry_out)), lambda: self.screen.settings, self.press,
            terminal_in, terminal_out, mouse=True,
        )  # fmt: skip
        self.screen = screen
        self.effects: deque[Effect] = deque(maxlen=64)
        self._keep = keep
        self._stirred = trio.Event()
        self._pace = Pace(screen, self._apply, self.refresh)
        self._answered = trio.Event()
        self._answer: Choice = None
        self._refusal: IllegalActionError | None = None
        self._verdicts: dict[int, tuple[trio.Event, list[str]]] = {}
        self._last_key = float("-inf")
        self._is_small = False

    # -- the terminal's side -------------------------------------------------------------------

    def _draw(self, width: int, height: int) -> Canvas:
        self._is_small = is_too_small(width, height)
        return render(self.screen, width, height)

    def press(self, key: str) -> None:
        """Take a key: a character, or the name of a special key."""
        self._last_key = time.monotonic()
        self._pace.skip()
        if self._is_small and key != "c-c":
            return  # what cannot be seen must not be played
        intent = intent_for(key, self.screen)
        if intent is not None:
            self.carry_out(intent)

    def carry_out(self, intent: Intent) -> None:
        """Carry out what a key or a click means."""
        before = self.screen.settings
        effect = act(self.screen, intent)
        if self.screen.settings != before:
            self.keep_settings()
        match effect:
            case None:
                pass
            case Chosen(choice):
                self._give(choice)
            case Command("redraw"):
                self.app.renderer.clear()
            case Command("vote" | "stop" as verdict, seat):
                self._judge(seat, verdict)
            case _:
                self.effects.append(effect)
                self._stirred.set()
        self.refresh()

    def refresh(self) -> None:
        """Draw the screen anew soon."""
        self.app.invalidate()

    # -- the session's side --------------------------------------------------------------------

    @property
    def is_ready(self) -> bool:
        """Whether the person wants the game to begin."""
        return self.screen.is_ready

    def begin(self, *, ready: bool, alone: bool = False) -> None:
        """Sit down: an empty table, and the lobby until it is full; ``alone`` with bots only."""
        letters = self.screen.ascii_only
        self.screen.table = Table(Speaker(ascii_only=letters))
        self.screen.enter("lobby")
        self.screen.is_ready, self.screen.left, self.screen.notes = ready, {}, []
        self.screen.alone = alone
        self._pace.forget()
        self._verdicts.clear()
        self.refresh()

    def keep_settings(self) -> None:
        """Write the settings down as they are now."""
        if not self._keep(self.screen.settings):
            self.screen.say(
                _("the settings cannot be saved: they last until you leave"), is_bad=True
            )

    async def shown(self) -> None:
        """Wait until everything that was told is on the screen."""
        await self._pace.shown()

    async def effect(self) -> Effect:
        """The next thing that the person wants of whoever runs the session."""
        while not self.effects:
            self._stirred = trio.Event()
            await self._stirred.wait()
        return self.effects.popleft()

    def tell(self, item: hap.Happening) -> None:
        """Take a happening; it is shown when its time has come."""
        self._pace.tell(item)

    async def show(self) -> None:
        """Show happenings one after the other, at the pace set; runs as a task."""
        await self._pace.run()

    async def choose(self, question: Question) -> Choice:
        """Ask for a choice, once all that led to it is shown."""
        if not choices.is_asked(question):
            return None
        await self.shown()
        self._answered = trio.Event()
        self.screen.ask(question)
        if self._refusal is not None:
            reason = self.screen.table.speaker.reason(self._refusal, question)
            self.screen.say(reason, is_bad=True)
            self._refusal = None
        if self._answers_itself(question):
            return choices.menu(question, self.screen.table.speaker)[0].choice
        self._ring()
        self.refresh()
        await self._answered.wait()
        return self._answer

    def _answers_itself(self, question: Question) -> bool:
        if not self.screen.settings.auto or question.kind != "play":
            return False
        if len(question.choices) == 1 and not choices.callable_cards(question):
            self.screen.ask(None)
            return True
        return False

    async def refused(self, refusal: IllegalActionError) -> None:
        """The choice was against the rules; it is asked for again."""
        self._refusal = refusal

    async def decide_loss(self, seat: int, bar: Bar | None) -> str:
        """Ask what to do about a seat that is overdue; no answer means to wait on."""
        event, answer = trio.Event(), list[str]()
        self._verdicts[seat] = (event, answer)
        self.tell(hap.LossAsked(seat, bar))
        await event.wait()
        return answer[0]

    def _give(self, choice: Choice) -> None:
        self._answer = choice
        self.screen.ask(None)
        self._title("p2pcards")
        self._answered.set()

    def _judge(self, seat: int, verdict: str) -> None:
        pending = self._verdicts.pop(seat, None)
        if pending is not None:
            pending[1].append(verdict)
            pending[0].set()

    def _ring(self) -> None:
        self._title("● " + _("your turn") + " · p2pcards")
        if self.screen.settings.bell and time.monotonic() - self._last_key > IDLE:
            self.app.output.bell()

    def note_time(self, left: dict[int, float]) -> None:
        """Show how long everybody has; once, shortly before one's own time is over, ring."""
        me = self.screen.table.me
        before, now = (times.get(me or 0, SOON) for times in (self.screen.left, left))
        self.screen.left = left
        if self.screen.table.is_my_turn() and now < SOON <= before and self.screen.settings.bell:
            self.app.output.bell()
        self.refresh()

    def _title(self, text: str) -> None:
        self.app.output.set_title(text)

    # -- showing -------------------------------------------------------------------------------

    def _move(self, place: str) -> None:
        """Go to the table or the lobby; what is being written must not turn into commands."""
        if self.screen.place != place:
            line = self.screen.line
            self.screen.enter(place)
            self.screen.line = line

    def _apply(self, item: hap.Happening) -> None:
        screen, table = self.screen, self.screen.table
        if isinstance(item, hap.Gathering) and item.parts_us(table.gathering) and screen.is_ready:
            screen.is_ready = False
            screen.say(_("your partner has changed; press Enter if you agree"))
        table.take(item)
        match item:
            case hap.Formed() | hap.Seated():
                screen.wish_end = False  # a session that begins anew knows of no wish
                self._move("table")
            case hap.Gathering() if screen.place == "table":
                self._move("lobby")  # it did not come together, and gathers again
            case hap.BrokenUp(text):
                screen.is_ready, screen.notes = False, [*screen.notes[-20:], text]
            case hap.Denied(text) if screen.place == "table":
                screen.say(_(text), is_bad=True)
            case hap.Trouble(text):
                screen.notes = [*screen.notes[-20:], text]
            case hap.Said(seat, text):
                if seat != table.me:
                    screen.unread += 1
                    screen.talk = f"<{table.speaker.who(seat)}> {text}"
            case hap.Happened(event=events.DealScored()):
                screen.overlay, screen.scroll = "score", 0
            case hap.Happened(event=events.CardPlayed()):
                screen.held = bool(table.state and table.state.tricks) and not (
                    table.state and table.state.trick.cards
                )
            case hap.LossAsked():
                screen.overlay, screen.scroll = "vote", 0
            case hap.Left() | hap.Linked(up=False) if table.is_left() and not table.over:
                screen.overlay, screen.scroll = "left", 0
            case hap.Over():
                screen.overlay, screen.scroll, screen.line = "over", 0, None
        if screen.overlay == "vote" and not table.asked_losses:
            screen.overlay = ""
        if screen.overlay == "left" and not table.is_left():
            screen.overlay = ""
        for seat in [s for s in self._verdicts if s not in table.asked_losses]:
            if not self._pace.holds(hap.LossAsked):
                self._judge(seat, "wait")
