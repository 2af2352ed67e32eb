"""A deal key in three additive parts, one sealed to each other seat, in case its owner is lost.

Seat i publishes ``S_k = s_k G`` with ``sum S_k = X_i`` and seals ``s_k`` to seat k under the
Diffie-Hellman point ``y_i Y_k`` of the two box keys. All three parts rebuild the key, fewer say
nothing about it. A part that does not fit is shown by opening the box: the complainer publishes
the point with a proof, and everybody can look.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from p2pcards.crypto.errors import CryptoError, EncodingError, PartsError, ProofError
from p2pcards.crypto.group import (
    ORDER,
    SCALAR_BYTES,
    Point,
    Reader,
    add,
    base_mul,
    decode_scalar,
    encode_points,
    encode_scalar,
    mul,
)
from p2pcards.crypto.keys import DealSecret, public_key
from p2pcards.crypto.shares import prove_shares, verify_shares
from p2pcards.crypto.transcript import VERSION, Context, Drbg

SEALED_BYTES = SCALAR_BYTES + 16
_NONCE = bytes(12)


@dataclass(frozen=True, slots=True)
class Parts:
    """Verified public parts of one seat's key: for each recipient its point and its box."""

    points: Mapping[int, Point]
    sealed: Mapping[int, bytes]


def split_key(
    ctx: Context, secret: DealSecret, boxes: Mapping[int, Point], entropy: bytes
) -> bytes:
    """Points ``S_k``, then the sealed ``s_k``, recipients ascending; ``boxes[k]`` is ``Y_k``."""
    source = Drbg(entropy, b"parts", ctx.encode(), encode_scalar(secret.x))
    recipients = sorted(boxes)
    while True:
        scalars = source.scalars(len(recipients) - 1)
        scalars.append((secret.x - sum(scalars)) % ORDER)
        if scalars[-1]:
            break
    sealed = [
        _cipher(ctx, k, mul(boxes[k], secret.y)).encrypt(_NONCE, encode_scalar(s), None)
        for k, s in zip(recipients, scalars, strict=True)
    ]
    return encode_points(base_mul(s) for s in scalars) + b"".join(sealed)


def verify_parts(ctx: Context, public: Point, recipients: Sequence[int], data: bytes) -> Parts:
    """The parts, once their points add up to the key; raises CryptoError."""
    order = sorted(recipients)
    split = 33 * len(order)
    if len(data) != split + SEALED_BYTES * len(order):
        raise EncodingError("parts of the wrong length")
    points = Reader(data[:split], len(order), 0).points(len(order))
    if add(*points) != public:
        raise ProofError("the parts do not add up to the key")
    boxes = [data[split + SEALED_BYTES * i :][:SEALED_BYTES] for i in range(len(order))]
    return Parts(dict(zip(order, points, strict=True)), dict(zip(order, boxes, strict=True)))


def open_part(
    ctx: Context, parts: Parts, recipient: int, secret: DealSecret, sender_box: Point
) -> int:
    """The recipient's part; raises ProofError when the box does not hold it.

    ``ctx`` is the context in which the parts were sent.
    """
    part = _unseal(ctx, parts, recipient, mul(sender_box, secret.y))
    if part is None:
        raise ProofError("the part in the box does not fit its point")
    return part


def complain(ctx: Context, secret: DealSecret, sender_box: Point, entropy: bytes) -> bytes:
    """The opened box key ``y_k Y_i`` with its Chaum-Pedersen proof, in the complainer's context."""
    own = public_key(secret).box
    return prove_shares(ctx, secret.y, own, (sender_box,), entropy, b"complaint")


def judge_complaint(
    ctx: Context,
    complainer_ctx: Context,
    parts: Parts,
    recipient: int,
    recipient_box: Point,
    sender_box: Point,
    data: bytes,
) -> bool:
    """Whether the part is bad indeed; raises CryptoError when the complaint proves nothing.

    ``ctx`` is the context in which the parts were sent.
    """
    (shared,) = verify_shares(complainer_ctx, recipient_box, (sender_box,), data, b"complaint")
    return _unseal(ctx, parts, recipient, shared) is None


def encode_part(scalar: int) -> bytes:
    """The 32 bytes by which a part is published."""
    return encode_scalar(scalar)


def verify_part(parts: Parts, recipient: int, data: bytes) -> int:
    """A published part that fits its point; raises CryptoError."""
    scalar = decode_scalar(data)
    if base_mul(scalar) != parts.points[recipient]:
        raise PartsError("a part does not fit its point", (recipient,))
    return scalar


def rebuild_secret(public: Point, scalars: Mapping[int, int], parts: Parts) -> DealSecret:
    """The lost seat's deal key from all its parts; raises PartsError naming those that are wrong.

    The box key stays unknown and is not needed any more; it is set to the deal key.
    """
    wrong = tuple(k for k in parts.points if base_mul(scalars.get(k, 0) or 1) != parts.points[k])
    if wrong or set(scalars) != set(parts.points):
        raise PartsError("some parts are missing or do not fit", wrong)
    x = sum(scalars.values()) % ORDER
    if x == 0 or base_mul(x) != public:
        raise PartsError("the parts do not add up to the key", ())
    return DealSecret(x, x)


def _cipher(ctx: Context, recipient: int, shared: Point) -> ChaCha20Poly1305:
    """The cipher of one box: its key is used for this one part, so the nonce may be fixed."""
    info = VERSION + b" key part" + ctx.encode() + bytes((recipient,))
    key = HKDF(SHA256(), 32, salt=None, info=info).derive(bytes(shared))
    return ChaCha20Poly1305(key)


def _unseal(ctx: Context, parts: Parts, recipient: int, shared: Point) -> int | None:
    try:
        data = _cipher(ctx, recipient, shared).decrypt(_NONCE, parts.sealed[recipient], None)
        scalar = decode_scalar(data)
        return scalar if base_mul(scalar) == parts.points[recipient] else None
    except (InvalidTag, CryptoError):
        return None
