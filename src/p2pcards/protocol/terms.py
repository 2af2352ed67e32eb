"""A table's terms: making them, comparing them, and where they differ from the defaults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from p2pcards.games.options import OptionError
from p2pcards.games.registry import GAMES
from p2pcards.protocol.envelope import digest
from p2pcards.protocol.limits import DEADLINE, THINK, VERSION
from p2pcards.protocol.messages import Terms
from p2pcards.protocol.table import RosterError
from p2pcards.worded import Worded, text_of


def make_terms(
    table: bytes,
    name: str,
    game: str,
    options: Mapping[str, str],
    partners: str | None = None,
    deadline: int | None = None,
    think: int | None = None,
) -> Terms:
    """Terms with the options in canonical form, and the usual values where None is given.

    Raises:
        OptionError: an option or its value is unknown.
        RosterError: the game is.
    """
    if game not in GAMES:
        raise RosterError(
            Worded(
                "unknown game {game!r}: the games are {names}", game=game, names=", ".join(GAMES)
            )
        )
    items = GAMES[game].parse_options(options).items()
    deadline = DEADLINE if deadline is None else deadline
    think = THINK if think is None else think
    return Terms(VERSION, table, name, game, items, partners or "drawn", deadline, think)


def options_hash(game: str, items: Sequence[tuple[str, str]]) -> bytes:
    """Eight bytes that tell whether two tables play by the same rules."""
    fields = [part.encode() for item in items for part in item]
    return digest(b"options", game.encode(), *fields)[:8]


def own_rules(terms: Terms) -> str:
    """The options that differ from their game's defaults, as an announcement tells them."""
    return ",".join(f"{key}={value}" for key, value, _default in differences(terms))


def read_rules(game: str, text: str, options: str) -> tuple[tuple[str, str, str], ...] | None:
    """Option, value and default from what :func:`own_rules` made; None if ``options``, a hash, is
    of other rules, as when nothing was told of them.
    """  # fmt: skip
    if game not in GAMES:
        return None
    pairs = [pair.partition("=") for pair in text.split(",") if pair]
    try:
        chosen = GAMES[game].parse_options({key: value for key, _sign, value in pairs})
    except OptionError:
        return None
    return chosen.differences() if options_hash(game, chosen.items()).hex() == options else None


def differences(terms: Terms) -> tuple[tuple[str, str, str], ...]:
    """Where the terms differ from their game's defaults: option, value here, default."""
    game = GAMES.get(terms.game)
    if game is None:
        raise RosterError(Worded("unknown game {game!r}", game=terms.game))
    try:
        return game.parse_options(dict(terms.options)).differences()
    except OptionError as exc:
        raise RosterError(text_of(exc)) from None
