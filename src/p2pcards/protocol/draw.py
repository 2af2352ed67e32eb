"""Joint randomness: commitments, and what is drawn from the four numbers together."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from p2pcards.protocol.envelope import digest
from p2pcards.protocol.limits import LABEL


def commitment(session: bytes, sender: int, number: bytes) -> bytes:
    """The hash by which a sender commits to its 32-byte number."""
    return digest(b"draw commitment", session, bytes([sender]), number)


def joint_number(session: bytes, numbers: Sequence[bytes]) -> bytes:
    """32 bytes that nobody could choose as long as one of the four numbers was random."""
    return digest(b"draw", session, *numbers)


def below(seed: bytes, label: bytes, bound: int) -> int:
    """An unbiased number 0..bound-1 from a seed; ``bound`` is at most 256."""
    limit = 256 - 256 % bound
    block = 0
    while True:
        data = hashlib.sha256(LABEL + b" below " + label + bytes([block]) + seed).digest()
        for byte in data:
            if byte < limit:
                return byte % bound
        block += 1


def seating(seed: bytes) -> tuple[int, int, int, int]:
    """A permutation: the place in the roster of the player of each seat."""
    places = [0, 1, 2, 3]
    for i in (3, 2, 1):
        j = below(seed, b"seat" + bytes([i]), i + 1)
        places[i], places[j] = places[j], places[i]
    return (places[0], places[1], places[2], places[3])


def first_dealer(seed: bytes) -> int:
    """The seat that deals first."""
    return below(seed, b"dealer", 4)


def bot_cut(seed: bytes) -> int:
    """Where a lost seat's bot cuts the deck: 1..31."""
    return below(seed, b"cut", 31) + 1
