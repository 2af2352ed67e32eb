"""The table line by line: for screen readers, pipes and slow lines.

Lines only ever come after one another; nothing is redrawn and no clock ticks. What comes from a
pipe is read one line at a time, and a line that answers waits until something is asked, so that
a list of lines plays the same game however fast the others are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import trio

from p2pcards.games.base import IllegalActionError
from p2pcards.protocol.choosing import Choice, Question
from p2pcards.ui import choices, optionwords
from p2pcards.ui import happenings as hap
from p2pcards.ui.i18n import N_, _
from p2pcards.ui.model import Table
from p2pcards.ui.plainlook import Look, words
from p2pcards.ui.words import Speaker

LONG, SOON = 5.0, 20.0
"""Seconds after which a wait is spoken of, and before its end from which it is urgent."""


class LineSource(Protocol):
    """Where a person's lines come from."""

    @property
    def is_live(self) -> bool:
        """Whether somebody types: then a line out of turn is answered, not kept."""
        ...

    async def next(self) -> str | None:
        """The next line, or None at the end of the input."""


class Actions(Protocol):
    """What a player can do besides choosing."""

    def say(self, text: str) -> None:
        """Send a line of talk."""

    def leave(self, reason: str) -> None:
        """Leave the table."""

    def change_partner(self) -> None:
        """Let another guest sit opposite."""

    def bring(self) -> None:
        """Bring a bot to the lobby."""

    def dismiss(self) -> None:
        """Send the bot away that was brought last."""

    def ask_end(self, wish: bool) -> None:
        """Ask that the match end after this deal, or no longer."""

    def hint(self, question: Question) -> str | None:
        """What a bot would do, or None when there is none to ask."""


