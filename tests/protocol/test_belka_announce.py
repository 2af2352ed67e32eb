"""Nobody can keep silent about the J♣, deny it, or claim it: the seat that tries is named."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import cache

import pytest

from p2pcards.cards import DECK, Card, Suit
from p2pcards.crypto.group import Point, mul, sub
from p2pcards.crypto.inequality import Absence, prove_absent
from p2pcards.crypto.shares import prove_shares
from p2pcards.crypto.transcript import Context
from p2pcards.protocol.deal import Deal, point_of
from p2pcards.protocol.envelope import Payload, seal
from p2pcards.protocol.events import HolderKnown, SeatLost, TrickTaken
from p2pcards.protocol.faults import FaultKind
from p2pcards.protocol.messages import Announce, Body, PlayBody, encode
from p2pcards.protocol.observer import Observer, Receipt
from p2pcards.protocol.player import Player
from tests.crypto.liars import claim_absent, claim_shares
from tests.protocol.room import NAMES, Room, identity_key, make_roster

JACK = Card.parse("Jc")
ENTROPY = bytes(range(64))
T = 1234567


class Waiting(Room):
    """A room in which nobody answers who holds the J♣ before the test wants it."""

    held = True

    def act(self, place: int) -> bool:
        owed = self.players[place].owed()
        if self.held and owed is not None and owed.kind == "announce":
            return False
        return super().act(place)


def new_room() -> Waiting:
    """A first deal in which the J♣ is to be announced now."""
    room = Waiting(make_roster("belka", {"announce_first": "yes", "target": "6"}))
    room.run()
    assert all(p.observer.stage.kind == "announce" for p in room.players)  # type: ignore[union-attr]
    return room


@cache
def shared_room() -> Waiting:
    """A room that no test changes."""
    return new_room()


def holder_of(room: Room) -> Player:
    """The player who was dealt the J♣."""
    return next(p for p in room.players if JACK in p.positions())


class Liar:
    """One seat of the shared room, and what it needs to make an announcement of its own."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.x = player.secret.x
        self.deal: Deal = player.observer.table.the_deal()
        self.public = self.deal.keys[player.seat].public
        self.slots = self.deal.hidden(player.seat)
        step = player.observer.step
        self.ctx: Context = player.observer.table.context(step.number, player.seat, step.prev)

    @classmethod
    def with_jack(cls) -> Liar:
        """The seat that holds the J♣."""
        return cls(holder_of(shared_room()))

    @classmethod
    def without(cls) -> Liar:
        """The seat after the one that holds it."""
        room = shared_room()
        seat = (holder_of(room).seat + 1) % 4
        return cls(next(p for p in room.players if p.seat == seat))

    def statement(self) -> Absence:
        """That none of its slots is the J♣."""
        return self.deal.claims(self.slots, [JACK])

    def prove(self, statement: Absence) -> bytes:
        """An honest proof, of whatever is true."""
        return prove_absent(self.ctx, self.x, self.public, statement, ENTROPY)

    def deny(self, shown: list[Point]) -> bytes:
        """A proof with these as the blinded card and slots, made as well as the secret can."""
        u = T * self.x
        return claim_absent(self.ctx, self.public, self.statement(), T, u, shown, ENTROPY)

    def open(self, pos: int) -> bytes:
        """Its true share for a slot, with the proof."""
        base = self.player.observer.table.the_deal().masked[pos].a
        return prove_shares(self.ctx, self.x, self.public, [base], ENTROPY)

    def cards(self) -> list[Card]:
        """Its cards in the order of its slots."""
        at = {pos: card for card, pos in self.player.positions().items()}
        return [at[pos] for pos in sorted(at)]

    def wire(self, body: Body, kind: str = "announce") -> bytes:
        """The signed envelope with this body."""
        observer = self.player.observer
        step = observer.step
        payload = Payload(
            observer.session, step.number, self.player.seat, step.prev, kind, encode(body)
        )
        return seal(payload, identity_key(NAMES[self.player.place]).sign)


def denial_of_seven_slots() -> tuple[Liar, Body]:
    """A true proof, but for the seven slots that do not hold it."""
    liar = Liar.with_jack()
    rest = [pos for pos in liar.slots if pos != liar.player.positions()[JACK]]
    return liar, Announce(None, liar.prove(liar.deal.claims(rest, [JACK])))


def denial_of_another_card() -> tuple[Liar, Body]:
    """A true proof, but about a card that it really does not hold."""
    liar = Liar.with_jack()
    other = next(card for card in DECK if card not in liar.player.positions())
    return liar, Announce(None, liar.prove(liar.deal.claims(liar.slots, [other])))


def denial_without_proof() -> tuple[Liar, Body]:
    """Nothing but the word."""
    return Liar.with_jack(), Announce(None, b"")


def denial_with_the_honest_equations() -> tuple[Liar, Body]:
    """The prover's own check is left out; the blinded J♣ then shows in one of the slots."""
    liar = Liar.with_jack()
    opened = [point_of(card) for card in liar.cards()]
    shown = [mul(point, T) for point in (point_of(JACK), *opened)]
    return liar, Announce(None, liar.deny(shown))


