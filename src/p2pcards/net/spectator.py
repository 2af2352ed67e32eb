"""The spectator's side: finds a table, takes its envelopes from one player, verifies all itself.

It holds no key of the table and listens nowhere. Its identity is made for this one watch, so
that it can never take the place of a player who runs on the same machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import trio

from p2pcards.net.dial import Address
from p2pcards.net.discovery import TableAd, Tables
from p2pcards.net.errors import NetError
from p2pcards.net.events import LinkDown, Received
from p2pcards.net.greet import LinkRefused
from p2pcards.net.identity import load_or_create
from p2pcards.net.limits import HEAVY, STRIKES
from p2pcards.net.link import GOODBYE
from p2pcards.net.lobby import Want, pack_want, roster_addresses
from p2pcards.net.mesh import Mesh, open_mesh
from p2pcards.net.notices import Trouble
from p2pcards.net.scratch import scratch
from p2pcards.net.text import NAME_LIMIT, clean
from p2pcards.net.watching import KIND
from p2pcards.protocol.events import Event
from p2pcards.protocol.messages import WireError
from p2pcards.protocol.observer import Observer, Receipt
from p2pcards.protocol.table import RosterError
from p2pcards.protocol.traffic import CHAT_MAX, Env, Leaving, Status, pack, unpack
from p2pcards.worded import Worded, text_of

AGAIN = 1.0
"""Seconds between two rounds of tries."""
ASK_EVERY = 0.5
"""Seconds without an envelope after which a status is sent."""
SILENT = 5.0
"""Seconds without progress, though a player says that there is more, before another is asked."""
GONE = 20.0
"""Seconds to find the table again once it was being watched."""
REFUSALS = 3
"""Rounds in which every announced player refuses before a spectator gives up."""

Report = Callable[[Observer, Event], None]


class CannotWatch(NetError):
    """There is nothing to watch, or nobody lets us; the text says why and what to do."""


class TableLeft(NetError):
    """The players left before the match was over."""


@dataclass(frozen=True, slots=True)
class WatchWish:
    """What to watch: a table's ``name`` (None: any), at these addresses or wherever it is found.

    ``wait`` is how many seconds to look for it; ``nick`` is shown to the players.
    """

    nick: str
    name: str | None
    connect: tuple[Address, ...]
    wait: float


@dataclass(frozen=True, slots=True)
class _Try:
    addresses: Sequence[Address]
    expect: bytes | None = None


class Spectator:
    """Watches one table to the end of its match."""

    def __init__(self, wish: WatchWish, report: Report, trouble: Callable[[Trouble], None]) -> None:
        self.observer: Observer | None = None
        self._wish = wish
        self._report = report
        self._trouble = trouble
        self._last = ""
        self._session: bytes | None = None
        self._bad: set[bytes] = set()
        self._refused_rounds = 0
        self._claimed = 0
        self._left = ""

    async def run(self, tables: Tables | None) -> Observer:
        """Watch until the match is over or a fault ends it; the observer that verified it.

        ``tables`` are those that announce themselves; None looks only at the addresses given.
        Raises CannotWatch or TableLeft.
        """
        with scratch("watch") as folder:
            identity = load_or_create(folder)
            want = pack_want(Want(KIND, b"", b""))
            async with open_mesh(identity, self._wish.nick, [], want=want) as mesh:
                limit = trio.current_time() + self._wish.wait
                while True:
                    peer = await self._find(mesh, tables, limit)
                    await self._follow(mesh, peer)
                    if self.observer is not None and self._is_over():
                        return self.observer
                    mesh.drop(peer, "this spectator asks another player")
                    limit = trio.current_time() + GONE

    def _is_over(self) -> bool:
        observer = self.observer
        return observer is not None and (observer.done or observer.fault is not None)

    # -- finding a player ----------------------------------------------------------------------

    async def _find(self, mesh: Mesh, tables: Tables | None, limit: float) -> bytes:
        """Link to a player who lets us watch; its public key. Raises CannotWatch, TableLeft."""
        while True:
            refused = False
            for attempt in self._tries(tables):
                try:
                    link = await mesh.dial(attempt.addresses, attempt.expect)
                except NetError as error:
                    refused = refused or isinstance(error, LinkRefused)
                    name = self._name_of(attempt.expect)
                    self._say(
                        Worded("{name} cannot be reached", name=name) if name else text_of(error)
                    )
                    continue
                if link.peer not in self._bad:
                    return link.peer
            self._refused_rounds += refused
            if trio.current_time() >= limit or self._is_unwanted():
                raise self._failure()
            await trio.sleep(AGAIN)

    def _name_of(self, peer: bytes | None) -> str:
        """What a player of the table is called; nothing for anybody else."""
        players = self.observer.table.roster.players if self.observer is not None else ()
        return next((clean(p.name, NAME_LIMIT) for p in players if p.identity == peer), "")

    def _is_unwanted(self) -> bool:
        return not self._wish.connect and self._refused_rounds >= REFUSALS

    def _failure(self) -> NetError:
        if self.observer is not None:
            return TableLeft(
                self._left or Worded("the players of the table are gone: {why}", why=self._last)
            )
        name = self._wish.name
        what = Worded("the table {name}", name=name) if name else Worded("a table")
        if self._last:
            return CannotWatch(Worded("{what} cannot be watched: {why}", what=what, why=self._last))
        return CannotWatch(
            Worded(
                "{what} that plays was not found in {seconds:g} s; name one of its players with "
                "--connect HOST:PORT, or see p2pcards tables and p2pcards doctor",
                what=what,
                seconds=self._wish.wait,
            )
        )

    def _tries(self, tables: Tables | None) -> list[_Try]:
        """Whom to ask: the players of the table once they are known, else where it may be."""
        found: list[_Try] = []
        if self.observer is not None:
            known = roster_addresses(self.observer.table.roster, b"")
            found = [_Try(where, key) for key, where in known.items() if key not in self._bad]
        found += [_Try([address]) for address in self._wish.connect]
        ads = [ad for ad in tables.snapshot() if self._suits(ad)] if tables is not None else []
        waiting = [ad for ad in ads if ad.state != "playing"]
        if waiting and len(waiting) == len(ads) and self.observer is None:
            self._say(
                Worded("the table {name} still gathers", name=clean(ads[0].table, NAME_LIMIT))
            )
        return found + [_Try(ad.dial) for ad in ads if ad.state == "playing"]

    def _suits(self, ad: TableAd) -> bool:
        if self.observer is not None:
            return ad.table_id == self.observer.table.roster.terms.table.hex()
        return self._wish.name in (None, ad.table)

    def _say(self, text: str) -> None:
        """Tell of a trouble, unless it is the one that was told last."""
        if text != self._last:
            self._last = text
            self._trouble(Trouble(text))

    # -- following one player ------------------------------------------------------------------

    async def _follow(self, mesh: Mesh, peer: bytes) -> None:
        """Take envelopes from a player until the match is over or the link is."""
        strikes, self._claimed = 0, 0
        mark, since = self._mark(), trio.current_time()
        while not self._is_over():
            if mark != self._mark():
                mark, since = self._mark(), trio.current_time()
            if self._lacks() and trio.current_time() > since + SILENT:
                self._bad.add(peer)
                self._say("a player does not send what it says that it has")
                return
            event = None
            with trio.move_on_after(ASK_EVERY):
                event = await mesh.events.receive()
            match event:
                case None:
                    self._ask(mesh, peer)
                case LinkDown(gone, reason) if gone == peer:
                    name = self._name_of(peer)
                    self._say(
                        Worded("{name} lost connection: {reason}", name=name, reason=reason)
                        if name and reason != GOODBYE
                        else self._left or reason
                    )
                    return
                case Received(sender, payload) if sender == peer:
                    strikes = 0 if await self._take(mesh, peer, payload) else strikes + 1
                    if strikes >= STRIKES:
                        self._bad.add(peer)
                        self._say("a player sent too much that does not verify")
                        return

    def _mark(self) -> int:
        """How far we are: it grows with everything that a player sends as it must."""
        return 1 + self.observer.step.number if self.observer else 0

    def _lacks(self) -> bool:
        """Whether the player followed must have more than it has sent."""
        return self.observer is None or self._claimed > self.observer.step.number

    def _ask(self, mesh: Mesh, peer: bytes) -> None:
        """Say where we stand, which is all that a spectator may say."""
        if self._session is None:
            return
        step = self.observer.step if self.observer else None
        number = step.number if step else 0
        have = sum(1 << seat for seat in step.wires) if step else 0
        mesh.send(peer, pack(Status(self._session, number, have, 0, False)))

    async def _take(self, mesh: Mesh, peer: bytes, payload: bytes) -> bool:
        """Take one message; False for one that makes no sense."""
        try:
            message = unpack(payload)
        except WireError:
            return False
        match message:
            case Status(session, number):
                return self._on_status(mesh, peer, session, number)
            case Env(wire):
                return await self._receive(wire)
            case Leaving(reason):
                name, told = self._name_of(peer) or "?", clean(reason, CHAT_MAX)
                self._left = Worded("{name} leaves: {reason}", name=name, reason=Worded(told))
        return True

    def _on_status(self, mesh: Mesh, peer: bytes, session: bytes, number: int) -> bool:
        if self._session is None:
            self._session = session
        if session != self._session:
            return False
        self._claimed = max(self._claimed, number)
        if self.observer is None or number > self.observer.step.number:
            self._ask(mesh, peer)
        return True

    async def _receive(self, wire: bytes) -> bool:
        """Verify one envelope and tell what it shows."""
        try:
            observer = self.observer or Observer.from_first(wire)
        except (WireError, RosterError):
            return False
        if self.observer is None:
            if self._wish.name not in (None, observer.table.roster.terms.name):
                raise CannotWatch(
                    Worded(
                        "another table plays there: {name}",
                        name=clean(observer.table.roster.terms.name, 32),
                    )
                )
            self.observer, self._session = observer, observer.session
        if len(wire) >= HEAVY:
            receipt = await trio.to_thread.run_sync(observer.receive, wire)
        else:
            receipt = observer.receive(wire)
        for event in observer.events():
            self._report(observer, event)
        return receipt is not Receipt.REFUSED
