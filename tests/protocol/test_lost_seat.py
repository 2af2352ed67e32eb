"""A seat is lost for good, or for a while: at every kind of step, and whatever it had signed."""

from __future__ import annotations

import pytest

from p2pcards.protocol.envelope import Payload, digest, seal, unseal
from p2pcards.protocol.events import SeatBack, SeatLost
from p2pcards.protocol.messages import Vote, encode
from p2pcards.protocol.observer import Observer, Receipt
from p2pcards.protocol.player import Player
from p2pcards.protocol.record import verify_record
from tests.protocol.cheat import Den, at, nobody_blamed, played_on, prepared, turns
from tests.protocol.matches import finished, record
from tests.protocol.room import ONE_DEAL, TWO_DEALS, identity_key


def steps() -> list[tuple[int, str]]:
    """One step of each kind in which a seat can be lost, and the places in a trick."""
    seen: dict[str, int] = {}
    for wire in record(finished()):
        payload = unseal(wire).payload
        if payload.step >= 3:
            seen.setdefault(payload.kind, payload.step)
    return [(step, kind) for kind, step in seen.items()]


@pytest.mark.parametrize(("step", "kind"), steps())
def test_a_seat_can_be_lost_at_every_kind_of_step(step: int, kind: str) -> None:
    """The others end the match alike; parts are given exactly when cards are in use."""
    owner = next(
        unseal(wire).payload.sender
        for wire in record(finished())
        if unseal(wire).payload.step == step
    )
    den = at(step, finished().players[0].observer.table.places[owner])
    den.dead.add(den.cheat)
    den.time_out()
    nobody_blamed(den)
    observers = [den.observer(place) for place in den.honest]
    assert all(observer.done for observer in observers)
    assert len({observer.transcript for observer in observers}) == 1
    kinds = {unseal(wire).payload.kind for _, wire in den.signed}
    making = kind in ("key-commit", "key", "shuffle", "cut", "parts", "confirm")
    assert ("part" in kinds) == (not making and kind != "end")
    lost = [e for log in den.log for e in log if isinstance(e, SeatLost)]
    assert {event.redeal for event in lost} == {making}
    verdict = verify_record(observers[0].record())
    assert verdict.good
    assert verdict.complete
    assert [(a.seat, a.step, a.until) for a in verdict.absences] == [(owner, step, None)]


def _silenced_after_signing(nth: int) -> Den:
    """A seat plays its card, but nobody is sent it; the others vote it out."""
    turn = turns()[nth]
    den = at(turn.step, turn.place)
    wire = den.liar.make(den.choose(den.liar))  # type: ignore[arg-type]
    assert den.liar.receive(wire) is Receipt.ACCEPTED
    assert den.liar.observer.step.number == turn.step + 1
    den.hold = turn.step + 1
    den.time_out()
    return den


@pytest.mark.parametrize("nth", [0, 3, 13, 31])
def test_a_lost_seat_yields_to_the_votes_about_it(nth: int) -> None:
    """It had signed and taken its own card; it gives that up and follows the others."""
    den = _silenced_after_signing(nth)
    seat = den.liar.seat
    assert den.liar.observer.table.bots == {seat}
    nobody_blamed(den)
    den.hold = None
    for wire in den.observer(den.honest[0]).missing(den.liar.observer.step.number, 0):
        assert den.liar.receive(wire) is not Receipt.FAULT
    assert den.liar.observer.done
    assert den.liar.observer.transcript == den.observer(den.honest[0]).transcript
    assert den.liar.owed() is None


def test_a_lost_seat_learns_of_its_loss_when_it_comes_back() -> None:
    """The links were cut; what is given to a peer that is behind begins with the votes."""
    turn = turns()[2]
    den = at(turn.step, turn.place)
    wire = den.liar.make(den.choose(den.liar))  # type: ignore[arg-type]
    den.liar.receive(wire)
    den.dead.add(den.cheat)
    den.time_out()
    nobody_blamed(den)
    assert not den.liar.observer.table.bots
    giver = den.observer(den.honest[0])
    assert giver.done
    for given in giver.missing(den.liar.observer.step.number, 0):
        den.liar.receive(given)
    assert den.liar.observer.done
    assert den.liar.observer.transcript == giver.transcript


