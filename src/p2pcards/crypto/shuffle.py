"""The shuffle and its proof (Terelius and Wikström, 2010; Haenni et al., 2017).

Additive notation. Input ``e_i = (A_i, B_i)``, permutation ``psi``, randomness ``r~_i`` by input;
output ``e'_i = (A_psi(i) + r~_psi(i) G, B_psi(i) + r~_psi(i) X)``. Responses are
``s = w + c x`` and the verifier takes ``-c``; other texts have the opposite sign.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from p2pcards.crypto.deck import Deck, Masked, generators
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
    mul,
    neg,
    sub,
)
from p2pcards.crypto.transcript import Context, Drbg, Transcript


def deck_bytes(size: int) -> int:
    """Bytes of the deck in a shuffle message; the proof follows."""
    return 2 * 33 * size


@dataclass(frozen=True, slots=True)
class Witness:
    """The prover's secrets: the permutation, and the re-masking randomness by input."""

    psi: list[int]
    mask: list[int]


@dataclass(frozen=True, slots=True)
class _Sums:
    """What both sides derive from the commitments: the challenges u and the five combinations."""

    u: tuple[int, ...]
    total: Point
    chain_end: Point
    weighted: Point
    a: Point
    b: Point


def shuffle(ctx: Context, joint: Point, deck: Deck, entropy: bytes) -> bytes:
    """The shuffled, re-masked deck and its proof.

    ``A'_1, B'_1, ...; c_1..c_N; c^_1..c^_N; c; s_1..s_4; s^_1..s^_N; s'_1..s'_N``.
    """
    binding = encode_points((joint, *(p for card in deck for p in (card.a, card.b))))
    source = Drbg(entropy, b"shuffle", ctx.encode(), binding)
    witness = Witness(source.permutation(len(deck)), source.scalars(len(deck)))
    output = remask(joint, deck, witness)
    out = encode_points(p for card in output for p in (card.a, card.b))
    return out + prove_shuffle(ctx, joint, deck, output, witness, source)


def remask(joint: Point, deck: Deck, witness: Witness) -> Deck:
    """The deck permuted and masked anew, without a proof."""
    return tuple(
        Masked(
            add(deck[i].a, base_mul(witness.mask[i])),
            add(deck[i].b, mul(joint, witness.mask[i])),
        )
        for i in witness.psi
    )


def verify_shuffle(ctx: Context, joint: Point, deck: Deck, data: bytes) -> Deck:
    """The output deck of a shuffle whose proof holds; raises CryptoError."""
    n = len(deck)
    reader = Reader(data, 4 * n, 2 * n + 5)
    points = reader.points(2 * n)
    output = tuple(Masked(points[2 * i], points[2 * i + 1]) for i in range(n))
    if len({card.a for card in output}) != n or len({card.b for card in output}) != n:
        raise ProofError("the shuffled deck repeats a ciphertext")
    c, chain = reader.points(n), reader.points(n)
    scalars = reader.scalars(2 * n + 5)
    x, s, s_hat, s_prime = scalars[0], scalars[1:5], scalars[5 : 5 + n], scalars[5 + n :]
    transcript = _statement(ctx, joint, deck, output)
    transcript.append_points(b"c", c)
    sums = _sums(deck, c, chain, transcript.scalars(b"u", n))
    transcript.append_points(b"chain", chain)
    h0, h = generators(n)
    t = [
        msm((sums.total,), (-x,), s[0]),
        msm((sums.chain_end,), (-x,), s[1]),
        msm((*h, sums.weighted), (*s_prime, -x), s[2]),
        msm((*(m.a for m in output), sums.a), (*s_prime, -x), -s[3]),
        msm((*(m.b for m in output), joint, sums.b), (*s_prime, -s[3], -x)),
    ]
    before = (h0, *chain[:-1])
    t += [msm((before[i], chain[i]), (s_prime[i], -x), s_hat[i]) for i in range(n)]
    transcript.append_points(b"t", t)
    if transcript.scalar(b"x") != x:
        raise ProofError("the proof of the shuffle does not hold")
    return output


def prove_shuffle(
    ctx: Context, joint: Point, deck: Deck, output: Deck, witness: Witness, source: Drbg
) -> bytes:
    """The proof that ``output`` is ``deck`` permuted and re-masked by ``witness``."""
    n, psi = len(deck), witness.psi
    h0, h = generators(n)
    transcript = _statement(ctx, joint, deck, output)
    r = source.scalars(n)
    c = tuple(add(base_mul(r[i]), h[psi.index(i)]) for i in range(n))
    transcript.append_points(b"c", c)
    u = transcript.scalars(b"u", n)
    u_prime = [u[i] for i in psi]
    r_hat = source.scalars(n)
    chain: list[Point] = []
    for i in range(n):
        chain.append(msm((chain[-1] if chain else h0,), (u_prime[i],), r_hat[i]))
    transcript.append_points(b"chain", chain)
    # v_i is the product of the challenges behind place i; v_N = 1.
    v = [*accumulate([1, *u_prime[:0:-1]], lambda a, b: a * b % ORDER)][::-1]
    known = (
        sum(r) % ORDER,
        sum(a * b for a, b in zip(r_hat, v, strict=True)) % ORDER,
        sum(a * b for a, b in zip(r, u, strict=True)) % ORDER,
        sum(a * b for a, b in zip(witness.mask, u, strict=True)) % ORDER,
    )
    w, w_hat, w_prime = source.scalars(4), source.scalars(n), source.scalars(n)
    before = (h0, *chain[:-1])
    t = [
        base_mul(w[0]),
        base_mul(w[1]),
        msm(h, w_prime, w[2]),
        msm(tuple(m.a for m in output), w_prime, -w[3]),
        msm((*(m.b for m in output), joint), (*w_prime, -w[3])),
        *(msm((before[i],), (w_prime[i],), w_hat[i]) for i in range(n)),
    ]
    transcript.append_points(b"t", t)
    x = transcript.scalar(b"x")
    responses = [
        *((a + x * b) % ORDER for a, b in zip(w, known, strict=True)),
        *((a + x * b) % ORDER for a, b in zip(w_hat, r_hat, strict=True)),
        *((a + x * b) % ORDER for a, b in zip(w_prime, u_prime, strict=True)),
    ]
    scalars = b"".join(encode_scalar(value) for value in (x, *responses))
    return encode_points((*c, *chain)) + scalars


def _statement(ctx: Context, joint: Point, deck: Deck, output: Deck) -> Transcript:
    h0, h = generators(len(deck))
    transcript = Transcript(b"shuffle", ctx)
    transcript.append_points(b"joint", (joint,))
    transcript.append_points(b"generators", (h0, *h))
    transcript.append_points(b"input", (p for m in deck for p in (m.a, m.b)))
    transcript.append_points(b"output", (p for m in output for p in (m.a, m.b)))
    return transcript


def _sums(deck: Deck, c: Sequence[Point], chain: Sequence[Point], u: tuple[int, ...]) -> _Sums:
    h0, h = generators(len(deck))
    product = 1
    for factor in u:
        product = product * factor % ORDER
    return _Sums(
        u,
        sub(add(*c), add(*h)),
        add(chain[-1], neg(mul(h0, product))),
        msm(c, u),
        msm(tuple(m.a for m in deck), u),
        msm(tuple(m.b for m in deck), u),
    )
