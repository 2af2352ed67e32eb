"""The games this program knows, by name."""

from __future__ import annotations

from typing import Any

from p2pcards.games.belka import BELKA
from p2pcards.games.belota import BELOTA
from p2pcards.games.engine import Game

GAMES: dict[str, Game[Any]] = {game.name: game for game in (BELOTA, BELKA)}
"""Each game under the name that commands, rosters and records use."""


def title_of(name: str) -> str:
    """What people call a game; a game this program does not know keeps the name it came with."""
    return GAMES[name].title if name in GAMES else name
