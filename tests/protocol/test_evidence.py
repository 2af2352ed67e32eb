"""Evidence files convince a stranger, name the right seat, and frame nobody."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from p2pcards.cli import main
from p2pcards.protocol.envelope import seal, unseal
from p2pcards.protocol.evidence import (
    MAGIC,
    Claim,
    EvidenceError,
    check_evidence,
    is_evidence,
    make_evidence,
)
from p2pcards.protocol.faults import FaultKind
from p2pcards.protocol.limits import ENVELOPE_MAX
from p2pcards.protocol.messages import Cut, Shuffle, Vote, decode, encode
from p2pcards.protocol.observer import Observer
from p2pcards.protocol.record import framed, split
from p2pcards.protocol.senders import DRAWN_AT
from tests.protocol.cheat import Den, blamed, prepared
from tests.protocol.matches import finished, record
from tests.protocol.room import Room, identity_key, make_roster, public

Parts = tuple[Claim, list[bytes], list[bytes]]


def two_faced() -> Den:
    """A table that has found a seat that cut the deck in two ways."""
    den = prepared("cut")
    one, other = (den.envelope("cut", Cut(at)) for at in (3, 4))
    den.push(den.split(one, other))
    blamed(den, FaultKind.EQUIVOCATION, later=1)
    return den


def bad_shuffle() -> Den:
    """A table that has found a shuffle without a proof."""
    den = prepared("shuffle")
    den.push(den.to_all(den.envelope("shuffle", Shuffle(bytes(6432)))))
    blamed(den, FaultKind.BAD_SHUFFLE)
    return den


def evidence_of(den: Den) -> bytes:
    """The evidence of the first honest peer."""
    data = make_evidence(den.observer(den.honest[0]))
    assert data is not None
    return data


@pytest.fixture(scope="module")
def faces() -> bytes:
    """Evidence of equivocation."""
    return evidence_of(two_faced())


@pytest.fixture(scope="module")
def unproved() -> bytes:
    """Evidence of a bad shuffle."""
    return evidence_of(bad_shuffle())


def taken_apart(data: bytes) -> Parts:
    """The claim, the history, and what is shown."""
    claim, *wires = (block for block in split(data[len(MAGIC) :]) if block is not None)
    found = decode(Claim, claim)
    return found, wires[: found.history], wires[found.history :]


def put_together(claim: Claim, history: list[bytes], shown: list[bytes]) -> bytes:
    """An evidence file with these parts, its count put right."""
    claim = msgspec.structs.replace(claim, history=len(history))
    return MAGIC + framed([encode(claim), *history, *shown])


def verify(tmp_path: Path, data: bytes, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Exit status and output of ``p2pcards verify``."""
    path = tmp_path / "fault.p2pevid"
    path.write_bytes(data)
    return main(["verify", str(path)]), capsys.readouterr().out


# -- what it shows ------------------------------------------------------------------------------


def test_two_faces_are_shown_by_two_envelopes_and_the_draw(faces: bytes) -> None:
    """Small: nothing of the deal is in it, only the roster, the draw and the two envelopes."""
    claim, history, shown = taken_apart(faces)
    assert claim.kind == "equivocation"
    assert {unseal(wire).payload.step for wire in history} == set(range(DRAWN_AT))
    assert len(shown) == 2
    assert len(faces) < 8000


