"""From "I want to play" to a roster of four: find a table and join it, or open one."""

from __future__ import annotations

import contextlib
import math
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import trio

from p2pcards.net.dial import connect
from p2pcards.net.discovery import Announcement, Discovery, TableAd, Tables
from p2pcards.net.errors import NetError
from p2pcards.net.greet import LinkRefused
from p2pcards.net.identity import Identity, fingerprint
from p2pcards.net.joining import Joiner
from p2pcards.net.lobby import (
    GLANCE,
    NOT_HERE,
    NOT_NOW,
    LobbyClosed,
    LobbyReport,
    Opener,
    TableMoved,
    Want,
    full,
    own_addresses,
    pack_want,
)
from p2pcards.net.mesh import Admit, Mesh
from p2pcards.net.notices import BrokenUp, Notice, Trouble
from p2pcards.net.wire import Hello
from p2pcards.net.wish import Role, Wish
from p2pcards.protocol.limits import VERSION
from p2pcards.protocol.messages import Roster, Terms
from p2pcards.protocol.terms import options_hash
from p2pcards.protocol.traffic import Guest, Leaving, pack
from p2pcards.worded import Worded, text_of

LOOK = 1.0
"""Seconds to look for a table before opening one."""
RETRY = 0.3
"""Seconds between two looks."""
AGAIN = 0.5
"""Seconds before a table that could not be joined is tried again; doubled each time."""
AGAIN_MAX = 8.0
"""Seconds between two tries of one table, at most."""
TRIED_MAX = 256
"""Tables remembered as tried; anybody can announce any number."""
GONE = 8.0
"""Seconds for a table that broke up to gather again before one who waits for ever gives up."""
YIELDS = 2
"""Failures to join an older table after which ours is not given up for it any more."""
YIELDS_IN_ALL = 6
"""Failures to join any tables after which ours is given up for none."""
REFUSALS = 3
"""Refusals after which a joiner of one certain table gives up."""


class NobodyCame(NetError):
    """No table came together in the time allowed."""


class Refused(NetError):
    """The table asked for will not have this player; the text says why."""


class Door:
    """Whom the mesh lets in; the policy changes as the table forms."""

    def __init__(self) -> None:
        self.policy: Admit = nobody_here

    def admit(self, peer: bytes, hello: Hello) -> str | None:
        """Why a peer may not come in, or None."""
        return self.policy(peer, hello)


Tell: TypeAlias = Callable[[Notice], None]


@dataclass(slots=True)
class Tries:
    """How often a table could not be joined, the last reason, and when it may be tried again."""

    count: int = 0
    refusals: int = 0
    reason: str = ""
    again: float = 0.0


