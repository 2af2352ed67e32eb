"""Attacks by votes, objections, key parts and silence: a hand is taken by three or by nobody."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from p2pcards.crypto.group import encode_scalar
from p2pcards.protocol.course import Bar
from p2pcards.protocol.envelope import seal, unseal
from p2pcards.protocol.events import VoteCast
from p2pcards.protocol.faults import FaultKind
from p2pcards.protocol.messages import Object, Part, Vote
from p2pcards.protocol.observer import Receipt
from p2pcards.protocol.record import verify_record
from tests.protocol.cheat import (
    Den,
    blamed,
    check_evidence_of,
    nobody_blamed,
    played_on,
    prepared,
    stage_of,
    waits_for_cheat,
)
from tests.protocol.room import identity_key


def honest_kinds(den: Den) -> set[str]:
    """Every kind of envelope that an honest peer has signed."""
    return {unseal(wire).payload.kind for _, wire in den.signed}


def other(den: Den, turn: int = 1) -> int:
    """A seat other than the cheat's."""
    return (den.liar.seat + turn) % 4


# -- votes --------------------------------------------------------------------------------------


def test_attack_vote_about_itself() -> None:
    den = prepared("shares", cheat=2)
    den.push(den.to_all(den.envelope("vote", Vote(den.liar.seat))))
    blamed(den, FaultKind.BAD_VOTE)


def test_attack_vote_about_a_seat_that_owes_nothing() -> None:
    """Whoever is not waited for cannot be called silent."""
    den = prepared("bid")
    den.push(den.to_all(den.envelope("vote", Vote(other(den)))))
    blamed(den, FaultKind.BAD_VOTE)


def test_attack_vote_before_the_draw() -> None:
    den = prepared("commit", cheat=2)
    den.push(den.to_all(den.envelope("vote", Vote(1))))
    blamed(den, FaultKind.BAD_VOTE)


def test_attack_two_votes_in_one_step() -> None:
    """With two votes it could help to lose two different seats, each before other eyes."""
    den = prepared("shares", cheat=2)
    votes = [den.envelope("vote", Vote(other(den, turn))) for turn in (1, 2)]
    den.push(den.to_all(*votes))
    blamed(den, FaultKind.EQUIVOCATION)


def test_who_has_voted_is_told_that_a_second_vote_in_the_step_is_not_possible() -> None:
    den = prepared("key-commit", cheat=2)
    den.dead.add(1)
    den.hold = den.observer(0).step.number + 1
    den.run()
    player = den.players[0]
    one, two = player.observer.waiting()
    assert player.observer.bar(player.seat, one) is None
    den.send(0, player.vote(one))
    assert player.observer.bar(player.seat, two) is Bar.VOTED


def test_attack_two_votes_told_to_different_peers() -> None:
    den = prepared("shares", cheat=2)
    votes = [den.envelope("vote", Vote(other(den, turn))) for turn in (1, 2)]
    den.push(den.split(*votes))
    blamed(den, FaultKind.EQUIVOCATION)


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_attack_vote_about_a_seat_that_has_answered(turn: int) -> None:
    """It calls a seat silent that is not: those who have its envelope object, and play goes on."""
    den = prepared("shares", cheat=2)
    den.push(den.to_all(den.envelope("vote", Vote(other(den, turn)))))
    played_on(den)
    assert "object" in honest_kinds(den)
    assert "part" not in honest_kinds(den)
    assert not den.observer(den.honest[0]).table.bots


def test_attack_vote_against_its_own_objection() -> None:
    """Vote and objection about one seat contradict each other, to whomever they are shown."""
    den = prepared("shares", cheat=2)
    seat = other(den)
    held = den.liar.observer.answered(seat, den.liar.observer.step.number)
    assert held is not None
    vote = den.envelope("vote", Vote(seat))
    objection = den.envelope("object", Object(seat, held[0]))
    den.push(den.split(vote, objection))
    blamed(den, FaultKind.EQUIVOCATION, later=1)


def test_attack_two_opponents_cannot_take_a_hand() -> None:
    """Two seats vote a player out while it thinks; its partner does not, and no part is given."""
    den = prepared("play")
    victim = den.liar.seat
    thief, helper = ((victim + turn) % 4 for turn in (1, 3))
    places = den.liar.observer.table.places
    for seat in (thief, helper):
        player = den.players[places[seat]]
        vote = player.vote(victim)
        den.send(places[seat], vote)
    den.hold = None
    den.run()
    assert all(den.observer(place).done for place in range(4))
    assert not den.observer(0).table.bots
    assert "part" not in honest_kinds(den)


def _two_have_voted() -> Den:
    """A table at which the cheat leads a trick, two have voted about it, and its partner thinks."""
    den = prepared("play")
    victim = den.liar.seat
    places = den.liar.observer.table.places
    for seat in ((victim + 1) % 4, (victim + 3) % 4):
        den.send(places[seat], den.players[places[seat]].vote(victim))
    den.run()
    return den


