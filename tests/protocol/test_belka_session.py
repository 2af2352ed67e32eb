"""Belka among four players: hands shown for a new deal, the J♣ announced, the match stopped."""

from __future__ import annotations

from functools import cache

from p2pcards.cards import DECK, Card
from p2pcards.crypto.shares import prove_shares
from p2pcards.games.base import Redeal
from p2pcards.games.belka import BELKA
from p2pcards.protocol.envelope import Payload, seal, unseal
from p2pcards.protocol.events import (
    CardPlayed,
    Closed,
    DealBegun,
    DealScored,
    Event,
    HandShown,
    HolderKnown,
    MatchEnded,
    StopWished,
)
from p2pcards.protocol.faults import FaultKind
from p2pcards.protocol.messages import RedealBody, encode
from p2pcards.protocol.observer import Observer, Receipt
from p2pcards.protocol.player import Player
from tests.protocol.matches import facts
from tests.protocol.room import NAMES, Room, first_choice, identity_key, make_roster

JACK = Card.parse("Jc")
SEED = "weak0"
"""With this seed somebody's first hand is weak."""


class Showing(Room):
    """A room in which every weak hand is shown once, and all four stop after the second deal.

    One player asks for the end already in the first, alone.
    """

    def act(self, place: int) -> bool:
        player = self.players[place]
        owed = player.owed()
        if owed is None or owed.kind not in ("redeal", "result"):
            return super().act(place)
        player.stop = place == 1 or player.observer.table.the_state().deal >= 2
        self.send(place, player.make(weak_hand(player) if owed.kind == "redeal" else None))
        return True


def weak_hand(player: Player) -> Redeal | None:
    """The answer of a player who shows every weak hand, but only in the first deck."""
    hand, seat = player.view().hand, player.seat
    if player.observer.table.deals_begun > 1 or not BELKA.is_weak(hand):
        return None
    return Redeal(tuple(hand if s == seat else None for s in range(4)))


@cache
def finished() -> Room:
    """A match of two deals, the first of which was dealt twice."""
    room = Showing(make_roster("belka", {"redeal": "weak"}), first_choice, SEED)
    room.run()
    return room


def of_type(kind: type[Event]) -> list[Event]:
    """The events of one type that the first player was told."""
    return [event for event in finished().log[0] if isinstance(event, kind)]


def test_the_match_ends_alike_for_all() -> None:
    room = finished()
    assert all(p.observer.done and p.observer.fault is None for p in room.players)
    told = [facts(log) for log in room.log]
    assert told[0] == told[1] == told[2] == told[3]
    assert told[0][-1] == Closed(room.players[0].observer.transcript)
    assert len(of_type(DealScored)) == 2
    assert len(of_type(MatchEnded)) == 1


def test_the_record_verifies() -> None:
    record = finished().players[2].observer.record()
    observer = Observer.from_first(record[0])
    assert {observer.receive(wire) for wire in record} == {Receipt.ACCEPTED}
    assert observer.transcript == finished().players[0].observer.transcript


def test_a_weak_hand_brings_a_new_deck_and_the_same_dealer() -> None:
    """Three decks, two deals; the hand shown has at most 13 points or five cards of a suit."""
    shown = [event for event in of_type(HandShown) if isinstance(event, HandShown)]
    assert shown
    for event in shown:
        points = sum({"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2}.get(c.rank.symbol, 0)
                     for c in event.cards)  # fmt: skip
        plain = [c.suit for c in event.cards if c.rank.symbol != "J"]
        assert len(event.cards) == 8
        assert points <= 13 or max(map(plain.count, plain)) >= 5
    begun = [event for event in of_type(DealBegun) if isinstance(event, DealBegun)]
    first = begun[0].dealer
    assert [(event.deal, event.dealer) for event in begun] == [
        (1, first),
        (1, first),
        (2, (first + 1) % 4),
    ]


def test_the_jack_is_announced_in_the_second_deal_only() -> None:
    log = finished().log[0]
    (known,) = of_type(HolderKnown)
    assert isinstance(known, HolderKnown)
    scored = [i for i, event in enumerate(log) if isinstance(event, DealScored)]
    assert scored[0] < log.index(known) < scored[1]
    plays = [event for event in log[log.index(known) :] if isinstance(event, CardPlayed)]
    assert sorted(event.card for event in plays) == list(DECK)
    assert known.holder == next(event.seat for event in plays if event.card == JACK)
    assert known.card == JACK
    assert known.trump is not None
    first = next(e.seat for e in log if isinstance(e, CardPlayed) and e.card == JACK)
    suits = dict(zip((first, first + 1, first + 2, first + 3), "chsd", strict=True))
    letter = next(suit for seat, suit in suits.items() if seat % 4 == known.holder)
    assert known.trump.letter == letter


def test_the_steps_come_in_the_order_of_the_protocol() -> None:
    kinds: dict[int, str] = {}
    for wire in finished().players[0].observer.record():
        payload = unseal(wire).payload
        assert kinds.setdefault(payload.step, payload.kind) == payload.kind
    steps = [kinds[i] for i in range(len(kinds))]
    deck = ["key-commit", "key", *["shuffle"] * 4, "cut", "parts", "confirm", "shares", "redeal"]
    played = ["play"] * 32 + ["result"]
    opening = ["roster", "commit", "reveal"]
    assert steps == [*opening, *deck, *deck, *played, *deck, "announce", *played, "end"]


def test_a_good_hand_that_is_shown_is_refused() -> None:
    """With a proper opening of all eight cards; only what they are is at fault."""
    record = finished().players[0].observer.record()
    asked = next(i for i, wire in enumerate(record) if unseal(wire).payload.kind == "redeal")
    player = next(p for p in shown_the_first_deck(record[:asked]) if not weak_hand(p))
    deal, step = player.observer.table.the_deal(), player.observer.step
    slots = deal.hidden(player.seat)
    ctx = player.observer.table.context(step.number, player.seat, step.prev)
    bases = [deal.masked[pos].a for pos in slots]
    public = deal.keys[player.seat].public
    opening = prove_shares(ctx, player.secret.x, public, bases, bytes(64))
    body = encode(RedealBody(opening))
    payload = Payload(player.observer.session, step.number, player.seat, step.prev, "redeal", body)
    wire = seal(payload, identity_key(NAMES[player.place]).sign)
    assert player.observer.receive(wire) is Receipt.FAULT
    fault = player.observer.fault
    assert fault is not None
    assert (fault.seat, fault.kind) == (player.seat, FaultKind.ILLEGAL_ACTION)


def shown_the_first_deck(wires: list[bytes]) -> list[Player]:
    """Two players, made anew, who have received these envelopes."""
    players = Showing(finished().roster, first_choice, SEED).players
    for player in players[:2]:
        assert {player.receive(wire) for wire in wires} == {Receipt.ACCEPTED}
    return players[:2]


def test_everybody_learns_who_asked_for_the_end() -> None:
    room = finished()
    seat = room.players[1].seat
    for log in room.log:
        told = [event.seats for event in log if isinstance(event, StopWished)]
        assert told == [(seat,), (0, 1, 2, 3)]
