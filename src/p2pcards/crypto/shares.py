"""Decryption shares ``D_k = x A_k`` with one proof for all of them.

Batched Chaum-Pedersen as in RFC 9497, section 2.2: with ``e_k`` hashed from the whole statement,
``A* = sum e_k A_k`` and ``D* = sum e_k D_k``, the proof shows that log_G X = log_A* D*.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.crypto.errors import ProofError
from p2pcards.crypto.group import (
    ORDER,
    Point,
    Reader,
    base_mul,
    encode_points,
    encode_scalar,
    msm,
    mul,
)
from p2pcards.crypto.transcript import Context, Transcript


def prove_shares(
    ctx: Context,
    secret: int,
    public: Point,
    bases: Sequence[Point],
    entropy: bytes,
    label: bytes = b"shares",
) -> bytes:
    """``D_1..D_m, c, s`` for bases ``A_1..A_m``, m at least 1."""
    shares = tuple(mul(base, secret) for base in bases)
    transcript, a_star, _ = _statement(label, ctx, public, bases, shares)
    w = transcript.nonces(entropy, encode_scalar(secret)).scalar()
    transcript.append_points(b"t", (base_mul(w), mul(a_star, w)))
    c = transcript.scalar(b"c")
    return encode_points(shares) + encode_scalar(c) + encode_scalar((w + c * secret) % ORDER)


def verify_shares(
    ctx: Context,
    public: Point,
    bases: Sequence[Point],
    data: bytes,
    label: bytes = b"shares",
) -> tuple[Point, ...]:
    """The shares, once their proof holds; raises CryptoError."""
    reader = Reader(data, len(bases), 2)
    shares = reader.points(len(bases))
    c, s = reader.scalars(2)
    transcript, a_star, d_star = _statement(label, ctx, public, bases, shares)
    t = (msm((public,), (-c,), s), msm((a_star, d_star), (s, -c)))
    transcript.append_points(b"t", t)
    if transcript.scalar(b"c") != c:
        raise ProofError("the proof of the shares does not hold")
    return shares


def _statement(
    label: bytes, ctx: Context, public: Point, bases: Sequence[Point], shares: Sequence[Point]
) -> tuple[Transcript, Point, Point]:
    transcript = Transcript(label, ctx)
    transcript.append_points(b"public", (public,))
    transcript.append_points(b"bases", bases)
    transcript.append_points(b"shares", shares)
    if len(bases) == 1:
        return transcript, bases[0], shares[0]
    e = transcript.scalars(b"e", len(bases))
    return transcript, msm(bases, e), msm(shares, e)