def test_verify_names_who_signed_what(
    faces: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    den = two_faced()
    name = den.roster.players[den.cheat].name
    status, text = verify(tmp_path, faces, capsys)
    assert status == 0
    assert f"proved: seat {den.liar.seat} ({name}, key " in text
    assert "signed two different envelopes for step" in text
    assert "'cut' (at 3)" in text
    assert "'cut' (at 4)" in text


def test_verify_as_json(
    unproved: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    den = bad_shuffle()
    path = tmp_path / "fault.p2pevid"
    path.write_bytes(unproved)
    assert main(["verify", "--json", str(path)]) == 0
    values = json.loads(capsys.readouterr().out)
    name = den.roster.players[den.cheat].name
    assert values["good"] is True
    assert (values["seat"], values["name"]) == (den.liar.seat, name)
    assert (values["kind"], values["step"]) == ("bad-shuffle", den.liar.observer.step.number)
    assert values["fingerprint"] == hashlib.sha256(public(name)).hexdigest()[:32]
    assert values["signed"][0]["kind"] == "shuffle"


def test_all_honest_peers_hold_evidence_of_the_same(faces: bytes) -> None:
    den = two_faced()
    for place in den.honest:
        data = make_evidence(den.observer(place))
        assert data is not None
        proof = check_evidence(data)
        assert proof.identity == public(den.roster.players[den.cheat].name)
        assert proof.fault.kind is FaultKind.EQUIVOCATION


def test_there_is_no_evidence_without_a_provable_fault() -> None:
    """An honest match leaves none, nor does a history that was only named, never shown."""
    assert make_evidence(finished().players[0].observer) is None
    observer = Observer.from_first(record(finished())[0])
    observer.blame_diverged(2)
    assert observer.fault is not None
    assert make_evidence(observer) is None


# -- a byte changed -----------------------------------------------------------------------------


def changed(data: bytes, at: int) -> bytes:
    """The bytes with one of them changed."""
    return data[:at] + bytes([data[at] ^ (1 << at % 8)]) + data[at + 1 :]


def test_no_byte_of_evidence_of_two_faces_can_be_changed(faces: bytes) -> None:
    """All bytes of the head, the claim and the two envelopes; of the history every eleventh."""
    claim, _, shown = taken_apart(faces)
    middle = len(MAGIC + framed([encode(claim)]))
    tail = len(faces) - len(framed(shown))
    places = [*range(middle), *range(middle, tail, 11), *range(tail, len(faces))]
    assert check_evidence(faces).fault.kind is FaultKind.EQUIVOCATION
    for at in places:
        with pytest.raises(EvidenceError):
            check_evidence(changed(faces, at))


def test_no_byte_of_other_evidence_can_be_changed(unproved: bytes) -> None:
    rng = random.Random(5)
    for at in rng.sample(range(len(unproved)), 40):
        with pytest.raises(EvidenceError):
            check_evidence(changed(unproved, at))


def test_verify_of_a_changed_file_exits_1(
    faces: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for at in (0, len(MAGIC) + 5, len(faces) // 2, len(faces) - 1):
        status, text = verify(tmp_path, changed(faces, at), capsys)
        assert status == 1
        assert "NOT VALID" in text


@pytest.mark.parametrize("keep", [0, 10, len(MAGIC), len(MAGIC) + 2, 300, -1])
def test_evidence_cut_short_proves_nothing(keep: int, faces: bytes) -> None:
    with pytest.raises(EvidenceError):
        check_evidence(faces[:keep])


@pytest.mark.parametrize(
    "data",
    [b"", MAGIC, MAGIC + framed([b""]), MAGIC + b"\xff\xff\xff\xff", MAGIC + framed([b"\x90"])],
)
def test_files_that_claim_nothing_prove_nothing(data: bytes) -> None:
    with pytest.raises(EvidenceError):
        check_evidence(data)
    assert is_evidence(data) == (data != b"")


def test_a_length_beyond_any_envelope_is_not_believed(faces: bytes) -> None:
    data = MAGIC + (ENVELOPE_MAX + 1).to_bytes(4, "big") + faces[len(MAGIC) + 4 :]
    with pytest.raises(EvidenceError, match="claims 32769 bytes"):
        check_evidence(data)


# -- framing ------------------------------------------------------------------------------------


def frames_of_two_faces() -> dict[str, Callable[[Parts], Parts]]:
    """How a liar may try to turn evidence of two faces against an honest seat."""

    def victim(parts: Parts) -> tuple[int, bytes]:
        """An honest seat and what it really signed."""
        claim, _, _ = parts
        wire = next(w for w in record(finished()) if _sender_at(w, claim.step + 1) is not None)
        return unseal(wire).payload.sender, wire

    def other_seat(parts: Parts) -> Parts:
        claim, history, shown = parts
        return msgspec.structs.replace(claim, seat=(claim.seat + 1) % 4), history, shown

    def other_sender(parts: Parts) -> Parts:
        """The same two, but in the victim's name and under the liar's signature."""
        claim, history, shown = parts
        seat = (claim.seat + 1) % 4
        name = _name_of(history, claim.seat)
        moved = [
            seal(
                msgspec.structs.replace(unseal(wire).payload, sender=seat),
                identity_key(name).sign,
            )
            for wire in shown
        ]
        return msgspec.structs.replace(claim, seat=seat), history, moved

    def one_true_one_forged(parts: Parts) -> Parts:
        claim, history, _ = parts
        seat, wire = victim(parts)
        step = unseal(wire).payload.step
        name = _name_of(history, claim.seat)
        forged = seal(unseal(wire).payload, identity_key(name).sign)
        return msgspec.structs.replace(claim, seat=seat, step=step), history, [wire, forged]

    def the_same_twice(parts: Parts) -> Parts:
        claim, history, _ = parts
        seat, wire = victim(parts)
        step = unseal(wire).payload.step
        return msgspec.structs.replace(claim, seat=seat, step=step), history, [wire, wire]

    def two_steps(parts: Parts) -> Parts:
        claim, history, _ = parts
        wires = [w for w in record(finished()) if unseal(w).payload.sender == 1][-2:]
        step = unseal(wires[0]).payload.step
        return msgspec.structs.replace(claim, seat=1, step=step), history, wires

    def two_sessions(parts: Parts) -> Parts:
        """What the victim signed here, and what it signed for that step at another table."""
        claim, history, _ = parts
        there = Room(make_roster(options={"target": "700"}))
        wires = [next(w for w in history if _at(w, 1, 1)), there_first(there)]
        return msgspec.structs.replace(claim, seat=1, step=1), history, wires

    def there_first(room: Room) -> bytes:
        room.run(until=lambda r: r.players[1].observer.step.number > 1)
        wires = room.players[1].observer.record()
        return next(w for w in wires if _at(w, 1, 1))

    def no_draw(parts: Parts) -> Parts:
        """Without the draw nothing says whose seat it is."""
        claim, history, shown = parts
        return claim, history[:4], shown

    def vote_and_play(parts: Parts) -> Parts:
        """Two envelopes of one seat and step that do not fill the same place."""
        claim, history, shown = parts
        payload = unseal(shown[0]).payload
        name = _name_of(history, claim.seat)
        body = encode(Vote((claim.seat + 1) % 4))
        vote = msgspec.structs.replace(payload, kind="vote", body=body)
        return claim, history, [shown[0], seal(vote, identity_key(name).sign)]

    return {
        "another seat named": other_seat,
        "in another's name": other_sender,
        "one true, one forged": one_true_one_forged,
        "the same twice": the_same_twice,
        "two steps": two_steps,
        "two sessions": two_sessions,
        "no draw": no_draw,
        "two places": vote_and_play,
        "one envelope": lambda parts: (parts[0], parts[1], parts[2][:1]),
        "three envelopes": lambda parts: (parts[0], parts[1], [*parts[2], parts[2][0]]),
        "no history": lambda parts: (parts[0], [], parts[2]),
    }


def _at(wire: bytes, step: int, sender: int) -> bool:
    payload = unseal(wire).payload
    return (payload.step, payload.sender) == (step, sender)


def _sender_at(wire: bytes, step: int) -> int | None:
    payload = unseal(wire).payload
    return payload.sender if payload.step == step else None


def _name_of(history: list[bytes], seat: int) -> str:
    """The name of the player in a seat, from the roster and the draw."""
    observer = Observer.from_first(history[0])
    for wire in history:
        observer.receive(wire)
    return observer.table.players[seat].name


@pytest.mark.parametrize("how", frames_of_two_faces())
def test_attack_framing_with_two_envelopes(how: str, faces: bytes) -> None:
    """Evidence of two faces, turned against another seat or made up: it proves nothing."""
    parts = frames_of_two_faces()[how](taken_apart(faces))
    with pytest.raises(EvidenceError):
        check_evidence(put_together(*parts))


def frames_of_a_fault() -> dict[str, Callable[[Parts], Parts]]:
    """How a liar may try to make an honest envelope look like a fault."""

    def honest(parts: Parts) -> Parts:
        """What an honest seat sent next, shown as the fault."""
        claim, history, _ = parts
        wire = next(w for w in record(finished()) if w not in history)
        payload = unseal(wire).payload
        return msgspec.structs.replace(claim, seat=payload.sender), history, [wire]

    def out_of_its_place(parts: Parts) -> Parts:
        """An honest bid, shown against the history before the shuffle."""
        claim, history, _ = parts
        wire = next(w for w in record(finished()) if unseal(w).payload.kind == "bid")
        payload = unseal(wire).payload
        found = msgspec.structs.replace(claim, seat=payload.sender, step=payload.step)
        return msgspec.structs.replace(found, kind="out-of-turn"), history, [wire]

    def resigned(parts: Parts) -> Parts:
        claim, history, shown = parts
        seat = (claim.seat + 1) % 4
        name = _name_of(history, claim.seat)
        payload = msgspec.structs.replace(unseal(shown[0]).payload, sender=seat)
        forged = seal(payload, identity_key(name).sign)
        return msgspec.structs.replace(claim, seat=seat), history, [forged]

    def late(parts: Parts) -> Parts:
        """A history that goes beyond an honest envelope, which then comes too late."""
        claim, _, _ = parts
        wires = record(finished())
        wire = next(w for w in wires if unseal(w).payload.kind == "parts")
        rest = [w for w in wires if w != wire]
        payload = unseal(wire).payload
        found = msgspec.structs.replace(claim, seat=payload.sender, step=payload.step)
        return found, rest[:40], [wire]

    def other_kind(parts: Parts) -> Parts:
        claim, history, shown = parts
        return msgspec.structs.replace(claim, kind="bad-key"), history, shown

    def diverged(parts: Parts) -> Parts:
        claim, history, shown = parts
        return msgspec.structs.replace(claim, kind="diverged"), history, shown

    def history_with_a_gap(parts: Parts) -> Parts:
        claim, history, shown = parts
        return claim, history[:10] + history[11:], shown

    return {
        "an honest envelope": honest,
        "an honest envelope of another step": out_of_its_place,
        "signed by the liar": resigned,
        "an honest envelope that comes late": late,
        "another kind of fault": other_kind,
        "a fault that nobody can prove": diverged,
        "a history with a gap": history_with_a_gap,
        "no envelope": lambda parts: (parts[0], parts[1], []),
    }


@pytest.mark.parametrize("how", frames_of_a_fault())
def test_attack_framing_with_a_fault(how: str, unproved: bytes) -> None:
    """Evidence of a bad envelope, turned against another seat or made up: it proves nothing."""
    parts = frames_of_a_fault()[how](taken_apart(unproved))
    with pytest.raises(EvidenceError):
        check_evidence(put_together(*parts))


def test_attack_framing_a_lost_seats_return() -> None:
    """A result is no fault in a history from which the votes about a lost seat are left out.

    A seat lost in the very step of the result cannot be asked back in it; else whoever leaves
    the votes out could show the honest answers of that step as false ones.
    """
    den = prepared("result", cheat=3)
    seat = den.liar.seat
    first = den.honest[0]
    for place in den.honest:
        den.players[place].back = frozenset({seat})
    den.dead.add(3)
    den.time_out()
    bodies = [unseal(w).payload for w in den.observer(first).record()]
    results = [p for p in bodies if p.kind == "result"]
    assert results
    votes = {w for w in den.observer(first).record() if unseal(w).payload.kind == "vote"}
    history = [
        w
        for w in den.observer(first).record()
        if unseal(w).payload.step < results[0].step and w not in votes
    ]
    for wire in den.observer(first).record():
        payload = unseal(wire).payload
        if payload.kind != "result" or payload.step != results[0].step:
            continue
        claim = Claim(payload.sender, "bad-result", payload.step, 0)
        with pytest.raises(EvidenceError, match="as it should be"):
            check_evidence(put_together(claim, history, [wire]))
