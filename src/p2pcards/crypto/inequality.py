"""Proofs that hidden slots hold none of certain cards, without showing what they hold.

A slot is ``(A, B)`` with ``B = M + xA`` under the owner's key ``X = xG``; the cards are
``F_1..F_K``. For one pair, Camenisch and Shoup (2003, section 6) show ``C = t (M - F)`` for a
random ``t``, proved from ``t`` and ``u = tx``: infinity exactly when the card is ``F``. Here one
``t`` serves all pairs, so that each side of the difference is shown once: ``F'_j = t F_j`` for
every card and ``M'_s = t M_s = t B_s - u A_s`` for every slot. No ``M'`` may equal an ``F'``.

``Z = tG`` fixes ``t``, and ``0 = tX - uG`` then fixes ``u``. With both fixed before the weights
``e`` and ``f`` are hashed, one equation shows all the rest but for a chance of 1/q:
``sum e_j F'_j + sum f_s M'_s = t (sum e_j F_j + sum f_s B_s) - u sum f_s A_s``.

It leaks nothing but the inequality if the decisional Diffie-Hellman problem is hard, on which the
masks rest too: card points are hashed, so multiples of different ones by a new ``t`` look random.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2pcards.crypto.deck import Masked
from p2pcards.crypto.errors import CannotProveError, ProofError
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


@dataclass(frozen=True, slots=True)
class Absence:
    """The statement that no slot, masked under its owner's key, holds any of the cards."""

    slots: tuple[Masked, ...]
    cards: tuple[Point, ...]

    def __len__(self) -> int:
        """How many pairs of a slot and a card it is about; none: there is nothing to prove."""
        return len(self.slots) * len(self.cards)


@dataclass(frozen=True, slots=True)
class _Sums:
    """The weighted sums on both sides of the equation for all slots and cards."""

    shown: Point
    of_t: Point
    of_u: Point


def absence_bytes(slots: int, cards: int) -> int:
    """Bytes of the proof about so many slots and cards."""
    return 33 * (1 + cards + slots) + 3 * 32


def prove_absent(
    ctx: Context, secret: int, public: Point, statement: Absence, entropy: bytes
) -> bytes:
    """``Z, F'_1..F'_K, M'_1..M'_S, c, s_t, s_u`` for at least one slot and one card.

    Raises:
        CannotProveError: a slot holds one of the cards.
    """
    opened = [msm((slot.b, slot.a), (1, -secret)) for slot in statement.slots]
    if not set(opened).isdisjoint(statement.cards):
        raise CannotProveError("a slot holds one of the cards")
    transcript = _statement(ctx, public, statement)
    t, w_t, w_u = transcript.nonces(entropy, encode_scalar(secret)).scalars(3)
    z = base_mul(t)
    shown = [mul(point, t) for point in (*statement.cards, *opened)]
    sums = _sums(transcript, statement, z, shown)
    commitments = (
        base_mul(w_t),
        base_mul(w_t * secret - w_u),
        msm((sums.of_t, sums.of_u), (w_t, -w_u)),
    )
    transcript.append_points(b"t", commitments)
    c = transcript.scalar(b"c")
    scalars = (c, (w_t + c * t) % ORDER, (w_u + c * t * secret) % ORDER)
    return encode_points((z, *shown)) + b"".join(encode_scalar(s) for s in scalars)


def verify_absent(ctx: Context, public: Point, statement: Absence, data: bytes) -> None:
    """Raises CryptoError unless no slot holds any of the cards."""
    if not len(statement):
        raise ProofError("there is no slot or no card to prove anything about")
    count = len(statement.cards)
    reader = Reader(data, 1 + count + len(statement.slots), 3)
    z, *shown = reader.points(1 + count + len(statement.slots))
    c, s_t, s_u = reader.scalars(3)
    if not set(shown[:count]).isdisjoint(shown[count:]):
        raise ProofError("a slot holds one of the cards")
    transcript = _statement(ctx, public, statement)
    sums = _sums(transcript, statement, z, shown)
    commitments = (
        msm((z,), (-c,), s_t),
        msm((public,), (s_t,), -s_u),
        msm((sums.of_t, sums.of_u, sums.shown), (s_t, -s_u, -c)),
    )
    transcript.append_points(b"t", commitments)
    if transcript.scalar(b"c") != c:
        raise ProofError("the proof of absence does not hold")


def _statement(ctx: Context, public: Point, statement: Absence) -> Transcript:
    transcript = Transcript(b"absent", ctx)
    transcript.append_points(b"public", (public,))
    transcript.append_points(b"cards", statement.cards)
    transcript.append_points(b"slots", (p for slot in statement.slots for p in (slot.a, slot.b)))
    return transcript


def _sums(transcript: Transcript, statement: Absence, z: Point, shown: Sequence[Point]) -> _Sums:
    """Absorb ``Z`` and what is shown, draw a weight for each of it, and sum both sides."""
    transcript.append_points(b"shown", (z, *shown))
    weights = transcript.scalars(b"e", len(shown))
    slots, of_slots = statement.slots, weights[len(statement.cards) :]
    return _Sums(
        msm(shown, weights),
        msm((*statement.cards, *(slot.b for slot in slots)), weights),
        msm(tuple(slot.a for slot in slots), of_slots),
    )
