"""Meeting before the first step: who is at the table, under which terms, until four are ready.

The opener holds the list of guests and proposes the roster; it has no other say, and none at
all once four have signed. Guests check what they are asked to sign.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import msgspec
import trio

from p2pcards.net.dial import Address
from p2pcards.net.errors import NetError
from p2pcards.net.events import LinkDown, LinkUp, MeshEvent, Received
from p2pcards.net.identity import Identity
from p2pcards.net.mesh import Mesh
from p2pcards.net.text import clean
from p2pcards.net.wire import Hello
from p2pcards.protocol.messages import PlayerInfo, Roster, Terms, WireError, decode, encode
from p2pcards.protocol.table import RosterError, check_roster
from p2pcards.protocol.terms import options_hash
from p2pcards.protocol.traffic import (
    CHAT_MAX,
    Chat,
    Guest,
    Leaving,
    LobbyState,
    Proposal,
    Ready,
    pack,
    unpack,
)

WELCOME = 3.0
"""Seconds within which a guest must hear of the table it has joined."""


NOT_NOW = "no table is open here just now; try again"
"""The refusal between two lobbies."""
NOT_HERE = "this peer has not opened a table; ask the one who did"
"""The refusal of a guest."""


class LobbyClosed(NetError):
    """The table did not come together; the text says why and what to do."""


class TableMoved(LobbyClosed):
    """The opener is no more where it was; the table may still be, here or elsewhere."""


class Want(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """What a peer says in its hello that it has come for.

    ``kind`` is ``join`` (a seat at a table: ``table`` is empty when the joiner does not know
    its id, ``options`` when it takes any rules), ``seat`` (a seat of the session that
    ``table`` begins) or ``watch`` (to see the table's game; ``table`` may be empty).
    """

    kind: str
    table: bytes
    options: bytes


@dataclass(frozen=True, slots=True)
class LobbyView:
    """The lobby as it stands: terms, guests in order of coming, and whether we opened it."""

    terms: Terms
    guests: tuple[Guest, ...]
    is_opener: bool


LobbyReport: TypeAlias = Callable[[LobbyView], None]


def pack_want(want: Want) -> bytes:
    """The bytes of a want; at most 64."""
    return msgspec.msgpack.encode(want)


def read_want(data: bytes) -> Want | None:
    """The want in a hello, or None."""
    try:
        return msgspec.msgpack.decode(data, type=Want)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def own_addresses(port: int, hosts: tuple[str, ...]) -> tuple[str, ...]:
    """What this peer tells the others of where it listens."""
    return tuple(f"[{h}]:{port}" if ":" in h else f"{h}:{port}" for h in hosts)[:8]


def parse_address(text: str) -> Address:
    """``host:port`` or ``[v6]:port`` taken apart; raises ValueError."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise ValueError(f"not an address: {text!r}; write HOST:PORT")
    return host.strip("[]"), int(port)


@dataclass(slots=True)
class Opener:
    """The opener's side: lets guests in, and proposes the roster when four are ready."""

    mesh: Mesh
    identity: Identity
    terms: Terms
    me: Guest
    report: LobbyReport
    guests: dict[bytes, Guest] = field(default_factory=dict)

    def admit(self, peer: bytes, hello: Hello) -> str | None:
        """Why a peer may not join, or None."""
        want = read_want(hello.want)
        if want is None or want.kind != "join":
            return "this table is still gathering; ask to join it"
        if want.table and want.table != self.terms.table:
            return "the table you look for is not here any more"
        if want.options and want.options != options_hash(self.terms.game, self.terms.options):
            return f"this table plays {self.terms.game} by other rules than you asked for"
        name = hello.name.casefold()
        others = [self.me, *(g for key, g in self.guests.items() if key != peer)]
        if any(guest.name.casefold() == name for guest in others):
            return f"the name {hello.name} is taken at this table; choose another with --name"
        if not hello.name:
            return "a player needs a name; choose one with --name"
        if len(others) >= 4:
            return f"the table {self.terms.name} is full"
        return None

    def free(self) -> int:
        """Seats nobody has taken."""
        return 3 - len(self.guests)

    async def gather(self) -> Roster:
        """Wait until four are here and ready; the roster that was proposed to them."""
        self._tell()
        while True:
            if len(self.guests) == 3 and all(g.ready for g in self._everyone()):
                players = tuple(
                    PlayerInfo(g.identity, g.name, g.addresses) for g in self._everyone()
                )
                roster = Roster(self.terms, players)  # type: ignore[arg-type]
                self.mesh.broadcast(pack(Proposal(encode(roster))))
                return roster
            self._on_event(await self.mesh.events.receive())

    def set_ready(self, ready: bool) -> None:
        """Whether we, the opener, are ready."""
        self.me = msgspec.structs.replace(self.me, ready=ready)
        self._tell()

    def _everyone(self) -> tuple[Guest, ...]:
        return (self.me, *self.guests.values())

    def _on_event(self, event: MeshEvent) -> None:
        match event:
            case LinkUp(peer=peer, name=name, address=address):
                if len(self.guests) >= 3 and peer not in self.guests:
                    self.mesh.drop(peer, f"the table {self.terms.name} is full")
                    return
                addresses = own_addresses(address[1], (address[0],)) if address else ()
                self.guests[peer] = Guest(peer, name, addresses, False)
            case LinkDown(peer=peer):
                if self.guests.pop(peer, None) is None:
                    return
            case Received(peer, payload):
                if not self._on_message(peer, payload):
                    return
        self._tell()

    def _on_message(self, peer: bytes, payload: bytes) -> bool:
        try:
            message = unpack(payload)
        except WireError as exc:
            self.mesh.drop(peer, str(exc))
            return False
        guest = self.guests.get(peer)
        if guest is None or not isinstance(message, Ready) or guest.ready == message.ready:
            return False
        self.guests[peer] = msgspec.structs.replace(guest, ready=message.ready)
        return True

    def _tell(self) -> None:
        state = LobbyState(encode(self.terms), self._everyone())
        self.mesh.broadcast(pack(state))
        self.report(LobbyView(self.terms, self._everyone(), True))


@dataclass(slots=True)
class Joiner:
    """A guest's side: sees the lobby, says ready, and checks the roster it is asked to sign."""

    mesh: Mesh
    identity: Identity
    opener: bytes
    accept: Callable[[Terms], str | None]
    report: LobbyReport
    terms: Terms | None = None
    guests: tuple[Guest, ...] = ()

    def admit(self, peer: bytes, hello: Hello) -> str | None:
        """Other guests may link up early; nobody else."""
        if any(guest.identity == peer for guest in self.guests):
            return None
        return NOT_HERE

    async def gather(self) -> Roster:
        """Wait for the roster; raises LobbyClosed when the table will not come together."""
        welcome = trio.current_time() + WELCOME
        while True:
            with trio.move_on_at(math.inf if self.terms else welcome):
                event = await self.mesh.events.receive()
            if self.terms is None and trio.current_time() >= welcome:
                raise TableMoved(f"nothing was heard of the table for {WELCOME:g} s")
            match event:
                case LinkDown(peer, reason) if peer == self.opener:
                    raise TableMoved(f"the table is gone: {reason}")
                case Received(peer, payload) if peer == self.opener:
                    roster = self._on_message(payload)
                    if roster is not None:
                        return roster

    def set_ready(self, ready: bool) -> None:
        """Accept the table as last proposed, or take that back."""
        self.mesh.send(self.opener, pack(Ready(ready)))

    def _on_message(self, payload: bytes) -> Roster | None:
        try:
            message = unpack(payload)
            match message:
                case LobbyState(proposal, guests):
                    self._on_state(decode(Terms, proposal), guests)
                case Proposal(data):
                    return self._check(decode(Roster, data))
                case Leaving(reason):
                    raise TableMoved(clean(reason, CHAT_MAX))
                case Chat():
                    pass
        except (WireError, RosterError) as exc:
            raise LobbyClosed(f"the opener sent what no table is: {exc}") from exc
        return None

    def _on_state(self, terms: Terms, guests: tuple[Guest, ...]) -> None:
        self.guests = tuple(
            msgspec.structs.replace(g, name=clean(g.name, 32) or "?") for g in guests
        )
        if terms != self.terms:
            refusal = self.accept(terms)
            if refusal is not None:
                raise LobbyClosed(refusal)
            self.terms = terms
        self.report(LobbyView(terms, self.guests, False))

    def _check(self, roster: Roster) -> Roster:
        check_roster(roster)
        mine = [p for p in roster.players if p.identity == self.identity.public]
        if roster.terms != self.terms or not mine:
            raise LobbyClosed("the opener proposed another table than the one that was agreed on")
        if roster.players[0].identity != self.opener:
            raise LobbyClosed("the opener is not in the roster it proposed")
        return roster


def roster_addresses(roster: Roster, me: bytes) -> dict[bytes, list[Address]]:
    """Where to dial each of the other three; addresses that make no sense are left out."""
    result: dict[bytes, list[Address]] = {}
    for player in roster.players:
        if player.identity == me:
            continue
        good: list[Address] = []
        for text in player.addresses:
            try:
                good.append(parse_address(text))
            except ValueError:
                continue
        result[player.identity] = good
    return result
