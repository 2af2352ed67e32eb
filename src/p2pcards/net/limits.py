"""What one peer may cost us, in bytes, frames and seconds."""

from __future__ import annotations

from dataclasses import dataclass

STRIKES = 20
"""Messages that make no sense before a peer is given up."""
HEAVY = 300
"""Bytes of an envelope from which its proofs are checked in a worker thread."""


@dataclass(frozen=True, slots=True)
class LinkLimits:
    """Bounds of one link. Times are in seconds, sizes in bytes, rates a second.

    A link that says no whole frame for ``silence`` is dead. More than ``bytes_rate`` or
    ``frames_rate`` after a burst of ``bytes_burst`` or ``frames_burst`` is read more slowly, so
    that a flood waits in the sender's buffers and not in ours. A link that has ``queue`` bytes
    unsent is given up: its peer does not read.
    """

    heartbeat: float = 1.0
    silence: float = 5.0
    greeting: float = 5.0
    farewell: float = 1.0
    queue: int = 4 << 20
    bytes_rate: float = 4 << 20
    bytes_burst: float = 4 << 20
    frames_rate: float = 2000.0
    frames_burst: float = 2000.0


@dataclass(slots=True)
class Bucket:
    """A token bucket: ``rate`` tokens a second come in, up to ``burst``."""

    rate: float
    burst: float
    level: float
    at: float

    def take_whole(self, amount: float, now: float) -> bool:
        """Take tokens at time ``now`` if all of them are there; else take none."""
        self.take(0, now)
        if self.level < amount:
            return False
        self.level -= amount
        return True

    def take(self, amount: float, now: float) -> float:
        """Take tokens at time ``now``; returns the seconds to wait until the debt is paid."""
        self.level = min(self.burst, self.level + (now - self.at) * self.rate) - amount
        self.at = now
        return max(0.0, -self.level / self.rate)
