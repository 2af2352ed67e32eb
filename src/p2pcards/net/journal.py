"""The append-only journal of one session: what was signed is on disk before it is sent.

A file is a header (magic, eight random bytes) and entries: length, CRC-32 (four bytes each,
big-endian), payload. The check covers the header's random bytes, the length and the payload, so
that a payload made to look like entries is never taken for one. All calls block; run them in a
thread.
"""

from __future__ import annotations

import os
import re
import secrets
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

from p2pcards.net.errors import NetError, explain
from p2pcards.net.identity import make_private_dir
from p2pcards.worded import Worded

FOLDER = "journals"
MAX_ENTRY = 128 * 1024
MAX_FILE = 64 << 20

_MAGIC = b"p2pcards journal\x01"
_SALT = 8
_HEADER = len(_MAGIC) + _SALT
_PREFIX = 8
_OPEN_SUFFIX = ".journal"
_DONE_SUFFIX = ".done"
_SESSION = re.compile(r"[0-9a-f]{2,128}")


class JournalError(NetError):
    """The journal cannot be written or read."""


class JournalDamaged(JournalError):
    """Entries in the middle of the journal are lost, so what was signed is not known any more."""


@dataclass(frozen=True, slots=True)
class JournalInfo:
    """A journal that was not finished; ``modified`` in seconds since 1970."""

    path: Path
    session: bytes
    size: int
    modified: float


