"""Who chooses for a seat: a bot, a script, another program, or a person at a screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from p2pcards.games.base import Action, IllegalActionError, View
from p2pcards.games.engine import Game

Choice: TypeAlias = Action | None
"""A bid or a play; None where a step offers no choice, or a weak hand is not shown."""

Refusal = IllegalActionError
"""A choice against the rules; nothing was sent."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a seat must decide, with everything it may know.

    ``kind`` is ``bid``, ``play`` or ``redeal``; ``choices`` are all that the rules allow (for
    ``redeal`` none: answer None, or a Redeal to show the weak hand).
    """

    game: Game[Any]
    view: View
    kind: str
    choices: tuple[Action, ...]


class Chooser(Protocol):
    """Asked whenever the seat has something to decide."""

    async def choose(self, question: Question) -> Choice:
        """The choice; it is taken back by cancellation when it no longer matters."""

    async def refused(self, refusal: Refusal) -> None:
        """The last choice was against the rules; ``choose`` is called again after this."""
