"""A headless seat played by another program, with a bot that takes over when it fails."""

from __future__ import annotations

from collections.abc import Callable

import trio

from p2pcards.bots.external import ExternalBot, ProgramError
from p2pcards.commands.choosers import BotChooser, called
from p2pcards.protocol.choosing import Choice, Question, Refusal
from p2pcards.worded import text_of


class ExecChooser:
    """Asks the program; from its first failure on, a bot plays the seat.

    Args:
        tell: called once, when the program has failed, with the seat and the reason.
    """

    def __init__(
        self, program: ExternalBot, fallback: BotChooser, tell: Callable[[int, str], None]
    ) -> None:
        self._program, self._fallback, self._tell = program, fallback, tell
        self._told = False

    async def choose(self, question: Question) -> Choice:
        """The program's choice, or the fallback's."""
        if len(question.choices) < 2 or self._told:
            return await self._fallback.choose(question)
        ask = self._program.act
        try:
            choice = await trio.to_thread.run_sync(
                ask, question.game, question.view, question.choices, abandon_on_cancel=True
            )
            return called(question, choice)
        except ProgramError as exc:
            if not self._told:
                self._told = True
                self._tell(question.view.seat, text_of(exc))
        return await self._fallback.choose(question)

    async def refused(self, refusal: Refusal) -> None:
        """Not reached: the program's answers are compared with the legal choices before."""
        raise RuntimeError(f"a choice against the rules came through: {refusal}")

    def close(self) -> None:
        """End the program."""
        self._program.close()
