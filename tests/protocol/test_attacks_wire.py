"""Attacks on the envelopes themselves: two faces, forgery, garbage, floods, other histories."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
import pytest

from p2pcards.crypto.parts import split_key
from p2pcards.crypto.shares import prove_shares
from p2pcards.crypto.shuffle import shuffle
from p2pcards.protocol import making
from p2pcards.protocol.answers import context
from p2pcards.protocol.dealing import SharesStage
from p2pcards.protocol.envelope import Payload, body_of, seal, unseal
from p2pcards.protocol.faults import FaultKind
from p2pcards.protocol.limits import AHEAD_MAX, ENVELOPE_MAX, HELD_MAX
from p2pcards.protocol.messages import (
    BidBody,
    Body,
    Commit,
    Cut,
    End,
    KeyCommit,
    Parts,
    PlayBody,
    Result,
    Shares,
    Shuffle,
)
from p2pcards.protocol.observer import Observer, Receipt
from p2pcards.protocol.table import RosterError
from tests.protocol.cheat import (
    Den,
    NotCaught,
    blamed,
    nobody_blamed,
    played_on,
    prepared,
    stage_of,
    waits_for_cheat,
)
from tests.protocol.matches import first_of_kinds, record
from tests.protocol.room import TWO_DEALS, identity_key, make_roster

ENTROPY = bytes(range(64))
KINDS = sorted(first_of_kinds())
GROUP_ORDER = 2**252 + 27742317777372353535851937790883648493
"""The order of Ed25519's group (RFC 8032, section 5.1)."""


# -- two faces ----------------------------------------------------------------------------------


def two_faces() -> dict[str, Callable[[Den], tuple[Body, Body]]]:
    """For each kind of step with more than one valid answer, two of them."""

    def shared(den: Den, entropy: bytes) -> Shares:
        stage, deal = stage_of(den), den.liar.observer.table.the_deal()
        assert isinstance(stage, SharesStage)
        public = deal.keys[den.liar.seat].public
        bases = deal.bases(stage.packet, den.liar.seat)
        return Shares(prove_shares(context(den.liar), den.liar.secret.x, public, bases, entropy))

    def split(den: Den, entropy: bytes) -> Parts:
        deal = den.liar.observer.table.the_deal()
        boxes = {s: deal.keys[s].box for s in making.others(den.liar.seat)}
        return Parts(split_key(context(den.liar), den.liar.secret, boxes, entropy))

    def shuffled(den: Den, entropy: bytes) -> Shuffle:
        deal = den.liar.observer.table.the_deal()
        return Shuffle(shuffle(context(den.liar), deal.joint_point(), deal.deck, entropy))

    def opened(den: Den, which: int) -> PlayBody:
        deal = den.liar.observer.table.the_deal()
        pos = deal.hidden(den.liar.seat)[which]
        public = deal.keys[den.liar.seat].public
        bases = (deal.masked[pos].a,)
        data = prove_shares(context(den.liar), den.liar.secret.x, public, bases, ENTROPY)
        return PlayBody(pos, data, b"", False)

    def both(make: Callable[[Den, bytes], Body]) -> Callable[[Den], tuple[Body, Body]]:
        return lambda den: (make(den, ENTROPY), make(den, ENTROPY[::-1]))

    return {
        "commit": lambda den: (Commit(bytes(32)), Commit(b"\x01" * 32)),
        "key-commit": lambda den: (KeyCommit(bytes(32)), KeyCommit(b"\x01" * 32)),
        "parts": both(split),
        "shuffle": both(shuffled),
        "cut": lambda den: (Cut(1), Cut(31)),
        "shares": both(shared),
        "bid": lambda den: (BidBody("take"), BidBody("pass")),
        "play": lambda den: (opened(den, 0), opened(den, 1)),
        "result": lambda den: (
            Result(den.liar.observer.table.the_state().scores, True, ()),
            Result(den.liar.observer.table.the_state().scores, False, ()),
        ),
    }


