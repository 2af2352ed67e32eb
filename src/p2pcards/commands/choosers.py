"""Who chooses for a headless seat: a bot in a worker thread, or the lines of a script."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import trio

from p2pcards.bots.levels import Bot
from p2pcards.cards import Card, InvalidCardError, Suit, show_cards
from p2pcards.commands.common import UsageError
from p2pcards.games.base import Action, Name, Pass, Play, Take
from p2pcards.protocol.choosing import Choice, Question, Refusal
from p2pcards.ui import choices
from p2pcards.ui.i18n import _


class ScriptError(Exception):
    """A script's line that cannot be played; the text names the line and what was possible."""


@dataclass(slots=True)
class BotChooser:
    """A bot; it thinks in a worker thread, and a weak hand is never shown."""

    bot: Bot

    async def choose(self, question: Question) -> Choice:
        """The bot's choice."""
        if not question.choices:
            return None
        if len(question.choices) == 1 and question.kind == "play":
            return called(question, question.choices[0])
        work = self.bot.act
        choice = await trio.to_thread.run_sync(
            work, question.game, question.view, question.choices, abandon_on_cancel=True
        )
        return called(question, choice)

    async def refused(self, refusal: Refusal) -> None:
        """A bot's illegal choice is our own bug."""
        raise RuntimeError(f"the bot chose against the rules: {refusal}")


def called(question: Question, action: Action) -> Action:
    """A bot never forgets to call a belote that it holds, and never pretends to one."""
    if not isinstance(action, Play):
        return action
    return choices.play(question, action, action.card in choices.callable_cards(question))


@dataclass(slots=True)
class ScriptChooser:
    """Plays the lines of a file in order, one bid or card a line; ``#`` begins a comment."""

    path: str
    lines: list[tuple[int, str]] = field(default_factory=list)

    @classmethod
    def load(cls, path: str) -> ScriptChooser:
        """Read a script; raises UsageError."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as exc:
            reason = getattr(exc, "strerror", None) or exc
            raise UsageError(_("--script {path}: {reason}", path=path, reason=reason)) from None
        bare = ((n, line.partition("#")[0].strip()) for n, line in enumerate(text.splitlines(), 1))
        return cls(path, [(n, line) for n, line in bare if line])

    async def choose(self, question: Question) -> Choice:
        """The next line, read as what is due now; raises ScriptError."""
        if question.kind == "redeal":
            return None
        due = _("a bid") if question.kind == "bid" else _("a card")
        if not self.lines:
            raise ScriptError(_("{path} has no more lines, and {due} is due: {choices}",
                                path=self.path, due=due, choices=_list(question)))  # fmt: skip
        number, line = self.lines.pop(0)
        action = read_action(question, line)
        if action not in question.choices:
            text = _("{path}, line {number}: {line} is not legal now", path=self.path,
                     number=number, line=repr(line)) + _why(question, action)  # fmt: skip
            due = _("{due} is due: {choices}", due=due, choices=_list(question))
            raise ScriptError(f"{text}; {due}")
        return called(question, action)

    async def refused(self, refusal: Refusal) -> None:
        """Not reached: choices are compared with the legal ones before."""
        raise ScriptError(str(refusal))


def read_action(question: Question, text: str) -> Action | None:
    """The bid or card that a person's or script's text names, legal or not; None if neither."""
    seat, word = question.view.seat, text.strip().lower()
    if question.kind == "bid":
        if word in ("pass", "p"):
            return Pass(seat)
        if word in ("take", "t"):
            return Take(seat)
        try:
            return Name(seat, Suit.parse(word.removeprefix("name").strip()))
        except InvalidCardError:
            return None
    try:
        return Play(seat, Card.parse(word.removeprefix("play").strip()))
    except InvalidCardError:
        return None


def _why(question: Question, action: Action | None) -> str:
    if not isinstance(action, Play):
        return ""
    view = question.view
    refusal = question.game.why_illegal(view.state, view.hand, action.card)
    return f" ({refusal})" if refusal else ""


def _list(question: Question) -> str:
    """The choices as a script would write them."""
    if question.kind == "play":
        return show_cards([a.card for a in question.choices if isinstance(a, Play)])
    names = [a.suit.symbol if isinstance(a, Name) else type(a).__name__.lower()
             for a in question.choices]  # fmt: skip
    return ", ".join(names)
