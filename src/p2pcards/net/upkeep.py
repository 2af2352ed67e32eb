"""Links that are kept alive: a peer is dialled again, where it is now, while its link is down."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import trio

from p2pcards.net.dial import Address
from p2pcards.net.errors import NetError

log = logging.getLogger(__name__)

_BACKOFF_FIRST = 0.2
_BACKOFF_LAST = 2.0
_SECOND_DIALLER_WAITS = 0.2

Dial: TypeAlias = Callable[[Sequence[Address], bytes], Awaitable[object]]


@dataclass(slots=True)
class _Kept:
    """A peer whose link is kept alive; ``stirred`` is set when its link or address changes."""

    addresses: list[Address]
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    stirred: trio.Event = field(default_factory=trio.Event)


class Upkeep:
    """Keeps links to some peers alive for ``me``, the public key of this one."""

    def __init__(
        self, nursery: trio.Nursery, me: bytes, dial: Dial, is_linked: Callable[[bytes], bool]
    ) -> None:
        self._nursery = nursery
        self._me = me
        self._dial = dial
        self._is_linked = is_linked
        self._kept: dict[bytes, _Kept] = {}

    def __contains__(self, peer: bytes) -> bool:
        return peer in self._kept

    def maintain(self, peers: Mapping[bytes, Sequence[Address]]) -> None:
        """Keep one link to each of these peers, and to no other; ends nobody's link."""
        for peer in self._kept.keys() - peers.keys():
            self._kept.pop(peer).scope.cancel()
        for peer, addresses in peers.items():
            if peer in self._kept:
                self.update_addresses(peer, addresses)
            elif peer != self._me:
                self._kept[peer] = _Kept(list(addresses))
                self._nursery.start_soon(self._keep, peer, self._kept[peer])

    def update_addresses(self, peer: bytes, addresses: Sequence[Address]) -> None:
        """Note where a maintained peer is now; it is dialled there at once if not linked."""
        kept = self._kept.get(peer)
        if kept is not None and kept.addresses != list(addresses):
            kept.addresses = list(addresses)
            kept.stirred.set()

    def stir(self, peer: bytes) -> None:
        """Look after a peer's link, which came up or went down."""
        if peer in self._kept:
            self._kept[peer].stirred.set()

    async def _keep(self, peer: bytes, kept: _Kept) -> None:
        with kept.scope:
            if self._me > peer:
                # The one whose dial would be kept goes first, so most pairs dial only once.
                await trio.sleep(_SECOND_DIALLER_WAITS)
            backoff = _BACKOFF_FIRST
            while True:
                kept.stirred = trio.Event()
                if self._is_linked(peer):
                    await kept.stirred.wait()
                    backoff = _BACKOFF_FIRST
                    continue
                try:
                    await self._dial(kept.addresses, peer)
                except NetError as error:
                    log.debug("dialling: %s", error)
                with trio.move_on_after(backoff):
                    await kept.stirred.wait()
                backoff = min(_BACKOFF_LAST, backoff * 2)