@pytest.mark.parametrize("kind", two_faces())
def test_attack_two_faces(kind: str) -> None:
    """Two valid answers, one for the first peer, one for the rest: found when histories meet."""
    den = prepared(kind)
    one, other = two_faces()[kind](den)
    den.push(den.split(den.envelope(kind, one), den.envelope(kind, other)))
    den.dead.add(den.cheat)
    den.run()
    if not any(den.faults()):
        den.time_out()  # the next step was the cheat's own: the votes about it bring it to light
    blamed(den, FaultKind.EQUIVOCATION, later=2)


@pytest.mark.parametrize("kind", ["commit", "key-commit"])
def test_attack_two_faces_and_a_lie_on_top(kind: str) -> None:
    """It goes on after that, and badly: peers of both histories still blame the same seat."""
    den = prepared(kind)
    one, other = two_faces()[kind](den)
    den.push(den.split(den.envelope(kind, one), den.envelope(kind, other)))
    den.run()
    assert all(den.faults())
    assert {fault.seat for fault in den.faults() if fault} == {den.liar.seat}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "roster"])
def test_attack_second_thoughts(kind: str) -> None:
    """A good answer to all, then another to all: the second is as much as a confession."""
    den = prepared(kind)
    body = b"" if kind != "end" else b"\x91\x01"
    good = den.liar.make(den.choose(den.liar) if kind in ("bid", "play") else None)  # type: ignore[arg-type]
    den.push(den.to_all(good, den.envelope(kind, body)))
    blamed(den, FaultKind.EQUIVOCATION, later=1)


def test_attack_good_for_one_bad_for_the_rest() -> None:
    """Each peer sees either a bad answer or two different ones: all blame the same seat."""
    den = prepared("shuffle")
    step = den.liar.observer.step.number
    den.push(den.split(den.liar.make(), den.envelope("shuffle", Shuffle(bytes(6432)))))
    den.run()
    found = {(fault.seat, fault.kind) for fault in den.faults() if fault}
    assert len(found) == 2
    assert found == {
        (den.liar.seat, FaultKind.BAD_SHUFFLE),
        (den.liar.seat, FaultKind.EQUIVOCATION),
    }
    assert all(den.faults())
    assert den.last_signed() <= step + 1


def test_attack_two_futures() -> None:
    """Two different envelopes for a step that has not come yet contradict each other already."""
    den = prepared("shares", cheat=2)
    step = den.liar.observer.step.number + 3
    wires = [den.envelope("bid", BidBody(bid), step=step) for bid in ("take", "pass")]
    den.push(den.to_all(*wires))
    den.hold = step
    blamed(den, FaultKind.EQUIVOCATION)


def test_attack_two_signatures_under_one_answer() -> None:
    """Adding the group's order to a signature's second half makes no second valid signature."""
    den = prepared("commit", cheat=2)
    wire = den.liar.make()
    twisted = (int.from_bytes(wire[32:64], "little") + GROUP_ORDER).to_bytes(32, "little")
    double = wire[:32] + twisted + wire[64:]
    for place in den.honest:
        assert den.players[place].receive(double) is Receipt.REFUSED
    den.push(den.to_all(wire))
    played_on(den)


# -- other histories ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["reveal", "key", "shares", "bid", "result"])
def test_attack_another_history(kind: str) -> None:
    """It names a history nobody has and shows none: no evidence, but no going on either."""
    den = prepared(kind)
    honest = unseal(
        den.liar.make(den.choose(den.liar) if kind == "bid" else None)  # type: ignore[arg-type]
    ).payload
    den.push(den.to_all(den.sign(msgspec.structs.replace(honest, prev=bytes(32)))))
    waits_for_cheat(den)
    den.hold = den.observer(den.honest[0]).step.number
    den.time_out()
    blamed(den, FaultKind.DIVERGED)


def test_attack_another_history_beside_the_right_one() -> None:
    """Having signed the true history it names a false one too: two envelopes for one place."""
    den = prepared("confirm", cheat=2)
    good = den.liar.make()
    lie = den.sign(msgspec.structs.replace(unseal(good).payload, prev=bytes(32)))
    den.push(den.to_all(good, lie))
    blamed(den, FaultKind.EQUIVOCATION, later=1)


