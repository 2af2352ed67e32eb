"""A guest's side of the lobby: the table as it is shown, and whether to sign what is proposed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec
import trio

from p2pcards.net.events import LinkDown, Received
from p2pcards.net.identity import Identity
from p2pcards.net.limits import Bucket
from p2pcards.net.link import GOODBYE
from p2pcards.net.lobby import NOT_HERE, LobbyClosed, LobbyReport, LobbyView, TableMoved
from p2pcards.net.mesh import Mesh
from p2pcards.net.notices import LobbyLine
from p2pcards.net.talk import SAY_BURST, Pace
from p2pcards.net.text import clean, likeness
from p2pcards.net.wire import Hello
from p2pcards.protocol.messages import Roster, Terms, WireError, decode, encode
from p2pcards.protocol.table import RosterError, check_roster
from p2pcards.protocol.traffic import (
    CHAT_MAX,
    Chat,
    Guest,
    Leaving,
    LobbyState,
    Proposal,
    Ready,
    Said,
    lobby_hash,
    pack,
    unpack,
)
from p2pcards.worded import Worded

CHANGES = 5.0
"""Changes of the lobby that are shown in a second, after thirty at once; the last one always is."""
WELCOME = 3.0
"""Seconds within which a guest must hear of the table it has joined."""


@dataclass(slots=True)
class Joiner:
    """A guest's side: sees the lobby, says ready, and checks the roster it is asked to sign."""

    mesh: Mesh
    identity: Identity
    opener: bytes
    accept: Callable[[Terms], str | None]
    report: LobbyReport
    name: str
    terms: Terms | None = None
    state: LobbyState | None = None
    accepted: bytes | None = None
    pace: Pace = field(default_factory=lambda: Pace(SAY_BURST))
    unshown: LobbyView | None = None
    changes: Bucket = field(default_factory=lambda: Bucket(CHANGES, 30.0, 30.0, 0.0))

    @property
    def guests(self) -> tuple[Guest, ...]:
        """Who is there, as the opener last said."""
        return self.state.guests if self.state else ()

    def admit(self, peer: bytes, hello: Hello) -> str | None:
        """Other guests may link up early; nobody else."""
        if any(guest.identity == peer for guest in self.guests):
            return None
        return NOT_HERE

    async def gather(self) -> Roster:
        """Wait for the roster; raises LobbyClosed when the table will not come together."""
        welcome = trio.current_time() + WELCOME
        while True:
            self._show()
            event = None
            with trio.move_on_at(trio.current_time() + 1 / CHANGES if self.terms else welcome):
                event = await self.mesh.events.receive()
            if self.terms is None and trio.current_time() >= welcome:
                raise TableMoved(
                    Worded("nothing was heard of the table for {seconds:g} s", seconds=WELCOME)
                )
            match event:
                case LinkDown(peer) if peer == self.opener and peer in self.mesh.linked():
                    pass  # an earlier link, from before this lobby
                case LinkDown(peer, reason) if peer == self.opener:
                    raise TableMoved(self._gone(reason))
                case Received(peer, payload) if peer == self.opener:
                    roster = self._on_message(payload)
                    if roster is not None:
                        return roster

    def _gone(self, reason: str) -> Worded:
        """That the table is gone with the peer that opened it."""
        names = [clean(guest.name, 32) for guest in self.guests if guest.identity == self.opener]
        if not names:
            return Worded("the table is gone: {reason}", reason=reason)
        if reason == GOODBYE:
            return Worded("{name}, who opened it, has left", name=names[0])
        return Worded("{name}, who opened it, is gone ({reason})", name=names[0], reason=reason)

    def shown(self) -> bytes | None:
        """The hash of the table as it was last shown, or None before that."""
        return lobby_hash(self.state) if self.state else None

    def set_ready(self, ready: bool) -> None:
        """Accept the table as last shown, or take that back."""
        table = self.shown()
        if table is not None:
            self.accepted = table if ready else None
            self.mesh.send(self.opener, pack(Ready(ready, table)))

    def say(self, text: str) -> bool:
        """Say a line to the lobby; False when there were too many of late."""
        if not self.pace.lets(self.identity.public, trio.current_time()):
            return False
        self.mesh.send(self.opener, pack(Chat(clean(text, CHAT_MAX))))
        return True

    def _on_message(self, payload: bytes) -> Roster | None:
        try:
            message = unpack(payload)
            match message:
                case LobbyState():
                    self._on_state(message)
                case Proposal(data):
                    return self._check(decode(Roster, data))
                case Leaving(reason):
                    raise TableMoved(clean(reason, CHAT_MAX))
                case Said(speaker, text):
                    self._on_said(speaker, text)
        except (WireError, RosterError) as exc:
            raise LobbyClosed(Worded("the opener sent what no table is: {why}", why=exc)) from exc
        return None

    def _on_state(self, state: LobbyState) -> None:
        terms = decode(Terms, state.proposal)
        if not terms.name or clean(terms.name, len(terms.name)) != terms.name:
            raise LobbyClosed("the table has a name that cannot be shown")
        if len({likeness(guest.name) for guest in state.guests} - {""}) != len(state.guests):
            raise LobbyClosed("two players at that table have names that look the same")
        if terms != self.terms:
            refusal = self.accept(terms)
            if refusal is not None:
                raise LobbyClosed(refusal)
        self.terms, self.state = terms, state
        if self.accepted == lobby_hash(state) and not self._counts_as_ready():
            # Lost with the link that it was sent on.
            self.set_ready(True)
        shown = tuple(msgspec.structs.replace(g, name=clean(g.name, 32)) for g in state.guests)
        self.unshown = LobbyView(terms, shown, False)
        self._show()

    def _show(self) -> None:
        """Report the lobby, unless it changes faster than anybody can read: then a little later."""
        if self.unshown is not None and self.changes.take_whole(1, time.monotonic()):
            self.report(self.unshown)
            self.unshown = None

    def _on_said(self, speaker: bytes, text: str) -> None:
        """Show a line that the opener passed on, if its speaker is there and it has words."""
        names = [clean(guest.name, 32) for guest in self.guests if guest.identity == speaker]
        line = clean(text, CHAT_MAX)
        if names and line:
            self.report(LobbyLine(names[0], line, speaker == self.identity.public))

    def _counts_as_ready(self) -> bool:
        return any(g.ready for g in self.guests if g.identity == self.identity.public)

    def _check(self, roster: Roster) -> Roster:
        check_roster(roster)
        if self.accepted is None:
            raise LobbyClosed("the table was to begin although we were not ready")
        players = tuple(Guest(p.identity, p.name, (), False) for p in roster.players)
        if lobby_hash(LobbyState(encode(roster.terms), players)) != self.accepted:
            raise LobbyClosed("the opener proposed another table than the one that was agreed on")
        mine = [clean(p.name, 32) for p in roster.players if p.identity == self.identity.public]
        if mine != [clean(self.name, 32)]:
            raise LobbyClosed("the opener proposed a table without us, or under another name")
        if roster.players[0].identity != self.opener:
            raise LobbyClosed("the opener is not the first in the roster it proposed")
        return roster
