"""The table line by line: for screen readers, pipes and slow lines.

Lines only ever come after one another; nothing is redrawn and no clock ticks. The lines of a pipe
are carried out in their order, and one that answers waits until something is asked, so that a list
of lines plays the same game however fast the others are. Only what a table cannot do without is
taken out of turn: what brings it together (bots, a partner, ready) while it has not begun, and
what is to become of a player who is gone.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import trio

from p2pcards.games.base import IllegalActionError
from p2pcards.protocol import events
from p2pcards.protocol.choosing import Choice, Question
from p2pcards.protocol.course import Bar
from p2pcards.ui import choices, plainlobby
from p2pcards.ui import happenings as hap
from p2pcards.ui.backlog import Backlog, LineSource
from p2pcards.ui.deeds import Actions, Deeds
from p2pcards.ui.i18n import N_, _
from p2pcards.ui.judging import VERDICTS, Judging
from p2pcards.ui.model import Table
from p2pcards.ui.plainlook import Look
from p2pcards.ui.plainwords import english, with_words
from p2pcards.ui.words import Speaker

LONG, SOON = 5.0, 20.0
"""Seconds after which a wait is spoken of, and before its end from which it is urgent."""
IDLE = 8.0
"""Seconds without a line after which the bell rings for one's turn."""
SENT = 0.5
"""Seconds that a pipe's line behind an answer waits for the answer to be sent, at most."""
GATHERING = ("bot", "dismiss", "partner", "ready")
"""What is of use only before the match, and so never has to wait for an answer in it."""


