"""Four players in one process play whole matches, whatever the order of delivery."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from p2pcards.cards import DECK, Card
from p2pcards.protocol.envelope import Payload, seal, unseal
from p2pcards.protocol.events import (
    CardPlayed,
    Closed,
    DealScored,
    DeckConfirmed,
    Event,
    MatchEnded,
    SeatsDrawn,
    TrickTaken,
)
from p2pcards.protocol.limits import AHEAD_MAX, HELD_MAX
from p2pcards.protocol.messages import Vote, encode
from p2pcards.protocol.observer import Observer, Receipt
from p2pcards.protocol.player import Player
from p2pcards.protocol.playing import PlayStage
from tests.protocol.matches import SHORT, facts, finished, record
from tests.protocol.room import Room, identity_key, make_roster

ORDERS = range(4)
BELOTA_STEPS = ["key-commit", "key", *["shuffle"] * 4, "cut", "parts", "confirm", "shares"]
"""How every deal of Belotă begins when nobody is lost."""


def of_type(events: list[Event], kind: type[Event]) -> list[Event]:
    """The events of one type."""
    return [event for event in events if isinstance(event, kind)]


def test_a_match_ends_alike_for_all() -> None:
    room = finished()
    observers = [player.observer for player in room.players]
    assert all(observer.done and observer.fault is None for observer in observers)
    assert len({observer.transcript for observer in observers}) == 1
    assert len({tuple(observer.record()) for observer in observers}) == 1
    told = [facts(log) for log in room.log]
    assert told[0] == told[1] == told[2] == told[3]
    assert told[0][-1] == Closed(observers[0].transcript)


def test_a_match_of_belota_adds_up() -> None:
    """Facts of the game itself: 32 cards, eight tricks, 152 points in the cards of a deal."""
    events = facts(finished().log[0])
    assert len(of_type(events, SeatsDrawn)) == len(of_type(events, MatchEnded)) == 1
    (scored,) = (e for e in events if isinstance(e, DealScored))
    assert len(of_type(events, DeckConfirmed)) == 1
    played = [e.card for e in events if isinstance(e, CardPlayed)]
    assert sorted(played) == sorted(DECK)
    tricks = [e for e in events if isinstance(e, TrickTaken)]
    assert len(tricks) == 8
    assert sum(trick.points for trick in tricks) == 152
    assert sum(scored.sheet.taken) == 162
    for seat in range(4):
        assert sum(1 for e in events if isinstance(e, CardPlayed) and e.seat == seat) == 8


def test_the_steps_come_in_the_order_of_the_protocol() -> None:
    kinds: dict[int, str] = {}
    for wire in record(finished()):
        payload = unseal(wire).payload
        assert kinds.setdefault(payload.step, payload.kind) == payload.kind
    steps = [kinds[i] for i in range(len(kinds))]
    assert steps[:3] == ["roster", "commit", "reveal"]
    assert steps[3:13] == BELOTA_STEPS
    rest = steps[13:]
    bids = rest.index("shares")
    assert 1 <= bids <= 8
    assert rest == ["bid"] * bids + ["shares"] + ["play"] * 32 + ["result", "end"]


def test_hands_are_what_their_owners_saw_before_they_played() -> None:
    """Each owner's own view of its full hand is what it then plays, and the hands are a deck."""
    hands: dict[int, frozenset[Card]] = {}

    def look(room: Room) -> bool:
        for player in room.players:
            if player.seat not in hands and isinstance(player.observer.stage, PlayStage):
                hands[player.seat] = frozenset(player.positions())
        return False

    room = Room(make_roster(options=SHORT))
    room.run(until=look)
    assert [len(hand) for hand in hands.values()] == [8] * 4
    assert frozenset().union(*hands.values()) == frozenset(DECK)
    played: dict[int, set[Card]] = {seat: set() for seat in range(4)}
    for event in room.log[0]:
        if isinstance(event, CardPlayed):
            played[event.seat].add(event.card)
    assert played == {seat: set(hand) for seat, hand in hands.items()}


@pytest.mark.parametrize("order", ORDERS)
def test_any_order_across_links_gives_the_same_match(order: int) -> None:
    """Each link keeps its order; which link is served next is drawn."""
    straight, mixed = finished(), finished(order)
    assert {p.observer.transcript for p in mixed.players} == {
        straight.players[0].observer.transcript
    }
    for log in mixed.log:
        assert facts(log) == facts(straight.log[0])


