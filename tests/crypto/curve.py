"""The group in plain integers, for the oracle: secp256k1 by SEC 2, points affine, no library."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

P = 2**256 - 2**32 - 977
Q = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141

Affine: TypeAlias = tuple[int, int]
Jacobian: TypeAlias = tuple[int, int, int]

G: Affine = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)


class Refused(Exception):
    """The oracle says no."""


def need(condition: bool, text: str) -> None:
    """Refuse unless the condition holds."""
    if not condition:
        raise Refused(text)


def on_curve(x: int, y: int) -> bool:
    """Whether y^2 = x^3 + 7."""
    return (y * y - x * x * x - 7) % P == 0


def double(p: Jacobian) -> Jacobian:
    """2p; no point of the curve has order two."""
    x, y, z = p
    s = 4 * x * y * y % P
    m = 3 * x * x % P
    x2 = (m * m - 2 * s) % P
    return x2, (m * (s - x2) - 8 * pow(y, 4, P)) % P, 2 * y * z % P


def mixed(p: Jacobian, q: Affine) -> Jacobian:
    """p + q for an affine q; z = 0 is the point at infinity."""
    x, y, z = p
    if z == 0:
        return q[0], q[1], 1
    zz = z * z % P
    h, r = (q[0] * zz - x) % P, (q[1] * zz * z - y) % P
    if h == 0:
        return double(p) if r == 0 else (1, 1, 0)
    hh = h * h % P
    v = x * hh % P
    x2 = (r * r - h * hh - 2 * v) % P
    return x2, (r * (v - x2) - y * h * hh) % P, z * h % P


def maybe_total(terms: Iterable[tuple[int, Affine]]) -> Affine | None:
    """The sum of products, None for infinity: all terms share the doublings."""
    reduced = [(k % Q, p) for k, p in terms]
    acc: Jacobian = (1, 1, 0)
    for bit in range(255, -1, -1):
        acc = double(acc) if acc[2] else acc
        for k, p in reduced:
            if k >> bit & 1:
                acc = mixed(acc, p)
    if acc[2] == 0:
        return None
    inverse = pow(acc[2], -1, P)
    return acc[0] * inverse**2 % P, acc[1] * inverse**3 % P


def total(*terms: tuple[int, Affine]) -> Affine:
    """The sum of products; infinity is refused."""
    out = maybe_total(terms)
    if out is None:
        raise Refused("infinity")
    return out


def point(data: bytes) -> Affine:
    """33 bytes: 2 or 3 by the parity of y, then x."""
    need(len(data) == 33 and data[0] in (2, 3), "not a compressed point")
    x = int.from_bytes(data[1:], "big")
    need(x < P, "x is not reduced")
    y = pow(x**3 + 7, (P + 1) // 4, P)
    need(on_curve(x, y), "x of no point")
    return x, (y if y % 2 == data[0] % 2 else P - y)


def enc(*points: Affine) -> bytes:
    """Compressed points, one after the other."""
    return b"".join(bytes((2 + y % 2,)) + x.to_bytes(32, "big") for x, y in points)


def scalar(data: bytes) -> int:
    """32 bytes: 1 to q - 1."""
    need(len(data) == 32, "not a scalar")
    value = int.from_bytes(data, "big")
    need(0 < value < Q, "a scalar out of range")
    return value


def split(data: bytes, points: int, scalars: int) -> tuple[list[Affine], list[int]]:
    """So many points, then so many scalars, and nothing else."""
    end = 33 * points
    need(len(data) == end + 32 * scalars, "the wrong length")
    return (
        [point(data[i : i + 33]) for i in range(0, end, 33)],
        [scalar(data[i : i + 32]) for i in range(end, len(data), 32)],
    )
