"""Envelopes of steps to come: kept within bounds, each for the place that it will fill."""

from __future__ import annotations

from p2pcards.protocol.envelope import Envelope
from p2pcards.protocol.limits import HELD_MAX
from p2pcards.protocol.step import slots_of


class Held:
    """The envelopes held, one for each step, signer and place."""

    def __init__(self) -> None:
        self._wires: dict[tuple[int, int, str], bytes] = {}

    def __len__(self) -> int:
        return len(self._wires)

    def find(self, envelope: Envelope, signer: int) -> bytes | None:
        """What is held already for the place of this envelope."""
        return self._wires.get(_key(envelope, signer))

    def is_full(self, signer: int) -> bool:
        """Whether nothing more of this player is held."""
        return sum(1 for _, of, _ in self._wires if of == signer) >= HELD_MAX // 4

    def hold(self, envelope: Envelope, signer: int) -> None:
        """Keep an envelope until its step begins."""
        self._wires[_key(envelope, signer)] = envelope.wire

    def due(self, number: int) -> bytes | None:
        """Take out the first envelope whose step has come, if any has."""
        ready = [key for key in self._wires if key[0] <= number]
        return self._wires.pop(min(ready)) if ready else None

    def clear(self) -> None:
        """Forget them all."""
        self._wires.clear()


def _key(envelope: Envelope, signer: int) -> tuple[int, int, str]:
    return envelope.payload.step, signer, slots_of(envelope)[0]