class Plain:
    """One player's table as lines of text.

    ``alone`` with bots only, to which nobody can come back; ``auto`` plays the only legal card by
    itself; ``ring`` draws the attention of somebody who types, in so many ``columns`` (0: a pipe).
    """

    def __init__(
        self, source: LineSource, write: Callable[[str], None], actions: Actions,
        *, ready: bool, ascii_only: bool = False, alone: bool = False, auto: bool = False,
        ring: Callable[[], None] = lambda: None, columns: Callable[[], int] = lambda: 0,
    ) -> None:  # fmt: skip
        self.table = Table(Speaker(ascii_only=ascii_only))
        self._look = Look(self.table, write, columns)
        self._deeds = Deeds(
            self.table, write, actions, ready=ready, is_live=source.is_live, alone=alone
        )
        self._judging = Judging(self.table, write, actions.leave)
        self._backlog = Backlog(source)
        self._is_live = source.is_live
        self._write = write
        self._actions = actions
        self._alone = alone
        self._auto = auto and source.is_live
        self._ring = ring
        self._answer: Choice = None
        self._waited: tuple[tuple[int, ...], str, bool] | None = None
        self._answered = trio.Event()
        self._is_sent = False
        self._last_line = time.monotonic()

    @property
    def is_ready(self) -> bool:
        """Whether the person wants the game to begin."""
        return self._deeds.is_ready

    def leave(self) -> bool:
        """Leave the table, or ask first whether that is meant; whether it is left."""
        return self._deeds.leave()

    # -- what the session asks and tells -------------------------------------------------------

    def tell(self, item: hap.Happening) -> None:
        """Write down what happened."""
        if isinstance(item, hap.Waits) and not self._is_worth_telling(item):
            self.table.take(item)
            return
        before = self.table.gathering
        lines = self.table.take(item)
        if isinstance(item, hap.Over):
            self._look.match(item)
        if not isinstance(item, hap.Gathering) or self._has_news(item, before):
            for line in lines:
                self._write(line)
        self._follow(item, before)
        self._judging.settle()

    def _follow(self, item: hap.Happening, before: hap.Gathering | None) -> None:
        """Do and tell what comes of a happening."""
        match item:
            case hap.Gathering():
                self._gather(item, before)
                self._backlog.stir()
            case hap.Happened(event=events.Arrived(seat=seat)) if seat == self.table.me:
                self._is_sent = True
                self._backlog.stir()
            case hap.Formed():
                self._deeds.wish_end = False  # a session that begins anew knows of no wish
            case hap.BrokenUp():
                self._deeds.is_ready = self.is_ready and not self._is_live
                self._write(with_words(N_("looking for the table again; {quit} stops that")))
            case hap.Linked(up=False) if self.table.over is None:
                self._write(_("the game waits, and goes on when that player is back"))
            case hap.Over():
                self._look.kept(item)

    def _has_news(self, now: hap.Gathering, before: hap.Gathering | None) -> bool:
        return before is None or (not self._alone and plainlobby.has_news(now, before))

    def _is_worth_telling(self, wait: hap.Waits) -> bool:
        """Whether to speak of a wait: once when it is long, and once when its time runs out."""
        stage = (wait.seats, wait.kind, wait.left < SOON)
        mine = wait.seats == (self.table.me,)
        if stage == self._waited or (mine and wait.left >= SOON) or wait.elapsed < LONG:
            return False
        self._waited = stage
        if mine:
            self._ring()
        return True

    def _gather(self, now: hap.Gathering, before: hap.Gathering | None) -> None:
        if before is None or not self._alone:
            plainlobby.greet(now, before, self._write)
        if now.parts_us(before) and self.is_ready and self._is_live:
            self._deeds.is_ready = False
            self._write(with_words(N_("your partner has changed; write {ready} if you agree")))
        if before is None and not self.is_ready:
            self._write(with_words(N_("write {ready} when you want to play")))

    async def choose(self, question: Question) -> Choice:
        """Ask until there is a choice."""
        if not choices.is_asked(question):
            return None
        self.table.question, self.table.view = question, question.view
        self._answered = trio.Event()
        if self._answers_itself(question):
            self.table.question = None
            return choices.menu(question, self.table.speaker)[0].choice
        if time.monotonic() - self._last_line > IDLE:
            self._ring()
        self._look.question(question)
        self._backlog.stir()
        await self._answered.wait()
        return self._answer

    def _answers_itself(self, question: Question) -> bool:
        is_only = question.kind == "play" and len(question.choices) == 1
        return self._auto and is_only and not choices.callable_cards(question)

    async def refused(self, refusal: IllegalActionError) -> None:
        """The choice was against the rules; it is asked for again."""
        self._write(_("not now: {reason}", reason=self.table.speaker.reason(refusal, None)))

    async def decide_loss(self, seat: int, bar: Bar | None) -> str:
        """``vote``, ``wait`` or ``stop``; a pipe in which none of them is written votes."""
        self.tell(hap.LossAsked(seat, bar))
        name = self.table.speaker.who(seat)
        self._write(_("{name} does not answer within the time", name=name))
        self._judging.why_not(seat)
        if self._is_live:
            self._ring()
            self._judging.ask(seat)
        else:
            verdict = self._backlog.take(VERDICTS) or "vote"
            if verdict != "wait":
                return verdict
        self._backlog.stir()
        return await self._judging.verdict(seat)

    def words(self) -> list[str]:
        """The choices open now, as they can be written."""
        question = self.table.question
        return [e.label for e in choices.menu(question, self.table.speaker)] if question else []

    # -- lines in ------------------------------------------------------------------------------

    async def read(self) -> None:
        """Take lines until they end; then, once more is needed, leave the table."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._backlog.fill)
            while (line := await self._backlog.next()) is not None:
                await self._line(line)
        await self._until_asked()
        self._leave_at_end()

    async def _line(self, line: str) -> None:
        self._last_line = time.monotonic()
        if not self._is_live and english(line) in GATHERING:
            await self._until_gathered()
        if line.startswith("#"):
            return
        if not line:
            if self.table.question:
                self._look.question(self.table.question)
            return
        if self._command(line):
            return
        if not self._is_live:
            await self._until_asked()
        await self._read_answer(line)

    async def _read_answer(self, line: str) -> None:
        """Answer what is asked, or say why the line is no answer."""
        question = self.table.question
        if question is None:
            self._write(_("{text} is not a command, and nothing is asked of you now; ? for help",
                          text=line[:40]))  # fmt: skip
            return
        try:
            choice = choices.read(question, line, self.table.speaker)
        except choices.NotUnderstoodError:
            self._write(_("{text} is not a choice or a command; ? for help", text=line[:40]))
            self._look.menu(question)
        except IllegalActionError as exc:
            self._write(_("not now: {reason}", reason=self.table.speaker.reason(exc, question)))
            self._look.menu(question)
        else:
            await self._give(choice)

    async def _give(self, choice: Choice) -> None:
        """Answer; a pipe's next line, which may leave the table, must not overtake the answer."""
        self._answer = choice
        self.table.question = None
        self._is_sent = False
        self._answered.set()
        if not self._is_live:
            with trio.move_on_after(SENT):
                while not self._is_sent:
                    await self._backlog.stirred()

    async def _until_gathered(self) -> None:
        """Wait for a lobby, without which nothing can be done for it."""
        while self.table.gathering is None and self.table.state is None:
            await self._backlog.stirred()

    async def _until_asked(self) -> None:
        """Wait for a question, and meanwhile do what one must not wait for."""
        while self.table.question is None:
            due: tuple[str, ...] = ()
            if self._judging.is_open:
                due = (*VERDICTS, "quit")
            elif self.table.gathering is not None:
                due = GATHERING
            command = self._backlog.take(due)
            if command is not None:
                self._command(command)
                continue
            if self._judging.is_open and self._backlog.has_ended:
                self._leave_at_end()  # nothing more can be said about the player who is gone
            await self._backlog.stirred()

    def _command(self, line: str) -> bool:
        word, _space, rest = line.partition(" ")
        word, rest = english(word), rest.strip()
        look, deeds = self._look, self._deeds
        shows: dict[str, Callable[[], object]] = {
            "?": look.help, "help": look.help, "hand": look.hand, "trick": look.trick,
            "last": look.last, "score": look.score, "checks": look.checks, "log": look.log,
            "seats": look.seats, "rules": look.rules, "hint": deeds.hint, "end": deeds.end,
            "partner": deeds.partner, "bot": self._actions.bring, "dismiss": self._actions.dismiss,
            "ready": deeds.ready, "quit": deeds.leave,
            "time": partial(look.time, self._actions.left),
        }  # fmt: skip
        deeds.is_leaving = deeds.is_leaving and word == "quit"
        if word in shows and not rest:
            shows[word]()
        elif word == "say":
            deeds.say(rest)
        elif word in VERDICTS and not rest:
            self._judging.judge(word)
        else:
            return False
        return True

    def _leave_at_end(self) -> None:
        if not self._deeds.has_left:
            self._write(_("the input has ended; leaving the table"))
        self._deeds.go()