class Journal:
    """An open journal. ``torn`` is the number of bytes cut off an unfinished last entry."""

    def __init__(self, path: Path, file: FileIO, salt: bytes, size: int, torn: int) -> None:
        self.path = path
        self.torn = torn
        self._file = file
        self._salt = salt
        self._size = size
        self._broken = False

    @classmethod
    def create(cls, data_dir: Path, session: bytes) -> Journal:
        """Begin the journal of a session. Raises JournalError, also if there is one already.

        A finished one counts too: whoever plays the same session twice signs two different
        envelopes for its steps, and could be shown to have two faces.
        """
        folder = data_dir / FOLDER
        make_private_dir(folder)
        path = folder / (session.hex() + _OPEN_SUFFIX)
        if path.with_suffix(_DONE_SUFFIX).exists():
            raise JournalError(
                Worded(
                    "this peer has played at this very table before; whoever opened it must open "
                    "a new one (its journal is {path})",
                    path=path.with_suffix(_DONE_SUFFIX),
                )
            )
        salt = secrets.token_bytes(_SALT)
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
            file = FileIO(handle, "r+")
        except OSError as error:
            raise _failed("cannot create the journal {path}: {why}", path, error) from error
        journal = cls(path, file, salt, 0, 0)
        try:
            journal._write(_MAGIC + salt, sync=True)
            _sync_folder(folder)
        except OSError as error:
            journal.close()
            raise _failed("cannot create the journal {path}: {why}", path, error) from error
        return journal

    @classmethod
    def open(cls, path: Path) -> Journal:
        """Open a journal to go on with it, after cutting a torn last entry off.

        Raises JournalDamaged if more than the last entry is lost, or JournalError.
        """
        try:
            file = FileIO(path, "r+")
        except OSError as error:
            raise _failed("cannot open the journal {path}: {why}", path, error) from error
        try:
            return cls._recover(path, file)
        except BaseException as error:
            file.close()
            if isinstance(error, OSError):
                raise _failed("cannot open the journal {path}: {why}", path, error) from error
            raise

    @classmethod
    def _recover(cls, path: Path, file: FileIO) -> Journal:
        size = os.fstat(file.fileno()).st_size
        if size > MAX_FILE:
            raise JournalDamaged(
                Worded("the journal {path} is longer than any game; move it away", path=path)
            )
        header = file.read(_HEADER)
        if len(header) < _HEADER or not any(header):
            # Nothing was ever in it: the first entry waits for the whole header.
            file.truncate(0)
            journal = cls(path, file, secrets.token_bytes(_SALT), 0, size)
            journal._write(_MAGIC + journal._salt, sync=True)
            return journal
        if not header.startswith(_MAGIC):
            raise JournalDamaged(
                Worded("{path} is no journal of this version; move it away", path=path)
            )
        journal = cls(path, file, header[len(_MAGIC) :], size, 0)
        end = _HEADER + sum(_PREFIX + len(payload) for payload in journal.read())
        if end < size:
            journal._check_tail(end)
            file.truncate(end)
            os.fsync(file.fileno())
            journal._size, journal.torn = end, size - end
        return journal

    def append(self, payload: bytes, sync: bool = True) -> None:
        """Add a payload; with ``sync`` it is on disk when this returns.

        Raises ValueError if it is empty or longer than MAX_ENTRY, and JournalError if it is not
        safely stored; then it must not be sent.
        """
        if not 0 < len(payload) <= MAX_ENTRY:
            raise ValueError(f"a journal entry has 1 to {MAX_ENTRY} bytes, not {len(payload)}")
        if self._broken:
            raise JournalError(
                Worded("the journal {path} failed before; start again to resume", path=self.path)
            )
        if self._size + _PREFIX + len(payload) > MAX_FILE:
            raise JournalError(
                Worded("the journal {path} is full; begin a new session", path=self.path)
            )
        length = len(payload).to_bytes(4, "big")
        check = self._check(length, payload).to_bytes(4, "big")
        try:
            self._write(length + check + payload, sync=sync)
        except OSError as error:
            # After a failed write or fsync nothing is known of what the disk holds.
            self._broken = True
            raise _failed("cannot write the journal {path}: {why}", self.path, error) from error

    def read(self) -> Iterator[bytes]:
        """Go through the whole entries, first to last; stops before one that is not whole."""
        at = _HEADER
        while (payload := self._entry_at(at)) is not None:
            yield payload
            at += _PREFIX + len(payload)

    def finish(self) -> None:
        """Mark the session as over, so that it is not offered to be resumed; closes the file."""
        self.close()
        try:
            self.path.replace(self.path.with_suffix(_DONE_SUFFIX))
            _sync_folder(self.path.parent)
        except OSError as error:
            raise _failed("cannot finish the journal {path}: {why}", self.path, error) from error

    def close(self) -> None:
        """Close the file; a session that is not finished can be resumed."""
        self._file.close()

    def _check(self, length: bytes, payload: bytes) -> int:
        return zlib.crc32(payload, zlib.crc32(self._salt + length))

    def _entry_at(self, at: int) -> bytes | None:
        self._file.seek(at)
        prefix = self._file.read(_PREFIX)
        count = int.from_bytes(prefix[:4], "big")
        return self._entry(prefix + self._file.read(count), 0) if count <= MAX_ENTRY else None

    def _entry(self, data: bytes, at: int) -> bytes | None:
        """The payload of the entry that begins there in ``data``; None if none whole does."""
        count = int.from_bytes(data[at : at + 4], "big")
        if not 0 < count <= min(MAX_ENTRY, len(data) - at - _PREFIX):
            return None
        payload = data[at + _PREFIX : at + _PREFIX + count]
        check = int.from_bytes(data[at + 4 : at + _PREFIX], "big")
        return payload if check == self._check(data[at : at + 4], payload) else None

    def _check_tail(self, end: int) -> None:
        """Raise JournalDamaged if whole entries follow: then one before the last is lost."""
        self._file.seek(end)
        tail = self._file.read(MAX_FILE)
        if not any(tail):
            return  # space that the file system gave and the crash left unwritten
        if len(tail) > _PREFIX + MAX_ENTRY or any(
            self._entry(tail, at) for at in range(1, len(tail) - _PREFIX)
        ):
            raise JournalDamaged(
                Worded(
                    "the journal {path} is damaged at byte {end}; this seat cannot safely go on, "
                    "for it could contradict what it signed: take part from the next deal on",
                    path=self.path,
                    end=end,
                )
            )

    def _write(self, data: bytes, *, sync: bool) -> None:
        left = memoryview(data)
        self._file.seek(self._size)
        while left:
            left = left[self._file.write(left) or 0 :]
        if sync:
            os.fsync(self._file.fileno())
        self._size += len(data)


def resumable(data_dir: Path) -> list[JournalInfo]:
    """List the unfinished journals in a data directory, newest first; raises JournalError."""
    found: list[JournalInfo] = []
    folder = data_dir / FOLDER
    try:
        for path in folder.glob("*" + _OPEN_SUFFIX):
            if _SESSION.fullmatch(path.stem) and len(path.stem) % 2 == 0:
                status = path.stat()
                session = bytes.fromhex(path.stem)
                found.append(JournalInfo(path, session, status.st_size, status.st_mtime))
    except OSError as error:
        raise _failed("cannot list the journals in {path}: {why}", folder, error) from error
    return sorted(found, key=lambda info: info.modified, reverse=True)


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return  # other systems cannot open a folder; the rename is as safe as they make it
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _failed(template: str, path: Path, error: OSError) -> JournalError:
    return JournalError(Worded(template, path=path, why=explain(error)))
