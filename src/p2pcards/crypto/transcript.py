"""The Fiat-Shamir transcript: labelled, length-prefixed, bound to where a proof is made.

Every challenge hashes the protocol's and proof's labels, the whole context, the whole statement
and all commitments (Bernhard, Pereira, Warinschi, "How Not to Prove Yourself", 2012).
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass

from p2pcards.crypto.group import ORDER, Point, encode_points

VERSION = b"p2pcards/1 crypto"
"""The wire version of the proofs; not the program's release."""


@dataclass(frozen=True, slots=True)
class Context:
    """Where a proof belongs: session, deal, step, prover's seat, transcript hash before it."""

    session: bytes
    deal: int
    step: int
    seat: int
    prev: bytes

    def encode(self) -> bytes:
        """The context's bytes, each field with its length before it."""
        fields = (
            self.session,
            self.deal.to_bytes(4, "big"),
            self.step.to_bytes(4, "big"),
            bytes((self.seat,)),
            self.prev,
        )
        return b"".join(len(f).to_bytes(4, "big") + f for f in fields)


class Transcript:
    """Absorbs labelled fields and gives labelled challenges."""

    def __init__(self, label: bytes, ctx: Context) -> None:
        self._hash = hashlib.sha512()
        self.append(b"version", VERSION)
        self.append(b"proof", label)
        self.append(b"context", ctx.encode())

    def append(self, label: bytes, data: bytes) -> None:
        """Absorb a field: both lengths (4 bytes each), the label, the data."""
        head = len(label).to_bytes(4, "big") + len(data).to_bytes(4, "big")
        self._hash.update(head + label + data)

    def append_points(self, label: bytes, points: Iterable[Point]) -> None:
        """Absorb points in their compressed form; the count is in the field's length."""
        self.append(label, encode_points(points))

    def seed(self, label: bytes) -> bytes:
        """64 bytes that depend on everything absorbed so far; absorbed themselves after that."""
        copy = self._hash.copy()
        copy.update(b"challenge" + len(label).to_bytes(4, "big") + label)
        digest = copy.digest()
        self.append(label, digest)
        return digest

    def scalar(self, label: bytes) -> int:
        """A challenge: 512 bits reduced mod q."""
        return int.from_bytes(self.seed(label), "big") % ORDER

    def scalars(self, label: bytes, count: int) -> tuple[int, ...]:
        """``count`` independent challenges from one seed and an index of 4 bytes."""
        seed = self.seed(label)
        return tuple(
            int.from_bytes(hashlib.sha512(seed + i.to_bytes(4, "big")).digest(), "big") % ORDER
            for i in range(count)
        )

    def nonces(self, entropy: bytes, *witness: bytes) -> Drbg:
        """A source of nonces hedged three ways: this transcript, the witness, fresh entropy."""
        return Drbg(entropy, self._hash.copy().digest(), *witness)

    def __repr__(self) -> str:
        return "<Transcript: state omitted>"


class Drbg:
    """Secret scalars from entropy and everything they must depend on: HMAC-SHA-512, counted."""

    def __init__(self, entropy: bytes, *binding: bytes) -> None:
        if len(entropy) < 32:
            raise ValueError("at least 32 bytes of entropy are needed")
        data = b"".join(len(b).to_bytes(4, "big") + b for b in binding)
        self._key = hmac.new(entropy, b"p2pcards drbg" + data, hashlib.sha512).digest()
        self._count = 0

    def bytes(self) -> bytes:
        """The next 64 bytes."""
        self._count += 1
        return hmac.new(self._key, self._count.to_bytes(8, "big"), hashlib.sha512).digest()

    def scalar(self) -> int:
        """The next scalar, 1..q-1."""
        while True:
            value = int.from_bytes(self.bytes(), "big") % ORDER
            if value:
                return value

    def scalars(self, count: int) -> list[int]:
        """The next ``count`` scalars."""
        return [self.scalar() for _ in range(count)]

    def permutation(self, size: int) -> list[int]:
        """A uniform permutation of ``range(size)`` (Fisher-Yates; 512 bits make bias nil)."""
        out = list(range(size))
        for i in range(size - 1, 0, -1):
            j = int.from_bytes(self.bytes(), "big") % (i + 1)
            out[i], out[j] = out[j], out[i]
        return out

    def __repr__(self) -> str:
        return "<Drbg: state omitted>"
