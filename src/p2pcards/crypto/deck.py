"""Card points and masked cards (ElGamal ciphertexts under the joint key)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from p2pcards.crypto.group import G, Point, add, hash_to_point, neg, sub
from p2pcards.crypto.transcript import VERSION


@dataclass(frozen=True, slots=True)
class Masked:
    """A masked card ``(A, B)`` with ``B = M + xA`` for a key ``x`` that masks it."""

    a: Point
    b: Point


Deck: TypeAlias = tuple[Masked, ...]


@cache
def card_points(names: tuple[str, ...]) -> tuple[Point, ...]:
    """The point of each card: hashed from its name, so no two have a known relation."""
    return tuple(hash_to_point(VERSION + b" card", name.encode()) for name in names)


@cache
def generators(count: int) -> tuple[Point, tuple[Point, ...]]:
    """``H`` and ``H_1..H_count`` of the shuffle's commitments; computed by all, never sent."""
    labels = [
        hash_to_point(VERSION + b" generator", i.to_bytes(4, "big")) for i in range(count + 1)
    ]
    return labels[0], tuple(labels[1:])


def initial_deck(points: tuple[Point, ...], joint: Point) -> Deck:
    """The deck before the first shuffle, ``(G, M + X)``: public, and nowhere at infinity."""
    return tuple(Masked(G, add(point, joint)) for point in points)


def reduce_masked(masked: Masked, shares: Iterable[Point]) -> Masked:
    """A masked card after some seats' shares were taken off: masked under the other keys only."""
    return Masked(masked.a, add(masked.b, *(neg(share) for share in shares)))


def open_masked(masked: Masked, shares: Iterable[Point]) -> Point:
    """The card's point, once the shares of all keys that mask it are here."""
    return sub(masked.b, add(*shares))
