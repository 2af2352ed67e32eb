"""What the command line does where its streams are closed, full, or no longer read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from p2pcards import cli
from p2pcards.__main__ import main

FULL = Path("/dev/full")
PROGRAM = [sys.executable, "-m", "p2pcards"]


def run(line: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Run a line of the shell in which ``p2pcards`` stands for the program."""
    program = " ".join(PROGRAM)
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line.replace('p2pcards', program, 1)}"],
        capture_output=True, text=True, timeout=60, check=False,
        env={"HOME": str(home), "XDG_DATA_HOME": str(home), "LANG": "C.UTF-8",
             "PATH": "/usr/bin:/bin"},
    )  # fmt: skip


@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("words", ["rules belota", "id --json"])
def test_output_that_cannot_be_written_is_told_without_a_traceback(
    words: str, tmp_path: Path
) -> None:
    done = run(f"p2pcards {words} > /dev/full", tmp_path)
    assert done.returncode == 2
    assert done.stderr == ("p2pcards: the output cannot be written: No space left on device\n")


@pytest.mark.parametrize("words", ["rules belota", "demo < /dev/null"])
def test_output_that_nobody_reads_ends_the_command_in_silence(words: str, tmp_path: Path) -> None:
    done = run(f"p2pcards {words} | head -1", tmp_path)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "status"),
    [("--version <&-", 0), ("rules belka <&- >&-", 0), ("id 2>&-", 0), ("verify none <&- 2>&-", 1)],
)
def test_closed_streams_are_as_good_as_empty_ones(words: str, status: int, tmp_path: Path) -> None:
    done = run(f"p2pcards {words}", tmp_path)
    assert (done.returncode, done.stderr) == (status, "")


def test_ctrl_c_before_anything_has_begun_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "main", interrupted)
    assert main() == 130


def test_a_person_whose_input_is_closed_is_played_with_as_one_who_ends(tmp_path: Path) -> None:
    done = run("p2pcards play --wait 0.5 --interface 127.0.0.1 <&-", tmp_path)
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 3)