def test_attack_a_bad_answer_after_two_votes_is_seen_by_all() -> None:
    """Who has voted does not take its answer, but a fault is a fault."""
    den = _two_have_voted()
    den.push(den.to_all(den.envelope("play", b"\xc1")))
    blamed(den, FaultKind.MALFORMED)


def test_attack_ever_new_answers_to_those_who_voted() -> None:
    """They keep the first for an objection; a second is an equivocation, and fills no journal."""
    den = _two_have_voted()
    one, other = (den.liar.make(choice) for choice in den.liar.choices()[:2])
    voter = next(place for place in den.honest if den.observer(place).step.locked)
    assert den.observer(voter).receive(one) is Receipt.HELD
    assert den.observer(voter).receive(one) is Receipt.DUPLICATE
    den.push({place: [one, other] for place in den.honest if den.observer(place).step.locked})
    blamed(den, FaultKind.EQUIVOCATION, later=1)


def test_attack_a_bad_answer_that_comes_after_the_seat_was_lost() -> None:
    """Who saw it before the last vote has ended with a fault; the others must see it, too."""
    den = prepared("play")
    bad = den.envelope("play", b"\xc1")
    den.dead.add(den.cheat)
    den.time_out()
    for place in den.honest:
        assert den.observer(place).fault is None
        assert den.observer(place).receive(bad) is Receipt.REFUSED  # long ago
    den = prepared("play")
    bad, good = den.envelope("play", b"\xc1"), den.liar.make(den.liar.choices()[0])
    den.dead.add(den.cheat)
    den.halt = den.liar.observer.step.number + 2
    den.time_out()
    for place in den.honest:
        assert den.observer(place).receive(good) is Receipt.REFUSED
        assert den.observer(place).receive(bad) is Receipt.FAULT
        check_evidence_of(den, place)


def test_attack_late_votes_are_answered_once() -> None:
    """Votes about all seats in many old steps make nobody send more than they cost."""
    den = prepared("play", 20)
    observer = den.liar.observer
    wires = []
    for number in range(3, observer.step.number):
        found = next((observer.answered(seat, number) for seat in (0, 1, 2, 3)), None)
        prev = found[1] if found else bytes(32)
        wires += [
            den.envelope("vote", Vote(seat), step=number, prev=prev)
            for seat in range(4)
            if seat != den.liar.seat and observer.answered(seat, number)
        ][:1]
    before = den.moves
    den.push(den.to_all(*wires, *wires))
    den.run()
    objections = [w for log in den.log for w in log if isinstance(w, VoteCast)]
    assert len(objections) <= 3 * 13 + 3
    assert den.moves - before <= 6 * len(wires) + 9 * 13


def test_attack_neither_vote_nor_objection_about_a_seat_that_returns() -> None:
    """Two have voted about a slow seat, then it answers. The cheat says neither yes nor no.

    Those two may not take the answer before they know whether the cheat votes. They wait for it,
    not for the seat that came back, and can say so.
    """
    den = prepared("play")
    slow, victim = den.cheat, den.liar.seat
    wire = den.liar.make(den.choose(den.liar))  # type: ignore[arg-type]
    den.cheat = den.liar.observer.table.places[(victim + 2) % 4]
    silent = den.liar.seat
    voters = [place for place in den.honest if place != slow]
    for place in voters:
        den.send(place, den.players[place].vote(victim))
    den.dead.add(den.cheat)
    den.send(slow, wire)
    den.run()
    assert not any(den.faults())
    for place in voters:
        assert den.observer(place).waiting() == {silent}
        assert den.observer(place).bar(den.players[place].seat, silent) is Bar.UNASKED
        assert "part" not in honest_kinds(den)


# -- objections ---------------------------------------------------------------------------------


def false_objections() -> dict[str, Callable[[Den, int], bytes]]:
    """What an objection may show that is no envelope of that seat for this step."""

    def earlier(den: Den, seat: int) -> bytes:
        held = den.liar.observer.answered(seat, den.liar.observer.step.number - 1)
        assert held is not None
        return held[0]

    def of_another(den: Den, seat: int) -> bytes:
        held = den.liar.observer.answered((seat + 1) % 4, den.liar.observer.step.number)
        assert held is not None
        return held[0]

    def forged(den: Den, seat: int) -> bytes:
        held = den.liar.observer.answered(seat, den.liar.observer.step.number)
        assert held is not None
        return den.sign(unseal(held[0]).payload)

    def other_history(den: Den, seat: int) -> bytes:
        name = den.liar.observer.table.players[seat].name
        held = den.liar.observer.answered(seat, den.liar.observer.step.number)
        assert held is not None
        payload = msgspec.structs.replace(unseal(held[0]).payload, prev=bytes(32))
        return seal(payload, identity_key(name).sign)

    def a_vote(den: Den, seat: int) -> bytes:
        return den.envelope("vote", Vote(seat), sender=seat)

    return {
        "nothing": lambda den, seat: b"",
        "garbage": lambda den, seat: bytes(200),
        "an earlier step's": earlier,
        "another seat's": of_another,
        "under its own signature": forged,
        "of another history": other_history,
        "a vote": a_vote,
    }


