"""The bots there are, by level. A bot sees a view and the choices the rules leave it.

A level is written as its name, or with settings: ``hard:samples=200,budget=0.5``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol

from p2pcards.bots.hard import Hard, Settings
from p2pcards.bots.normal import Normal
from p2pcards.games.base import Action, Bid, Play, View
from p2pcards.games.engine import Game
from p2pcards.worded import WordedError


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
    name, _, text = level.partition(":")
    if name not in LEVELS:
        raise WordedError(
            "unknown level {level}; the levels are {levels}", level=repr(level),
            levels=", ".join(LEVELS),
        )  # fmt: skip
    if name == "hard":
        return Hard(seed, _settings(text))
    if text:
        raise WordedError("level {level} has no settings", level=name)
    return Easy() if name == "easy" else Normal()


def check_level(level: str) -> str:
    """The level as written, if there is such a bot; raises ValueError."""
    make_bot(level, b"")
    return level


def suggest(
    level: str, game: Game[Any], view: View, choices: tuple[Action, ...], seed: bytes
) -> Action:
    """What a bot of this level would do here: a hint for a person.

    Raises:
        ValueError: there is no such level.
    """
    return make_bot(level, seed).act(game, view, choices)


def _settings(text: str) -> Settings:
    settings: Settings = Settings()
    for item in text.split(",") if text else []:
        key, _, value = item.partition("=")
        try:
            settings = _with(settings, key, value)
        except (TypeError, ValueError, KeyError):
            known = ", ".join(f"{name} ({least:g} to {most:g})" for name, (least, most) in
                              _BOUNDS.items())  # fmt: skip
            raise WordedError(
                "hard:{item}: write NAME=VALUE; the settings are {known}", item=item, known=known
            ) from None
    return settings


def _with(settings: Settings, key: str, text: str) -> Settings:
    values: dict[str, Any] = {key: _number(key, text)}
    return replace(settings, **values)


_BOUNDS = {
    "samples": (1, 100_000),
    "budget": (0.05, 60),
    "noise": (0, 1),
    "solve": (0, 6),
    "solved": (1, 10_000),
    "belief": (0.01, 1),
    "lead": (0.5, 100),
}
_WHOLE = ("samples", "solve", "solved")


def _number(key: str, text: str) -> float | int | None:
    if key == "budget" and text == "none":
        return None
    least, most = _BOUNDS[key]
    value = int(text) if key in _WHOLE else float(text)
    if not least <= value <= most:
        raise ValueError(text)
    return value


LEVELS: tuple[str, ...] = ("easy", "normal", "hard")
"""The levels, weakest first."""
USUAL = "normal"
"""The level where none is asked for: to practise with, or to take over a seat."""
