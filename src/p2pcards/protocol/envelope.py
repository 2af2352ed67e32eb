"""The signed envelope: the one codec for everything that enters the transcript.

On the wire an envelope is a 64-byte Ed25519 signature followed by the payload, a MessagePack
array ``[session, step, sender, prev, kind, body]``. The signature covers a domain label and
exactly the payload's bytes; nothing is encoded again before it is checked or hashed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, TypeAlias

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import Meta

from p2pcards.protocol.limits import ENVELOPE_MAX, LABEL
from p2pcards.protocol.messages import (
    BODIES,
    Blob,
    Body,
    Hash,
    SeatNumber,
    WireError,
    decode,
    encode,
)
from p2pcards.worded import Worded

SIGNATURE_BYTES = 64
Signer: TypeAlias = Callable[[bytes], bytes]
"""Signs bytes with an identity's Ed25519 key."""


class Payload(Body, frozen=True):
    """What is signed; ``prev`` is the transcript hash after the step before."""

    session: Hash
    step: Annotated[int, Meta(ge=0, le=2**31)]
    sender: SeatNumber
    prev: Hash
    kind: Annotated[str, Meta(max_length=16)]
    body: Blob


@dataclass(frozen=True, slots=True)
class Envelope:
    """A decoded envelope with the bytes it came in; its signature is not checked yet."""

    payload: Payload
    wire: bytes

    def signed_by(self, identity: bytes) -> bool:
        """Whether this identity key (32 bytes) signed exactly these bytes."""
        signature, payload = self.wire[:SIGNATURE_BYTES], self.wire[SIGNATURE_BYTES:]
        try:
            _public_key(identity).verify(signature, _signed(payload))
        except (InvalidSignature, ValueError):
            return False
        return True


@lru_cache(maxsize=64)
def _public_key(identity: bytes) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(identity)


def _signed(payload: bytes) -> bytes:
    return LABEL + b" envelope\0" + payload


def seal(payload: Payload, sign: Signer) -> bytes:
    """The wire bytes of a payload, signed."""
    data = encode(payload)
    return sign(_signed(data)) + data


def unseal(wire: bytes) -> Envelope:
    """The envelope in these bytes, decoded strictly.

    Raises:
        WireError: too long or short, not canonical, or out of bounds.
    """
    if not SIGNATURE_BYTES < len(wire) <= ENVELOPE_MAX:
        raise WireError(
            Worded(
                "an envelope has {low} to {limit} bytes",
                low=SIGNATURE_BYTES + 1,
                limit=ENVELOPE_MAX,
            )
        )
    return Envelope(decode(Payload, wire[SIGNATURE_BYTES:]), bytes(wire))


def body_of(payload: Payload) -> Body:
    """The payload's body, decoded as its kind says.

    Raises:
        WireError: an unknown kind, or a body that is not of it.
    """
    kind = BODIES.get(payload.kind)
    if kind is None:
        raise WireError(Worded("unknown kind of envelope {kind!r}", kind=payload.kind))
    return decode(kind, payload.body)


def digest(label: bytes, *fields: bytes) -> bytes:
    """SHA-256 over the protocol's label, this label, and every field with its length before it."""
    h = hashlib.sha256()
    for part in (LABEL, label, *fields):
        h.update(len(part).to_bytes(4, "big") + part)
    return h.digest()


def session_of(roster: bytes) -> bytes:
    """The session's name: the hash of the roster's bytes."""
    return digest(b"session", roster)


def first_hash(session: bytes) -> bytes:
    """The transcript hash before step 0."""
    return digest(b"transcript start", session)


def next_hash(prev: bytes, wires: Iterable[bytes]) -> bytes:
    """The transcript hash after a step whose envelopes are ``wires``, in order of seat."""
    return digest(b"transcript", prev, *(hashlib.sha256(w).digest() for w in wires))
