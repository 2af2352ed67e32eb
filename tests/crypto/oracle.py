"""A second implementation of every check, written from the specification and from nothing else.

Plain integers and affine points: slow, simple and independent of the code under test. Every
function takes points, bytes and plain numbers; a refusal is :class:`Refused`.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from functools import cache
from typing import Any, TypeAlias

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from tests.crypto.curve import (
    Affine,
    G,
    Q,
    Refused,
    enc,
    maybe_total,
    need,
    point,
    scalar,
    split,
    total,
)

VERSION = b"p2pcards/1 crypto"

Context: TypeAlias = dict[str, Any]
Ciphertext: TypeAlias = tuple[Affine, Affine]


def u32(value: int) -> bytes:
    """Four bytes, most significant first."""
    return value.to_bytes(4, "big")


def prefixed(*fields: bytes) -> bytes:
    """Each field after its length."""
    return b"".join(u32(len(f)) + f for f in fields)


def encode_context(c: Context) -> bytes:
    """The bytes of a context."""
    seat = bytes((c["seat"],))
    return prefixed(c["session"], u32(c["deal"]), u32(c["step"]), seat, c["prev"])


class Hash:
    """The transcript, which keeps all it absorbed."""

    def __init__(self, proof: bytes, ctx: Context) -> None:
        self.data = b""
        for label, data in (
            (b"version", VERSION),
            (b"proof", proof),
            (b"context", encode_context(ctx)),
        ):
            self.put(label, data)

    def put(self, label: bytes, data: bytes) -> None:
        self.data += u32(len(label)) + u32(len(data)) + label + data

    def seed(self, label: bytes) -> bytes:
        out = hashlib.sha512(self.data + b"challenge" + u32(len(label)) + label).digest()
        self.put(label, out)
        return out

    def one(self, label: bytes) -> int:
        return int.from_bytes(self.seed(label), "big") % Q

    def many(self, label: bytes, count: int) -> list[int]:
        seed = self.seed(label)
        each = [hashlib.sha512(seed + u32(i)).digest() for i in range(count)]
        return [int.from_bytes(digest, "big") % Q for digest in each]


def hash_to_point(label: bytes, *fields: bytes) -> Affine:
    """Try and increment."""
    for counter in range(256):
        digest = hashlib.sha256(prefixed(label, *fields) + bytes((counter,))).digest()
        try:
            return point(b"\x02" + digest)
        except Refused:
            continue
    raise AssertionError("no point")


@cache
def card_point(name: str) -> Affine:
    """The point of a card."""
    return hash_to_point(VERSION + b" card", name.encode())


@cache
def generator(index: int) -> Affine:
    """H for 0, else H_index."""
    return hash_to_point(VERSION + b" generator", u32(index))


def commit_key(ctx: Context, claim: bytes) -> bytes:
    """A key's commitment."""
    data = VERSION + b" key commitment" + encode_context(ctx) + claim
    return hashlib.sha256(data).digest()


def verify_key(ctx: Context, claim: bytes, commitment: bytes) -> tuple[Affine, Affine]:
    """A key's commitment and two proofs of knowledge."""
    need(commit_key(ctx, claim) == commitment, "commitment")
    (x, y), (c, s_x, s_y) = split(claim, 2, 3)
    h = Hash(b"deal key", ctx)
    h.put(b"keys", enc(x, y))
    h.put(b"t", enc(total((s_x, G), (-c, x)), total((s_y, G), (-c, y))))
    need(h.one(b"c") == c, "proof")
    return x, y


def public_secret(*fields: bytes) -> tuple[int, int]:
    """The keys everybody derives."""
    entropy = hashlib.sha512(prefixed(VERSION, *fields)).digest()
    binding = b"p2pcards drbg" + prefixed(b"public secret")
    key = hmac.new(entropy, binding, hashlib.sha512).digest()
    blocks = [hmac.new(key, i.to_bytes(8, "big"), hashlib.sha512).digest() for i in (1, 2)]
    x, y = (int.from_bytes(block, "big") % Q for block in blocks)
    return x, y


def joint_key(publics: Sequence[Affine], boxes: Sequence[Affine]) -> Affine:
    """The sum of different keys."""
    need(len({*publics, *boxes}) == len(publics) + len(boxes), "a repeated key")
    return total(*((1, p) for p in publics))


def verify_shares(
    ctx: Context, public: Affine, bases: Sequence[Affine], data: bytes, label: bytes = b"shares"
) -> list[Affine]:
    """Decryption shares with their one proof."""
    shares, (c, s) = split(data, len(bases), 2)
    h = Hash(label, ctx)
    h.put(b"public", enc(public))
    h.put(b"bases", enc(*bases))
    h.put(b"shares", enc(*shares))
    e = h.many(b"e", len(bases)) if len(bases) > 1 else [1]
    a_star = total(*zip(e, bases, strict=True))
    d_star = total(*zip(e, shares, strict=True))
    h.put(b"t", enc(total((s, G), (-c, public)), total((s, a_star), (-c, d_star))))
    need(h.one(b"c") == c, "proof")
    return shares


def verify_parts(public: Affine, recipients: Sequence[int], data: bytes) -> list[Affine]:
    """The points of a key's parts."""
    count = len(recipients)
    need(len(data) == count * (33 + 48), "length")
    points, _ = split(data[: 33 * count], count, 0)
    need(maybe_total([(1, p) for p in points]) == public, "sum")
    return points


