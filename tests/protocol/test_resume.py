"""A player restored from its journal signs the same bytes again, at every step."""

from __future__ import annotations

from p2pcards.games.base import Action
from p2pcards.protocol.envelope import digest, unseal
from p2pcards.protocol.observer import Receipt
from p2pcards.protocol.player import Player
from tests.protocol.matches import SHORT
from tests.protocol.room import Room, first_choice, identity_key, make_roster

SEED = "resume"


def restored(room: Room, place: int, wires: list[bytes]) -> Player:
    """A new player on the same identity and seed that has taken these envelopes."""
    info = room.roster.players[place]
    seed = digest(b"test seed", SEED.encode(), info.name.encode())
    player = Player(room.roster, info.identity, identity_key(info.name).sign, seed)
    for wire in wires:
        player.receive(wire)
    return player


class Watched(Room):
    """A room that keeps what each player takes, in order, as a journal does."""

    def __init__(self, place: int) -> None:
        super().__init__(make_roster(options=SHORT), seed=SEED)
        self.place = place
        self.journal: list[bytes] = []
        self.made: list[tuple[int, bytes, Action | None]] = []

    def send(self, place: int, wire: bytes) -> Receipt:
        if place == self.place:
            self.made.append((len(self.journal), wire, self.choice))
            self.journal.append(wire)
        return super().send(place, wire)

    def act(self, place: int) -> bool:
        player = self.players[place]
        owed = player.owed()
        choosing = owed is not None and owed.kind in ("bid", "play")
        self.choice = first_choice(player) if choosing else None  # type: ignore[assignment]
        return super().act(place)

    choice: Action | None = None

    def deliver(self, link: tuple[int, int]) -> Receipt:
        wire = self.wire[link][0]
        receipt = super().deliver(link)
        if link[1] == self.place and receipt is not Receipt.DUPLICATE:
            self.journal.append(wire)
        return receipt


def test_a_restored_player_makes_the_same_bytes_at_every_step() -> None:
    """One player is rebuilt before each of its envelopes; each time it makes the same one."""
    room = Watched(2)
    room.run()
    assert room.players[2].observer.done
    again = restored(room, 2, [])
    taken = 0
    kinds = set()
    for upto, wire, choice in room.made:
        for earlier in room.journal[taken:upto]:
            again.receive(earlier)
        taken = upto
        assert again.make(choice) == wire
        kinds.add(unseal(wire).payload.kind)
    assert {"reveal", "key", "parts", "shuffle", "confirm", "shares", "play", "end"} <= kinds


def test_a_player_restored_at_once_stands_where_it_stood() -> None:
    """From some points on, a fresh player takes a whole journal at once and goes on alike."""
    room = Watched(1)
    room.run()
    for upto, wire, choice in room.made[::12]:
        again = restored(room, 1, room.journal[:upto])
        assert again.make(choice) == wire
    for upto, wire, _ in room.made[::12]:
        after = restored(room, 1, room.journal[: upto + 1])
        owed = after.owed()
        assert owed is None or owed.step > unseal(wire).payload.step


def test_another_seed_makes_other_secrets() -> None:
    """The determinism comes from the seed: with another, no secret is the same."""
    room = Watched(0)
    info = room.roster.players[0]
    other = Player(room.roster, info.identity, identity_key(info.name).sign, bytes(32))
    same = restored(room, 0, [])
    wires = [player.make() for player in room.players]
    for player in (other, same):
        for wire in wires:
            player.receive(wire)
    assert other.make() != same.make()
    assert unseal(other.make()).payload.kind == unseal(same.make()).payload.kind == "commit"
