"""Proofs that hidden slots hold none of certain cards."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.vectors.common import KEYS, SECRETS, context, neighbours, scalar, seed

from p2pcards.crypto.deck import Masked, card_points
from p2pcards.crypto.errors import CannotProveError, CryptoError, ProofError
from p2pcards.crypto.group import ORDER, G, Point, add, base_mul, mul, neg, sub
from p2pcards.crypto.inequality import Absence, absence_bytes, prove_absent, verify_absent
from p2pcards.protocol.deal import NAMES
from tests.crypto.liars import claim_absent
from tests.crypto.mutations import accepted, layout, mutations

CTX = context(3, step=30)
X, PUBLIC = SECRETS[3].x, KEYS[3].public
POINTS = card_points(NAMES)
T = scalar("blinding")


def slot(card: Point, name: object = 0, public: Point = PUBLIC) -> Masked:
    """A card in a hand, masked under its owner's key alone."""
    mask = scalar(f"slot {name}")
    return Masked(base_mul(mask), add(card, mul(public, mask)))


HELD = POINTS[:3]
SLOTS = tuple(slot(card, i) for i, card in enumerate(HELD))
CARDS = POINTS[10:14]
TRUE = Absence(SLOTS, CARDS)
PROOF = prove_absent(CTX, X, PUBLIC, TRUE, seed("absent"))
FIELDS = layout(("Z", "F1", "F2", "F3", "F4", "M1", "M2", "M3"), ("c", "s_t", "s_u"))
verify = partial(verify_absent, CTX, PUBLIC)


def blinded(statement: Absence, held: tuple[Point, ...]) -> list[Point]:
    """What an honest prover shows of these cards and of what the slots hold."""
    return [mul(point, T) for point in (*statement.cards, *held)]


@given(st.permutations(range(32)), st.integers(1, 7), st.integers(1, 15))
@settings(max_examples=8, deadline=None)
def test_true_statements_are_proved(order: list[int], slots: int, cards: int) -> None:
    held = [POINTS[i] for i in order[:slots]]
    statement = Absence(
        tuple(slot(card, i) for i, card in enumerate(held)),
        tuple(POINTS[i] for i in order[slots : slots + cards]),
    )
    assert len(statement) == slots * cards
    data = prove_absent(CTX, X, PUBLIC, statement, seed("true"))
    assert len(data) == absence_bytes(slots, cards)
    verify(statement, data)


@given(st.integers(0, 2), st.integers(0, 3), st.permutations(range(3)))
@settings(max_examples=12, deadline=None)
def test_a_false_statement_is_not_proved_and_a_liar_is_refused(
    place: int, card: int, order: list[int]
) -> None:
    held = tuple(HELD[i] for i in order)
    slots = tuple(SLOTS[i] for i in order)
    cards = (*CARDS[:card], held[place], *CARDS[card + 1 :])
    false = Absence(slots, cards)
    with pytest.raises(CannotProveError):
        prove_absent(CTX, X, PUBLIC, false, seed("false"))
    data = claim_absent(CTX, PUBLIC, false, T, T * X % ORDER, blinded(false, held), seed("lie"))
    with pytest.raises(ProofError, match="holds"):
        verify(false, data)


def test_every_changed_proof_is_refused() -> None:
    changed = list(mutations(PROOF, FIELDS))
    assert len(changed) > 110
    assert accepted(changed, PROOF, partial(verify, TRUE)) == []


def test_a_proof_holds_for_its_own_statement_alone() -> None:
    a, b, c, d = CARDS
    statements = [
        Absence(SLOTS, (b, a, c, d)),
        Absence(SLOTS, (a, b, c)),
        Absence(SLOTS, (a, b, c, POINTS[20])),
        Absence(SLOTS, (a, b, c, HELD[0])),
        Absence(SLOTS, (a, b, c, d, HELD[0])),
        Absence((SLOTS[1], SLOTS[0], SLOTS[2]), CARDS),
        Absence(SLOTS[:2], CARDS),
        Absence((*SLOTS, slot(POINTS[5])), CARDS),
        Absence((slot(HELD[0], "other"), *SLOTS[1:]), CARDS),
        Absence((Masked(SLOTS[0].b, SLOTS[0].a), *SLOTS[1:]), CARDS),
        Absence(SLOTS, (a, SLOTS[0].b, c, d)),
        Absence((), CARDS),
        Absence(SLOTS, ()),
        Absence((), ()),
    ]
    for statement in statements:
        with pytest.raises(CryptoError):
            verify(statement, PROOF)
    for public in (KEYS[2].public, KEYS[3].box, neg(PUBLIC), G):
        with pytest.raises(ProofError):
            verify_absent(CTX, public, TRUE, PROOF)
    for _, ctx, _ in neighbours(CTX):
        with pytest.raises(ProofError):
            verify_absent(ctx, PUBLIC, TRUE, PROOF)
    verify(TRUE, PROOF)


