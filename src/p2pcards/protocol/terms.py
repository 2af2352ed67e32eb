"""A table's terms: making them, comparing them, and where they differ from the defaults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from p2pcards.games.options import OptionError
from p2pcards.games.registry import GAMES
from p2pcards.protocol.envelope import digest
from p2pcards.protocol.limits import VERSION
from p2pcards.protocol.messages import Terms
from p2pcards.protocol.table import RosterError

DEADLINE = 20
"""Default seconds for a step that needs no thought."""
THINK = 120
"""Default seconds a person has for a bid or a card."""


def make_terms(
    table: bytes,
    name: str,
    game: str,
    options: Mapping[str, str],
    partners: str = "drawn",
    deadline: int = DEADLINE,
    think: int = THINK,
) -> Terms:
    """Terms with the options in canonical form; raises OptionError or RosterError."""
    if game not in GAMES:
        raise RosterError(f"unknown game {game!r}: the games are {', '.join(GAMES)}")
    items = GAMES[game].parse_options(options).items()
    return Terms(VERSION, table, name, game, items, partners, deadline, think)


def options_hash(game: str, items: Sequence[tuple[str, str]]) -> bytes:
    """Eight bytes that tell whether two tables play by the same rules."""
    fields = [part.encode() for item in items for part in item]
    return digest(b"options", game.encode(), *fields)[:8]


def differences(terms: Terms) -> tuple[tuple[str, str, str], ...]:
    """Where the terms differ from their game's defaults: option, value here, default."""
    game = GAMES.get(terms.game)
    if game is None:
        raise RosterError(f"unknown game {terms.game!r}")
    try:
        return game.parse_options(dict(terms.options)).differences()
    except OptionError as exc:
        raise RosterError(str(exc)) from None
