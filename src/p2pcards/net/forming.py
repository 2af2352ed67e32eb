"""From "I want to play" to a roster of four: find a table and join it, or open one."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import trio

from p2pcards.net.announcing import Announcer
from p2pcards.net.dial import connect
from p2pcards.net.discovery import TableAd
from p2pcards.net.errors import NetError
from p2pcards.net.identity import Identity, fingerprint
from p2pcards.net.joining import Joiner
from p2pcards.net.lobby import (
    GLANCE,
    NOT_NOW,
    LobbyClosed,
    LobbyReport,
    Opener,
    Want,
    full,
    own_addresses,
    pack_want,
)
from p2pcards.net.mesh import Admit, Mesh
from p2pcards.net.notices import BrokenUp, Denied, Tell, Trouble
from p2pcards.net.search import Search
from p2pcards.net.wire import Hello
from p2pcards.net.wish import Role, Wish
from p2pcards.protocol.messages import Roster
from p2pcards.protocol.terms import options_hash
from p2pcards.protocol.traffic import Guest, Leaving, pack
from p2pcards.worded import Worded

RETRY = 0.3
"""Seconds between two looks."""
GONE = 8.0
"""Seconds for a table that broke up to gather again before one who waits for ever gives up."""


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


def nobody_here(peer: bytes, hello: Hello) -> str | None:
    """The policy between two lobbies."""
    return NOT_NOW


@dataclass(slots=True)
class Former:
    """Forms one table; the lobby as it stands goes to ``report``, troubles to ``tell``."""

    mesh: Mesh
    identity: Identity
    name: str
    announcer: Announcer
    search: Search
    door: Door
    wish: Wish
    report: LobbyReport
    tell: Tell
    ready: Callable[[], bool] = lambda: True
    side: Opener | Joiner | None = None
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
        raise NobodyCame(_nobody(self.wish, self.search.tried.last_refusal()))

    def say(self, text: str) -> None:
        """Say a line to those in the lobby, or tell why nobody hears it."""
        if self.side is None or not self.side.guests:
            self.tell(Denied("nobody is here to hear it yet"))
        elif not self.side.say(text):
            self.tell(Denied("too many lines at once; the last was not sent"))

    def change_partner(self) -> None:
        """Let another guest sit opposite, at a table that we opened."""
        if isinstance(self.side, Opener):
            self.side.change_partner()

    async def _once(self) -> Roster | None:
        if self.wish.role is Role.OPEN:
            return await self._open()
        ads = [ad async for ad in self.search.look()]
        for ad in ads:
            roster = await self._join(ad)
            if roster is not None:
                return roster
        if self.wish.role is Role.JOIN and not ads:
            self._note_playing()
        return await self._open() if self.wish.role is Role.AUTO and not ads else None

    async def _gather(self, side: Opener | Joiner) -> Roster | LobbyClosed:
        """Sit at a table until four agree on a roster; that, or why they will not."""
        found: Roster | LobbyClosed | None = None
        self.door.policy, self.side = side.admit, side
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._keep_ready, side)
                try:
                    found = await side.gather()
                except LobbyClosed as exc:
                    found = exc
                nursery.cancel_scope.cancel()
            return found
        finally:
            self.side = None
            if not isinstance(found, Roster):
                # Whoever is just dialling in must not wait in a lobby that is no more.
                self.door.policy = nobody_here

    async def _keep_ready(self, side: Joiner | Opener) -> None:
        """Say whether the player is ready, and again for a table that is not the same."""
        said: tuple[bool, bytes | None] = (False, side.shown())
        while True:
            now = self.ready(), side.shown()
            if now != said and now[1] is not None and (now[0] or said[0]):
                side.set_ready(now[0])
            said = now
            await trio.sleep(GLANCE)

    # -- joining a table -----------------------------------------------------------------------

    async def _join(self, ad: TableAd) -> Roster | None:
        try:
            opener = await self._dial(ad)
        except NetError as exc:
            self._failed(ad, exc)
            return None
        joiner = Joiner(self.mesh, self.identity, opener, self.wish.against, self.report, self.name)
        self._gone = None
        found = await self._gather(joiner)
        if isinstance(found, Roster):
            return found
        self.mesh.drop(opener, "leaves the lobby")
        self._failed(ad, found, was_in=joiner.terms is not None)
        return None

    async def _dial(self, ad: TableAd) -> bytes:
        """The key of a table's opener, linked now; raises NetError."""
        items = self.wish.items()
        wanted = options_hash(self.wish.game, items) if items else b""
        table = bytes.fromhex(ad.table_id) if ad.table_id else b""
        self.mesh.want = pack_want(Want("join", table, wanted))
        link = await self.mesh.dial(ad.dial)
        if ad.peer and fingerprint(link.peer) != ad.peer:
            self.mesh.drop(link.peer, "you are not the one who announced this table")
            raise LobbyClosed("somebody else answers at the table's address")
        return link.peer

    def _failed(self, ad: TableAd, error: NetError, was_in: bool = False) -> None:
        """Note and tell why a table could not be joined; raises Refused when that is final.

        ``was_in`` when it was joined and then broke up, or did not want us any more.
        """
        tries = self.search.tried.of(ad)
        name, now = ad.table or (ad.dial[0][0] if ad.dial else ad.nick), trio.current_time()
        if was_in:
            text = Worded("{table} has broken up: {why}", table=name, why=error)
            self._gone, self._last = now, text
            self.tell(BrokenUp(text))
        else:
            text = Worded("could not join {table}: {why}", table=name, why=error)
            if text != tries.reason:
                self.tell(Trouble(text))
        tries.failed(error, text, now)
        self.search.tried.keep(ad, tries)
        only = self.wish.role is Role.JOIN and (self.wish.table or self.wish.connect)
        if only and tries.is_hopeless:
            raise Refused(text)

    def _give_up(self) -> None:
        """Raise Refused when the table that we sat at is gone and nothing else limits the wait."""
        gone, now = self._gone, trio.current_time()
        if math.isinf(self.wish.wait) and gone is not None and now > gone + GONE:
            raise Refused(self._last)

    def _note_playing(self) -> None:
        """Tell once when the only table of the name asked for has begun without us.

        It may gather again, if one of its four is lost before all have signed.
        """
        ad = self.search.playing()
        if ad is None:
            return
        tries, text = self.search.tried.of(ad), full(ad.table)
        if tries.reason != text:
            tries.reason, tries.refusals = text, max(1, tries.refusals)
            self.search.tried.keep(ad, tries)
            self.tell(Trouble(Worded("{text}; waiting in case it gathers again", text=text)))

    # -- opening a table -----------------------------------------------------------------------

    async def _open(self) -> Roster | None:
        terms = self.wish.terms(self.name)
        me = Guest(
            self.identity.public, self.name, own_addresses(self.mesh.port, self.wish.hosts), False
        )
        opener = Opener(self.mesh, self.identity, terms, me, self.report)
        found: Roster | LobbyClosed | None = None
        async with (
            self.announcer.announce(terms, "open") as announced,
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(announced.follow, opener.names)
            nursery.start_soon(self._yield_to_older, opener, nursery.cancel_scope)
            found = await self._gather(opener)
            nursery.cancel_scope.cancel()
        return found if isinstance(found, Roster) else None

    async def _yield_to_older(self, opener: Opener, scope: trio.CancelScope) -> None:
        """Give up a table just opened when one of the same name has the lower id."""
        while self.wish.role is Role.AUTO:
            older = self.search.older(opener.terms)
            if older is not None and await self._reaches(older):
                for peer in list(opener.guests):
                    self.mesh.send(peer, pack(Leaving("this table joins another of the same name")))
                    self.mesh.drop(peer, "this table joins another of the same name")
                scope.cancel()
                return
            await self.search.changed()
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


def _nobody(wish: Wish, refusal: str | None) -> str:
    """Why no table came together, and what to do."""
    what = Worded("no table of {game}", game=wish.game)
    if wish.table:
        what = Worded("no table {name}", name=wish.table)
    elif wish.only_there:
        at = ", ".join(f"{host}:{port}" for host, port in wish.connect)
        what = Worded("no table at {address}", address=at)
    if refusal is not None:
        return Worded(
            "{what} came together within {seconds:g} s; {why}",
            what=what, seconds=wish.wait, why=refusal,
        )  # fmt: skip
    return Worded(
        "{what} came together within {seconds:g} s; check that the others are on the same "
        "network (p2pcards doctor), or name one of them with --connect HOST:PORT",
        what=what, seconds=wish.wait,
    )  # fmt: skip