@pytest.mark.parametrize("lie", false_objections())
def test_attack_objection_with_an_envelope_that_does_not_fit(lie: str) -> None:
    den = prepared("confirm", cheat=1)
    seat = other(den)
    shown = false_objections()[lie](den, seat)
    den.push(den.to_all(den.envelope("object", Object(seat, shown))))
    blamed(den, FaultKind.BAD_VOTE)


def test_attack_objection_about_itself() -> None:
    den = prepared("confirm", cheat=1)
    wire = den.liar.make()
    den.push(den.to_all(den.envelope("object", Object(den.liar.seat, wire))))
    blamed(den, FaultKind.BAD_VOTE)


# -- parts --------------------------------------------------------------------------------------


def _voted_out(step_kind: str = "shares") -> tuple[Den, int]:
    """A table where an honest seat fell silent and three have voted: the cheat owes a part."""
    den = prepared(step_kind, cheat=3)
    lost = den.liar.seat
    den.dead.add(3)
    den.cheat, den.hold = 1, den.observer(0).step.number + 1
    den.run()
    vote = den.liar.vote(lost)
    den.push(den.to_all(vote))
    den.time_out(lost)
    den.run()
    assert stage_of(den).kind == "part"
    return den, lost


def test_attack_part_that_is_wrong() -> None:
    """After three votes it gives a false part, so that the lost hand cannot be played."""
    den, _ = _voted_out()
    den.push(den.to_all(den.envelope("part", Part(encode_scalar(77)))))
    blamed(den, FaultKind.BAD_PART)


@pytest.mark.parametrize("scalar", [bytes(32), b"\xff" * 32])
def test_attack_part_out_of_range(scalar: bytes) -> None:
    den, _ = _voted_out()
    den.push(den.to_all(den.envelope("part", Part(scalar))))
    blamed(den, FaultKind.BAD_PART)


def test_attack_part_withheld() -> None:
    """It votes and then keeps its part: the others say for whom they wait, nobody is framed."""
    den, _ = _voted_out()
    den.dead.add(1)
    den.run()
    for place in den.honest:
        assert den.observer(place).waiting() == {den.liar.seat}
        assert den.observer(place).bar(den.players[place].seat, den.liar.seat) is Bar.BOT
    assert not any(den.faults())


def test_attack_second_seat_voted_out() -> None:
    """With a bot at the table two live seats could take a hand: no further vote is possible."""
    den, lost = _voted_out()
    den.hold = None
    den.run(until=lambda d: stage_of(d).kind == "bid")
    den.run(until=lambda d: d.liar.observer.step.number == d.observer(0).step.number)
    seat = next(iter(den.liar.observer.waiting()))
    about = seat if seat != den.liar.seat else next(s for s in range(4) if s not in (seat, lost))
    den.hold = den.liar.observer.step.number
    den.push(den.to_all(den.envelope("vote", Vote(about))))
    blamed(den, FaultKind.BAD_VOTE, later=3)


def test_attack_lost_seat_goes_on_playing() -> None:
    """Voted out, it sends what it would have sent: nobody takes it, nobody is blamed for it."""
    den = prepared("play", 4)
    body = den.liar.make(den.choose(den.liar))  # type: ignore[arg-type]
    den.time_out()
    seat = den.liar.seat
    assert all(den.observer(place).table.bots == {seat} for place in den.honest)
    for place in den.honest:
        assert den.players[place].receive(body) is Receipt.REFUSED
    den.dead.add(den.cheat)
    nobody_blamed(den)
    assert all(den.observer(place).done for place in den.honest)


# -- silence ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["key-commit", "parts", "shuffle", "shares", "bid", "play"])
def test_attack_leaving_on_a_bad_hand(kind: str) -> None:
    """It is never heard of again: the others vote, the public bot plays, the record verifies."""
    den = prepared(kind)
    den.dead.add(den.cheat)
    waits_for_cheat(den)
    seat = den.liar.seat
    den.time_out()
    nobody_blamed(den)
    observer = den.observer(den.honest[0])
    assert all(den.observer(place).done for place in den.honest)
    verdict = verify_record(observer.record())
    assert verdict.good
    assert [absence.seat for absence in verdict.absences] == [seat]


def test_attack_answering_only_one_peer_is_not_silence() -> None:
    """It answers one peer and lets the others run out of time: that peer objects for it."""
    den = prepared("shares", cheat=2)
    wire = den.liar.make()
    first, *rest = den.honest
    den.push({first: [wire], **{place: [] for place in rest}})
    den.hold = None
    den.blocked = {(a, b) for a in den.honest for b in den.honest if a != b}
    den.run(until=lambda d: not d.wire[2, first])
    den.blocked.clear()
    den.time_out()
    played_on(den)
    assert not den.observer(first).table.bots