def test_nothing_can_be_proved_about_nothing() -> None:
    for statement in (Absence((), CARDS), Absence(SLOTS, ()), Absence((), ())):
        assert len(statement) == 0
        with pytest.raises(ProofError):
            verify(statement, bytes(G) + bytes(96))


def test_the_liar_is_accepted_for_a_true_statement() -> None:
    shown = blinded(TRUE, HELD)
    verify(TRUE, claim_absent(CTX, PUBLIC, TRUE, T, T * X % ORDER, shown, seed("lie")))


def lies() -> list[tuple[str, int, dict[int, Point]]]:
    """Ways to hide that slot 0 holds card 0: a name, u, and what is shown otherwise."""
    other = scalar("another blinding")
    true_u = T * X % ORDER
    shift = (T * X + 1) % ORDER
    card, first = HELD[0], SLOTS[0]
    moved = {i + 4: sub(mul(HELD[i], T), SLOTS[i].a) for i in range(3)}
    return [
        ("the card blinded by another t", true_u, {0: mul(card, other)}),
        ("the slot blinded by another t", true_u, {4: mul(card, other)}),
        ("the slot moved", true_u, {4: add(mul(card, T), G)}),
        ("the slot negated", true_u, {4: neg(mul(card, T))}),
        ("two slots moved so that a plain sum holds", true_u,
         {4: add(mul(card, T), G), 5: sub(mul(HELD[1], T), G)}),
        ("a card and a slot moved so that a plain sum holds", true_u,
         {0: add(mul(card, T), G), 4: sub(mul(card, T), G)}),
        ("two slots exchanged", true_u, {4: mul(HELD[1], T), 5: mul(card, T)}),
        ("another card of the deck shown", true_u, {4: mul(POINTS[30], T)}),
        ("u that is not t x", shift, moved),
        ("u that is not t x, one slot moved to fit", shift, {4: sub(mul(card, T), first.a)}),
        ("u is zero", ORDER, {i + 4: mul(SLOTS[i].b, T) for i in range(3)}),
    ]  # fmt: skip


@pytest.mark.parametrize(("u", "changed"), [pytest.param(*lie, id=name) for name, *lie in lies()])
def test_no_lie_about_a_held_card_is_believed(u: int, changed: dict[int, Point]) -> None:
    false = Absence(SLOTS, (HELD[0], *CARDS[1:]))
    shown = blinded(false, HELD)
    for at, point in changed.items():
        shown[at] = point
    data = claim_absent(CTX, PUBLIC, false, T, u, shown, seed("lie"))
    with pytest.raises(ProofError):
        verify(false, data)


def test_a_slot_masked_under_another_key_cannot_be_proved_about() -> None:
    theirs = Absence((slot(HELD[0], 0, KEYS[2].public),), CARDS)
    data = prove_absent(CTX, SECRETS[2].x, KEYS[2].public, theirs, seed("theirs"))
    with pytest.raises(ProofError):
        verify(theirs, data)
    verify_absent(CTX, KEYS[2].public, theirs, data)


def test_what_is_shown_is_new_each_time_and_says_nothing_of_the_cards() -> None:
    again = prove_absent(CTX, X, PUBLIC, TRUE, seed("again"))
    later = prove_absent(context(3, step=34), X, PUBLIC, TRUE, seed("absent"))
    assert prove_absent(CTX, X, PUBLIC, TRUE, seed("absent")) == PROOF
    points = [data[i : i + 33] for data in (PROOF, again, later) for i in range(0, 264, 33)]
    assert len(set(points)) == 24
    known = {bytes(p) for p in (*POINTS, G, PUBLIC, *(q for s in SLOTS for q in (s.a, s.b)))}
    assert not known & set(points)


def test_sums_and_multiples_of_what_is_shown_do_not_meet() -> None:
    # Were card points multiples of one another, a common factor would not hide which is which.
    shown = blinded(TRUE, HELD)
    seen = {bytes(point) for point in shown}
    for i, one in enumerate(shown):
        for other in shown[i + 1 :]:
            assert bytes(add(one, other)) not in seen
            assert bytes(sub(one, other)) not in seen


def test_one_entropy_in_two_contexts_does_not_show_the_key() -> None:
    ends = []
    for ctx in (CTX, context(3, step=31)):
        data = prove_absent(ctx, X, PUBLIC, TRUE, seed("absent"))[-96:]
        ends.append([int.from_bytes(data[i : i + 32], "big") for i in (0, 32, 64)])
    (c, s_t, s_u), (d, r_t, r_u) = ends
    inverse = pow(c - d, -1, ORDER)
    t, u = (s_t - r_t) * inverse % ORDER, (s_u - r_u) * inverse % ORDER
    assert u * pow(t, -1, ORDER) % ORDER != X
