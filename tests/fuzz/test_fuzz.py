"""Nothing that reads bytes from others crashes, on the saved corpus and on what a fuzzer makes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz import targets
from tests.fuzz.fuzz import CORPUS, blind

ROOT = Path(__file__).parents[2]
SECONDS = 10


@pytest.mark.parametrize("path", sorted(CORPUS.iterdir()), ids=lambda path: path.name)
def test_the_saved_corpus_crashes_nothing(path: Path) -> None:
    targets.run(path.read_bytes())


def test_the_corpus_has_an_input_for_every_target() -> None:
    tags = {path.read_bytes()[0] for path in CORPUS.iterdir()}
    assert {tag % len(targets.TARGETS) for tag in tags} == set(range(len(targets.TARGETS)))


def test_the_observers_target_gets_through() -> None:
    """An envelope that nothing is changed in is taken, so that changes reach the checks behind."""
    for index, kind in enumerate(targets.STAGES):
        before = targets.table(index).now
        targets.observer(bytes([index, 0, 0, 0]))
        after = targets.table(index).now
        assert after is not before, kind


def test_a_fuzzer_finds_nothing_in_ten_seconds(tmp_path: Path) -> None:
    """Guided by coverage where atheris is installed; else blind changes of the corpus."""
    # The fuzzer ends its process at once, so what it wrote must lie where the test cleans up.
    env = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-m", "tests.fuzz.fuzz", "--seconds", str(SECONDS)]
    done = subprocess.run(
        command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300, check=False
    )
    report = done.stdout + done.stderr
    assert done.returncode == 0, report[-4000:]
    assert "Done" in report or "without atheris" in report, report[-4000:]


def test_without_atheris_the_same_targets_run_on_blind_changes() -> None:
    assert blind(1, seed=3) > 0
