"""Meeting before the first step: who is at the table, under which terms, until four are ready.

The opener holds the list of guests and proposes the roster; it has no other say, and none at
all once four have signed. Guests check what they are asked to sign.
"""

from __future__ import annotations

import time
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
from p2pcards.net.notices import LobbyLine
from p2pcards.net.talk import PASS_BURST, Pace
from p2pcards.net.text import clean, likeness
from p2pcards.net.wire import Hello
from p2pcards.protocol.messages import PlayerInfo, Roster, Terms, WireError, encode
from p2pcards.protocol.terms import options_hash
from p2pcards.protocol.traffic import (
    CHAT_MAX,
    Chat,
    Guest,
    LobbyState,
    Proposal,
    Ready,
    Said,
    lobby_hash,
    pack,
    unpack,
)
from p2pcards.worded import Worded, WordedError, text_of

TURNS_BURST = 30.0
"""Times that a guest may say ready, or not, at once; then once a second."""
GLANCE = 0.05
"""Seconds between two looks at who is ready, and for whether the player is."""
NOT_NOW = Worded("no table is open here just now; try again")
"""The refusal between two lobbies."""
NOT_HERE = Worded("this peer has not opened a table; ask the one who did")
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


LobbyReport: TypeAlias = Callable[[LobbyView | LobbyLine], None]


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


def full(table: str) -> Worded:
    """Why nobody else may join a table that has begun."""
    return Worded("the table {table} is full: four play already", table=table)


def parse_address(text: str) -> Address:
    """``host:port`` or ``[v6]:port`` taken apart; raises ValueError."""
    host, _, port = text.rpartition(":")
    bracketed = host.startswith("[") and host.endswith("]")
    if (
        not host
        or (":" in host and not bracketed)
        or not port.isdecimal()
        or not 0 < int(port) < 65536
    ):
        raise WordedError("not an address: {text}; write HOST:PORT", text=repr(text))
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
    pace: Pace = field(default_factory=lambda: Pace(PASS_BURST))
    turns: Pace = field(default_factory=lambda: Pace(TURNS_BURST))

    def admit(self, peer: bytes, hello: Hello) -> str | None:
        """Why a peer may not join, or None."""
        want = read_want(hello.want)
        if want is None or want.kind != "join":
            return Worded("this table is still gathering; ask to join it")
        if want.table and want.table != self.terms.table:
            return Worded("the table you look for is not here any more")
        if want.options and want.options != options_hash(self.terms.game, self.terms.options):
            return Worded(
                "this table plays {game} by other rules than you asked for",
                game=self.terms.game,
            )
        if not likeness(hello.name):
            return Worded("a player needs a name; choose one with --name")
        others = [self.me, *(g for key, g in self.guests.items() if key != peer)]
        if likeness(hello.name) in {likeness(guest.name) for guest in others}:
            return Worded(
                "the name {name} is taken at this table; choose another with --name",
                name=hello.name,
            )
        if len(others) >= 4:
            return Worded("the table {name} is full", name=self.terms.name)
        return None

    def names(self) -> tuple[str, ...]:
        """The guests who have taken seats."""
        return tuple(guest.name for guest in self.guests.values())

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
            # Not for ever: the last to be ready may be the opener, of which no event tells.
            with trio.move_on_after(GLANCE):
                self._on_event(await self.mesh.events.receive())

    def shown(self) -> bytes | None:
        """The hash of the table as it stands, which a guest must know to be ready."""
        return lobby_hash(self._state())

    def set_ready(self, ready: bool) -> None:
        """Whether we, the opener, are ready."""
        self.me = msgspec.structs.replace(self.me, ready=ready)
        self._tell()

    def say(self, text: str) -> bool:
        """Say a line to the guests; False when there were too many of late."""
        return self._pass_on(self.me, text)

    def change_partner(self) -> None:
        """Let the guests move up by a place, and the first become the last.

        With chosen partners the second guest is the opener's, so each has its turn.
        """
        if len(self.guests) > 1 and self.terms.partners == "chosen":
            first = next(iter(self.guests))
            self.guests[first] = self.guests.pop(first)
            self._changed()

    def _changed(self) -> None:
        """Others are here or in another order: whoever was ready must say so anew."""
        everyone = [msgspec.structs.replace(guest, ready=False) for guest in self._everyone()]
        self.me = everyone[0]
        self.guests = {guest.identity: guest for guest in everyone[1:]}
        self._tell()

    def _everyone(self) -> tuple[Guest, ...]:
        return (self.me, *self.guests.values())

    def _state(self) -> LobbyState:
        return LobbyState(encode(self.terms), self._everyone())

    def _on_event(self, event: MeshEvent) -> None:
        match event:
            case LinkUp(peer=peer, name=name, address=address):
                if len(self.guests) >= 3 and peer not in self.guests:
                    self.mesh.drop(peer, Worded("the table {name} is full", name=self.terms.name))
                    return
                addresses = own_addresses(address[1], (address[0],)) if address else ()
                old = self.guests.get(peer)
                self.guests[peer] = Guest(peer, name, addresses, False)
                if old is not None and old.name == name:
                    self._tell()
                else:
                    self._changed()
            case LinkDown(peer=peer):
                self.pace.forget(peer)
                if self.guests.pop(peer, None) is not None:
                    self._changed()
            case Received(peer, payload):
                if self._on_message(peer, payload):
                    self._tell()

    def _on_message(self, peer: bytes, payload: bytes) -> bool:
        try:
            message = unpack(payload)
        except WireError as exc:
            self.mesh.drop(peer, text_of(exc))
            return False
        guest = self.guests.get(peer)
        if guest is not None and isinstance(message, Chat):
            self._pass_on(guest, message.text)
        if guest is None or not isinstance(message, Ready):
            return False
        if not self.turns.lets(peer, time.monotonic()):
            self.mesh.drop(peer, "you say ready and not ready too often")
            return False
        ready = message.ready and message.table == self.shown()
        self.guests[peer] = msgspec.structs.replace(guest, ready=ready)
        return guest.ready != ready

    def _pass_on(self, speaker: Guest, text: str) -> bool:
        """Tell everybody what somebody says, unless it says too much.

        The speaker is told, too: so all see the same lines in the same order.
        """
        if not self.pace.lets(speaker.identity, trio.current_time()):
            return False
        line = clean(text, CHAT_MAX)
        if line:
            self.mesh.broadcast(pack(Said(speaker.identity, line)))
            self.report(LobbyLine(speaker.name, line, speaker.identity == self.me.identity))
        return True

    def _tell(self) -> None:
        self.mesh.broadcast(pack(self._state()))
        self.report(LobbyView(self.terms, self._everyone(), True))


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
