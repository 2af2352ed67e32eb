"""Older and larger proofs of the same facts, as a second opinion on ours.

That a slot holds none of some cards is also a disjunction over all other cards (Cramer, Damgård,
Schoenmakers, 1994). That a deck was shuffled is also shown by cutting and choosing: a shadow deck
is opened towards the input or towards the output, as a coin says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from tools.vectors.common import JOINT, context, scalar, seed
from tools.vectors.shuffles import DECK

from p2pcards.crypto.deck import Deck, Masked, card_points
from p2pcards.crypto.errors import CannotProveError, CryptoError
from p2pcards.crypto.group import ORDER, Point, add, base_mul, msm, mul, sub
from p2pcards.crypto.inequality import Absence, prove_absent, verify_absent
from p2pcards.crypto.shuffle import Witness, prove_shuffle, remask, verify_shuffle
from p2pcards.crypto.transcript import Drbg, Transcript
from tests.crypto.cheats import Shuffler, copy_first, mark, outputs, permutation, replace, scaled
from tests.crypto.test_absent import PUBLIC, X, slot
from tests.crypto.test_shuffle import encode

CTX = context(3, step=30)
CARDS = card_points(("7s", "8s", "9s", "10s", "Js", "Qs"))

Branch = tuple[int, int]


def cds_challenge(masked: Masked, cards: Sequence[Point], t: Sequence[Point]) -> int:
    """The one challenge that the branches' own must add up to."""
    transcript = Transcript(b"one of these cards", CTX)
    transcript.append_points(b"statement", (PUBLIC, masked.a, masked.b, *cards))
    transcript.append_points(b"t", t)
    return transcript.scalar(b"c")


def cds_commitments(masked: Masked, cards: Sequence[Point], proof: Sequence[Branch]) -> list[Point]:
    """Both commitments of every branch, from its challenge and response."""
    out = []
    for card, (c, s) in zip(cards, proof, strict=True):
        out.append(msm((PUBLIC,), (-c,), s))
        out.append(msm((masked.a, sub(masked.b, card)), (s, -c)))
    return out


def cds_prove(masked: Masked, cards: Sequence[Point], true: int) -> list[Branch]:
    """That the slot holds one of the cards: the branch ``true`` is proved, the rest made up."""
    source = Drbg(seed("cds"))
    proof = [(source.scalar(), source.scalar()) for _ in cards]
    t = cds_commitments(masked, cards, proof)
    w = source.scalar()
    t[2 * true : 2 * true + 2] = [base_mul(w), mul(masked.a, w)]
    others = sum(c for i, (c, _) in enumerate(proof) if i != true)
    c = (cds_challenge(masked, cards, t) - others) % ORDER
    proof[true] = (c, (w + c * X) % ORDER)
    return proof


def cds_verify(masked: Masked, cards: Sequence[Point], proof: Sequence[Branch]) -> bool:
    """Whether the disjunction is proved."""
    t = cds_commitments(masked, cards, proof)
    return cds_challenge(masked, cards, t) == sum(c for c, _ in proof) % ORDER


@pytest.mark.parametrize("held", range(6))
def test_absence_agrees_with_a_disjunction_over_the_other_cards(held: int) -> None:
    masked = slot(CARDS[held], held)
    for absent in ({held}, {(held + 1) % 6}, set(range(6)) - {held}, {0, 1, 2}, {3, 4, 5}):
        forbidden = Absence((masked,), tuple(CARDS[i] for i in sorted(absent)))
        allowed = [i for i in range(6) if i not in absent]
        rest = [CARDS[i] for i in allowed]
        true = allowed.index(held) if held in allowed else 0
        second = bool(rest) and cds_verify(masked, rest, cds_prove(masked, rest, true))
        assert second == (held not in absent)
        try:
            proof = prove_absent(CTX, X, PUBLIC, forbidden, seed("first"))
            verify_absent(CTX, PUBLIC, forbidden, proof)
            first = True
        except CannotProveError:
            first = False
        assert first == second


def relation(start: Deck, end: Deck, witness: Witness) -> bool:
    """Whether a deck comes from another by this permutation and these masks."""
    return remask(JOINT, start, witness) == end


def cut_and_choose(start: Deck, end: Deck, witness: Witness, rounds: int = 12) -> bool:
    """Whether every shadow deck opens to the side that its coin names.

    The prover does not know the coins when it makes the shadows, and opens as well as it can.
    """
    source = Drbg(seed("coins"))
    n = len(start)
    for _ in range(rounds):
        first = Witness(source.permutation(n), source.scalars(n))
        shadow = remask(JOINT, start, first)
        if source.bytes()[0] & 1:
            opened = relation(start, shadow, first)
        else:
            # The shadow's place of each input, and what is left of the mask.
            place = [first.psi.index(j) for j in range(n)]
            rest = Witness([place[j] for j in witness.psi], [0] * n)
            for j in range(n):
                rest.mask[place[j]] = (witness.mask[j] - first.mask[j]) % ORDER
            opened = relation(shadow, end, rest)
        if not opened:
            return False
    return True


@pytest.mark.parametrize("psi", [(0, 1, 2, 3), (2, 0, 3, 1), (3, 2, 1, 0)])
def test_honest_shuffles_satisfy_both_proofs(psi: tuple[int, ...]) -> None:
    source = Drbg(seed("honest"))
    witness = Witness(list(psi), source.scalars(4))
    output = remask(JOINT, DECK, witness)
    proof = prove_shuffle(CTX, JOINT, DECK, output, witness, source)
    assert verify_shuffle(CTX, JOINT, DECK, encode(output) + proof) == output
    assert cut_and_choose(DECK, output, witness)


SEVEN, ACE = card_points(("7s", "As"))
ALTERED: dict[str, Callable[[Deck], Deck]] = {
    "marked": mark,
    "replaced": lambda deck: replace(deck, SEVEN, ACE),
    "doubled": lambda deck: copy_first(deck, JOINT, scalar("copy")),
    "exchanged": lambda deck: (deck[1], deck[0], *deck[2:]),
    "moved": lambda deck: (Masked(deck[0].a, add(deck[0].b, ACE)), *deck[1:]),
}


@pytest.mark.parametrize("name", [*ALTERED, "scaled"])
def test_false_shuffles_satisfy_neither(name: str) -> None:
    psi = (2, 0, 3, 1)
    unit = permutation(psi)
    masks = Drbg(seed("cheat"), b"cheat").scalars(4)
    if name == "scaled":
        lie = scaled(psi, 5)
        cheat, output = Shuffler(lie, lie), outputs(JOINT, DECK, lie, masks)
    else:
        alter = ALTERED[name]
        cheat, output = Shuffler(unit, unit, alter), alter(outputs(JOINT, DECK, unit, masks))
    with pytest.raises(CryptoError):
        verify_shuffle(CTX, JOINT, DECK, cheat.message(CTX, JOINT, DECK, seed("cheat")))
    assert not cut_and_choose(DECK, output, Witness(list(psi), masks))
    assert cut_and_choose(DECK, outputs(JOINT, DECK, unit, masks), Witness(list(psi), masks))
