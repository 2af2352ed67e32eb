"""What the command line does where its streams are closed, full, or no longer read."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from p2pcards import cli
from p2pcards.__main__ import main
from p2pcards.bots import dialogue
from p2pcards.commands import common
from p2pcards.ui.canvas import Canvas

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


def test_our_own_fault_is_told_in_words_and_kept_in_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def wrong() -> int:
        raise LookupError("the card that was not there")

    monkeypatch.setattr(cli, "main", wrong)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert main() == 70
    said = capsys.readouterr().err
    assert "a mistake of its own (LookupError)" in said
    assert "Traceback" not in said
    (kept,) = tmp_path.glob("p2pcards-fault-*.txt")
    assert str(kept) in said
    assert "the card that was not there" in kept.read_text()


def test_no_arguments_and_no_terminal_is_a_hint(tmp_path: Path) -> None:
    done = run("p2pcards < /dev/null", tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("usage: p2pcards")


def test_rule_options_may_stand_as_they_are_shown(tmp_path: Path) -> None:
    done = run("p2pcards rules belota belote_call=manual --json --option target=501", tmp_path)
    assert '"belote_call":"manual"' in done.stdout.replace(" ", "")
    assert run("p2pcards rules belota nothing=1", tmp_path).returncode == 2


def test_words_for_people_command_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    hostile = "a\x9b2J\u202eb\x07\u00a0c"
    safe = "a\ufffd2J\ufffdb\ufffd\u00a0c"
    common.out(f"{hostile}\n\td")
    common.say(hostile)
    done = capsys.readouterr()
    assert (done.out, done.err) == (f"{safe}\n\td\n", f"{safe}\n")
    assert dialogue.shown(hostile.encode()) == f'"{safe}"'
    canvas = Canvas(20, 1)
    canvas.put(0, 0, hostile)
    assert canvas.text() == [safe.replace("\u00a0", " ")]


def test_json_holds_everything_and_commands_no_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    values = {"name": "a\x9b2J\u202eb\x07 \u00e9 \U000e0001"}
    common.out_json(values)
    line = capsys.readouterr().out
    assert line.rstrip("\n").isprintable()
    assert json.loads(line) == values
