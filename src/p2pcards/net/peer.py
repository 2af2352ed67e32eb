"""A whole peer: identity, network, table, session, record; headless and at a screen alike."""

from __future__ import annotations

import contextlib
import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import trio

from p2pcards.net.announcing import Announcer
from p2pcards.net.discovery import Discovery, StaticDiscovery, Tables
from p2pcards.net.errors import NetError
from p2pcards.net.forming import Door, Former
from p2pcards.net.identity import Identity, fingerprint, load_or_create
from p2pcards.net.journal import resumable
from p2pcards.net.lobby import LobbyView, Want, full, pack_want, read_want, roster_addresses
from p2pcards.net.lock import hold
from p2pcards.net.mesh import Mesh, open_mesh
from p2pcards.net.notices import Notice, Trouble
from p2pcards.net.outcome import Ending, LossDecider, Outcome
from p2pcards.net.result import Result, keep_evidence, keep_record
from p2pcards.net.search import Search
from p2pcards.net.session import Session, Stay
from p2pcards.net.store import Store
from p2pcards.net.text import likeness
from p2pcards.net.watching import Watchers, wants_to_watch
from p2pcards.net.wire import Hello
from p2pcards.net.wish import Wish
from p2pcards.protocol.choosing import Chooser
from p2pcards.protocol.envelope import session_of
from p2pcards.protocol.events import Event
from p2pcards.protocol.messages import Roster, encode
from p2pcards.protocol.player import Player
from p2pcards.worded import Worded, text_of


@dataclass(frozen=True, slots=True)
class PeerSettings:
    """Everything a peer is started with.

    ``seed`` makes a test game that is not secret; ``watch`` lets spectators in; ``unlisted`` tells
    nobody of the table and looks for none: who comes must know the address; ``alone``
    says that all others are bots for practice, and nothing is kept.
    """

    data_dir: Path
    name: str
    wish: Wish
    interface: str | None = None
    port: int = 0
    record: Path | None = None
    seed: bytes | None = None
    resume: bool = True
    watch: bool = True
    unlisted: bool = False
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Formed:
    """A table of four is about to sign; ``resumed`` when this peer comes back to it."""

    roster: Roster
    session: bytes
    resumed: bool


Report: TypeAlias = Callable[[Event | Notice | LobbyView | Formed | Result], None]


