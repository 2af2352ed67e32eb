"""What peers miss, and that they get it: statuses, and the envelopes that these ask for."""

from __future__ import annotations

from p2pcards.net.manners import Manners
from p2pcards.net.mesh import Mesh
from p2pcards.net.presence import Presence
from p2pcards.protocol.player import Player
from p2pcards.protocol.traffic import Env, Status, pack

RESEND = 1.0
"""Seconds before the same envelopes are sent to the same peer again."""


class Supply:
    """Says where this peer stands, and sends what others say that they lack (protocol.md 4.3)."""

    def __init__(self, mesh: Mesh, player: Player, presence: Presence, manners: Manners) -> None:
        self._mesh = mesh
        self._player = player
        self._presence = presence
        self._manners = manners
        self._sent: dict[bytes, tuple[int, int, float]] = {}

    def status(self) -> Status:
        """Where this peer stands."""
        observer = self._player.observer
        have = sum(1 << seat for seat in observer.step.wires)
        links = sum(1 << seat for seat in self._presence.linked_seats())
        back = self._player.seat in observer.table.bots
        return Status(observer.session, observer.step.number, have, links, back)

    def answer(self, peer: bytes, seat: int, status: Status, now: float) -> None:
        """Take note of where a seat's peer stands, and send what it lacks."""
        observer = self._player.observer
        self._presence.note(peer, status, now)
        if seat in observer.table.bots:
            near = status.back and status.step + 2 >= observer.step.number
            back = self._player.back
            self._player.back = back | {seat} if near else back - {seat}
        if status.step > observer.step.number:
            return
        step, have, at = self._sent.get(peer, (-1, 0, 0.0))
        if (step, have) == (status.step, status.have) and now - at < RESEND:
            return
        self._sent[peer] = (status.step, status.have, now)
        lacked = observer.missing(status.step, status.have)
        for wire in self._manners.batch(peer, lacked, now):
            self._mesh.send(peer, pack(Env(wire)))

    def forget(self, peer: bytes) -> None:
        """What was sent may be lost with the link: send it again when it is asked for."""
        self._sent.pop(peer, None)
