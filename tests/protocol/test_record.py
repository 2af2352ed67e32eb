"""Records: written, read and verified; whatever is changed in one is found and named."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from p2pcards.cli import main
from p2pcards.protocol.envelope import unseal
from p2pcards.protocol.limits import ENVELOPE_MAX
from p2pcards.protocol.observer import Observer, Receipt
from p2pcards.protocol.record import (
    MAGIC,
    RecordError,
    check_record,
    read_record,
    verify_record,
    write_record,
)
from tests.protocol.matches import finished, first_of_kinds, record
from tests.protocol.room import Room, make_roster

KINDS = ["roster", "commit", "reveal", "key-commit", "key", "shuffle", "cut", "parts", "confirm"]
KINDS += ["shares", "bid", "play", "result", "end"]
"""Every kind of envelope in a record of Belotă with nobody lost."""


def begin(index: int) -> int:
    """Where in the record file an envelope's length stands."""
    return len(write_record(record(finished())[:index]))


def flipped(data: bytes, at: int, bit: int = 1) -> bytes:
    """The bytes with one of them changed."""
    return data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :]


def run_verify(tmp_path: Path, data: bytes, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Exit status and output of ``p2pcards verify`` on a file with these bytes."""
    path = tmp_path / "game.p2prec"
    path.write_bytes(data)
    status = main(["verify", str(path)])
    return status, capsys.readouterr().out


def test_a_record_is_read_back_and_verifies() -> None:
    wires = record(finished())
    data = write_record(wires)
    assert read_record(data) == (wires, False)
    verdict = check_record(data)
    assert verdict.good
    assert verdict.complete
    assert verdict.envelopes == len(wires)
    assert verdict.observer is not None
    assert verdict.observer.transcript == finished().players[3].observer.transcript
    assert verdict.absences == ()


def test_the_kinds_are_all_there() -> None:
    assert sorted(first_of_kinds()) == sorted(KINDS)


def test_verify_says_who_won_and_exits_0(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, text = run_verify(tmp_path, write_record(record(finished())), capsys)
    assert status == 0
    assert "valid: belota" in text


@pytest.mark.parametrize("kind", KINDS)
def test_no_byte_of_an_envelope_can_be_changed(kind: str) -> None:
    """Every byte of one envelope of each kind, where a record would have it."""
    index = first_of_kinds()[kind]
    wires = record(finished())
    observer = Observer.from_first(wires[0])
    for wire in wires[:index]:
        observer.receive(wire)
    due = min(observer.waiting())
    wire, before = wires[index], observer.step.number
    for at in range(len(wire)):
        receipt = observer.receive(flipped(wire, at, 1 << at % 8))
        assert receipt is Receipt.REFUSED, at
    assert observer.step.number == before
    assert due == unseal(wire).payload.sender == min(observer.waiting())
    assert observer.receive(wire) is Receipt.ACCEPTED


@pytest.mark.parametrize("kind", KINDS)
def test_verify_names_the_envelope_and_the_seat_of_a_change(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One byte somewhere in an envelope of each kind, its length included."""
    index = first_of_kinds()[kind]
    wire, data = record(finished())[index], write_record(record(finished()))
    payload = unseal(wire).payload
    at = begin(index) + random.Random(kind).randrange(4 + len(wire))
    status, text = run_verify(tmp_path, flipped(data, at), capsys)
    assert status == 1
    assert f"envelope {index} " in text
    assert f"seat {payload.sender}" in text


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("kind", ["commit", "shuffle", "play"])
def test_a_changed_length_is_found_where_it_stands(kind: str, place: int) -> None:
    """All four bytes of a length: too long, too short, beyond the bound, beyond the end."""
    index = first_of_kinds()[kind]
    wires = record(finished())
    data = write_record(wires[: index + 3])
    bad = flipped(data, begin(index) + place, 3)
    verdict = check_record(bad)
    assert not verdict.good
    assert verdict.envelopes == index
    assert verdict.due == unseal(wires[index]).payload.sender
    if verdict.problem is not None:
        assert verdict.problem.index == index


@pytest.mark.parametrize("at", range(len(MAGIC)))
def test_another_first_line_is_no_record(at: int) -> None:
    with pytest.raises(RecordError, match="no game record"):
        check_record(flipped(MAGIC, at))


def test_a_seat_named_falsely_is_told_from_the_seat_that_is_due() -> None:
    """The sender's byte of an envelope says another seat; both are named."""
    index = first_of_kinds()["shuffle"]
    wires = record(finished())[: index + 1]
    payload = unseal(wires[index]).payload
    at = next(
        i
        for i in range(64, 200)
        if _sender_after(flipped(wires[index], i)) not in (None, payload.sender)
    )
    verdict = verify_record([*wires[:index], flipped(wires[index], at)])
    problem = verdict.problem
    assert problem is not None
    assert problem.seat not in (None, payload.sender)
    assert problem.due == payload.sender


def _sender_after(wire: bytes) -> int | None:
    try:
        return unseal(wire).payload.sender
    except ValueError:
        return None


# -- what a record must not be ------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_cut_short_verifies_as_far_as_it_goes(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    index = first_of_kinds()[kind]
    inside = begin(index) + random.Random(kind).randrange(1, 60)
    status, text = run_verify(tmp_path, write_record(record(finished()))[:inside], capsys)
    seat = unseal(record(finished())[index]).payload.sender
    assert status == 1
    assert f"TRUNCATED in the middle of envelope {index} " in text
    assert f"seat {seat}" in text
    assert f"before it {index} envelope" in text or index == 0


def test_a_record_that_ends_between_envelopes_is_unfinished(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, text = run_verify(tmp_path, write_record(record(finished())[:30]), capsys)
    assert status == 0
    assert "valid but unfinished: 30 envelopes verified" in text


def edits() -> dict[str, Callable[[list[bytes]], list[bytes]]]:
    """Ways to rearrange a record of whole envelopes."""
    return {
        "left out": lambda wires: wires[:20] + wires[21:],
        "twice": lambda wires: [*wires[:20], wires[19], *wires[20:]],
        "two swapped": lambda wires: [*wires[:12], wires[16], *wires[13:16], wires[12]],
        "begins later": lambda wires: wires[1:],
        "of another match": lambda wires: wires[:20] + record(finished(seed="a"))[20:],
        "goes on after the end": lambda wires: [*wires, wires[-1]],
    }


@pytest.mark.parametrize("edit", edits())
def test_a_record_put_together_otherwise_does_not_verify(edit: str) -> None:
    verdict = verify_record(edits()[edit](record(finished())))
    assert not verdict.good
    assert verdict.problem is not None


@pytest.mark.parametrize(
    "data",
    [b"", b"p2pcards record 2\n", MAGIC, MAGIC + bytes(4), MAGIC + b"\xff" * 50],
    ids=["empty", "version", "nothing", "no envelope", "huge"],
)
def test_files_that_hold_no_record_are_said_to_be_none(
    data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, text = run_verify(tmp_path, data, capsys)
    assert status == 1
    assert "NOT VALID" in text or "TRUNCATED" in text


def test_a_length_beyond_any_envelope_is_not_believed() -> None:
    data = MAGIC + (ENVELOPE_MAX + 1).to_bytes(4, "big") + bytes(10)
    with pytest.raises(RecordError, match="envelope 0 claims 32769 bytes"):
        read_record(data)


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "/nonexistent/game.p2prec"]) == 1
    assert "cannot be read" in capsys.readouterr().out


# -- a lost seat --------------------------------------------------------------------------------


def test_verify_says_from_where_the_public_bot_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A seat falls silent at a known step of the second deal; text and JSON say which."""
    room = Room(make_roster(options={"target": "200"}))
    room.run(until=lambda r: _deal(r) == 2 and r.players[0].observer.step.number > 70)
    observer = room.players[0].observer
    seat = max(observer.waiting())
    place, step = observer.table.places[seat], observer.step.number
    _lose(room, place)
    live = next(i for i in range(4) if i != place)
    wires = room.players[live].observer.record()
    name = room.roster.players[place].name
    status, text = run_verify(tmp_path, write_record(wires), capsys)
    assert status == 0
    assert f"seat {seat} ({name}): the public bot played from deal 2, step {step} on" in text
    assert main(["verify", "--json", str(tmp_path / "game.p2prec")]) == 0
    values = json.loads(capsys.readouterr().out)
    absence = {"seat": seat, "name": name, "deal": 2, "step": step, "until": None}
    assert values["absences"] == [absence]
    assert values["bots"] == [seat]


def _deal(room: Room) -> int:
    state = room.players[0].observer.table.state
    return 0 if state is None else state.deal


def _lose(room: Room, place: int) -> None:
    """One player falls silent for good; the others vote and play on."""
    seat = room.players[place].seat
    room.dead.add(place)
    for queue in room.wire:
        if queue[0] == place:
            room.wire[queue].clear()
    room.run()
    for other in set(range(4)) - {place}:
        player = room.players[other]
        room.send(other, player.vote(seat))
    room.run()
    assert all(room.players[i].observer.done for i in range(4) if i != place)
