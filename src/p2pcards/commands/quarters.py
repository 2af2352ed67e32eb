"""Where the bots live that a person brings: each in a room, with its key and its journal.

A room outlives the bot's process while the game is unfinished, so that the bot comes back to its
seat together with the person.
"""

from __future__ import annotations

import contextlib
import secrets
import shutil
from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path

import msgspec

from p2pcards.files import read_plain
from p2pcards.net.errors import NetError
from p2pcards.net.identity import make_private_dir
from p2pcards.net.journal import resumable
from p2pcards.net.lock import hold

FOLDER = "bots"
_FILE = "bot.json"
_MAX = 1000


class Bot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who lives in a room."""

    name: str
    level: str


@dataclass(frozen=True, slots=True)
class Room:
    """A bot's folder."""

    path: Path
    bot: Bot

    def leave(self) -> None:
        """Take the room away, unless its bot has an unfinished game or still runs in it."""
        if _is_free(self.path):
            shutil.rmtree(self.path, ignore_errors=True)
            with contextlib.suppress(OSError):
                self.path.parent.rmdir()  # the table's, when this was its last bot


def move_in(data_dir: Path, table: bytes, bot: Bot) -> Room:
    """A new room for a bot at a table; raises NetError or OSError."""
    path = data_dir / FOLDER / table.hex() / secrets.token_hex(4)
    make_private_dir(path)
    (path / _FILE).write_bytes(msgspec.json.encode(bot))
    return Room(path, bot)


def at_table(data_dir: Path, table: bytes) -> list[Room]:
    """The rooms of the bots that have an unfinished game at a table and do not run."""
    rooms = [_room(path) for path in _inside(data_dir / FOLDER / table.hex())]
    return [room for room in rooms if room is not None and _journals(room.path)]


def forget(data_dir: Path, table: bytes) -> None:
    """Take the rooms of a table away, whose game is not to go on."""
    shutil.rmtree(data_dir / FOLDER / table.hex(), ignore_errors=True)


def sweep(data_dir: Path, unfinished: Container[str] | None = None) -> None:
    """Take away what is left of bots whose program was killed before they played.

    ``unfinished`` are the tables, by their ids, whose games the person may come back to; what
    bots have of other games goes, too.
    """
    for table in _inside(data_dir / FOLDER):
        is_over = unfinished is not None and table.name not in unfinished
        for path in _inside(table):
            if _is_free(path) or (is_over and _journals(path)):
                shutil.rmtree(path, ignore_errors=True)
        with contextlib.suppress(OSError):
            table.rmdir()


def _room(path: Path) -> Room | None:
    with contextlib.suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return Room(path, msgspec.json.decode(read_plain(path / _FILE, _MAX), type=Bot))
    return None


def _inside(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if path.is_dir() and not path.is_symlink()]
    except OSError:
        return []


def _journals(path: Path) -> bool:
    """Whether there is an unfinished game, and nobody at it: then the bot may come back."""
    try:
        with hold(path):
            return bool(resumable(path))
    except NetError:
        return False


def _is_free(path: Path) -> bool:
    """Whether nobody runs in a room and nothing unfinished lies in it."""
    try:
        with hold(path):
            return not resumable(path)
    except NetError:
        return False
