"""Names remembered at first use: a name that comes back with another key is told apart."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import msgspec

from p2pcards.files import read_plain
from p2pcards.net.errors import NetError, explain
from p2pcards.net.identity import fingerprint
from p2pcards.net.text import NAME_LIMIT, clean, is_bot, likeness
from p2pcards.worded import Worded

FILE = "known_peers.json"
_MAX_PEERS = 1000
_MAX_FILE = 1 << 20


class KnownPeersError(NetError):
    """The file of known peers cannot be read or written."""


class Known(Enum):
    """What is remembered about a name."""

    NEW = "new"
    SAME = "same"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a name and key compare with what was remembered; ``old`` is set if changed."""

    status: Known
    old: str | None = None


class KnownPeers:
    """Trust on first use, in one JSON file; the calls read and write it (blocking)."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / FILE
        self._peers = self._load()

    def check(self, name: str, public: bytes) -> Verdict:
        """Compare a nickname's key with the one remembered for it. Changes nothing."""
        return self.check_fingerprint(name, fingerprint(public))

    def check_fingerprint(self, name: str, shown: str) -> Verdict:
        """The same for a fingerprint that somebody claims and has not proved yet."""
        old = self._peers.get(_key(name))
        if old is None or is_bot(name):
            return Verdict(Known.NEW)
        if old == shown:
            return Verdict(Known.SAME)
        return Verdict(Known.CHANGED, old)

    def remember(self, name: str, public: bytes) -> None:
        """Take ``public`` as the key of this nickname from now on; raises KnownPeersError.

        Bots are nobody to be known again: each comes with a new key.
        """
        if is_bot(name):
            return
        # Seen last is kept last, so that the longest unseen name makes room.
        peers = {key: value for key, value in self._peers.items() if key != _key(name)}
        peers[_key(name)] = fingerprint(public)
        while len(peers) > _MAX_PEERS:
            del peers[next(iter(peers))]
        self._save(peers)
        self._peers = peers

    def _load(self) -> dict[str, str]:
        try:
            peers = msgspec.json.decode(read_plain(self._path, _MAX_FILE), type=dict[str, str])
            return {_key(name): shown for name, shown in peers.items()}
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise KnownPeersError(
                Worded(
                    "cannot read the known peers in {path}: {why}; move the file away to trust "
                    "every name afresh",
                    path=self._path,
                    why=explain(error),
                )
            ) from error

    def _save(self, peers: dict[str, str]) -> None:
        part = self._path.with_suffix(f".{os.getpid()}.part")
        try:
            handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(msgspec.json.format(msgspec.json.encode(peers), indent=1))
                file.flush()
                os.fsync(file.fileno())
            part.replace(self._path)
        except OSError as error:
            with contextlib.suppress(OSError):
                part.unlink()
            raise KnownPeersError(
                Worded(
                    "cannot remember a peer in {path}: {why}", path=self._path, why=explain(error)
                )
            ) from error


def _key(name: str) -> str:
    """What a name is remembered under: all that can pass for it."""
    return likeness(clean(name, NAME_LIMIT))
