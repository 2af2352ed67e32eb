"""Games of this player that were left in the middle, to come back to or to forget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from p2pcards.commands import quarters
from p2pcards.net.errors import NetError
from p2pcards.net.journal import Journal, resumable
from p2pcards.net.lock import hold
from p2pcards.net.store import Store
from p2pcards.net.text import clean


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A game in a journal: where it is kept, its table and game, and who plays.

    ``table_id`` is what the table announces itself by.
    """

    path: Path
    table: str
    game: str
    players: tuple[str, ...]
    table_id: str


def unfinished(data_dir: Path, tell: Callable[[NetError], None]) -> list[Unfinished]:
    """The games left in the middle, newest first; what is wrong with them is told.

    Nothing is read while another process of this identity may be playing one of them.
    """
    try:
        with hold(data_dir):
            return _read(data_dir, tell)
    except NetError as exc:
        tell(exc)
        return []


def _read(data_dir: Path, tell: Callable[[NetError], None]) -> list[Unfinished]:
    found: list[Unfinished] = []
    is_whole = True
    for info in resumable(data_dir):
        try:
            store = Store.resume(info.path)
        except NetError as exc:
            tell(exc)
            is_whole = False
            continue
        store.close()
        roster = store.roster
        names = tuple(clean(player.name, 32) for player in roster.players)
        terms = roster.terms
        found.append(Unfinished(info.path, terms.name, terms.game, names, terms.table.hex()))
    quarters.sweep(data_dir, {game.table_id for game in found} if is_whole else None)
    return found


def forget(data_dir: Path, game: Unfinished) -> None:
    """Never offer this game again; raises NetError."""
    with hold(data_dir):
        Journal.open(game.path).finish()
    quarters.forget(data_dir, bytes.fromhex(game.table_id))
