"""Folders of programs that were killed are swept, and no others."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2pcards.net import lock
from p2pcards.net.lock import FILE, hold
from p2pcards.net.scratch import OWNER, scratch, sweep

pytestmark = pytest.mark.skipif(os.name != "posix", reason="folders are swept where files may go")
PREFIX = "p2pcards-test-"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files, for this test alone."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


class Program:
    """A process that makes a folder and waits to be killed."""

    def __init__(self, folder: Path, hold_below: str = "") -> None:
        code = (
            "import sys; from pathlib import Path; from p2pcards.net.scratch import scratch\n"
            "with scratch('test') as folder: print(folder, flush=True); sys.stdin.read()"
        )
        if hold_below:
            code = (
                "import sys; from pathlib import Path; from p2pcards.net.lock import hold\n"
                f"with hold(Path({hold_below!r})): print('held', flush=True); sys.stdin.read()"
            )
        self.process = subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "TMPDIR": str(folder)},
        )  # fmt: skip
        assert self.process.stdout is not None
        self.said = self.process.stdout.readline().strip()

    def kill(self) -> None:
        """End it so that it can clean nothing up."""
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def program(folder: Path) -> Iterator[Program]:
    """One that has a folder of its own."""
    program = Program(folder)
    yield program
    program.kill()


def test_a_folder_goes_with_its_program(folder: Path) -> None:
    with scratch("test") as mine:
        assert mine.parent == folder
        assert mine.name.startswith(PREFIX)
        (mine / "deep").mkdir()
        (mine / "deep" / "file").write_text("x")
        with scratch("test") as other:
            assert mine.exists()
            assert other != mine
    assert list(folder.iterdir()) == []


def test_what_a_killed_program_left_goes_at_the_next_start(folder: Path, program: Program) -> None:
    left = Path(program.said)
    (left / "games").mkdir()
    (left / "games" / "a.p2prec").write_text("x")
    with scratch("test"):
        assert left.exists()
    program.kill()
    assert left.exists()
    with scratch("another"):
        assert left.exists()
    with scratch("test"):
        assert not left.exists()


@pytest.mark.parametrize("below", ["", "Ainur"])
def test_a_folder_stays_while_a_bot_plays_in_it(folder: Path, program: Program, below: str) -> None:
    left = Path(program.said)
    bot = Program(folder, str(left / below))
    try:
        program.kill()
        sweep(PREFIX)
        assert (left / below / FILE).exists()
    finally:
        bot.kill()
    sweep(PREFIX)
    assert not left.exists()


def test_nothing_that_is_not_ours_is_swept(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir(mode=0o700)
    (target / OWNER).touch()
    (folder / f"{PREFIX}link").symlink_to(target)
    (folder / f"{PREFIX}file").touch()
    for name, mode in (("open", 0o755), ("no-owner", 0o700)):
        path = folder / (PREFIX + name)
        path.mkdir()
        (path / ("kept" if name == "no-owner" else OWNER)).touch()
        path.chmod(mode)
    empty = folder / f"{PREFIX}empty"
    empty.mkdir(mode=0o700)
    before = set(folder.iterdir())
    sweep(PREFIX)
    assert set(folder.iterdir()) == before - {empty}
    assert (target / OWNER).exists()


def test_a_folder_swept_before_it_is_locked_is_made_anew(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take = lock.take
    swept: list[Path] = []

    def late(handle: int) -> bool:
        if not swept:
            swept.extend(folder.iterdir())
            monkeypatch.setattr(lock, "take", take)
            sweep(PREFIX)
        return take(handle)

    monkeypatch.setattr(lock, "take", late)
    with scratch("test") as mine:
        assert mine.exists()
        assert [path.exists() for path in swept] == [False]
        monkeypatch.setattr(lock, "take", take)
        sweep(PREFIX)
        assert mine.exists()


def test_an_identity_in_use_keeps_a_folder_of_this_very_process(folder: Path) -> None:
    left = folder / f"{PREFIX}left"
    left.mkdir(mode=0o700)
    (left / OWNER).touch()
    with hold(left):
        sweep(PREFIX)
        assert left.exists()
    sweep(PREFIX)
    assert not left.exists()
