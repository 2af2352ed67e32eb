"""The journal keeps what was signed, whatever cut it short."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.net import journal
from p2pcards.net.journal import Journal, JournalDamaged, JournalError, resumable

SESSION = bytes(range(8))
ENTRIES = [b"first", b"second move", bytes(60), b"last"]
HEADER = 25


def written(folder: Path, entries: list[bytes] | None = None) -> Path:
    """The path of a closed journal with some entries."""
    log = Journal.create(folder, SESSION)
    for entry in ENTRIES if entries is None else entries:
        log.append(entry, sync=False)
    log.close()
    return log.path


def read(path: Path) -> tuple[list[bytes], int]:
    """The entries of a journal and how much was torn off it."""
    log = Journal.open(path)
    entries = list(log.read())
    log.close()
    return entries, log.torn


def test_what_was_appended_is_read_again(tmp_path: Path) -> None:
    path = written(tmp_path)
    assert read(path) == (ENTRIES, 0)
    log = Journal.open(path)
    log.append(b"more")
    assert list(log.read()) == [*ENTRIES, b"more"]
    log.append(b"and more")
    log.close()
    assert read(path) == ([*ENTRIES, b"more", b"and more"], 0)


def test_it_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = written(tmp_path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_every_append_is_on_disk_before_it_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = Journal.create(tmp_path, SESSION)
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.fstat(handle).st_size))
    log.append(b"move")
    assert synced == [log.path.stat().st_size]
    log.close()


def check_cut(path: Path, entries: list[bytes], length: int) -> None:
    """Cut a written journal at ``length`` and see exactly the whole entries survive."""
    path.write_bytes(path.read_bytes()[:length])
    ends = [HEADER]
    for entry in entries:
        ends.append(ends[-1] + 8 + len(entry))
    kept = max((n for n, end in enumerate(ends) if end <= length), default=0)
    torn = length - ends[kept] if length >= HEADER else length
    assert read(path) == (entries[:kept], torn)
    log = Journal.open(path)
    log.append(b"resumed", sync=False)
    log.close()
    assert read(path) == ([*entries[:kept], b"resumed"], 0)


def test_a_torn_end_is_cut_off_at_every_byte(tmp_path: Path) -> None:
    size = written(tmp_path / "whole").stat().st_size
    for length in range(size + 1):
        check_cut(written(tmp_path / str(length)), ENTRIES, length)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.binary(min_size=1, max_size=200), max_size=5), st.data())
def test_any_torn_journal_gives_its_whole_entries(
    tmp_path_factory: pytest.TempPathFactory, entries: list[bytes], data: st.DataObject
) -> None:
    path = written(tmp_path_factory.mktemp("torn"), entries)
    check_cut(path, entries, data.draw(st.integers(0, path.stat().st_size)))


@pytest.mark.parametrize("tail", [bytes(3), bytes(5000), b"\x00\x00\x00\x09half", b"\xff" * 30])
def test_an_unwritten_end_is_cut_off(tmp_path: Path, tail: bytes) -> None:
    path = written(tmp_path)
    with path.open("ab") as file:
        file.write(tail)
    assert read(path) == (ENTRIES, len(tail))


def test_a_wrong_byte_before_the_last_entry_stops_the_resume(tmp_path: Path) -> None:
    path = written(tmp_path)
    whole = path.read_bytes()
    last = len(whole) - 8 - len(ENTRIES[-1])
    for at in range(HEADER, last):
        path.write_bytes(whole[:at] + bytes((whole[at] ^ 1,)) + whole[at + 1 :])
        with pytest.raises(JournalDamaged, match="damaged at byte"):
            Journal.open(path)
    assert path.stat().st_size == len(whole)


def test_a_payload_that_imitates_entries_is_not_taken_for_them(tmp_path: Path) -> None:
    other = written(tmp_path / "other").read_bytes()
    path = written(tmp_path, [b"mine", other])
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    assert read(path)[0] == [b"mine"]


def test_foreign_files_are_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "00.journal"
    path.write_bytes(b"Dear diary, nothing happened today.")
    with pytest.raises(JournalDamaged, match="no journal"):
        Journal.open(path)
    assert path.read_bytes().startswith(b"Dear")


def test_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = Journal.create(tmp_path, SESSION)
    for bad in (b"", bytes(journal.MAX_ENTRY + 1)):
        with pytest.raises(ValueError, match="entry"):
            log.append(bad)
    monkeypatch.setattr(journal, "MAX_FILE", 100)
    with pytest.raises(JournalError, match="full"):
        log.append(bytes(100))
    log.close()


def test_a_full_disk_is_said_and_nothing_more_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = Journal.create(tmp_path, SESSION)
    log.append(b"safe")

    def fail(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(JournalError, match="disk is full"):
            log.append(b"lost")
    with pytest.raises(JournalError, match="start again"):
        log.append(b"later")
    log.close()


def test_one_session_has_one_journal(tmp_path: Path) -> None:
    written(tmp_path)
    with pytest.raises(JournalError, match="create"):
        Journal.create(tmp_path, SESSION)


def test_only_unfinished_sessions_can_be_resumed(tmp_path: Path) -> None:
    assert resumable(tmp_path) == []
    path = written(tmp_path)
    (path.parent / "README.journal").write_bytes(b"")
    (info,) = resumable(tmp_path)
    assert (info.path, info.session, info.size) == (path, SESSION, path.stat().st_size)
    Journal.open(path).finish()
    assert resumable(tmp_path) == []
    assert path.with_suffix(".done").exists()