@dataclass(slots=True)
class Former:
    """Forms one table; the lobby as it stands goes to ``report``, troubles to ``tell``."""

    mesh: Mesh
    identity: Identity
    name: str
    discovery: Discovery
    tables: Tables
    door: Door
    wish: Wish
    report: LobbyReport
    tell: Tell
    ready: Callable[[], bool] = lambda: True
    side: Opener | Joiner | None = None
    _tries: dict[str, Tries] = field(default_factory=dict)
    _gone: float | None = None
    _last: str = ""

    async def form(self) -> Roster:
        """A roster that four are about to sign; raises NobodyCame, Refused or NetError."""
        with trio.move_on_after(self.wish.wait):
            while True:
                roster = await self._once()
                if roster is not None:
                    return roster
                self._give_up()
                await trio.sleep(RETRY)
        raise NobodyCame(self._nobody())

    def _give_up(self) -> None:
        """Raise Refused when the table that we sat at is gone and nothing else limits the wait."""
        gone, now = self._gone, trio.current_time()
        if math.isinf(self.wish.wait) and gone is not None and now > gone + GONE:
            raise Refused(self._last)

    def say(self, text: str) -> None:
        """Say a line to those in the lobby, or tell why nobody hears it."""
        if self.side is None or not self.side.guests:
            self.tell(Trouble("nobody is here to hear it yet"))
        elif not self.side.say(text):
            self.tell(Trouble("too many lines at once; the last was not sent"))

    def change_partner(self) -> None:
        """Let another guest sit opposite, at a table that we opened."""
        if isinstance(self.side, Opener):
            self.side.change_partner()

    def _nobody(self) -> str:
        what = Worded("no table of {game}", game=self.wish.game)
        if self.wish.table:
            what = Worded("no table {name}", name=self.wish.table)
        reasons = [tries.reason for tries in self._tries.values() if tries.refusals]
        if reasons:
            return Worded(
                "{what} came together within {seconds:g} s; {why}",
                what=what, seconds=self.wish.wait, why=reasons[-1],
            )  # fmt: skip
        return Worded(
            "{what} came together within {seconds:g} s; check that the others are on the same "
            "network (p2pcards doctor), or name one of them with --connect HOST:PORT",
            what=what, seconds=self.wish.wait,
        )  # fmt: skip

    async def _once(self) -> Roster | None:
        if self.wish.role is Role.OPEN:
            return await self._open()
        ads = [ad async for ad in self._look()]
        for ad in ads:
            roster = await self._join(ad)
            if roster is not None:
                return roster
        if self.wish.role is Role.JOIN and not ads:
            self._note_playing()
        return await self._open() if self.wish.role is Role.AUTO and not ads else None

    def _note_playing(self) -> None:
        """Tell once when the only table of the name asked for has begun without us.

        It may gather again, if one of its four is lost before all have signed.
        """
        ads = [ad for ad in self.tables.snapshot() if ad.table == self.wish.table]
        if not ads or "open" in {ad.state for ad in ads} or "playing" not in {a.state for a in ads}:
            return
        tries = self._tried(ads[0])
        text = full(ads[0].table)
        if tries.reason != text:
            tries.reason, tries.refusals = text, max(1, tries.refusals)
            self._keep(ads[0], tries)
            self.tell(Trouble(Worded("{text}; waiting in case it gathers again", text=text)))

    async def _look(self) -> AsyncIterator[TableAd]:
        """Tables worth joining, lowest id first; waits a moment for one to be announced."""
        for host, port in self.wish.connect:
            yield TableAd("", "", "", "", 0, 0, "", "", port, (host,))
        with trio.move_on_after(LOOK):
            while not self._candidates():
                await self.tables.changed()
        for ad in self._candidates():
            yield ad

    def _candidates(self) -> list[TableAd]:
        now = trio.current_time()
        return sorted(
            (
                ad
                for ad in self.tables.snapshot()
                if self._suits(ad) and self._tried(ad).again <= now
            ),
            key=lambda ad: ad.table_id,
        )

    def _tried(self, ad: TableAd) -> Tries:
        """What came of joining a table so far; kept only once :meth:`_keep` was told."""
        return self._tries.get(_key(ad)) or Tries()

    def _keep(self, ad: TableAd, tries: Tries) -> None:
        """Remember a table's tries; the oldest table is forgotten for a new one beyond a bound."""
        if len(self._tries) >= TRIED_MAX and _key(ad) not in self._tries:
            del self._tries[next(iter(self._tries))]
        self._tries[_key(ad)] = tries

    def _failed(self, ad: TableAd, error: NetError, was_in: bool = False) -> None:
        """Note and tell why a table could not be joined; raises Refused when that is final.

        ``was_in`` when it was joined and then broke up, or did not want us any more.
        """
        tries = self._tried(ad)
        tries.again = trio.current_time() + min(AGAIN * 2**tries.count, AGAIN_MAX)
        tries.count += 1
        name = ad.table or (ad.dial[0][0] if ad.dial else ad.nick)
        tries.refusals += _is_final(error)
        if was_in:
            text = Worded("{table} has broken up: {why}", table=name, why=error)
            self._gone, self._last = trio.current_time(), text
            self.tell(BrokenUp(text))
        else:
            text = Worded("could not join {table}: {why}", table=name, why=error)
            if text != tries.reason:
                self.tell(Trouble(text))
        tries.reason = text
        self._keep(ad, tries)
        only = self.wish.role is Role.JOIN and (self.wish.table or self.wish.connect)
        if only and tries.refusals >= REFUSALS:
            raise Refused(text)

    def _suits(self, ad: TableAd) -> bool:
        return (
            ad.peer != self.identity.fingerprint
            and ad.state == "open"
            and ad.version == VERSION
            and ad.game == self.wish.game
            and self.wish.table in (None, ad.table)
        )

    async def _join(self, ad: TableAd) -> Roster | None:
        items = self.wish.items()
        wanted = options_hash(self.wish.game, items) if items else b""
        table = bytes.fromhex(ad.table_id) if ad.table_id else b""
        self.mesh.want = pack_want(Want("join", table, wanted))
        try:
            link = await self.mesh.dial(ad.dial)
            if ad.peer and fingerprint(link.peer) != ad.peer:
                self.mesh.drop(link.peer, "you are not the one who announced this table")
                raise LobbyClosed("somebody else answers at the table's address")
        except NetError as exc:
            self._failed(ad, exc)
            return None
        joiner = Joiner(
            self.mesh, self.identity, link.peer, self.wish.against, self.report, self.name
        )
        self.door.policy, self.side = joiner.admit, joiner
        self._gone = None
        closed: list[LobbyClosed] = []
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._keep_ready, joiner)
                roster = await joiner.gather()
                nursery.cancel_scope.cancel()
                return roster
        except* LobbyClosed as group:
            closed.extend(e for e in group.exceptions if isinstance(e, LobbyClosed))
        finally:
            self.side = None
        self.door.policy = nobody_here
        self.mesh.drop(link.peer, "leaves the lobby")
        self._failed(ad, closed[0], was_in=joiner.terms is not None)
        return None

    async def _keep_ready(self, side: Joiner | Opener) -> None:
        """Say whether the player is ready, and again for a table that is not the same."""
        said: tuple[bool, bytes | None] = (False, side.shown())
        while True:
            now = self.ready(), side.shown()
            if now != said and now[1] is not None and (now[0] or said[0]):
                side.set_ready(now[0])
            said = now
            await trio.sleep(GLANCE)

    async def _open(self) -> Roster | None:
        terms = self.wish.terms(self.name)
        me = Guest(
            self.identity.public, self.name, own_addresses(self.mesh.port, self.wish.hosts), False
        )
        opener = Opener(self.mesh, self.identity, terms, me, self.report)
        self.door.policy, self.side = opener.admit, opener
        roster: Roster | None = None
        async with (
            self.announced(terms, "open", 3) as (announcement, ad),
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(self._keep_ready, opener)
            nursery.start_soon(self._tell_free, opener, announcement, ad)
            nursery.start_soon(self._yield_to_older, opener, nursery.cancel_scope)
            try:
                roster = await opener.gather()
            finally:
                self.side = None
            nursery.cancel_scope.cancel()
        if roster is None:
            # Whoever is just dialling in must not wait in a lobby that is no more.
            self.door.policy = nobody_here
        return roster

    @contextlib.asynccontextmanager
    async def announced(
        self, terms: Terms, state: str, free: int
    ) -> AsyncIterator[tuple[Announcement | None, TableAd]]:
        """Announce a table during the block; where that cannot be done, say so and go on."""
        ad = TableAd(
            table=terms.name,
            table_id=terms.table.hex(),
            game=terms.game,
            options=options_hash(terms.game, terms.options).hex(),
            free=free,
            version=VERSION,
            nick=self.name,
            peer=self.identity.fingerprint,
            port=self.mesh.port,
            state=state,
        )
        async with contextlib.AsyncExitStack() as stack:
            announcement: Announcement | None = None
            try:
                announcement = await stack.enter_async_context(self.discovery.announce(ad))
            except NetError as exc:
                self.tell(Trouble(text_of(exc)))
            yield announcement, ad

    async def _tell_free(
        self, opener: Opener, announcement: Announcement | None, ad: TableAd
    ) -> None:
        told = 3
        while announcement is not None:
            if opener.free() != told:
                told = opener.free()
                state = "open" if told else "full"
                with contextlib.suppress(NetError):
                    await announcement.update(replace(ad, free=told, state=state))
            await trio.sleep(0.1)

    async def _yield_to_older(self, opener: Opener, scope: trio.CancelScope) -> None:
        """Give up a table just opened when one of the same name has the lower id."""
        while self.wish.role is Role.AUTO:
            older = [ad for ad in self._candidates() if self._is_older(ad, opener.terms)]
            if older and await self._reaches(older[0]):
                for peer in list(opener.guests):
                    self.mesh.send(peer, pack(Leaving("this table joins another of the same name")))
                    self.mesh.drop(peer, "this table joins another of the same name")
                scope.cancel()
                return
            with trio.move_on_after(LOOK):
                await self.tables.changed()
        await trio.sleep_forever()

    async def _reaches(self, ad: TableAd) -> bool:
        """Whether the opener of another table can be reached, so that ours may be given up."""
        try:
            stream = await connect(ad.dial, self.identity)
        except NetError as exc:
            self._failed(ad, exc)
            return False
        await stream.aclose()
        return True

    def _is_older(self, ad: TableAd, terms: Terms) -> bool:
        return (
            ad.table_id < terms.table.hex()
            and ad.table == terms.name
            and self._tried(ad).count < YIELDS
            and sum(tries.count for tries in self._tries.values()) < YIELDS_IN_ALL
        )


def _key(ad: TableAd) -> str:
    return ad.table_id or str(ad.dial)


def nobody_here(peer: bytes, hello: Hello) -> str | None:
    """The policy between two lobbies."""
    return NOT_NOW


def _is_final(error: NetError) -> bool:
    """Whether a table has refused us, rather than moved or been out of reach for the moment."""
    if isinstance(error, LinkRefused):
        return error.reason not in (NOT_NOW, NOT_HERE)
    return isinstance(error, LobbyClosed) and not isinstance(error, TableMoved)