@pytest.mark.parametrize("order", ORDERS)
def test_an_observer_takes_a_records_envelopes_in_any_order_within_reach(order: int) -> None:
    """Shuffled within windows, doubled, and late copies: the same transcript, nobody blamed."""
    wires = record(finished())
    rng = random.Random(order)
    watcher = Observer.from_first(wires[0])
    for wire in _scrambled(wires, rng):
        assert watcher.receive(wire) is not Receipt.FAULT
    assert watcher.done
    assert watcher.transcript == finished().players[0].observer.transcript
    assert watcher.record() == wires


def _scrambled(wires: list[bytes], rng: random.Random) -> Iterator[bytes]:
    """Every envelope at least once, at most a few places away from where it belongs."""
    for at in range(0, len(wires), 8):
        window = wires[at : at + 8]
        window += rng.sample(wires[: at + 8], 4)
        rng.shuffle(window)
        yield from window


def test_other_secrets_give_another_match() -> None:
    """The same roster, other seeds: another deal, so that the roster fixes nothing of it."""
    one, two = finished(), finished(seed="a")
    assert one.players[0].observer.session == two.players[0].observer.session
    plays = [[e for e in facts(room.log[0]) if isinstance(e, CardPlayed)] for room in (one, two)]
    assert plays[0] != plays[1]


# -- envelopes of elsewhere ---------------------------------------------------------------------


def test_envelopes_of_another_session_are_refused() -> None:
    other = Room(make_roster(options={"target": "200"}))
    other.run(until=lambda r: r.players[0].observer.step.number > 4)
    room = Room(make_roster(options=SHORT))
    for wire in record(other):
        assert room.players[0].receive(wire) is Receipt.REFUSED
        assert room.players[0].observer.refusal == "an envelope of another session"
    assert room.players[0].observer.step.number == 0


def test_old_envelopes_come_back_as_harmless_duplicates() -> None:
    room = finished()
    for wire in record(room):
        assert room.players[2].receive(wire) is Receipt.DUPLICATE
    assert room.players[2].observer.fault is None


def test_an_envelope_does_not_pass_as_another_seats() -> None:
    room = finished()
    first, second = record(room)[:2]
    forged = first[:64] + second[64:]
    watcher = Observer.from_first(first)
    assert watcher.receive(forged) is Receipt.REFUSED
    assert watcher.refusal == "not signed by seat 1"


def test_bytes_that_are_no_envelope_are_refused() -> None:
    roster, info = finished().roster, finished().roster.players[0]
    player = Player(roster, info.identity, identity_key(info.name).sign, bytes(32))
    for junk in (b"", bytes(64), bytes(65), bytes(40_000), b"\x96" * 200):
        assert player.receive(junk) is Receipt.REFUSED
    assert player.observer.step.number == 0
    assert player.observer.fault is None


# -- early envelopes ----------------------------------------------------------------------------


def test_early_envelopes_wait_within_bounds() -> None:
    """A peer that is given nothing but the future keeps a bounded part of it."""
    wires = record(finished())
    watcher = Observer.from_first(wires[0])
    receipts: dict[int, set[Receipt]] = {}
    for wire in reversed(wires):
        step = unseal(wire).payload.step
        if step:
            receipts.setdefault(step, set()).add(watcher.receive(wire))
    assert all(seen == {Receipt.REFUSED} for step, seen in receipts.items() if step > AHEAD_MAX)
    assert all(seen == {Receipt.HELD} for step, seen in receipts.items() if step <= AHEAD_MAX)
    assert len(watcher._held) <= HELD_MAX
    for wire in wires[:4]:
        watcher.receive(wire)
    assert watcher.step.number == AHEAD_MAX + 1
    assert watcher.fault is None


def test_one_players_early_envelopes_do_not_crowd_out_the_others() -> None:
    """A flood of one seat's signed envelopes for later steps fills its own quarter only."""
    room = Room(make_roster(options=SHORT))
    observer, sign = room.players[0].observer, identity_key(room.roster.players[3].name).sign
    held = 0
    for step in range(1, AHEAD_MAX + 1):
        for about in range(4):
            body = encode(Vote(about))
            wire = seal(Payload(observer.session, step, 3, bytes(32), "vote", body), sign)
            held += observer.receive(wire) is Receipt.HELD
    assert held == HELD_MAX // 4
    mine = room.players[1].make()
    assert observer.receive(mine) is Receipt.ACCEPTED
    room.run()
    assert [p.observer.done for p in room.players] == [True] * 4
