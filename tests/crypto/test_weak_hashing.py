"""Each part of a statement that a challenge is hashed from, left out: then a forgery passes.

Every test forges a proof against a verifier whose transcript skips one label, sees it accepted
there, and refused by the verifier as it is (Bernhard, Pereira, Warinschi, 2012).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from tools.vectors.common import JOINT, KEYS, SECRETS, context, neighbours, scalar, seed
from tools.vectors.shuffles import DECK

from p2pcards.crypto.deck import Deck, Masked, card_points
from p2pcards.crypto.errors import ProofError
from p2pcards.crypto.group import (
    ORDER,
    add,
    base_mul,
    decode_point,
    encode_points,
    encode_scalar,
    msm,
    mul,
    neg,
    sub,
)
from p2pcards.crypto.inequality import Absence, prove_absent, verify_absent
from p2pcards.crypto.keys import claim_key, commit_key, verify_key
from p2pcards.crypto.shares import prove_shares, verify_shares
from p2pcards.crypto.shuffle import shuffle, verify_shuffle
from p2pcards.crypto.transcript import Transcript
from tests.crypto.cheats import Shuffler, permutation, scaled, shuffle_statement
from tests.crypto.liars import claim_absent, claim_shares
from tests.crypto.test_absent import CARDS, HELD, SLOTS, T, X

CTX = context(3, step=30)
PUBLIC = KEYS[3].public
BASES = tuple(base_mul(scalar(f"base {i}")) for i in range(2))

Weaken = Callable[[bytes], AbstractContextManager[None]]
Check = Callable[[], object]


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Weaken:
    """Inside ``with without(label)`` no transcript absorbs that field."""

    @contextmanager
    def weakened(label: bytes) -> Iterator[None]:
        original = Transcript.append

        def append(self: Transcript, name: bytes, data: bytes) -> None:
            if name != label:
                original(self, name, data)

        with monkeypatch.context() as patch:
            patch.setattr(Transcript, "append", append)
            yield

    return weakened


def passes_only(weak: AbstractContextManager[None], forge: Callable[[], Check]) -> None:
    """A forgery is accepted by the weak verifier, and refused by the real one."""
    with weak:
        check = forge()
        check()
    with pytest.raises(ProofError):
        check()


def test_without_the_context_proofs_can_be_replayed(without: Weaken) -> None:
    other = neighbours(CTX)[1][1]
    statement = Absence(SLOTS, CARDS)

    def claims() -> Check:
        claim = claim_key(CTX, SECRETS[3], seed("w"))
        return lambda: verify_key(other, claim, commit_key(other, claim))

    def shares() -> Check:
        data = prove_shares(CTX, X, PUBLIC, BASES, seed("w"))
        return lambda: verify_shares(other, PUBLIC, BASES, data)

    def absent() -> Check:
        data = prove_absent(CTX, X, PUBLIC, statement, seed("w"))
        return lambda: verify_absent(other, PUBLIC, statement, data)

    def shuffled() -> Check:
        data = shuffle(CTX, JOINT, DECK, seed("w"))
        return lambda: verify_shuffle(other, JOINT, DECK, data)

    for forge in (claims, shares, absent, shuffled):
        passes_only(without(b"context"), forge)


def test_without_the_proofs_label_a_share_is_a_complaint(without: Weaken) -> None:
    def forge() -> Check:
        data = prove_shares(CTX, X, PUBLIC, BASES, seed("w"))
        return lambda: verify_shares(CTX, PUBLIC, BASES, data, b"complaint")

    passes_only(without(b"proof"), forge)


def test_without_the_key_in_the_hash_keys_need_no_secret(without: Weaken) -> None:
    def forge() -> Check:
        commitments = base_mul(13), base_mul(17)
        transcript = Transcript(b"deal key", CTX)
        transcript.append_points(b"t", commitments)
        c, responses = transcript.scalar(b"c"), (7, 11)
        solved = [
            mul(msm((t,), (-1,), s), pow(c, -1, ORDER))
            for t, s in zip(commitments, responses, strict=True)
        ]
        claim = encode_points(solved) + b"".join(map(encode_scalar, (c, *responses)))
        return lambda: verify_key(CTX, claim, commit_key(CTX, claim))

    passes_only(without(b"keys"), forge)


def test_without_the_shares_in_the_hash_a_false_one_passes(without: Weaken) -> None:
    base = BASES[0]

    def forge() -> Check:
        # The second commitment is any point; the share is what then solves its equation.
        transcript = Transcript(b"shares", CTX)
        transcript.append_points(b"public", (PUBLIC,))
        transcript.append_points(b"bases", (base,))
        w, v = 19, 23
        transcript.append_points(b"t", (base_mul(w), base_mul(v)))
        c = transcript.scalar(b"c")
        s = (w + c * X) % ORDER
        share = mul(msm((base,), (s,), -v), pow(c, -1, ORDER))
        assert share != mul(base, X)
        data = bytes(share) + encode_scalar(c) + encode_scalar(s)
        return lambda: verify_shares(CTX, PUBLIC, (base,), data)

    passes_only(without(b"shares"), forge)


def test_without_the_bases_in_the_hash_a_share_is_for_another_card(without: Weaken) -> None:
    def forge() -> Check:
        # A share of nothing is proved, and the base solved for that it would be a share of.
        transcript = Transcript(b"shares", CTX)
        transcript.append_points(b"public", (PUBLIC,))
        share = mul(BASES[0], 29)
        transcript.append_points(b"shares", (share,))
        w, v = 19, 23
        transcript.append_points(b"t", (base_mul(w), base_mul(v)))
        c = transcript.scalar(b"c")
        s = (w + c * X) % ORDER
        base = mul(msm((share,), (c,), v), pow(s, -1, ORDER))
        assert mul(base, X) != share
        data = bytes(share) + encode_scalar(c) + encode_scalar(s)
        return lambda: verify_shares(CTX, PUBLIC, (base,), data)

    passes_only(without(b"bases"), forge)


def test_without_the_key_in_the_hash_shares_fit_a_key_made_for_them(without: Weaken) -> None:
    def forge() -> Check:
        transcript = Transcript(b"shares", CTX)
        transcript.append_points(b"bases", BASES[:1])
        share = mul(BASES[0], 31)
        transcript.append_points(b"shares", (share,))
        w, v = 19, 23
        transcript.append_points(b"t", (base_mul(v), mul(BASES[0], w)))
        c = transcript.scalar(b"c")
        s = (w + c * 31) % ORDER
        public = base_mul((s - v) * pow(c, -1, ORDER))
        assert mul(BASES[0], (s - v) * pow(c, -1, ORDER)) != share
        data = bytes(share) + encode_scalar(c) + encode_scalar(s)
        return lambda: verify_shares(CTX, public, BASES[:1], data)

    passes_only(without(b"public"), forge)


def test_without_the_commitments_in_the_hash_anything_passes(without: Weaken) -> None:
    def shares() -> Check:
        wrong = [mul(base, 37) for base in BASES]
        data = claim_shares(CTX, X, PUBLIC, BASES, wrong, seed("w"))
        return lambda: verify_shares(CTX, PUBLIC, BASES, data)

    def absent() -> Check:
        false = Absence(SLOTS, (HELD[0], *CARDS[1:]))
        shown = [base_mul(i + 2) for i in range(7)]
        data = claim_absent(CTX, PUBLIC, false, T, T, shown, seed("w"))
        return lambda: verify_absent(CTX, PUBLIC, false, data)

    def shuffled() -> Check:
        unit = permutation(range(4))
        cheat = Shuffler(unit, unit, lambda deck: tuple(Masked(neg(c.a), c.b) for c in deck))
        data = cheat.message(CTX, JOINT, DECK, seed("w"))
        return lambda: verify_shuffle(CTX, JOINT, DECK, data)

    for forge in (shares, absent, shuffled):
        passes_only(without(b"t"), forge)


def test_without_the_blinded_points_in_the_hash_a_held_card_is_denied(without: Weaken) -> None:
    false = Absence(SLOTS, (HELD[0], *CARDS[1:]))
    honest = [mul(point, T) for point in (*false.cards, *HELD)]

    def forge() -> Check:
        # The weights are known beforehand, so two errors are made to cancel.
        transcript = Transcript(b"absent", CTX)
        transcript.append_points(b"public", (PUBLIC,))
        transcript.append_points(b"cards", false.cards)
        transcript.append_points(b"slots", (p for s in SLOTS for p in (s.a, s.b)))
        e = transcript.scalars(b"e", len(honest))
        shown = list(honest)
        shown[4] = add(shown[4], base_mul(e[5]))
        shown[5] = sub(shown[5], base_mul(e[4]))
        data = claim_absent(CTX, PUBLIC, false, T, T * X % ORDER, shown, seed("w"))
        return lambda: verify_absent(CTX, PUBLIC, false, data)

    passes_only(without(b"shown"), forge)


@pytest.mark.parametrize("label", [b"cards", b"slots"])
def test_without_the_cards_or_slots_in_the_hash_they_change_afterwards(
    without: Weaken, label: bytes
) -> None:
    shown = [mul(point, T) for point in (*CARDS, *HELD)]

    def forge() -> Check:
        transcript = Transcript(b"absent", CTX)
        transcript.append_points(b"public", (PUBLIC,))
        transcript.append_points(b"cards", CARDS)
        transcript.append_points(b"slots", (p for s in SLOTS for p in (s.a, s.b)))
        transcript.append_points(b"shown", (base_mul(T), *shown))
        e = transcript.scalars(b"e", len(shown))
        cards, slots = list(CARDS), list(SLOTS)
        if label == b"cards":
            cards[:2] = [msm((cards[0],), (1,), e[1]), msm((cards[1],), (1,), -e[0])]
        else:
            up, down = msm((slots[0].b,), (1,), e[5]), msm((slots[1].b,), (1,), -e[4])
            slots[:2] = [Masked(slots[0].a, up), Masked(slots[1].a, down)]
        moved = Absence(tuple(slots), tuple(cards))
        data = claim_absent(CTX, PUBLIC, moved, T, T * X % ORDER, shown, seed("w"))
        return lambda: verify_absent(CTX, PUBLIC, moved, data)

    passes_only(without(label), forge)


def test_without_the_key_in_the_hash_a_key_is_made_for_a_denied_card(without: Weaken) -> None:
    false, u = Absence(SLOTS, (HELD[0], *CARDS[1:])), T * X + 1
    held = [msm((slot.b, slot.a), (T, -u)) for slot in SLOTS]
    shown = [*(mul(point, T) for point in false.cards), *held]

    def forge() -> Check:
        transcript = Transcript(b"absent", CTX)
        transcript.append_points(b"cards", false.cards)
        transcript.append_points(b"slots", (p for s in SLOTS for p in (s.a, s.b)))
        transcript.append_points(b"shown", (base_mul(T), *shown))
        e = transcript.scalars(b"e", len(shown))
        of_t = msm((*false.cards, *(s.b for s in SLOTS)), e)
        of_u = msm([s.a for s in SLOTS], e[4:])
        w_t, w_u, v = 19, 23, 29
        t = (base_mul(w_t), base_mul(v), msm((of_t, of_u), (w_t, -w_u)))
        transcript.append_points(b"t", t)
        c = transcript.scalar(b"c")
        s_t, s_u = (w_t + c * T) % ORDER, (w_u + c * u) % ORDER
        public = base_mul((v + s_u) * pow(s_t, -1, ORDER))
        data = encode_points((base_mul(T), *shown))
        data += b"".join(map(encode_scalar, (c, s_t, s_u)))
        return lambda: verify_absent(CTX, public, false, data)

    passes_only(without(b"public"), forge)


def moved(deck: Deck, factors: tuple[int, int]) -> Deck:
    """The first card moved by some card's difference, the second so that the sum is right again."""
    off = sub(*card_points(("As", "9s")))
    back = mul(off, -factors[0] * pow(factors[1], -1, ORDER))
    first, second, *rest = deck
    return (Masked(first.a, add(first.b, off)), Masked(second.a, add(second.b, back)), *rest)