class Plain:
    """One player's table as lines of text."""

    def __init__(
        self, source: LineSource, write: Callable[[str], None], actions: Actions,
        *, ready: bool, ascii_only: bool = False,
    ) -> None:  # fmt: skip
        self.table = Table(Speaker(ascii_only=ascii_only))
        self.is_ready = ready
        self._look = Look(self.table, write)
        self._source = source
        self._write = write
        self._actions = actions
        self._answer: Choice = None
        self._wish_end = False
        self._waited: tuple[tuple[int, ...], str, bool] | None = None
        self._asked = trio.Event()
        self._answered = trio.Event()
        self._verdict: dict[int, tuple[trio.Event, list[str]]] = {}

    # -- what the session asks and tells -------------------------------------------------------

    def tell(self, item: hap.Happening) -> None:
        """Write down what happened."""
        if isinstance(item, hap.Waits) and not self._is_worth_telling(item):
            self.table.take(item)
            return
        if isinstance(item, hap.Formed):
            self._wish_end = False  # a session that begins anew knows of no wish
        before = self.table.gathering
        lines = self.table.take(item)
        if not isinstance(item, hap.Gathering) or _came(item) != (before and _came(before)):
            for line in lines:
                self._write(line)
        if isinstance(item, hap.Gathering):
            self._greet(item, before)
        self._close_verdicts("wait", set(self._verdict) - set(self.table.asked_losses))

    def _is_worth_telling(self, wait: hap.Waits) -> bool:
        """Whether to speak of a wait: once when it is long, and once when its time runs out."""
        stage = (wait.seats, wait.kind, wait.left < SOON)
        mine = wait.seats == (self.table.me,)
        if stage == self._waited or (mine and wait.left >= SOON) or wait.elapsed < LONG:
            return False
        self._waited = stage
        return True

    async def choose(self, question: Question) -> Choice:
        """Ask until there is a choice."""
        if not choices.is_asked(question):
            return None
        self.table.question, self.table.view = question, question.view
        self._answered = trio.Event()
        self._ask(question)
        self._asked.set()
        await self._answered.wait()
        return self._answer

    async def refused(self, refusal: IllegalActionError) -> None:
        """The choice was against the rules; it is asked for again."""
        self._write(_("not now: {reason}", reason=self.table.speaker.reason(refusal, None)))

    async def decide_loss(self, seat: int, can_vote: bool) -> str:
        """``vote``, ``wait`` or ``stop``; a pipe cannot be asked and votes."""
        self.tell(hap.LossAsked(seat, can_vote))
        name = self.table.speaker.who(seat)
        self._write(_("{name} does not answer within the time", name=name))
        if not self._source.is_live:
            return "vote"
        self._write(_("vote: the public bot plays that hand; wait: wait on; stop: end the game"))
        event, answer = trio.Event(), list[str]()
        self._verdict[seat] = (event, answer)
        await event.wait()
        return answer[0]

    def words(self) -> list[str]:
        """The choices open now, as they can be written."""
        question = self.table.question
        return [e.label for e in choices.menu(question, self.table.speaker)] if question else []

    # -- lines in ------------------------------------------------------------------------------

    async def read(self) -> None:
        """Take lines until they end; then, once more is needed, leave the table."""
        while (line := await self._source.next()) is not None:
            await self._line(line.strip())
        await self._until_asked()
        self._write(_("the input has ended; leaving the table"))
        self._actions.leave(N_("has left"))

    async def _line(self, line: str) -> None:
        if line.startswith("#"):
            return
        if not line:
            if self.table.question:
                self._ask(self.table.question)
            return
        if self._command(line):
            return
        if not self._source.is_live:
            await self._until_asked()
        question = self.table.question
        if question is None:
            self._write(_("nothing is asked of you now; ? for help"))
            return
        try:
            self._give(choices.read(question, line, self.table.speaker))
        except choices.NotUnderstoodError:
            self._write(_("{text} is not a choice or a command; ? for help", text=line[:40]))
            self._menu(question)
        except IllegalActionError as exc:
            self._write(_("not now: {reason}", reason=self.table.speaker.reason(exc, question)))
            self._menu(question)

    def _give(self, choice: Choice) -> None:
        self._answer = choice
        self.table.question = None
        self._asked = trio.Event()
        self._answered.set()

    async def _until_asked(self) -> None:
        while self.table.question is None:
            self._asked = trio.Event() if self._asked.is_set() else self._asked
            await self._asked.wait()

    def _command(self, line: str) -> bool:
        word, _space, rest = line.partition(" ")
        word = self._english(word.lower())
        look = self._look
        shows = {
            "?": look.help, "help": look.help, "hand": look.hand, "trick": look.trick,
            "last": look.last, "score": look.score, "checks": look.checks, "log": look.log,
            "seats": look.seats, "rules": look.rules, "hint": self._hint, "end": self._end,
            "partner": self._partner, "bot": self._actions.bring, "dismiss": self._actions.dismiss,
            "ready": self._ready,
        }  # fmt: skip
        if word in shows and not rest:
            shows[word]()
        elif word == "say":
            self._actions.say(rest)
        elif word in ("vote", "wait", "stop") and not rest:
            self._judge(word)
        elif word in ("quit", "exit") and not rest:
            self._actions.leave(N_("has left"))
        else:
            return False
        return True

    def _english(self, word: str) -> str:
        """The English word for one of the person's language."""
        return next((key for key, own in words().items() if own == word), word)

    def _ready(self) -> None:
        if self.table.state is not None:
            self._write(_("the match has begun already"))
        else:
            self._write(_("you are ready"))
        self.is_ready = True

    def _judge(self, word: str) -> None:
        """Say what becomes of a seat that is gone; to wait leaves the question open."""
        if self.table.has_voted():
            self._write(_("you have voted already"))
        elif not self._verdict:
            self._write(
                _("there is nothing to vote about; you are asked when somebody's time is up")
            )
        elif word == "wait":
            self._write(_("you wait; vote and stop are possible as long as nobody answers"))
        else:
            self._close_verdicts(word, set(self._verdict))

    def _close_verdicts(self, word: str, seats: set[int]) -> None:
        for seat in seats:
            event, answer = self._verdict.pop(seat)
            answer.append(word)
            event.set()

    # -- lines out -----------------------------------------------------------------------------

    def _greet(self, now: hap.Gathering, before: hap.Gathering | None) -> None:
        for key, value, default in now.changed if before is None else ():
            self._write(_("rule: {option}", option=optionwords.change(key, value, default)))
        old = {p.name: p.ready for p in before.people} if before else {}
        here = {person.name for person in now.people}
        for person in now.people:
            # Whoever comes takes back everybody's word, which is soon given again: no news.
            is_news = len(now.people) == 4 and not person.is_me and person.name in old
            if is_news and person.ready != old[person.name] and old.keys() == here:
                self._write(_readiness(person))
            if person.name in old or person.is_me:
                continue
            self._write(f"  {person.name}: {person.fingerprint}")
            if person.known == "changed":
                self._write(_("WARNING: {name} comes with another key than before. Compare the "
                              "fingerprints aloud before you play.", name=person.name))  # fmt: skip
        partner = now.partner()
        if partner is not None and now.pairs_us(before):
            self._write(_("your partner is {name}", name=partner.name))
        if now.parts_us(before) and self.is_ready and self._source.is_live:
            self.is_ready = False
            self._write(_("your partner has changed; write ready if you agree"))
        if before is None and not self.is_ready:
            self._write(_("write ready when you want to play"))

    def _ask(self, question: Question) -> None:
        self._write("")
        self._look.hand()
        if question.kind == "play":
            self._look.trick()
        self._menu(question)

    def _menu(self, question: Question) -> None:
        entries = choices.menu(question, self.table.speaker)
        listed = "   ".join(f"{i} {entry.label}" for i, entry in enumerate(entries, 1))
        head = _("your card:") if question.kind == "play" else _("your bid:")
        self._write(f"{head} {listed}")
        for card in sorted(choices.callable_cards(question)):
            name = self.table.speaker.card(card)
            self._write(_("{card}! plays {card} and calls belote", card=name))

    def _partner(self) -> None:
        lobby = self.table.gathering
        if lobby is not None and lobby.can_change_partner:
            self._actions.change_partner()
        else:
            self._write(_("only who opened a table with chosen partners can change them, before "
                          "the game, with two guests or more"))  # fmt: skip

    def _end(self) -> None:
        if self.table.state is None:
            self._write(_("the match has not begun"))
            return
        self._wish_end = not self._wish_end
        self._actions.ask_end(self._wish_end)
        if self._wish_end:
            self._write(_("the match ends after a deal if all four ask for it; end takes it back"))
            self._write(_("a bot joins those who ask, one deal later"))
        else:
            self._write(_("you no longer ask that the match end"))

    def _hint(self) -> None:
        question = self.table.question
        hint = self._actions.hint(question) if question else None
        self._write(_("a bot would choose {choice}", choice=hint) if hint else _("no hint now"))


def _readiness(person: hap.Person) -> str:
    text = N_("{name} is ready") if person.ready else N_("{name} is not ready any more")
    return _(text, name=person.name)


def _came(lobby: hap.Gathering) -> tuple[tuple[str, ...], bool]:
    """What of a lobby is worth a line: who is there, and whether all are ready."""
    people = lobby.people
    return tuple(p.name for p in people), len(people) == 4 and all(p.ready for p in people)
