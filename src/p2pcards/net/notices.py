"""What a session reports besides verified events: links, waits, talk, troubles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from p2pcards.protocol.events import Event


@dataclass(frozen=True, slots=True)
class Linked:
    """The link to a seat's peer came up or went down; ``reason`` says why it went."""

    seat: int
    up: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Recalled:
    """What had happened before this peer came back to the table, in order; told by nobody yet."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Waiting:
    """The step waits for these seats; ``left`` seconds remain before a loss is put to the vote."""

    seats: tuple[int, ...]
    kind: str
    decides: bool
    elapsed: float
    left: float


@dataclass(frozen=True, slots=True)
class ChatLine:
    """A cleaned line of talk."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class LobbyLine:
    """A cleaned line of talk in the lobby, and who said it as the opener tells."""

    name: str
    text: str
    is_mine: bool


@dataclass(frozen=True, slots=True)
class Parted:
    """A peer said that it leaves, and why."""

    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something this peer should know and can do something about, in words."""

    text: str


@dataclass(frozen=True, slots=True)
class Denied(Trouble):
    """What this person wants is not done, so nothing happened; the text says why."""


@dataclass(frozen=True, slots=True)
class BrokenUp(Trouble):
    """The lobby that one was in is no more; it is looked for again for a while."""


@dataclass(frozen=True, slots=True)
class Watched:
    """Somebody began, or ceased, to watch the table through the peer of this seat."""

    seat: int
    name: str
    up: bool


Notice: TypeAlias = Linked | Recalled | Waiting | ChatLine | LobbyLine | Parted | Trouble | Watched
Tell: TypeAlias = Callable[[Notice], None]