def test_a_lost_seat_restored_from_its_journal_yields_again() -> None:
    """The journal holds the own card, then the votes: replayed, it leads to the same place."""
    turn = turns()[2]
    den = at(turn.step, turn.place)
    info = den.roster.players[turn.place]
    journal = den.liar.observer.record()
    own = den.liar.make(den.choose(den.liar))  # type: ignore[arg-type]
    den.dead.add(den.cheat)
    den.time_out()
    journal += [own, *den.observer(den.honest[0]).missing(turn.step + 1, 0)]
    seed = digest(b"test seed", ONE_DEAL.encode(), info.name.encode())
    again = Player(den.roster, info.identity, identity_key(info.name).sign, seed)
    for wire in journal:
        again.receive(wire)
    assert again.observer.done
    assert again.observer.transcript == den.observer(den.honest[0]).transcript


def test_a_watcher_of_the_lost_seat_yields_too() -> None:
    """A spectator that heard the lost seat alone ends with everybody's transcript."""
    turn = turns()[2]
    den = at(turn.step, turn.place)
    watcher = Observer(den.roster)
    for wire in den.liar.observer.record():
        watcher.receive(wire)
    own = den.liar.make(den.choose(den.liar))  # type: ignore[arg-type]
    assert watcher.receive(own) is Receipt.ACCEPTED
    den.dead.add(den.cheat)
    den.time_out()
    for wire in den.observer(den.honest[0]).missing(watcher.step.number, 0):
        watcher.receive(wire)
    assert watcher.transcript == den.observer(den.honest[0]).transcript
    assert watcher.done


def test_nobody_yields_to_votes_of_seats_that_played_on() -> None:
    """Three that took the seat's card and played on cannot take that back by voting later."""
    turn = turns()[2]
    den = at(turn.step, turn.place)
    den.hold = None
    den.run(until=lambda d: d.observer(0).step.number > turn.step + 3)
    victim = den.liar.observer
    number, transcript = victim.step.number, victim.transcript
    prev = victim.answered(den.liar.seat, turn.step)
    assert prev is not None
    for place in den.honest:
        vote = _vote_at(den, place, turn.step, prev[1])
        assert victim.receive(vote) is Receipt.ACCEPTED
    assert (victim.step.number, victim.transcript) == (number, transcript)
    assert not victim.table.bots


def _vote_at(den: Den, place: int, step: int, prev: bytes) -> bytes:
    player = den.players[place]
    body = encode(Vote(den.liar.seat))
    payload = Payload(player.observer.session, step, player.seat, prev, "vote", body)
    return seal(payload, identity_key(den.roster.players[place].name).sign)


def test_a_lost_player_is_back_with_the_next_deal() -> None:
    """All live seats list it in their results: from the next deal on it plays again."""
    den = prepared("bid", 2, seed=TWO_DEALS)
    seat = den.liar.seat
    for place in den.honest:
        den.players[place].back = frozenset({seat})
    den.dead.add(den.cheat)
    den.time_out()
    assert any(isinstance(event, SeatBack) for event in den.log[den.honest[0]])
    assert den.observer(den.honest[0]).waiting() == {seat}
    for wire in den.observer(den.honest[0]).missing(den.liar.observer.step.number, 0):
        den.liar.receive(wire)
    den.dead.clear()
    played_on(den)
    assert den.liar.observer.done
    verdict = verify_record(den.observer(den.honest[0]).record())
    (absence,) = verdict.absences
    assert (absence.seat, absence.deal) == (seat, 1)
    assert absence.until is not None
    payloads = [unseal(wire).payload for wire in den.observer(den.honest[0]).record()]
    after = [p.kind for p in payloads if p.step > absence.until and p.sender == seat]
    assert "shuffle" in after


def test_one_live_seat_alone_does_not_bring_a_player_back() -> None:
    """All live seats must agree that the player is back."""
    den = prepared("bid", 2, seed=TWO_DEALS)
    seat = den.liar.seat
    den.dead.add(den.cheat)
    den.time_out()
    den.players[den.honest[0]].back = frozenset({seat})
    nobody_blamed(den)
    observer = den.observer(den.honest[1])
    assert observer.done
    assert observer.table.bots == {seat}
    bodies = [unseal(wire).payload for wire in observer.record()]
    assert any(payload.kind == "result" for payload in bodies)
