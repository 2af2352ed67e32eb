"""Proofs that a hidden card is not a certain card (Camenisch and Shoup, 2003, section 6).

A slot is ``(A, B)`` with ``B = M + xA`` under the owner's key ``X = xG``; for a card ``F`` let
``D = B - F``. The owner draws ``t``, sets ``u = t x`` and shows ``C = tD - uA``, which is
``t (M - F)``: infinity exactly when the card is ``F``, else a random point. The proof is of
``(t, u)`` with ``C = tD - uA`` and ``0 = tX - uG``.

All claims of one play share one challenge. It is sound because the shuffle's proof has already
shown that every slot holds a card; it leaks nothing but the inequality, since each ``t`` is new.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2pcards.crypto.errors import CannotProveError, ProofError
from p2pcards.crypto.group import (
    ORDER,
    Point,
    Reader,
    encode_scalar,
    msm,
    mul,
    sub,
)
from p2pcards.crypto.transcript import Context, Transcript

CLAIM_BYTES = 33 + 32 + 32
"""Bytes of a proof for each claim, besides the 32 of the challenge."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The statement that the slot ``(a, b)``, masked under the owner's key, is not ``card``."""

    a: Point
    b: Point
    card: Point


def prove_absent(
    ctx: Context, secret: int, public: Point, claims: Sequence[Claim], entropy: bytes
) -> bytes:
    """``c``, then ``C, s_t, s_u`` for each claim, at least one.

    Raises:
        CannotProveError: a claim is false.
    """
    gaps = [_gap(secret, claim) for claim in claims]
    transcript = _statement(ctx, public, claims)
    nonces = transcript.nonces(entropy, encode_scalar(secret))
    t = nonces.scalars(len(claims))
    blinded = [mul(gap, factor) for gap, factor in zip(gaps, t, strict=True)]
    transcript.append_points(b"C", blinded)
    w_t, w_u = nonces.scalars(len(claims)), nonces.scalars(len(claims))
    for claim, gap, v_t, v_u in zip(claims, gaps, w_t, w_u, strict=True):
        # T1 = w_t D - w_u A and T2 = w_t X - w_u G, by what the prover knows of D and X.
        rest = v_t * secret - v_u
        first = msm((gap, claim.a), (v_t, rest))
        transcript.append_points(b"T", (first, msm((), (), rest)))
    c = transcript.scalar(b"c")
    out = [encode_scalar(c)]
    for point, factor, v_t, v_u in zip(blinded, t, w_t, w_u, strict=True):
        s_t = encode_scalar((v_t + c * factor) % ORDER)
        s_u = encode_scalar((v_u + c * factor * secret) % ORDER)
        out.append(bytes(point) + s_t + s_u)
    return b"".join(out)


def verify_absent(ctx: Context, public: Point, claims: Sequence[Claim], data: bytes) -> None:
    """Raises CryptoError unless every claim is proved."""
    reader = Reader(data, len(claims), 1 + 2 * len(claims))
    (c,) = reader.scalars(1)
    parts = [(reader.points(1)[0], reader.scalars(2)) for _ in claims]
    transcript = _statement(ctx, public, claims)
    transcript.append_points(b"C", (blinded for blinded, _ in parts))
    for claim, (blinded, (s_t, s_u)) in zip(claims, parts, strict=True):
        d = sub(claim.b, claim.card)
        first = msm((d, claim.a, blinded), (s_t, -s_u, -c))
        transcript.append_points(b"T", (first, msm((public,), (s_t,), -s_u)))
    if transcript.scalar(b"c") != c:
        raise ProofError("the proof of absence does not hold")


def _gap(secret: int, claim: Claim) -> Point:
    """``M - F``, from the owner's key; raises CannotProveError where it is infinity."""
    opened = msm((claim.b, claim.a), (1, -secret))
    if opened == claim.card:
        raise CannotProveError("the slot holds the very card")
    return sub(opened, claim.card)


def _statement(ctx: Context, public: Point, claims: Sequence[Claim]) -> Transcript:
    transcript = Transcript(b"absent", ctx)
    transcript.append_points(b"public", (public,))
    for claim in claims:
        transcript.append_points(b"claim", (claim.a, claim.b, claim.card))
    return transcript