# -- forgery ------------------------------------------------------------------------------------


def test_attack_speaking_for_another() -> None:
    """Envelopes in another's name under its own signature: refused, and nobody is framed."""
    den = prepared("shares", cheat=2)
    for turn in (1, 2, 3):
        seat = (den.liar.seat + turn) % 4
        forged = den.envelope("shares", Shares(b""), sender=seat)
        for place in den.honest:
            assert den.players[place].receive(forged) is Receipt.REFUSED
            assert den.observer(place).refusal == f"not signed by seat {seat}"
    played_on(den)


def test_attack_speaking_for_another_before_the_draw() -> None:
    """Before the seats are drawn an early envelope could be anybody's: it is dropped in time."""
    den = prepared("commit", cheat=2)
    forged = [den.envelope("key-commit", b"", step=3, sender=seat) for seat in range(4)]
    den.push(den.to_all(*forged))
    played_on(den)


def test_attack_replaying_others_envelopes() -> None:
    """Whatever was said once is sent again, to all, all the time: duplicates, nothing more."""
    den = prepared("play", 10)
    wires = record(den)
    den.push(den.to_all(*wires))
    played_on(den)


def test_attack_replay_of_an_envelope_in_a_later_step() -> None:
    """Another's pass from an earlier step does not pass for it in a later one."""
    den = prepared("bid", 2, seed=TWO_DEALS)
    step, prev = den.liar.observer.step.number, den.liar.observer.step.prev
    old = next(
        unseal(wire).payload
        for wire in den.liar.observer.record()
        if unseal(wire).payload.kind == "bid"
    )
    moved = den.sign(msgspec.structs.replace(old, step=step, prev=prev))
    for place in den.honest:
        assert den.players[place].receive(moved) is Receipt.REFUSED
    played_on(den)


def test_attack_envelope_of_another_session() -> None:
    """What somebody signed at another table means nothing at this one."""
    den, there = prepared("commit", cheat=2), Den(2, make_roster(options={"target": "500"}))
    there.hold = 1
    there.run()
    for _, wire in there.signed:
        for place in den.honest:
            assert den.players[place].receive(wire) is Receipt.REFUSED
    played_on(den)


P = 2**255 - 19
D = -121665 * pow(121666, P - 2, P) % P
"""Ed25519's field and its curve's constant (RFC 8032, section 5.1)."""


def _double(x: int, y: int) -> tuple[int, int]:
    """A point of Ed25519 added to itself, by the curve's addition law."""
    k = D * x * x * y * y % P
    return (
        2 * x * y * pow(1 + k, P - 2, P) % P,
        (y * y + x * x) * pow(1 - k, P - 2, P) % P,
    )


