"""Which of the tables that are announced are worth joining, for what a player wishes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import trio

from p2pcards.net.discovery import TableAd, Tables
from p2pcards.net.tries import Tried
from p2pcards.net.wish import Role, Wish
from p2pcards.protocol.limits import VERSION
from p2pcards.protocol.messages import Terms

LOOK = 1.0
"""Seconds to look for a table before opening one."""


@dataclass(frozen=True, slots=True)
class Search:
    """A look at ``tables`` by the peer with the fingerprint ``me``."""

    tables: Tables
    wish: Wish
    me: str
    tried: Tried = field(default_factory=Tried)

    async def look(self) -> AsyncIterator[TableAd]:
        """Tables worth joining, lowest id first; waits a moment for one to be announced."""
        for host, port in self.wish.connect:
            yield TableAd("", "", "", "", 0, 0, "", "", port, (host,))
        with trio.move_on_after(LOOK):
            while not self._candidates():
                await self.tables.changed()
        for ad in self._candidates():
            yield ad

    def older(self, terms: Terms) -> TableAd | None:
        """A table of the same name with a lower id than ours, to give ours up for."""
        older = (
            ad
            for ad in self._candidates()
            if ad.table_id < terms.table.hex()
            and ad.table == terms.name
            and self.tried.may_yield_to(ad)
        )
        return next(older, None)

    async def changed(self) -> None:
        """Wait until other tables are announced, or for a moment."""
        with trio.move_on_after(LOOK):
            await self.tables.changed()

    def playing(self) -> TableAd | None:
        """The table asked for by name, when it is played already and none of the name is open."""
        ads = [ad for ad in self.tables.snapshot() if ad.table == self.wish.table]
        states = {ad.state for ad in ads}
        return ads[0] if "playing" in states and "open" not in states else None

    def _candidates(self) -> list[TableAd]:
        now = trio.current_time()
        found = (
            ad
            for ad in self.tables.snapshot()
            if self._suits(ad) and self.tried.of(ad).again <= now
        )
        return sorted(found, key=lambda ad: ad.table_id)

    def _suits(self, ad: TableAd) -> bool:
        # A table asked for by name is dialled whatever it plays: the refusal says what that is.
        by_name = self.wish.role is Role.JOIN and self.wish.table is not None
        return (
            not self.wish.only_there
            and ad.peer != self.me
            and ad.state == "open"
            and ad.version == VERSION
            and self.wish.table in (None, ad.table)
            and (by_name or ad.game == self.wish.game)
        )