def challenges(shuffler: Shuffler) -> tuple[int, ...]:
    """The ``u`` that a shuffler meets, in a transcript that skips some of its fields anyway."""
    data = shuffler.message(CTX, JOINT, DECK, seed("w"))
    points = [decode_point(data[i : i + 33]) for i in range(0, 33 * 12, 33)]
    output = tuple(Masked(points[2 * i], points[2 * i + 1]) for i in range(4))
    transcript = shuffle_statement(CTX, JOINT, DECK, output)
    transcript.append_points(b"c", points[8:])
    return transcript.scalars(b"u", 4)


def test_without_the_output_in_the_hash_cards_are_changed_after_u(without: Weaken) -> None:
    psi = (2, 0, 3, 1)
    unit = permutation(psi)

    def forge() -> Check:
        u = challenges(Shuffler(unit, unit))
        factors = u[psi[0]], u[psi[1]]
        cheat = Shuffler(unit, unit, lambda deck: moved(deck, factors))
        data = cheat.message(CTX, JOINT, DECK, seed("w"))
        return lambda: verify_shuffle(CTX, JOINT, DECK, data)

    passes_only(without(b"output"), forge)


def test_without_the_input_in_the_hash_it_is_another_deck_that_was_shuffled(
    without: Weaken,
) -> None:
    unit = permutation((2, 0, 3, 1))

    def forge() -> Check:
        u = challenges(Shuffler(unit, unit))
        data = Shuffler(unit, unit).message(CTX, JOINT, DECK, seed("w"))
        return lambda: verify_shuffle(CTX, JOINT, moved(DECK, (u[0], u[1])), data)

    passes_only(without(b"input"), forge)


def test_without_the_commitments_to_it_the_permutation_is_chosen_after_u(without: Weaken) -> None:
    psi, k = (2, 0, 3, 1), scalar("factor")
    lie = scaled(psi, k)

    def forge() -> Check:
        u = challenges(Shuffler(lie, permutation(psi)))
        a, b = u[psi[0]], u[psi[1]]
        share = pow(a - b, -1, ORDER)
        committed = permutation(psi)
        for place, move in enumerate(((k - 1) * a * share, (pow(k, -1, ORDER) - 1) * b * share)):
            committed[psi[0]][place] += move
            committed[psi[1]][place] -= move
        data = Shuffler(lie, committed).message(CTX, JOINT, DECK, seed("w"))
        return lambda: verify_shuffle(CTX, JOINT, DECK, data)

    passes_only(without(b"c"), forge)
