"""The group: secp256k1 through libsecp256k1. The only module that touches the curve library.

The group has prime order, so every point that parses generates it. The point at infinity has no
encoding and never appears as a :class:`Point`; a sum that lands there is :class:`ProofError`.
Multiplication takes variable time; secrets are fresh for every deal.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from btclib_secp256k1 import keys

from p2pcards.crypto.errors import EncodingError, ProofError
from p2pcards.worded import Worded

ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
"""The group's prime order q (SEC 2, section 2.4.1)."""

POINT_BYTES = 33
SCALAR_BYTES = 32


@dataclass(frozen=True, slots=True)
class Point:
    """A group element other than the neutral one; ``raw`` is its 65-byte uncompressed form."""

    raw: bytes

    def __bytes__(self) -> bytes:
        """The 33-byte compressed form, the one that is sent and hashed."""
        return bytes((2 + (self.raw[64] & 1),)) + self.raw[1:33]

    def __repr__(self) -> str:
        return f"decode_point(bytes.fromhex({bytes(self).hex()!r}))"


def decode_point(data: bytes) -> Point:
    """The point in 33 bytes; raises EncodingError."""
    if len(data) != POINT_BYTES:
        raise EncodingError(
            Worded("a point has {size} bytes, not {count}", size=POINT_BYTES, count=len(data))
        )
    try:
        return Point(keys.reserialize(bytes(data), compressed=False))
    except ValueError:
        raise EncodingError("33 bytes that are no point of the curve") from None


def decode_scalar(data: bytes) -> int:
    """The scalar 1..q-1 in 32 bytes, most significant first; raises EncodingError."""
    if len(data) != SCALAR_BYTES:
        raise EncodingError(
            Worded("a scalar has {size} bytes, not {count}", size=SCALAR_BYTES, count=len(data))
        )
    value = int.from_bytes(data, "big")
    if not 0 < value < ORDER:
        raise EncodingError("a scalar outside 1..q-1")
    return value


def encode_scalar(value: int) -> bytes:
    """The 32 bytes of a scalar; a value outside 1..q-1 is our own bug."""
    if not 0 < value < ORDER:
        raise RuntimeError("a scalar to be sent is outside 1..q-1")
    return value.to_bytes(SCALAR_BYTES, "big")


def _point(raw: bytes | None) -> Point:
    if raw is None:
        raise ProofError("a sum is the point at infinity")
    return Point(raw)


def base_mul(scalar: int) -> Point:
    """``scalar`` times the generator; raises ProofError when that is infinity."""
    scalar %= ORDER
    if scalar == 0:
        raise ProofError("a product is the point at infinity")
    return Point(keys.pubkey_from_prvkey(scalar, compressed=False))


def mul(point: Point, scalar: int) -> Point:
    """``scalar`` times a point; raises ProofError when that is infinity."""
    scalar %= ORDER
    if scalar == 0:
        raise ProofError("a product is the point at infinity")
    return Point(keys.pubkey_tweak_mul(point.raw, scalar, compressed=False))


def neg(point: Point) -> Point:
    """The point's inverse."""
    return Point(keys.pubkey_negate(point.raw, compressed=False))


def add(*points: Point) -> Point:
    """The sum of points; raises ProofError when it is infinity."""
    return _point(keys.pubkey_sum([p.raw for p in points], compressed=False))


def sub(left: Point, right: Point) -> Point:
    """``left - right``; raises ProofError when it is infinity."""
    return add(left, neg(right))


def msm(points: Sequence[Point], scalars: Sequence[int], base: int = 0) -> Point:
    """``sum scalars[i] points[i] + base G``; raises ProofError when it is infinity."""
    pairs = [(p.raw, s) for p, k in zip(points, scalars, strict=True) if (s := k % ORDER)]
    base %= ORDER
    if not pairs:
        return base_mul(base)
    raws, factors = zip(*pairs, strict=True)
    total = keys.pubkey_tweak_mul_sum(raws, factors, compressed=False)
    if total is None or base == 0:
        return base_mul(base) if base else _point(total)
    try:
        # One call for the product and the sum, a fifth faster than two.
        return Point(keys.pubkey_tweak_add(total, base, compressed=False))
    except ValueError:
        raise ProofError("a sum is the point at infinity") from None


def hash_to_point(label: bytes, *fields: bytes) -> Point:
    """A point nobody knows a logarithm of, by try-and-increment over SHA-256.

    The input is the label and fields, each with its length (4 bytes) before it, and a counter
    byte; the first digest that is the x of a point gives the one with even y. Only public
    constants are hashed so, hence the variable time does no harm.
    """
    prefix = b"".join(len(f).to_bytes(4, "big") + f for f in (label, *fields))
    for counter in range(256):
        x = hashlib.sha256(prefix + bytes((counter,))).digest()
        try:
            return decode_point(b"\x02" + x)
        except EncodingError:
            continue
    raise RuntimeError("no point was found in 256 tries")


def encode_points(points: Iterable[Point]) -> bytes:
    """Compressed points one after the other."""
    return b"".join(bytes(p) for p in points)


class Reader:
    """Takes points and scalars off a byte string whose length must come out even."""

    def __init__(self, data: bytes, points: int, scalars: int) -> None:
        """Raises EncodingError unless the length is that of so many points and scalars."""
        size = points * POINT_BYTES + scalars * SCALAR_BYTES
        if len(data) != size:
            raise EncodingError(
                Worded("{size} bytes are due, not {count}", size=size, count=len(data))
            )
        self._data = data
        self._at = 0

    def points(self, count: int) -> tuple[Point, ...]:
        """The next ``count`` points; raises EncodingError."""
        return tuple(decode_point(self._next(POINT_BYTES)) for _ in range(count))

    def scalars(self, count: int) -> tuple[int, ...]:
        """The next ``count`` scalars; raises EncodingError."""
        return tuple(decode_scalar(self._next(SCALAR_BYTES)) for _ in range(count))

    def _next(self, size: int) -> bytes:
        self._at += size
        return self._data[self._at - size : self._at]


G = Point(keys.pubkey_from_prvkey(1, compressed=False))
"""The generator."""