def _small_points() -> list[tuple[int, int]]:
    """All eight points whose order divides 8, by halving the point of order 2."""
    root = pow(2, (P - 1) // 4, P)
    order_4 = [(root, 0), (P - root, 0)]
    # Twice (x, y) has y = 0 where y = ix; on the curve that is D x^4 - 2 x^2 - 1 = 0.
    squares = [(1 + s) * pow(D, P - 2, P) % P for s in _roots(1 + D)]
    order_8 = [
        (x, y) for square in squares for x in _roots(square) for y in (root * x % P, -root * x % P)
    ]
    return [(0, 1), (0, P - 1), *order_4, *order_8]


def _roots(square: int) -> list[int]:
    """The square roots of a number modulo P, none if it is no square."""
    root = pow(square, (P + 3) // 8, P)
    for candidate in (root, root * pow(2, (P - 1) // 4, P) % P):
        if candidate * candidate % P == square % P:
            return [candidate, P - candidate]
    return []


def _point_bytes(x: int, y: int) -> bytes:
    return (y | (x & 1) << 255).to_bytes(32, "little")


def test_attack_identity_under_which_anybody_can_sign() -> None:
    """A key of small order would let it deny all it signed; no honest peer sits down with one."""
    points = _small_points()
    assert len(set(points)) == 8
    for x, y in points:
        eighth = _double(*_double(*_double(x, y)))
        assert eighth == (0, 1)
        _refused_identity(_point_bytes(x, y))
    for y in (P, P + 1, 2**255 - 1):
        _refused_identity(y.to_bytes(32, "little"))


def _refused_identity(identity: bytes) -> None:
    roster = make_roster()
    weak = msgspec.structs.replace(roster.players[3], identity=identity)
    with pytest.raises(RosterError, match="anybody can sign"):
        Observer(msgspec.structs.replace(roster, players=(*roster.players[:3], weak)))


# -- garbage ------------------------------------------------------------------------------------


def garbage_bodies() -> dict[str, bytes]:
    """Bodies that are none, where a bid is due."""
    encode = msgspec.msgpack.encode
    return {
        "nothing": b"",
        "not MessagePack": b"\xc1",
        "a field more": encode(["take", 1]),
        "a field less": encode([]),
        "another type": encode([7]),
        "a map": encode({"bid": "take"}),
        "bytes behind it": encode(["take"]) + b"\x00",
        "a longer encoding": b"\xdc\x00\x01" + encode("take"),
        "a text not in UTF-8": b"\x91\xa4\xff\xfe\xfd\xfc",
        "deep nesting": b"\x91" * 20_000,
        "a huge array": b"\xdd\xff\xff\xff\xff",
    }


@pytest.mark.parametrize("what", garbage_bodies())
def test_attack_body_that_is_none(what: str) -> None:
    """It signed that: whatever cannot be read is its own fault."""
    den = prepared("bid")
    den.push(den.to_all(den.envelope("bid", garbage_bodies()[what])))
    blamed(den, FaultKind.MALFORMED)


def test_attack_unknown_kind() -> None:
    den = prepared("bid")
    den.push(den.to_all(den.envelope("win", b"\x90")))
    blamed(den, FaultKind.MALFORMED)


@pytest.mark.parametrize("kind", ["play", "shares", "end", "roster"])
def test_attack_another_kind_than_is_due(kind: str) -> None:
    den = prepared("bid")
    bodies: dict[str, Body] = {
        "play": PlayBody(0, b"", b"", False),
        "shares": Shares(b""),
        "end": End(),
        "roster": den.roster,
    }
    den.push(den.to_all(den.envelope(kind, bodies[kind])))
    blamed(den, FaultKind.WRONG_KIND)


def unreadable(den: Den) -> dict[str, bytes]:
    """Signed bytes that are no envelope in canonical form."""
    good = den.liar.make()
    sign = identity_key(den.roster.players[den.cheat].name).sign
    label = b"p2pcards/1 envelope\0"

    def signed(data: bytes) -> bytes:
        return sign(label + data) + data

    body = good[64:]
    session = unseal(good).payload.session
    return {
        "bytes behind it": signed(body + b"\0"),
        "a longer encoding": signed(b"\xdc\x00\x06" + body[1:]),
        "a step beyond all": signed(
            msgspec.msgpack.encode([session, 2**40, 0, bytes(32), "commit", b""])
        ),
        "a seat beyond all": signed(
            msgspec.msgpack.encode([session, 1, 4, bytes(32), "commit", b""])
        ),
        "a negative step": signed(
            msgspec.msgpack.encode([session, -1, 2, bytes(32), "commit", b""])
        ),
        "too long": signed(
            msgspec.msgpack.encode([session, 1, 2, bytes(32), "commit", bytes(ENVELOPE_MAX)])
        ),
        "only a signature": good[:64],
        "nothing": b"",
    }


@pytest.mark.parametrize("what", list(unreadable(prepared("commit", cheat=2))))
def test_attack_envelope_that_cannot_be_read(what: str) -> None:
    """Who sent it cannot be told from the bytes: refused, nobody blamed, the cheat awaited."""
    den = prepared("commit", cheat=2)
    for place in den.honest:
        assert den.players[place].receive(unreadable(den)[what]) is Receipt.REFUSED
    waits_for_cheat(den)


def test_attack_flood_of_the_future() -> None:
    """Hundreds of signed envelopes for later steps: what is kept of them is bounded."""
    den = prepared("shares", cheat=2)
    now = den.liar.observer.step.number
    wires = [den.envelope("bid", b"", step=step) for step in range(now + 1, now + 400)]
    for place in den.honest:
        receipts = [den.players[place].receive(wire) for wire in wires]
        assert receipts.count(Receipt.HELD) <= HELD_MAX // 4
        assert receipts[AHEAD_MAX:] == [Receipt.REFUSED] * (len(wires) - AHEAD_MAX)
        assert len(den.observer(place)._held) <= HELD_MAX


def test_attack_flood_of_other_histories() -> None:
    """Each names another false history: the others compare theirs once, not each time."""
    den = prepared("shares", cheat=2)
    wires = [den.envelope("shares", b"", prev=bytes([n]) * 32) for n in range(200)]
    before = den.moves
    den.push(den.to_all(*wires))
    nobody_blamed(den)
    assert den.moves - before < 3 * len(wires) + 3 * 3 * 12
    den.hold = None
    good = den.liar.make()
    den.push(den.to_all(good))
    played_on(den)


# -- the way envelopes come ---------------------------------------------------------------------


def _all_match(den: Den, change: Callable[[Den, bytes], dict[int, list[bytes]]]) -> None:
    for step in range(100):
        den.deeds[step] = change


def test_attack_everything_twice() -> None:
    den = Den(1)
    _all_match(den, lambda d, wire: {place: [wire, wire] for place in d.honest})
    played_on(den)


def test_attack_one_peer_is_told_nothing() -> None:
    """All it sends is withheld from one peer, which gets it from the two others."""
    den = Den(1)
    left_out = den.honest[1]
    _all_match(den, lambda d, w: {place: [w] for place in d.honest if place != left_out})
    played_on(den)


def test_attack_everything_late() -> None:
    """Each of its envelopes comes after a volley of old ones, in a random order of links."""
    den = Den(1)
    sent: list[bytes] = []

    def late(d: Den, wire: bytes) -> dict[int, list[bytes]]:
        sent.append(wire)
        return {place: [*sent[:-1][-5:], wire] for place in d.honest}

    _all_match(den, late)
    den.run(rng=random.Random(4))
    played_on(den)


def test_attack_another_peer_for_each_envelope() -> None:
    """It answers each time only one of the others, in turn: that one passes it on."""
    den = Den(1)
    order = iter(range(1000))
    _all_match(den, lambda d, wire: {d.honest[next(order) % 3]: [wire]})
    played_on(den)


def test_attack_cable_between_two_honest_peers_cut() -> None:
    """With the cheat silent and one link of the honest broken, the third passes everything on."""
    den = prepared("play", 3)
    a, b = den.honest[:2]
    den.blocked = {(a, b), (b, a)}
    den.dead.add(den.cheat)
    den.time_out()
    nobody_blamed(den)
    assert all(den.observer(place).done for place in den.honest)


def test_attack_silence_is_seen_by_all() -> None:
    """It says nothing at all from the first step on: all say for whom they wait."""
    den = Den(1)
    den.dead.add(1)
    waits_for_cheat(den)


def test_the_kit_notices_a_table_that_hangs() -> None:
    den = prepared("commit", cheat=2)
    den.moves = 10**6
    den.push(den.to_all(den.liar.make()))
    with pytest.raises(NotCaught, match="hangs"):
        den.run()


def test_the_labels_of_forged_envelopes_are_right() -> None:
    """The kit's own signing of raw bytes is the protocol's, or its refusals would mean nothing."""
    den = prepared("commit", cheat=2)
    wire = den.liar.make()
    sign = identity_key(den.roster.players[2].name).sign
    assert sign(b"p2pcards/1 envelope\0" + wire[64:]) + wire[64:] == wire
    assert seal(unseal(wire).payload, sign) == wire
    assert isinstance(unseal(wire).payload, Payload)
    assert isinstance(body_of(unseal(wire).payload), Commit)