def hkdf(key: bytes, info: bytes) -> bytes:
    """HKDF-SHA-256 without salt, one block (RFC 5869)."""
    prk = hmac.new(bytes(32), key, hashlib.sha256).digest()
    return hmac.new(prk, info + b"\x01", hashlib.sha256).digest()


def unseal(
    ctx: Context, recipients: Sequence[int], data: bytes, recipient: int, shared: Affine
) -> int | None:
    """The part in a box, or None where there is none that fits."""
    at = sorted(recipients).index(recipient)
    box = data[33 * len(recipients) + 48 * at :][:48]
    info = VERSION + b" key part" + encode_context(ctx) + bytes((recipient,))
    try:
        part = scalar(ChaCha20Poly1305(hkdf(enc(shared), info)).decrypt(bytes(12), box, None))
    except (InvalidTag, Refused):
        return None
    return part if enc(total((part, G))) == data[33 * at :][:33] else None


def verify_absent(
    ctx: Context,
    public: Affine,
    slots: Sequence[Ciphertext],
    cards: Sequence[Affine],
    data: bytes,
) -> None:
    """That no slot holds any of the cards."""
    need(len(slots) > 0 and len(cards) > 0, "nothing to prove")
    (z, *shown), (c, s_t, s_u) = split(data, 1 + len(cards) + len(slots), 3)
    for blinded_slot in shown[len(cards) :]:
        need(blinded_slot not in shown[: len(cards)], "a slot holds a card")
    h = Hash(b"absent", ctx)
    h.put(b"public", enc(public))
    h.put(b"cards", enc(*cards))
    h.put(b"slots", enc(*(p for slot in slots for p in slot)))
    h.put(b"shown", enc(z, *shown))
    weights = h.many(b"e", len(shown))
    left = total(*zip(weights, shown, strict=True))
    of_t = total(*zip(weights, [*cards, *(b for _, b in slots)], strict=True))
    of_u = total(*zip(weights[len(cards) :], (a for a, _ in slots), strict=True))
    t1 = total((s_t, G), (-c, z))
    t2 = total((s_t, public), (-s_u, G))
    t3 = total((s_t, of_t), (-s_u, of_u), (-c, left))
    h.put(b"t", enc(t1, t2, t3))
    need(h.one(b"c") == c, "proof")


def verify_shuffle(
    ctx: Context, joint: Affine, deck: Sequence[Ciphertext], data: bytes
) -> list[Ciphertext]:
    """A shuffled deck and its proof."""
    n = len(deck)
    points, scalars = split(data, 4 * n, 2 * n + 5)
    out = [(points[2 * i], points[2 * i + 1]) for i in range(n)]
    need(len({a for a, _ in out}) == len({b for _, b in out}) == n, "repeated ciphertext")
    x = scalars[0]
    t = shuffle_commitments(ctx, joint, deck, points, scalars)
    h = shuffle_hash(ctx, joint, deck, points)
    h.many(b"u", n)
    h.put(b"chain", enc(*points[3 * n :]))
    h.put(b"t", enc(*t))
    need(h.one(b"x") == x, "proof")
    return out


def shuffle_hash(
    ctx: Context, joint: Affine, deck: Sequence[Ciphertext], points: Sequence[Affine]
) -> Hash:
    """The transcript of a shuffle up to the permutation commitments."""
    n = len(deck)
    h = Hash(b"shuffle", ctx)
    h.put(b"joint", enc(joint))
    h.put(b"generators", enc(*(generator(i) for i in range(n + 1))))
    h.put(b"input", enc(*(p for card in deck for p in card)))
    h.put(b"output", enc(*points[: 2 * n]))
    h.put(b"c", enc(*points[2 * n : 3 * n]))
    return h


def shuffle_commitments(
    ctx: Context,
    joint: Affine,
    deck: Sequence[Ciphertext],
    points: Sequence[Affine],
    scalars: Sequence[int],
) -> list[Affine]:
    """The t of a shuffle's proof, as the verifier finds them."""
    n = len(deck)
    a_out, b_out = points[0 : 2 * n : 2], points[1 : 2 * n : 2]
    c, chain = points[2 * n : 3 * n], points[3 * n :]
    x, s, s_hat, s_prime = scalars[0], scalars[1:5], scalars[5 : 5 + n], scalars[5 + n :]
    u = shuffle_hash(ctx, joint, deck, points).many(b"u", n)
    h0, h = generator(0), [generator(i) for i in range(1, n + 1)]
    product = 1
    for value in u:
        product = product * value % Q
    row_sum = total(*((1, p) for p in c), *((-1, p) for p in h))
    chain_end = total((1, chain[-1]), (-product, h0))
    weighted = total(*zip(u, c, strict=True))
    a_in = total(*((k, a) for k, (a, _) in zip(u, deck, strict=True)))
    b_in = total(*((k, b) for k, (_, b) in zip(u, deck, strict=True)))
    before = [h0, *chain[:-1]]
    return [
        total((s[0], G), (-x, row_sum)),
        total((s[1], G), (-x, chain_end)),
        total((s[2], G), *zip(s_prime, h, strict=True), (-x, weighted)),
        total((-s[3], G), *zip(s_prime, a_out, strict=True), (-x, a_in)),
        total((-s[3], joint), *zip(s_prime, b_out, strict=True), (-x, b_in)),
        *(total((s_hat[i], G), (s_prime[i], before[i]), (-x, chain[i])) for i in range(n)),
    ]
