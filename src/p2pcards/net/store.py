"""What a session writes down: the journal that lets it resume, and the record others verify."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Self

import msgspec
import trio

from p2pcards.net.errors import NetError
from p2pcards.net.journal import Journal
from p2pcards.protocol.messages import Roster, WireError, decode, encode
from p2pcards.protocol.record import write_record
from p2pcards.worded import Worded


class StoreError(NetError):
    """A journal or record cannot be used; the text says which and what to do."""


class Header(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """The first entry of a journal: the roster, the session's secret seed, our port."""

    roster: bytes
    seed: bytes
    port: int


class Store:
    """The journal of one session, and every envelope in it."""

    def __init__(self, journal: Journal, header: Header, wires: list[bytes]) -> None:
        self.roster = decode(Roster, header.roster)
        self.seed = header.seed
        self.port = header.port
        self.wires = wires
        self._journal = journal

    @classmethod
    def begin(cls, data_dir: Path, session: bytes, roster: Roster, seed: bytes, port: int) -> Self:
        """Start the journal of a new session; raises JournalError."""
        header = Header(encode(roster), seed, port)
        journal = Journal.create(data_dir, session)
        journal.append(b"H" + msgspec.msgpack.encode(header))
        return cls(journal, header, [])

    @classmethod
    def resume(cls, path: Path) -> Self:
        """Open the journal of an unfinished session; raises JournalError or StoreError."""
        journal = Journal.open(path)
        try:
            entries = list(journal.read())
            if not entries or entries[0][:1] != b"H":
                raise StoreError("it has no beginning")
            header = msgspec.msgpack.decode(entries[0][1:], type=Header)
            wires = [entry[1:] for entry in entries[1:] if entry[:1] == b"E"]
            return cls(journal, header, wires)
        except (msgspec.MsgspecError, RecursionError, WireError, StoreError) as exc:
            journal.close()
            raise StoreError(
                Worded("the journal {path} cannot be read: {why}; move it away", path=path, why=exc)
            ) from exc

    async def keep(self, wire: bytes) -> None:
        """Note an envelope of another; a machine that loses power may lose it, and asks again."""
        self._journal.append(b"E" + wire, sync=False)

    async def keep_own(self, wire: bytes) -> None:
        """Store an envelope of our own; it is on disk when this returns."""
        await trio.to_thread.run_sync(self._journal.append, b"E" + wire)

    def finish(self) -> None:
        """The session is over: it will not be offered to be resumed."""
        self._journal.finish()

    def close(self) -> None:
        """Leave the journal for a later resume."""
        self._journal.close()


def save_record(folder: Path, name: str, wires: list[bytes]) -> Path:
    """Write a record file whole or not at all; raises StoreError."""
    return save_file(folder, name, write_record(wires))


def save_file(folder: Path, name: str, data: bytes) -> Path:
    """Write a file for others to read, whole or not at all; raises StoreError.

    A link is followed; a device or a pipe is written to, and not replaced by a file.
    """
    path = folder / name
    whole = path.resolve()
    part = whole.with_name(f"{whole.name}.part")
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return path
        whole.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(whole)
    except OSError as exc:
        with contextlib.suppress(OSError):
            part.unlink()
        raise StoreError(
            Worded("the file {path} cannot be written: {why}", path=path, why=exc.strerror)
        ) from exc
    return path
