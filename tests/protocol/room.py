"""Four players in one process, with the test choosing in which order what is delivered."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Mapping
from functools import cache

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pcards.games.registry import GAMES
from p2pcards.protocol.envelope import digest
from p2pcards.protocol.events import Event
from p2pcards.protocol.limits import VERSION
from p2pcards.protocol.messages import PlayerInfo, Roster, Terms
from p2pcards.protocol.observer import Receipt
from p2pcards.protocol.player import Player

NAMES = ("Aigul", "Bogdan", "Costin", "Daria")


@cache
def identity_key(name: str) -> Ed25519PrivateKey:
    """A fixed test identity."""
    return Ed25519PrivateKey.from_private_bytes(digest(b"test identity", name.encode()))


def public(name: str) -> bytes:
    """The 32 bytes of a test identity's public key."""
    return identity_key(name).public_key().public_bytes_raw()


ONE_DEAL = "room3"
"""With this seed a match of Belotă to 100 is one deal, in which three pass and the dealer takes."""
TWO_DEALS = "room2"
"""With this seed it is two, and the bidding goes into its second round."""


def make_roster(
    game: str = "belota", options: Mapping[str, str] | None = None, partners: str = "drawn"
) -> Roster:
    """A roster of the four test identities."""
    players = [PlayerInfo(public(n), n, (f"127.0.0.1:{i + 1000}",)) for i, n in enumerate(NAMES)]
    items = GAMES[game].parse_options(options or {}).items()
    terms = Terms(VERSION, bytes(16), "test", game, items, partners, 20, 60)
    return Roster(terms, (*players,))  # type: ignore[arg-type]


def first_choice(player: Player) -> object:
    """What the public bot would do: enough for tests that are not about play."""
    table = player.observer.table
    return table.game.public_bot(player.view())


class Room:
    """Four players joined by queues; every queue is a link in one direction."""

    def __init__(
        self,
        roster: Roster | None = None,
        choose: Callable[[Player], object] = first_choice,
        seed: str = ONE_DEAL,
    ) -> None:
        self.roster = roster or make_roster()
        self.choose = choose
        self.players = [
            Player(
                self.roster,
                info.identity,
                identity_key(info.name).sign,
                digest(b"test seed", seed.encode(), info.name.encode()),
            )
            for info in self.roster.players
        ]
        self.wire: dict[tuple[int, int], deque[bytes]] = {
            (a, b): deque() for a in range(4) for b in range(4) if a != b
        }
        self.log: list[list[Event]] = [[], [], [], []]
        self.dead: set[int] = set()

    def act(self, place: int) -> bool:
        """Let one player send what it owes; whether it owed anything."""
        player = self.players[place]
        owed = player.owed()
        if place in self.dead or owed is None:
            return False
        choice = self.choose(player) if owed.kind in ("bid", "play") else None
        self.send(place, player.make(choice))  # type: ignore[arg-type]
        return True

    def send(self, place: int, wire: bytes) -> Receipt:
        """Receive an envelope as its maker, then put it on every link."""
        receipt = self.players[place].receive(wire)
        for other in range(4):
            if other != place:
                self.wire[place, other].append(wire)
        return receipt

    def deliver(self, link: tuple[int, int]) -> Receipt:
        """Hand over the oldest envelope of one link."""
        wire = self.wire[link].popleft()
        receipt = self.players[link[1]].receive(wire)
        self.log[link[1]] += self.players[link[1]].observer.events()
        return receipt

    def run(
        self, until: Callable[[Room], bool] | None = None, rng: random.Random | None = None
    ) -> None:
        """Act and deliver until nothing is left to do, or ``until`` says so."""
        while not (until and until(self)):
            for place in range(4):
                while self.act(place):
                    self.log[place] += self.players[place].observer.events()
            busy = [link for link, queue in self.wire.items() if queue and link[1] not in self.dead]
            if not busy:
                return
            self.deliver(rng.choice(busy) if rng else busy[0])