class Peer:
    """One peer, from start to exit."""

    def __init__(
        self,
        settings: PeerSettings,
        chooser: Chooser,
        report: Report,
        on_loss: LossDecider,
        ready: Callable[[], bool] = lambda: True,
        stay: Stay | None = None,
    ) -> None:
        """``stay`` is waited for after a match: so long, who comes back late is shown its end."""
        self.settings = settings
        self.session: Session | None = None
        self._former: Former | None = None
        self._chooser = chooser
        self._report = report
        self._on_loss = on_loss
        self._ready = ready
        self._stay = stay

    async def run(self) -> Result:
        """Form or resume a table and play it; raises NetError when no table comes together."""
        settings = self.settings
        identity = load_or_create(settings.data_dir)
        with hold(settings.data_dir):
            store = self._resumable() if settings.resume else None
            port = settings.port or (store.port if store else 0)
            door = Door()
            async with contextlib.AsyncExitStack() as stack:
                mesh = await self._mesh(stack, identity, door, port)
                discovery, tables = await self._discovery(stack)
                announcer = Announcer(discovery, identity, settings.name, mesh.port, self._report)
                former = Former(
                    mesh,
                    identity,
                    settings.name,
                    announcer,
                    Search(tables, settings.wish, identity.fingerprint),
                    door,
                    settings.wish,
                    self._report,
                    self._report,
                    self._ready,
                )
                self._former = former
                return await self._sessions(former, store)

    def change_partner(self) -> None:
        """Let another guest be the partner, at a table that we opened with chosen partners."""
        if self._former is not None:
            self._former.change_partner()

    def say(self, text: str) -> None:
        """Say a line to the table, or to the lobby while it forms."""
        if self.session is not None:
            self.session.say(text)
        elif self._former is not None:
            self._former.say(text)

    async def _sessions(self, former: Former, store: Store | None) -> Result:
        """Play a session; one that never got its first signatures leads back to the lobby."""
        while True:
            resumed = store is not None
            if store is None:
                store = self._begin(await former.form(), former.mesh.port)
            result = await self._play(former, store, resumed)
            barely = result.player.observer.step.number == 0
            if not (barely and result.outcome.ending is Ending.LOST):
                return result
            self.session = None
            self._report(Trouble("a player left before the table was signed; gathering again"))
            for peer in former.mesh.linked():
                former.mesh.drop(peer, "the table gathers again")
            store = None

    async def _mesh(
        self, stack: contextlib.AsyncExitStack, identity: Identity, door: Door, port: int
    ) -> Mesh:
        host = self.settings.interface or "0.0.0.0"  # noqa: S104 - the LAN is where it is played
        opened = open_mesh(identity, self.settings.name, [(host, port)], admit=door.admit)
        try:
            return await stack.enter_async_context(opened)
        except NetError:
            if not port or self.settings.port:
                raise
        # The port of a resumed session may be taken by now; another will do.
        opened = open_mesh(identity, self.settings.name, [(host, 0)], admit=door.admit)
        return await stack.enter_async_context(opened)

    async def _discovery(self, stack: contextlib.AsyncExitStack) -> tuple[Discovery, Tables]:
        from p2pcards.net.mdns import open_mdns

        discovery: Discovery = StaticDiscovery(())
        if self.settings.unlisted:
            return discovery, await stack.enter_async_context(discovery.browse())
        try:
            discovery = await stack.enter_async_context(open_mdns(self.settings.interface))
        except NetError as exc:
            self._report(
                Trouble(Worded("{why}; name a player with --connect HOST:PORT instead", why=exc))
            )
        return discovery, await stack.enter_async_context(discovery.browse())

    def _resumable(self) -> Store | None:
        """The store of an unfinished session at the table asked for, if there is one."""
        for info in resumable(self.settings.data_dir):
            try:
                store = Store.resume(info.path)
            except NetError as exc:
                self._report(Trouble(text_of(exc)))
                continue
            wish, terms = self.settings.wish, store.roster.terms
            if wish.table == terms.name or (wish.table is None and terms.game == wish.game):
                return store
            store.close()
        return None

    def _begin(self, roster: Roster, port: int) -> Store:
        session = session_of(encode(roster))
        seed = secrets.token_bytes(32)
        if self.settings.seed is not None:
            name = self.settings.name.encode()
            seed = hashlib.sha256(b"test seed" + self.settings.seed + name).digest()
        return Store.begin(self.settings.data_dir, session, roster, seed, port)

    async def _play(self, former: Former, store: Store, resumed: bool) -> Result:
        mesh, identity, roster = former.mesh, former.identity, store.roster
        player = Player(roster, identity.public, identity.sign, store.seed)
        for wire in store.wires:
            player.receive(wire)
        session = player.observer.session
        mesh.want = pack_want(Want("seat", session[:16], b""))
        names = frozenset(likeness(info.name) for info in roster.players)
        watchers = Watchers(roster.terms.table, self.settings.watch, names)
        former.door.policy = _only(roster, watchers)
        for peer in mesh.linked() - {p.identity for p in roster.players}:
            mesh.drop(peer, "you have no seat at this table")
        mesh.upkeep.maintain(roster_addresses(roster, identity.public))
        others = tuple(p.name for p in roster.players if p.identity != identity.public)
        self._report(Formed(roster, session, resumed))
        self.session = Session(
            mesh, player, self._chooser, store, self._report, self._on_loss, watchers
        )
        async with (
            former.announcer.announce(roster.terms, "playing", others),
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(self._follow_addresses, former, roster)
            outcome = await self.session.run()
            nursery.cancel_scope.cancel()
        result = self._wrap_up(player, outcome)
        try:
            if outcome.ending is Ending.COMPLETE:
                await self.session.linger(self._stay)
                self._keep_evidence(player)  # a seat may break the protocol even then
        finally:
            # The journal goes last: a crash before the result is told leaves it to be told again.
            if result.is_over:
                store.finish()
            else:
                store.close()
        return result

    def _wrap_up(self, player: Player, outcome: Outcome) -> Result:
        """Tell how it ended, and where the record of it lies."""
        folder, name = self.settings.record, self.settings.name
        record = keep_record(folder, name, player.observer) if folder is not None else None
        self._keep_evidence(player)
        result = Result(outcome, player, record)
        self._report(result)
        return result

    def _keep_evidence(self, player: Player) -> None:
        """Keep what proves to others that a seat broke the protocol, if one did, and say where."""
        folder = self.settings.record or self.settings.data_dir / "evidence"
        evidence = keep_evidence(folder, self.settings.name, player.observer)
        if evidence is not None:
            self._report(
                Trouble(
                    Worded(
                        "the evidence is in {path}; p2pcards verify checks it for anyone",
                        path=evidence,
                    )
                )
            )

    async def _follow_addresses(self, former: Former, roster: Roster) -> None:
        """Take note of where peers of this table announce themselves, after a restart say."""
        keys = {fingerprint(p.identity): p.identity for p in roster.players}
        mine = former.identity.fingerprint
        known = roster_addresses(roster, former.identity.public)
        while True:
            for ad in former.search.tables.snapshot():
                if ad.peer in keys and ad.peer != mine and ad.table_id == roster.terms.table.hex():
                    old = known.get(keys[ad.peer], [])
                    merged = list(dict.fromkeys([*ad.dial, *old]))
                    former.mesh.upkeep.update_addresses(keys[ad.peer], merged)
            await former.search.tables.changed()


def _only(roster: Roster, watchers: Watchers) -> Callable[[bytes, Hello], str | None]:
    members = {p.identity for p in roster.players}

    def admit(peer: bytes, hello: Hello) -> str | None:
        if peer in members:
            return None
        want = read_want(hello.want)
        if wants_to_watch(hello.want):
            return watchers.admit(peer, hello)
        if want is not None and want.kind == "join":
            return full(roster.terms.name)
        return Worded("you have no seat at this table")

    return admit
