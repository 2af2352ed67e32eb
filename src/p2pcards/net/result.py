"""How a peer's evening ended, and what is kept of it: the record, and the evidence of a fault."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from p2pcards.net.outcome import Ending, Outcome
from p2pcards.net.store import save_file, save_record
from p2pcards.protocol.evidence import make_evidence
from p2pcards.protocol.observer import Observer
from p2pcards.protocol.player import Player


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome, the player with all it verified, and where the record lies if one is kept."""

    outcome: Outcome
    player: Player
    record: Path | None

    @property
    def is_over(self) -> bool:
        """Whether nobody can come back to it: it ended, or had not begun."""
        ended = self.outcome.ending in (Ending.COMPLETE, Ending.FAULT)
        return ended or self.player.observer.step.number == 0


def keep_record(folder: Path, name: str, observer: Observer) -> Path:
    """Write all that was signed, for `p2pcards verify` and `replay`; raises StoreError."""
    return save_record(folder, _file_name(name, observer, "p2prec"), observer.record())


def keep_evidence(folder: Path, name: str, observer: Observer) -> Path | None:
    """Write what proves to others that a seat broke the protocol, if one did; raises StoreError."""
    data = make_evidence(observer)
    if data is None:
        return None
    return save_file(folder, _file_name(name, observer, "p2pevid"), data)


def _file_name(name: str, observer: Observer, ending: str) -> str:
    """With nothing in it that a file system or a shell could mistake."""
    full = f"{observer.session.hex()[:12]}-{name}.{ending}"
    return "".join(c if c.isalnum() or c in "-_." else "_" for c in full)
