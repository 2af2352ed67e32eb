"""Provers of shares and of absence that prove whatever they are told, as well as can be done."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.crypto.group import (
    ORDER,
    Point,
    base_mul,
    encode_points,
    encode_scalar,
    msm,
)
from p2pcards.crypto.inequality import Absence
from p2pcards.crypto.transcript import Context, Drbg, Transcript


def claim_shares(
    ctx: Context,
    secret: int,
    public: Point,
    bases: Sequence[Point],
    shares: Sequence[Point],
    entropy: bytes,
    label: bytes = b"shares",
) -> bytes:
    """Any points as the shares of the bases, with the proof the secret gives for them."""
    transcript = Transcript(label, ctx)
    transcript.append_points(b"public", (public,))
    transcript.append_points(b"bases", bases)
    transcript.append_points(b"shares", shares)
    a_star = bases[0]
    if len(bases) > 1:
        a_star = msm(bases, transcript.scalars(b"e", len(bases)))
    w = Drbg(entropy, b"liar").scalar()
    transcript.append_points(b"t", (base_mul(w), msm((a_star,), (w,))))
    c = transcript.scalar(b"c")
    return encode_points(shares) + encode_scalar(c) + encode_scalar((w + c * secret) % ORDER)


def claim_absent(
    ctx: Context,
    public: Point,
    statement: Absence,
    t: int,
    u: int,
    shown: Sequence[Point],
    entropy: bytes,
) -> bytes:
    """Any points as the blinded cards and slots, with the proof that ``t`` and ``u`` give."""
    z = base_mul(t)
    transcript = Transcript(b"absent", ctx)
    transcript.append_points(b"public", (public,))
    transcript.append_points(b"cards", statement.cards)
    transcript.append_points(b"slots", (p for s in statement.slots for p in (s.a, s.b)))
    transcript.append_points(b"shown", (z, *shown))
    e = transcript.scalars(b"e", len(shown))
    slots = statement.slots
    w_t, w_u = Drbg(entropy, b"liar").scalars(2)
    points = (*statement.cards, *(s.b for s in slots), *(s.a for s in slots))
    factors = [k * w_t for k in e] + [-k * w_u for k in e[len(statement.cards) :]]
    commitments = (base_mul(w_t), msm((public,), (w_t,), -w_u), msm(points, factors))
    transcript.append_points(b"t", commitments)
    c = transcript.scalar(b"c")
    scalars = (c, (w_t + c * t) % ORDER, (w_u + c * u) % ORDER)
    return encode_points((z, *shown)) + b"".join(map(encode_scalar, scalars))
