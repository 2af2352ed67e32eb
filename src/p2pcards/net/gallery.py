"""The spectators at one player's peer, as its session serves them and tells the table of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import trio

from p2pcards.net.manners import Manners
from p2pcards.net.mesh import Mesh
from p2pcards.net.notices import Watched
from p2pcards.net.presence import Presence
from p2pcards.net.text import NAME_LIMIT, clean
from p2pcards.net.watching import Watchers
from p2pcards.protocol.player import Player
from p2pcards.protocol.traffic import Env, Status, Watching, pack


class Gallery:
    """Lets spectators in, answers them, and reports who watches, here and at the other peers."""

    def __init__(
        self, mesh: Mesh, player: Player, presence: Presence, watchers: Watchers,
        report: Callable[[Watched], None],
    ) -> None:  # fmt: skip
        self._mesh = mesh
        self._player = player
        self._watchers = watchers
        self._report = report
        self._presence = presence
        self._seen: dict[bytes, tuple[str, ...]] = {}
        self._lists: dict[bytes, tuple[str, ...]] = {}

    def enter(self, peer: bytes, name: str, mine: Status) -> None:
        """Take in a spectator whose link came up, or end the link if there is no place."""
        if not self._watchers.enter(peer, name, trio.current_time()):
            self._mesh.drop(peer, "too many watch here already; try another player of the table")
            return
        self._mesh.send(peer, pack(mine))
        self._tell()

    def leave(self, peer: bytes) -> None:
        """A link went down; perhaps a spectator's."""
        if self._watchers.leave(peer) is not None:
            self._tell()

    def hear(self, peer: bytes, names: Sequence[str]) -> None:
        """Take a player's list of who watches at its peer; shown when its time has come."""
        self._lists[peer] = tuple(clean(name, NAME_LIMIT) or "?" for name in names)

    def show_lists(self, manners: Manners, now: float) -> None:
        """Report who watches at the others' peers: the newest list of each, at a pace."""
        for peer, names in list(self._lists.items()):
            seat = self._presence.seat_of(peer)
            if seat is not None and manners.may_list(peer, now):
                del self._lists[peer]
                self._note(peer, seat, names)

    def serve(self, peer: bytes, payload: bytes, mine: Status) -> None:
        """Answer a spectator, or end its link."""
        now, observer = trio.current_time(), self._player.observer
        answer = self._watchers.answer(peer, payload, observer, mine, now)
        if isinstance(answer, str):
            self._watchers.leave(peer)
            self._tell()
            self._mesh.drop(peer, answer)
            return
        for message in answer:
            self._mesh.send(peer, message)

    def pass_on(self, wire: bytes) -> None:
        """Send a new envelope to those who have all the past."""
        for peer in self._watchers.near():
            self._mesh.send(peer, pack(Env(wire)))

    def _note(self, peer: bytes, seat: int, names: tuple[str, ...]) -> None:
        """Report who came to watch at a player's peer, and who went, since the last time."""
        before = self._seen.get(peer, ())
        self._seen[peer] = names
        for name in before:
            if name not in names:
                self._report(Watched(seat, name, False))
        for name in names:
            if name not in before:
                self._report(Watched(seat, name, True))

    def _tell(self) -> None:
        names = self._watchers.names
        self._note(b"", self._player.seat, names)
        self._mesh.broadcast(pack(Watching(names)), self._watchers.peers)