def denial_with_another_point() -> tuple[Liar, Body]:
    """As before, with another card's blinded point in the slot that holds the J♣."""
    liar = Liar.with_jack()
    absent = next(card for card in DECK if card not in liar.player.positions())
    cards = [absent if card == JACK else card for card in liar.cards()]
    shown = [mul(point_of(card), T) for card in (JACK, *cards)]
    return liar, Announce(None, liar.deny(shown))


def denial_with_the_neighbours_proof() -> tuple[Liar, Body]:
    """The true proof of a seat that does not hold it."""
    honest = Liar.without()
    return Liar.with_jack(), Announce(None, honest.prove(honest.statement()))


def claim_of_another_card() -> tuple[Liar, Body]:
    """One of its own cards, truly opened, that is not the J♣."""
    liar = Liar.without()
    pos = liar.slots[0]
    return liar, Announce(pos, liar.open(pos))


def claim_with_a_forged_share() -> tuple[Liar, Body]:
    """One of its own slots, with the share that would make it the J♣."""
    liar = Liar.without()
    pos = liar.slots[0]
    masked = liar.deal.masked[pos]
    share = sub(masked.b, point_of(JACK))
    data = claim_shares(liar.ctx, liar.x, liar.public, [masked.a], [share], ENTROPY)
    return liar, Announce(pos, data)


def claim_of_the_holders_slot() -> tuple[Liar, Body]:
    """The very slot that holds it, which is another seat's."""
    liar = Liar.without()
    pos = holder_of(shared_room()).positions()[JACK]
    return liar, Announce(pos, liar.open(pos))


LIES = [
    (denial_of_seven_slots, FaultKind.BAD_ANNOUNCE),
    (denial_of_another_card, FaultKind.BAD_ANNOUNCE),
    (denial_without_proof, FaultKind.BAD_ANNOUNCE),
    (denial_with_the_honest_equations, FaultKind.BAD_ANNOUNCE),
    (denial_with_another_point, FaultKind.BAD_ANNOUNCE),
    (denial_with_the_neighbours_proof, FaultKind.BAD_ANNOUNCE),
    (claim_of_another_card, FaultKind.BAD_ANNOUNCE),
    (claim_with_a_forged_share, FaultKind.BAD_OPENING),
    (claim_of_the_holders_slot, FaultKind.NOT_YOUR_SLOT),
]


def told(liar: Liar, wire: bytes) -> list[Observer]:
    """The three others, once they have received this envelope."""
    others = [p.observer for p in shared_room().players if p.seat != liar.player.seat]
    copies = [deepcopy(observer) for observer in others]
    assert [observer.receive(wire) for observer in copies] == [Receipt.FAULT] * 3
    return copies


@pytest.mark.parametrize(("lie", "kind"), LIES, ids=[lie.__name__ for lie, _ in LIES])
def test_the_seat_that_lies_is_named_by_all(
    lie: Callable[[], tuple[Liar, Body]], kind: FaultKind
) -> None:
    liar, body = lie()
    wire = liar.wire(body)
    for observer in told(liar, wire):
        fault = observer.fault
        assert fault is not None
        assert (fault.seat, fault.kind) == (liar.player.seat, kind)
        assert fault.evidence == (wire,)
        assert f"seat {liar.player.seat}" in str(fault)
        assert observer.record() == shared_room().players[0].observer.record()


def test_a_card_in_place_of_an_answer() -> None:
    liar = Liar.with_jack()
    pos = liar.slots[0]
    wire = liar.wire(PlayBody(pos, liar.open(pos), b"", False), "play")
    for observer in told(liar, wire):
        assert observer.fault is not None
        assert (observer.fault.seat, observer.fault.kind) == (
            liar.player.seat,
            FaultKind.WRONG_KIND,
        )


def test_the_honest_answers_are_taken() -> None:
    """What the lies differ from: the slot opened by its owner, the proof for all eight slots."""
    jack, other = Liar.with_jack(), Liar.without()
    pos = jack.player.positions()[JACK]
    for honest, body in [
        (jack, Announce(pos, jack.open(pos))),
        (other, Announce(None, other.prove(other.statement()))),
    ]:
        observer = deepcopy(other.player.observer)
        assert observer.receive(honest.wire(body)) is Receipt.ACCEPTED


def test_a_silent_holder_is_voted_out_and_the_jack_is_known_all_the_same() -> None:
    room = new_room()
    silent = holder_of(room)
    room.dead.add(silent.place)
    room.held = False
    room.run()
    for player in room.players:
        if player is not silent:
            room.send(player.place, player.vote(silent.seat))
    events = room.log[min({0, 1, 2, 3} - room.dead)]
    room.run(until=lambda room: any(isinstance(e, TrickTaken) for e in events))
    assert [e for e in events if isinstance(e, SeatLost)] == [SeatLost(silent.seat, redeal=False)]
    known = [e for e in events if isinstance(e, HolderKnown)]
    assert known == [HolderKnown(silent.seat, JACK, Suit.CLUBS)]
    assert all(player.observer.fault is None for player in room.players)
