"""Spectators at one player's peer: whom it lets in, what they may ask, and what they are sent.

A spectator is sent the public envelopes and may send statuses, nothing else. What it costs is
bounded in number, messages and bytes, and it is never waited for.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from p2pcards.net.limits import Bucket
from p2pcards.net.lobby import read_want
from p2pcards.net.manners import ASKS_BURST, ASKS_RATE, BYTES_BURST, BYTES_RATE, batch
from p2pcards.net.text import NAME_LIMIT, clean, likeness
from p2pcards.net.wire import Hello
from p2pcards.protocol.messages import WireError
from p2pcards.protocol.observer import Observer
from p2pcards.protocol.traffic import WATCHING_MAX, Env, Status, Traffic, pack, unpack
from p2pcards.worded import Worded, text_of

KIND = "watch"
"""The ``kind`` in the hello of one who wants to watch."""
# One status more than a player may send ends a spectator's link; what is past comes as slowly.
ENTRY_RATE, ENTRY_BURST = 0.5, 16.0
"""Spectators a second that may come, after a burst: the players are told of each."""
_BANNED = 64


@dataclass(slots=True)
class _Watcher:
    """One spectator; ``is_near`` when it has all the past, and is sent what comes as it comes."""

    name: str
    asks: Bucket
    data: Bucket
    is_near: bool = False


@dataclass(slots=True)
class Watchers:
    """The spectators of one peer at one table; ``players`` are what its names look like."""

    table: bytes
    is_allowed: bool = True
    players: frozenset[str] = frozenset()
    _entries: Bucket | None = None
    _inside: dict[bytes, _Watcher] = field(default_factory=dict)
    _banned: set[bytes] = field(default_factory=set)

    @property
    def peers(self) -> frozenset[bytes]:
        """The public keys of the spectators."""
        return frozenset(self._inside)

    @property
    def names(self) -> tuple[str, ...]:
        """The spectators' names."""
        return tuple(watcher.name for watcher in self._inside.values())

    def admit(self, peer: bytes, hello: Hello) -> str | None:
        """Why this peer may not watch here, or None."""
        want = read_want(hello.want)
        if not self.is_allowed:
            return Worded("this player lets nobody watch")
        if want is not None and want.table and want.table != self.table:
            return Worded("the table you look for is not here any more")
        if peer in self._banned:
            return Worded("you may not watch here any more")
        if likeness(hello.name) in self.players:
            return Worded("a player of this table has that name; choose another with --name")
        if len(self._inside) >= WATCHING_MAX and peer not in self._inside:
            return Worded("too many watch here already; try another player of the table")
        return None

    def enter(self, peer: bytes, name: str, now: float) -> bool:
        """Take in a spectator whose link came up; False if there is no place."""
        if len(self._inside) >= WATCHING_MAX and peer not in self._inside:
            return False
        self._entries = self._entries or Bucket(ENTRY_RATE, ENTRY_BURST, ENTRY_BURST, now)
        if not self._entries.take_whole(1, now):
            return False
        asks = Bucket(ASKS_RATE, ASKS_BURST, ASKS_BURST, now)
        data = Bucket(BYTES_RATE, BYTES_BURST, BYTES_BURST, now)
        self._inside[peer] = _Watcher(clean(name, NAME_LIMIT) or "?", asks, data)
        return True

    def leave(self, peer: bytes) -> str | None:
        """The name of a spectator whose link went down, or None if it was none."""
        gone = self._inside.pop(peer, None)
        return None if gone is None else gone.name

    def near(self) -> list[bytes]:
        """The spectators that are to be sent a new envelope at once."""
        return [peer for peer, watcher in self._inside.items() if watcher.is_near]

    def answer(
        self, peer: bytes, payload: bytes, observer: Observer, mine: Status, now: float
    ) -> list[bytes] | str:
        """What to send for a message of a spectator, or why its link must end."""
        watcher = self._inside[peer]
        reason = _refusal(payload, observer.session)
        if reason is None and watcher.asks.take(1, now) > 0:
            reason = Worded("a spectator may not ask so often")
        if reason is not None:
            if len(self._banned) >= _BANNED:
                self._banned.clear()
            self._banned.add(peer)
            return reason
        status = unpack(payload)
        if not isinstance(status, Status) or status.step > observer.step.number:
            return [pack(mine)]
        missing = observer.missing(status.step, status.have)
        sent = batch(watcher.data, (pack(Env(wire)) for wire in missing), now)
        watcher.is_near = len(sent) == len(missing)
        return [*sent, pack(mine)]


def wants_to_watch(want: bytes) -> bool:
    """Whether a hello's want is a spectator's."""
    read = read_want(want)
    return read is not None and read.kind == KIND


def _refusal(payload: bytes, session: bytes) -> str | None:
    """Why a spectator's message is none that it may send."""
    try:
        message: Traffic = unpack(payload)
    except WireError as exc:
        return text_of(exc)
    if not isinstance(message, Status):
        return Worded("a spectator may ask for envelopes and say nothing else")
    return None if message.session == session else "a status of another session"
