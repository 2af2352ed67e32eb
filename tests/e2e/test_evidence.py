"""A peer with two faces among real processes: the others name it and keep evidence for anyone."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from p2pcards.commands.common import FAULT
from tests.e2e.peers import Party, verify

LIAR = 2
SCRIPT = Path(__file__).with_name("two_faced.py")
ROOT = Path(__file__).parents[2]


def two_faced(words: Sequence[str]) -> list[str]:
    """The same words for the liar's program."""
    return [sys.executable, str(SCRIPT), *words[3:]]


def test_attack_two_faces_leaves_evidence_with_each_honest_peer(tmp_path: Path) -> None:
    """All three end with status 5, and their evidence names the liar; a changed byte does not."""
    wraps = tuple(two_faced if number == LIAR else list for number in range(4))
    party = Party(tmp_path, extra=("--bot", "easy", "--deadline", "10"), wraps=wraps)
    with party.playing() as seats:
        honest = [seat for number, seat in enumerate(seats) if number != LIAR]
        for seat in honest:
            assert seat.end() == FAULT, seat.words
            assert any("p2pcards verify" in event["text"] for event in seat.all("trouble"))
    files = sorted(party.records.glob("*.p2pevid"))
    owners = {path.stem.rpartition("-")[2] for path in files}
    assert {seat.name for seat in honest} <= owners
    status, verdicts = verify(*files, json_lines=True)
    assert status == 0
    assert {(v["kind"], v["name"]) for v in verdicts} == {("equivocation", f"P{LIAR}")}
    assert all(len(v["signed"]) == 2 for v in verdicts)
    assert len({v["seat"] for v in verdicts}) == 1
    changed = bytearray(files[0].read_bytes())
    changed[-1] ^= 1
    bad = tmp_path / "changed.p2pevid"
    bad.write_bytes(changed)
    status, (line,) = verify(bad)
    assert status == 1
    assert "NOT VALID" in line
