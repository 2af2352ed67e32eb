"""The listening side: bound ports, and a bound on connections that have not said who they are."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import trio

from p2pcards.net.errors import NetError, explain
from p2pcards.worded import Worded

HALF_OPEN = 32
HALF_OPEN_EACH = 16
HALF_OPEN_SECONDS = 10.0
_BACKLOG = 64


class ListenFailed(NetError):
    """This peer cannot listen for connections."""


@dataclass(slots=True)
class Gate:
    """Counts connections that are still shaking hands, in all and for each remote host.

    One host may hold only half of the places, so it cannot keep everyone else out.
    """

    total: int = HALF_OPEN
    each: int = HALF_OPEN_EACH
    _inside: Counter[str] = field(default_factory=Counter)

    @contextlib.contextmanager
    def enter(self, host: str) -> Iterator[bool]:
        """Take a place for the block; yields False if there is none."""
        if self._inside.total() >= self.total or self._inside[host] >= self.each:
            yield False
            return
        self._inside[host] += 1
        try:
            yield True
        finally:
            self._inside[host] -= 1
            if not self._inside[host]:
                del self._inside[host]


async def listeners(addresses: Sequence[tuple[str, int]]) -> list[trio.SocketListener]:
    """Listen on every (host, port); port 0 takes one free port, the same for all that ask so.

    Raises ListenFailed, with nothing left open.
    """
    opened: list[trio.SocketListener] = []
    free = 0
    try:
        for host, port in addresses:
            opened += await _listen(host, port or free)
            free = free or (0 if port else opened[-1].socket.getsockname()[1])
    except ListenFailed:
        for listener in opened:
            await trio.aclose_forcefully(listener)
        raise
    return opened


async def _listen(host: str, port: int) -> list[trio.SocketListener]:
    try:
        return await trio.open_tcp_listeners(port, host=host, backlog=_BACKLOG)
    except (OSError, ExceptionGroup) as error:
        raise ListenFailed(
            Worded(
                "cannot listen on {host}, port {port}: {why}; choose another port or --interface",
                host=host,
                port=port or "any",
                why=explain(error),
            )
        ) from error
