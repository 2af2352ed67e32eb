"""Shuffles by honest provers, and every change to what they send or to what it is held against."""

from __future__ import annotations

from functools import cache, partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.vectors.common import JOINT, KEYS, SECRETS, context, neighbours, seed, small_deck
from tools.vectors.shuffles import CARDS, DECK, fields

from p2pcards.crypto.deck import Deck, Masked, card_points, initial_deck, open_masked
from p2pcards.crypto.errors import CryptoError, ProofError
from p2pcards.crypto.group import ORDER, G, Point, add, encode_points, mul, neg
from p2pcards.crypto.shuffle import (
    Witness,
    deck_bytes,
    prove_shuffle,
    remask,
    shuffle,
    verify_shuffle,
)
from p2pcards.crypto.transcript import Drbg
from p2pcards.protocol.deal import NAMES
from tests.crypto.mutations import Layout, accepted, misshapen, mutations, one_each

CTX = context(1, step=6)
KEY = sum(secret.x for secret in SECRETS) % ORDER
MESSAGE = shuffle(CTX, JOINT, DECK, seed("test"))
verify = partial(verify_shuffle, CTX, JOINT, DECK)


@cache
def full() -> tuple[Deck, bytes]:
    """A whole deck and a shuffle of it."""
    deck = small_deck(NAMES)
    return deck, shuffle(CTX, JOINT, deck, seed("full"))


def opened(deck: Deck) -> list[Point]:
    """The cards of a deck, in order, by the key of all."""
    return [open_masked(card, [mul(card.a, KEY)]) for card in deck]


def encode(deck: Deck) -> bytes:
    """A deck as it is sent."""
    return encode_points(p for card in deck for p in (card.a, card.b))


@given(st.permutations(range(4)), st.binary(min_size=32, max_size=32))
@settings(max_examples=10, deadline=None)
def test_any_permutation_can_be_proved_and_moves_the_cards_as_it_says(
    psi: list[int], entropy: bytes
) -> None:
    source = Drbg(entropy)
    witness = Witness(psi, source.scalars(4))
    output = remask(JOINT, DECK, witness)
    proof = prove_shuffle(CTX, JOINT, DECK, output, witness, source)
    assert verify(encode(output) + proof) == output
    points = card_points(CARDS)
    assert opened(output) == [points[i] for i in psi]


@pytest.mark.parametrize("size", [2, 3, 5, 8])
def test_decks_of_other_sizes(size: int) -> None:
    deck = small_deck(NAMES[:size])
    data = shuffle(CTX, JOINT, deck, seed("size"))
    assert len(data) == deck_bytes(size) + 66 * size + 32 * (2 * size + 5)
    assert set(opened(verify_shuffle(CTX, JOINT, deck, data))) == set(card_points(NAMES[:size]))


def test_four_seats_shuffle_a_whole_deck_and_every_card_is_there_once() -> None:
    deck, data = full()
    assert len(data) - deck_bytes(32) <= 6_500
    for seat in (1, 2, 3, 0):
        ctx = context(seat, step=6 + seat)
        data = shuffle(ctx, JOINT, deck, seed(f"seat {seat}"))
        deck = verify_shuffle(ctx, JOINT, deck, data)
    cards = opened(deck)
    assert sorted(map(bytes, cards)) == sorted(map(bytes, card_points(NAMES)))
    assert cards != list(card_points(NAMES))
    assert len({p for card in deck for p in (card.a, card.b)}) == 64


def test_every_changed_message_is_refused() -> None:
    names: Layout = list(fields(4))
    assert names[-1][1] + names[-1][2] == len(MESSAGE)
    changed = list(mutations(MESSAGE, names))
    assert len(changed) > 300
    assert accepted(changed, MESSAGE, verify) == []


def test_every_field_of_a_whole_decks_shuffle_is_checked() -> None:
    deck, data = full()
    names: Layout = list(fields(32))
    sample = [*names[::3], names[-1]]
    changed = [*one_each(data, sample), *misshapen(data, names)]
    assert accepted(changed, data, partial(verify_shuffle, CTX, JOINT, deck)) == []


def test_a_shuffle_holds_for_its_own_statement_alone() -> None:
    last = DECK[3]
    decks: list[Deck] = [
        (DECK[1], DECK[0], *DECK[2:]),
        DECK[:3],
        (*DECK, small_deck(("As",))[0]),
        (*DECK[:3], small_deck(("As",))[0]),
        (*DECK[:3], Masked(neg(last.a), last.b)),
        (*DECK[:3], Masked(last.b, last.a)),
        verify(MESSAGE),
        initial_deck(card_points(CARDS), KEYS[0].public),
    ]
    for deck in decks:
        with pytest.raises(CryptoError):
            verify_shuffle(CTX, JOINT, deck, MESSAGE)
    for joint in (KEYS[1].public, add(JOINT, G), neg(JOINT), G):
        with pytest.raises(CryptoError):
            verify_shuffle(CTX, joint, DECK, MESSAGE)
    for _, ctx, _ in neighbours(CTX):
        with pytest.raises(CryptoError):
            verify_shuffle(ctx, JOINT, DECK, MESSAGE)
    assert len(verify(MESSAGE)) == 4


def test_one_proof_does_not_fit_another_shuffle_of_the_same_deck() -> None:
    other = shuffle(CTX, JOINT, DECK, seed("other"))
    split = deck_bytes(4)
    for data in (other[:split] + MESSAGE[split:], MESSAGE[:split] + other[split:]):
        with pytest.raises(ProofError):
            verify(data)


def test_a_deck_with_a_repeated_ciphertext_is_refused_before_its_proof() -> None:
    output = verify(MESSAGE)
    first, second = output[:2]
    for card in (first, Masked(first.a, second.b), Masked(second.a, first.b)):
        data = encode((first, card, *output[2:])) + MESSAGE[deck_bytes(4) :]
        with pytest.raises(ProofError, match="repeats"):
            verify(data)


def test_nothing_of_the_deck_is_seen_again_after_a_shuffle() -> None:
    before = {p for card in DECK for p in (card.a, card.b)}
    after = {p for card in verify(MESSAGE) for p in (card.a, card.b)}
    assert not before & after
    assert not after & set(card_points(CARDS))


def test_permutation_and_masks_depend_on_entropy_context_key_and_deck() -> None:
    again = shuffle(CTX, JOINT, DECK, seed("test"))
    assert again == MESSAGE
    others = [shuffle(ctx, JOINT, DECK, seed("test")) for _, ctx, _ in neighbours(CTX)]
    others.append(shuffle(CTX, JOINT, DECK, seed("test 2")))
    others.append(shuffle(CTX, KEYS[0].public, DECK, seed("test")))
    others.append(shuffle(CTX, JOINT, verify(MESSAGE), seed("test")))
    firsts = {data[:33] for data in (MESSAGE, *others)}
    assert len(firsts) == 1 + len(others)


def test_the_witness_is_not_in_the_message() -> None:
    # A reused or zero nonce would show r, r^ or u' in the responses.
    source = Drbg(seed("witness"))
    witness = Witness([1, 3, 0, 2], source.scalars(4))
    output = remask(JOINT, DECK, witness)
    proof = prove_shuffle(CTX, JOINT, DECK, output, witness, source)
    scalars = [proof[i : i + 32] for i in range(264, len(proof), 32)]
    assert len(set(scalars)) == len(scalars) == 13
    for mask in witness.mask:
        assert mask.to_bytes(32, "big") not in scalars
