"""Announcing a table to the network, while it gathers and while it is played."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace

import trio

from p2pcards.net.discovery import Announcement, Discovery, TableAd
from p2pcards.net.errors import NetError
from p2pcards.net.identity import Identity
from p2pcards.net.notices import Tell, Trouble
from p2pcards.protocol.limits import VERSION
from p2pcards.protocol.messages import Terms
from p2pcards.protocol.terms import options_hash, own_rules
from p2pcards.worded import text_of

LOOK_AGAIN = 0.1
"""Seconds between two looks at who is there."""


@dataclass(slots=True)
class Announced:
    """A table as it is announced just now; ``announcement`` is None where that cannot be done."""

    ad: TableAd
    announcement: Announcement | None

    async def follow(self, guests: Callable[[], tuple[str, ...]]) -> None:
        """Tell who is there whenever others are."""
        while self.announcement is not None:
            names = guests()
            if names != self.ad.guests:
                state = "open" if len(names) < 3 else "full"
                self.ad = replace(self.ad, guests=names, free=3 - len(names), state=state)
                with contextlib.suppress(NetError):
                    await self.announcement.update(self.ad)
            await trio.sleep(LOOK_AGAIN)


@dataclass(frozen=True, slots=True)
class Announcer:
    """Announces tables of this peer, which listens at ``port``; troubles go to ``tell``."""

    discovery: Discovery
    identity: Identity
    name: str
    port: int
    tell: Tell

    @contextlib.asynccontextmanager
    async def announce(
        self, terms: Terms, state: str, guests: tuple[str, ...] = ()
    ) -> AsyncIterator[Announced]:
        """Announce a table during the block; where that cannot be done, say so and go on."""
        ad = TableAd(
            table=terms.name,
            table_id=terms.table.hex(),
            game=terms.game,
            options=options_hash(terms.game, terms.options).hex(),
            free=3 - len(guests),
            version=VERSION,
            nick=self.name,
            peer=self.identity.fingerprint,
            port=self.port,
            state=state,
            rules=own_rules(terms),
            guests=guests,
        )
        async with contextlib.AsyncExitStack() as stack:
            announced = Announced(ad, None)
            try:
                announced.announcement = await stack.enter_async_context(
                    self.discovery.announce(ad)
                )
            except NetError as exc:
                self.tell(Trouble(text_of(exc)))
            yield announced
