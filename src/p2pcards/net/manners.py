"""How often a player at the table may say what is no envelope; the rest is passed over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from p2pcards.net.limits import Bucket
from p2pcards.net.talk import PASS_BURST, Pace

ASKS_RATE, ASKS_BURST = 10.0, 40.0
"""Statuses of one player a second that are looked at, after a burst; ours come twice a second."""
BYTES_RATE, BYTES_BURST = float(256 << 10), float(4 << 20)
"""Bytes a second of past envelopes that one player is sent, after a burst."""
BATCH = 64
"""Past envelopes sent for one status, at most."""


def batch(data: Bucket, pieces: Iterable[bytes], now: float) -> list[bytes]:
    """The first of these that may be sent now, paid for from a bucket of bytes."""
    data.take(0, now)
    sent: list[bytes] = []
    for piece in islice(pieces, BATCH):
        if data.level <= 0:
            break
        data.take(len(piece), now)
        sent.append(piece)
    return sent


@dataclass(slots=True)
class _Costs:
    asks: Bucket
    data: Bucket


@dataclass(slots=True)
class Manners:
    """How much each player has said of late. A peer is named by its public key."""

    _talk: Pace = field(default_factory=lambda: Pace(PASS_BURST))
    _lists: Pace = field(default_factory=lambda: Pace(PASS_BURST))
    _costs: dict[bytes, _Costs] = field(default_factory=dict)

    def may_talk(self, peer: bytes, now: float) -> bool:
        """Whether one more line, notice or farewell of this player is shown."""
        return self._talk.lets(peer, now)

    def may_list(self, peer: bytes, now: float) -> bool:
        """Whether one more list of this player's spectators is shown now."""
        return self._lists.lets(peer, now)

    def may_ask(self, peer: bytes, now: float) -> bool:
        """Whether one more status of this player is looked at."""
        return self._of(peer, now).asks.take_whole(1, now)

    def batch(self, peer: bytes, wires: list[bytes], now: float) -> list[bytes]:
        """As many of the envelopes that a player lacks as it may be sent now."""
        return batch(self._of(peer, now).data, wires, now)

    def _of(self, peer: bytes, now: float) -> _Costs:
        if peer not in self._costs:
            asks = Bucket(ASKS_RATE, ASKS_BURST, ASKS_BURST, now)
            self._costs[peer] = _Costs(asks, Bucket(BYTES_RATE, BYTES_BURST, BYTES_BURST, now))
        return self._costs[peer]
