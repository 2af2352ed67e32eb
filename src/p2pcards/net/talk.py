"""How much one may say in a lobby, where the opener passes each line on to all."""

from __future__ import annotations

from dataclasses import dataclass, field

from p2pcards.net.limits import Bucket

TALK_RATE = 1.0
"""Lines a second that one guest may say for long."""
SAY_BURST = 5.0
"""Lines that we send at once."""
PASS_BURST = 10.0
"""Lines of one guest that an opener passes on at once.

More than we send: a link may hold lines back for five seconds, and then bring all of them.
"""

_SPEAKERS = 256
"""Speakers that are remembered; anybody can come under any number of keys."""


@dataclass(slots=True)
class Pace:
    """Whether somebody may say one more line now; each speaker has a pace of its own."""

    burst: float
    _buckets: dict[bytes, Bucket] = field(default_factory=dict)

    def lets(self, speaker: bytes, now: float) -> bool:
        """Count a line, if there is room for it; one that is refused costs nothing."""
        if len(self._buckets) >= _SPEAKERS:
            self._buckets.clear()
        fresh = Bucket(TALK_RATE, self.burst, self.burst, now)
        return self._buckets.setdefault(speaker, fresh).take_whole(1, now)

    def forget(self, speaker: bytes) -> None:
        """Somebody has gone."""
        self._buckets.pop(speaker, None)
