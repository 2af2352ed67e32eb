"""Provers that keep to the protocol but for one lie, over the group of the code under test.

A permutation is a matrix of ones and zeros; the cheats use others. ``uses[j][i]`` says how much of
input j the prover puts into output i, ``committed[j][i]`` what it commits to. With both equal to a
permutation matrix all is honest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from p2pcards.crypto.deck import Deck, Masked, generators
from p2pcards.crypto.group import (
    ORDER,
    G,
    Point,
    add,
    base_mul,
    encode_points,
    encode_scalar,
    msm,
)
from p2pcards.crypto.transcript import Context, Drbg, Transcript

Matrix: TypeAlias = list[list[int]]


def permutation(psi: Sequence[int]) -> Matrix:
    """The matrix of the permutation whose place i takes input ``psi[i]``."""
    return [[int(psi[i] == j) for i in range(len(psi))] for j in range(len(psi))]


def scaled(psi: Sequence[int], factor: int) -> Matrix:
    """A permutation matrix with the first place times a factor, the second by its inverse."""
    out = permutation(psi)
    out[psi[0]][0] = factor
    out[psi[1]][1] = pow(factor, -1, ORDER)
    return out


def mixed(size: int, share: int) -> Matrix:
    """The unit matrix, but place 1 is part input 0: columns still add up to one."""
    out = permutation(range(size))
    out[0][1], out[1][1] = share, (1 - share) % ORDER
    return out


def inverse(matrix: Matrix) -> Matrix:
    """The inverse matrix mod q, by elimination."""
    n = len(matrix)
    rows = [list(row) + [int(i == j) for j in range(n)] for i, row in enumerate(matrix)]
    for i in range(n):
        pivot = next(r for r in range(i, n) if rows[r][i] % ORDER)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        factor = pow(rows[i][i], -1, ORDER)
        rows[i] = [value * factor % ORDER for value in rows[i]]
        for r in range(n):
            if r != i and rows[r][i]:
                k = rows[r][i]
                rows[r] = [(a - k * b) % ORDER for a, b in zip(rows[r], rows[i], strict=True)]
    return [row[n:] for row in rows]


def outputs(joint: Point, deck: Deck, uses: Matrix, masks: Sequence[int]) -> Deck:
    """The output for which ``sum_i uses[j][i] e'_i = e_j + masks[j] (G, X)`` for every j."""
    back = inverse(uses)
    a = [add(card.a, base_mul(m)) for card, m in zip(deck, masks, strict=True)]
    b = [msm((card.b, joint), (1, m)) for card, m in zip(deck, masks, strict=True)]
    return tuple(Masked(msm(a, row), msm(b, row)) for row in back)


@dataclass(frozen=True)
class Shuffler:
    """How a shuffle is made and proved; the defaults are honest.

    ``alter`` changes the finished output, ``jump`` makes the chain of products end where it
    should although its last link does not lead there.
    """

    uses: Matrix
    committed: Matrix
    alter: Callable[[Deck], Deck] = tuple
    jump: bool = False

    def message(self, ctx: Context, joint: Point, deck: Deck, entropy: bytes) -> bytes:
        """The message of such a shuffle."""
        return self.attempt(ctx, joint, deck, entropy)[0]

    def attempt(
        self, ctx: Context, joint: Point, deck: Deck, entropy: bytes
    ) -> tuple[bytes, list[Point]]:
        """The message, and the commitments ``t`` that its prover made."""
        n = len(deck)
        source = Drbg(entropy, b"cheat")
        masks = source.scalars(n)
        output = self.alter(outputs(joint, deck, self.uses, masks))
        h0, h = generators(n)
        transcript = shuffle_statement(ctx, joint, deck, output)
        r = source.scalars(n)
        c = [msm(h, row, base) for row, base in zip(self.committed, r, strict=True)]
        transcript.append_points(b"c", c)
        u = transcript.scalars(b"u", n)
        used = [sum(self.uses[j][i] * u[j] for j in range(n)) % ORDER for i in range(n)]
        r_hat = source.scalars(n)
        chain, total = self._chain(h0, used, r_hat, product(u))
        transcript.append_points(b"chain", chain)
        known = (sum(r), total, dot(r, u), dot(masks, u))
        w, w_hat, w_prime = source.scalars(4), source.scalars(n), source.scalars(n)
        before = (h0, *chain[:-1])
        t = [
            base_mul(w[0]),
            base_mul(w[1]),
            msm(h, w_prime, w[2]),
            msm([m.a for m in output], w_prime, -w[3]),
            msm([*(m.b for m in output), joint], [*w_prime, -w[3]]),
            *(msm((before[i],), (w_prime[i],), w_hat[i]) for i in range(n)),
        ]
        transcript.append_points(b"t", t)
        x = transcript.scalar(b"x")
        pairs = zip((*w, *w_hat, *w_prime), (*known, *r_hat, *used), strict=True)
        scalars = [x, *((a + x * b) % ORDER for a, b in pairs)]
        points = (*(p for m in output for p in (m.a, m.b)), *c, *chain)
        return encode_points(points) + b"".join(map(encode_scalar, scalars)), t

    def _chain(
        self, h0: Point, used: Sequence[int], r_hat: Sequence[int], due: int
    ) -> tuple[list[Point], int]:
        chain, total, before = [], 0, h0
        for factor, r in zip(used, r_hat, strict=True):
            before = msm((before,), (factor,), r)
            chain.append(before)
            total = (r + factor * total) % ORDER
        if self.jump:
            chain[-1] = msm((h0,), (due,), total)
        return chain, total


def shuffle_statement(ctx: Context, joint: Point, deck: Deck, output: Deck) -> Transcript:
    """The transcript of a shuffle before its commitments."""
    h0, h = generators(len(deck))
    transcript = Transcript(b"shuffle", ctx)
    transcript.append_points(b"joint", (joint,))
    transcript.append_points(b"generators", (h0, *h))
    transcript.append_points(b"input", (p for m in deck for p in (m.a, m.b)))
    transcript.append_points(b"output", (p for m in output for p in (m.a, m.b)))
    return transcript


def product(values: Sequence[int]) -> int:
    """The product mod q."""
    out = 1
    for value in values:
        out = out * value % ORDER
    return out


def dot(left: Sequence[int], right: Sequence[int]) -> int:
    """The sum of products mod q."""
    return sum(a * b for a, b in zip(left, right, strict=True)) % ORDER


def mark(deck: Deck) -> Deck:
    """The first card's first half moved by G, so that it opens to no card."""
    return (Masked(add(deck[0].a, G), deck[0].b), *deck[1:])


def replace(deck: Deck, old: Point, new: Point) -> Deck:
    """The first card moved from one card's point to another's."""
    return (Masked(deck[0].a, msm((deck[0].b, new, old), (1, 1, -1))), *deck[1:])


def copy_first(deck: Deck, joint: Point, mask: int) -> Deck:
    """The second card given up for a fresh masking of the first: one twice, one lost."""
    first = Masked(add(deck[0].a, base_mul(mask)), msm((deck[0].b, joint), (1, mask)))
    return (deck[0], first, *deck[2:])
