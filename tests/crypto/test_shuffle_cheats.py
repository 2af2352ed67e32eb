"""Shuffles by provers that keep to the protocol but for one lie, each caught by one equation.

The oracle works out the commitments as a verifier does; where they differ from the prover's own,
that equation does not hold. So each of the five is seen to be needed: there is a cheat that only
it catches.
"""

from __future__ import annotations

import pytest
from tools.vectors.common import JOINT, KEYS, SECRETS, context, scalar, seed, small_deck
from tools.vectors.shuffles import CARDS, DECK

from p2pcards.crypto.deck import Deck, card_points, open_masked
from p2pcards.crypto.errors import CryptoError, ProofError
from p2pcards.crypto.group import ORDER, Point, add, mul
from p2pcards.crypto.shuffle import verify_shuffle
from p2pcards.protocol.deal import NAMES
from tests.crypto import curve, oracle
from tests.crypto.cheats import (
    Shuffler,
    copy_first,
    inverse,
    mark,
    mixed,
    outputs,
    permutation,
    replace,
    scaled,
)
from tests.crypto.test_transcript import plain

CTX = context(1, step=6)
PSI = (2, 0, 3, 1)
UNIT, SCALED = permutation(PSI), scaled(PSI, scalar("factor"))
MIXED = mixed(4, scalar("share"))
SEVEN, ACE = card_points(("7s", "As"))
KEY = sum(secret.x for secret in SECRETS) % ORDER
EQUATIONS = ["row sums", "product", "commitments", "first halves", "second halves"]
EQUATIONS += [f"link {i}" for i in range(4)]


def broken(cheat: Shuffler) -> list[str]:
    """The equations that do not hold for a cheat's message."""
    data, t = cheat.attempt(CTX, JOINT, DECK, seed("cheat"))
    points, scalars = curve.split(data, 16, 13)
    deck = [(curve.point(bytes(c.a)), curve.point(bytes(c.b))) for c in DECK]
    joint = curve.point(bytes(JOINT))
    found = oracle.shuffle_commitments(plain(CTX), joint, deck, points, scalars)
    pairs = zip(EQUATIONS, found, t, strict=True)
    return [name for name, theirs, ours in pairs if curve.enc(theirs) != bytes(ours)]


def verify(cheat: Shuffler) -> Deck:
    """What the code under test says to a cheat."""
    return verify_shuffle(CTX, JOINT, DECK, cheat.message(CTX, JOINT, DECK, seed("cheat")))


def opened(deck: Deck) -> list[Point]:
    """The cards of a deck by the key of all."""
    return [open_masked(card, [mul(card.a, KEY)]) for card in deck]


def move_second_half(deck: Deck) -> Deck:
    return replace(deck, SEVEN, ACE)


def double(deck: Deck) -> Deck:
    return copy_first(deck, JOINT, scalar("copy"))


def foreign(deck: Deck) -> Deck:
    """The last two cards are one, the second masked under the cheat's own key."""
    return copy_first(deck[::-1], KEYS[1].public, scalar("copy"))[::-1]


CHEATS = [
    pytest.param(Shuffler(SCALED, SCALED), ["row sums"], id="two cards scaled"),
    pytest.param(Shuffler(SCALED, UNIT), ["commitments"], id="scaled but committed as permuted"),
    pytest.param(Shuffler(MIXED, MIXED), ["product"], id="a card mixed into another"),
    pytest.param(Shuffler(MIXED, MIXED, jump=True), ["link 3"], id="mixed with a broken chain"),
    pytest.param(Shuffler(UNIT, UNIT, mark), ["first halves"], id="a card marked"),
    pytest.param(Shuffler(UNIT, UNIT, move_second_half), ["second halves"], id="a card replaced"),
    pytest.param(
        Shuffler(UNIT, UNIT, double), ["first halves", "second halves"], id="one twice, one lost"
    ),
    pytest.param(
        Shuffler(UNIT, UNIT, foreign), ["first halves", "second halves"], id="a key of its own"
    ),
    pytest.param(
        Shuffler(UNIT, UNIT, lambda deck: (*deck[1:], deck[0])),
        ["first halves", "second halves"],
        id="turned after the proof",
    ),
    pytest.param(
        Shuffler(UNIT, permutation((0, 1, 2, 3))), ["commitments"], id="another one committed to"
    ),
]


@pytest.mark.parametrize(("cheat", "equations"), CHEATS)
def test_a_cheat_is_caught_by_the_equation_made_for_it(
    cheat: Shuffler, equations: list[str]
) -> None:
    assert broken(cheat) == equations
    with pytest.raises(ProofError):
        verify(cheat)


@pytest.mark.parametrize("psi", [(0, 1, 2, 3), PSI, (3, 2, 1, 0)])
def test_the_same_prover_without_a_lie_is_accepted(psi: tuple[int, ...]) -> None:
    honest = Shuffler(permutation(psi), permutation(psi))
    assert broken(honest) == []
    points = card_points(CARDS)
    assert opened(verify(honest)) == [points[i] for i in psi]


def test_the_lies_would_be_worth_telling() -> None:
    cards = set(card_points(CARDS))
    masks = [scalar(f"mask {i}") for i in range(4)]
    honest = opened(outputs(JOINT, DECK, UNIT, masks))
    assert set(honest) == cards
    assert set(opened(outputs(JOINT, DECK, SCALED, masks))) - cards != set()
    assert set(opened(outputs(JOINT, DECK, MIXED, masks))) - cards != set()
    output = outputs(JOINT, DECK, permutation((0, 1, 2, 3)), masks)
    assert opened(replace(output, SEVEN, ACE)) == [ACE, *card_points(CARDS)[1:]]
    assert opened(copy_first(output, JOINT, 5))[:2] == [SEVEN, SEVEN]


def test_a_cheat_needs_invertible_matrices_to_lie_with() -> None:
    for matrix in (UNIT, SCALED, MIXED):
        back = inverse(matrix)
        product = [
            [sum(row[k] * back[k][j] for k in range(4)) % ORDER for j in range(4)] for row in matrix
        ]
        assert product == permutation((0, 1, 2, 3))


def test_a_whole_deck_with_two_cards_scaled_is_refused() -> None:
    deck, lie = small_deck(NAMES), scaled(range(32), scalar("factor"))
    for matrix, committed in ((lie, lie), (lie, permutation(range(32)))):
        data = Shuffler(matrix, committed).message(CTX, JOINT, deck, seed("cheat"))
        with pytest.raises(ProofError):
            verify_shuffle(CTX, JOINT, deck, data)


def test_a_shuffler_cannot_mask_a_card_so_that_two_seats_open_it() -> None:
    # B' gets r X of too few keys: two friends open the card early.
    friends = add(KEYS[0].public, KEYS[1].public)
    deck = outputs(friends, DECK, UNIT, [scalar(f"mask {i}") for i in range(4)])

    def alter(_: Deck) -> Deck:
        return deck

    assert set(broken(Shuffler(UNIT, UNIT, alter))) == {"first halves", "second halves"}
    with pytest.raises(CryptoError):
        verify(Shuffler(UNIT, UNIT, alter))
