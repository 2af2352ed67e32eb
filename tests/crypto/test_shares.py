"""Decryption shares: one proof for all, and every false share refused."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.vectors.common import JOINT, KEYS, SECRETS, context, neighbours, scalar, seed

from p2pcards.crypto.deck import Masked, card_points, open_masked, reduce_masked
from p2pcards.crypto.errors import CryptoError, ProofError
from p2pcards.crypto.group import ORDER, G, Point, add, base_mul, mul, neg, sub
from p2pcards.crypto.shares import prove_shares, verify_shares
from tests.crypto.liars import claim_shares
from tests.crypto.mutations import accepted, layout, mutations

CTX = context(1, step=20)
X, PUBLIC = SECRETS[1].x, KEYS[1].public
BASES = tuple(base_mul(scalar(f"base {i}")) for i in range(4))
TRUE = tuple(mul(base, X) for base in BASES)
MESSAGE = prove_shares(CTX, X, PUBLIC, BASES, seed("shares"))
verify = partial(verify_shares, CTX, PUBLIC, BASES)


@given(st.integers(1, 6), st.binary(min_size=32, max_size=32))
@settings(max_examples=12, deadline=None)
def test_honest_shares_verify(count: int, entropy: bytes) -> None:
    bases = tuple(base_mul(scalar(f"{entropy.hex()} {i}")) for i in range(count))
    data = prove_shares(CTX, X, PUBLIC, bases, entropy)
    assert len(data) == 33 * count + 64
    assert verify_shares(CTX, PUBLIC, bases, data) == tuple(mul(base, X) for base in bases)


@pytest.mark.parametrize("count", [1, 2, 4])
def test_every_changed_message_is_refused(count: int) -> None:
    bases = BASES[:count]
    data = prove_shares(CTX, X, PUBLIC, bases, seed("shares"))
    changed = list(mutations(data, layout((f"D{i}" for i in range(count)), ("c", "s"))))
    assert len(changed) > 30
    assert accepted(changed, data, lambda d: verify_shares(CTX, PUBLIC, bases, d)) == []


def test_shares_hold_for_their_own_statement_alone() -> None:
    a, b, c, d = BASES
    statements = [
        (CTX, KEYS[0].public, BASES),
        (CTX, KEYS[1].box, BASES),
        (CTX, neg(PUBLIC), BASES),
        (CTX, PUBLIC, (b, a, c, d)),
        (CTX, PUBLIC, (a, b, c, G)),
        (CTX, PUBLIC, (a, b, c)),
        (CTX, PUBLIC, (a, b, c, d, a)),
        *((ctx, PUBLIC, BASES) for _, ctx, _ in neighbours(CTX)),
    ]
    for ctx, public, bases in statements:
        with pytest.raises(CryptoError):
            verify_shares(ctx, public, bases, MESSAGE)
    with pytest.raises(ProofError):
        verify_shares(CTX, PUBLIC, BASES, MESSAGE, b"complaint")
    assert verify(MESSAGE) == TRUE


def test_a_liar_is_accepted_just_for_true_shares() -> None:
    lie = partial(claim_shares, CTX, X, PUBLIC, BASES, entropy=seed("lie"))
    assert verify(lie(TRUE)) == TRUE
    other = SECRETS[2].x
    for i in range(4):
        wrong = [mul(BASES[i], other), mul(BASES[i - 1], X), neg(TRUE[i]), add(TRUE[i], G), G]
        for share in wrong:
            given = (*TRUE[:i], share, *TRUE[i + 1 :])
            with pytest.raises(ProofError):
                verify(lie(given))


def test_errors_that_cancel_in_a_plain_sum_are_refused() -> None:
    d1, d2, d3, d4 = TRUE
    for shares in (
        (add(d1, G), sub(d2, G), d3, d4),
        (d2, d1, d3, d4),
        (mul(d1, 2), sub(d2, d1), d3, d4),
    ):
        with pytest.raises(ProofError):
            verify(claim_shares(CTX, X, PUBLIC, BASES, shares, seed("lie")))


def test_shares_under_another_key_are_refused_with_either_secret() -> None:
    other = SECRETS[2].x
    given = tuple(mul(base, other) for base in BASES)
    for secret in (X, other, X + other):
        with pytest.raises(ProofError):
            verify(claim_shares(CTX, secret, PUBLIC, BASES, given, seed("lie")))


def test_a_share_cannot_turn_a_card_into_another() -> None:
    seven, ace = card_points(("7s", "As"))
    slot = Masked(BASES[0], add(seven, mul(JOINT, scalar("base 0"))))
    others = [mul(slot.a, SECRETS[i].x) for i in (0, 2, 3)]
    wished = sub(add(TRUE[0], seven), ace)
    assert open_masked(slot, [wished, *others]) == ace
    with pytest.raises(ProofError):
        verify_shares(
            CTX, PUBLIC, (slot.a,), claim_shares(CTX, X, PUBLIC, (slot.a,), (wished,), seed("lie"))
        )
    assert open_masked(slot, [TRUE[0], *others]) == seven


def test_three_shares_leave_the_owner_alone_able_to_open() -> None:
    (card,) = card_points(("Qh",))
    slot = Masked(BASES[2], add(card, mul(JOINT, scalar("base 2"))))
    shares = {i: mul(slot.a, SECRETS[i].x) for i in range(4)}
    reduced = reduce_masked(slot, [shares[i] for i in (1, 2, 3)])
    assert open_masked(reduced, [shares[0]]) == card
    assert reduced.b != card
    assert all(open_masked(reduced, [shares[i]]) != card for i in (1, 2, 3))


def test_opening_at_infinity_is_refused() -> None:
    slot = Masked(G, BASES[0])
    with pytest.raises(ProofError):
        open_masked(slot, [BASES[0]])
    with pytest.raises(ProofError):
        reduce_masked(slot, [BASES[0]])
    with pytest.raises(ProofError):
        open_masked(slot, [G, neg(G)])


def test_one_entropy_in_two_contexts_does_not_show_the_key() -> None:
    ends: list[tuple[int, int]] = []
    for ctx in (CTX, context(1, step=21)):
        data = prove_shares(ctx, X, PUBLIC, BASES, seed("shares"))[-64:]
        ends.append((int.from_bytes(data[:32], "big"), int.from_bytes(data[32:], "big")))
    (c, s), (d, r) = ends
    assert (s - r) * pow(c - d, -1, ORDER) % ORDER != X
    assert prove_shares(CTX, X, PUBLIC, BASES, seed("shares")) == MESSAGE


def test_the_proof_does_not_fit_a_part_of_its_shares() -> None:
    pairs: list[tuple[Point, bytes]] = [
        (BASES[i], MESSAGE[33 * i : 33 * i + 33] + MESSAGE[-64:]) for i in range(4)
    ]
    for base, data in pairs:
        with pytest.raises(ProofError):
            verify_shares(CTX, PUBLIC, (base,), data)
