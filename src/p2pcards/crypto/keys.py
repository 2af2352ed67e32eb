"""Deal keys: fresh for every deal, committed to, then shown with proofs of knowledge.

A seat has two: the deal key ``X = xG`` masks the deck, the box key ``Y = yG`` only seals the
parts of deal keys. The commitment, and the proof bound to its step, keep the last to speak from
choosing a key that cancels the others' (a rogue key).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from p2pcards.crypto.errors import ProofError
from p2pcards.crypto.group import (
    ORDER,
    Point,
    Reader,
    add,
    base_mul,
    encode_points,
    encode_scalar,
    msm,
)
from p2pcards.crypto.transcript import VERSION, Context, Drbg, Transcript

CLAIM_BYTES = 2 * 33 + 3 * 32


@dataclass(frozen=True, slots=True)
class DealSecret:
    """A seat's secret keys for one deal."""

    x: int = field(repr=False)
    y: int = field(repr=False)


@dataclass(frozen=True, slots=True)
class DealKey:
    """A seat's verified public keys for one deal."""

    public: Point
    box: Point


def make_secret(entropy: bytes) -> DealSecret:
    """The secret keys that 32 or more secret bytes give."""
    source = Drbg(entropy, b"deal secret")
    return DealSecret(source.scalar(), source.scalar())


def public_secret(*fields: bytes) -> DealSecret:
    """Keys that everybody can derive: those of a seat that the public bot plays."""
    digest = hashlib.sha512(b"".join(len(f).to_bytes(4, "big") + f for f in (VERSION, *fields)))
    source = Drbg(digest.digest(), b"public secret")
    return DealSecret(source.scalar(), source.scalar())


def public_key(secret: DealSecret) -> DealKey:
    """The public keys of secret ones."""
    return DealKey(base_mul(secret.x), base_mul(secret.y))


def claim_key(ctx: Context, secret: DealSecret, entropy: bytes) -> bytes:
    """The keys with Schnorr proofs of both: ``X, Y, c, s_x, s_y``.

    ``t = wG`` for each, one challenge ``c`` over the context, both keys and both ``t``, and
    ``s = w + c x``.
    """
    key = public_key(secret)
    transcript = _statement(ctx, key)
    nonces = transcript.nonces(entropy, encode_scalar(secret.x), encode_scalar(secret.y))
    w_x, w_y = nonces.scalar(), nonces.scalar()
    transcript.append_points(b"t", (base_mul(w_x), base_mul(w_y)))
    c = transcript.scalar(b"c")
    s_x, s_y = (w_x + c * secret.x) % ORDER, (w_y + c * secret.y) % ORDER
    scalars = b"".join(encode_scalar(s) for s in (c, s_x, s_y))
    return encode_points((key.public, key.box)) + scalars


def commit_key(ctx: Context, claim: bytes) -> bytes:
    """The 32-byte commitment to a claim. The claim's proof has full entropy, so it hides."""
    return hashlib.sha256(VERSION + b" key commitment" + ctx.encode() + claim).digest()


def verify_key(ctx: Context, claim: bytes, commitment: bytes) -> DealKey:
    """The keys of a claim whose commitment and proofs hold; raises CryptoError.

    ``ctx`` is the context of the step in which the commitment was sent.
    """
    if commit_key(ctx, claim) != commitment:
        raise ProofError("the key does not open its commitment")
    reader = Reader(claim, 2, 3)
    key = DealKey(*reader.points(2))
    c, s_x, s_y = reader.scalars(3)
    transcript = _statement(ctx, key)
    t = (msm((key.public,), (-c,), s_x), msm((key.box,), (-c,), s_y))
    transcript.append_points(b"t", t)
    if transcript.scalar(b"c") != c:
        raise ProofError("the key's proof does not hold")
    return key


def joint_key(keys: Sequence[DealKey]) -> Point:
    """The sum of the deal keys; raises ProofError for repeated keys or a sum at infinity."""
    every = [p for key in keys for p in (key.public, key.box)]
    if len(set(every)) != len(every):
        raise ProofError("two seats have the same key")
    return add(*(key.public for key in keys))


def _statement(ctx: Context, key: DealKey) -> Transcript:
    transcript = Transcript(b"deal key", ctx)
    transcript.append_points(b"keys", (key.public, key.box))
    return transcript
