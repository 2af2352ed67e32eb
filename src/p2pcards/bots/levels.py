"""The bots there are, by level. A bot sees a view and the choices the rules leave it."""

from __future__ import annotations

from typing import Any, Protocol

from p2pcards.games.base import Action, Bid, Play, View
from p2pcards.games.engine import Game


class Bot(Protocol):
    """Chooses one of the legal actions from what its seat may know."""

    def act(self, game: Game[Any], view: View, choices: tuple[Action, ...]) -> Action:
        """One of ``choices``."""


class Easy:
    """Bids by the game's simple rule and plays its lowest legal card, as the public bot does."""

    def act(self, game: Game[Any], view: View, choices: tuple[Action, ...]) -> Action:
        """The public bot's action."""
        action: Bid | Play = game.public_bot(view)
        return action


def make_bot(level: str, seed: bytes) -> Bot:
    """A bot of this level, reproducible from its seed; raises ValueError for an unknown level."""
    if level == "easy":
        return Easy()
    raise ValueError(f"unknown level {level!r}; the levels are {', '.join(LEVELS)}")


LEVELS: tuple[str, ...] = ("easy",)
"""The levels, weakest first."""
