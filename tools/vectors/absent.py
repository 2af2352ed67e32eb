"""Vectors of proofs that hidden slots hold none of certain cards."""

from __future__ import annotations

from tests.crypto.liars import claim_absent
from tools.vectors.common import (
    INFINITY,
    KEYS,
    NO_POINT,
    SECRETS,
    Area,
    Value,
    context,
    edit,
    extend,
    flip,
    keep,
    neighbours,
    scalar,
    seed,
    write,
    write_deck,
)

from p2pcards.crypto.deck import Masked, card_points
from p2pcards.crypto.group import ORDER, G, Point, add, base_mul, mul, sub
from p2pcards.crypto.inequality import Absence, prove_absent

CTX = context(3, step=30)
X, PUBLIC = SECRETS[3].x, KEYS[3].public
ASK = "verify-absent"
HELD = card_points(("7s", "8s"))
CARDS = card_points(("Ah", "Kh", "Qh"))
T = scalar("blinding")
FIELDS = [
    *((name, 33 * i, 33) for i, name in enumerate(("Z", "F1", "F2", "F3", "M1", "M2"))),
    ("c", 198, 32), ("s_t", 230, 32), ("s_u", 262, 32),
]  # fmt: skip


def slot(card: Point, name: str) -> Masked:
    """A card as it lies in its owner's hand: masked under the owner's key alone."""
    mask = scalar(f"slot {name}")
    return Masked(base_mul(mask), add(card, mul(PUBLIC, mask)))


SLOTS = tuple(slot(card, str(i)) for i, card in enumerate(HELD))
TRUE = Absence(SLOTS, CARDS)


def absent() -> Area:
    """Two slots, three cards."""
    area = Area(
        "absent",
        "Seat 3 proves that two slots hold none of three cards: Z; F'_1..F'_3; M'_1, M'_2; c, "
        "s_t, s_u. The slots hold 7s and 8s, the cards are Ah, Kh, Qh where nothing else is said.",
    )
    proof = prove_absent(CTX, X, PUBLIC, TRUE, seed("absent"))
    area.share("context", write(CTX))
    area.share("public", write(PUBLIC))
    area.share("slots", write_deck(SLOTS))
    area.share("cards", write(CARDS))
    area.share("proof", write(proof))
    area.accept("honest", ASK, "An honest proof.", None, **_base())
    one = prove_absent(CTX, X, PUBLIC, Absence(SLOTS[:1], CARDS[:1]), seed("one"))
    area.accept("one", ASK, "One slot, one card.", None, **_base(
        write(one), slots=write_deck(SLOTS[:1]), cards=write(CARDS[:1])))  # fmt: skip
    for name, ctx, why in neighbours(CTX):
        replay = {**_base(), "context": write(ctx)}
        area.reject(f"replay-{name}", ASK, f"An honest proof replayed in {why}.", **replay)
    _changed(area, proof)
    _statements(area)
    _lies(area)
    return area


def _base(data: Value = "@proof", **more: Value) -> dict[str, Value]:
    out = {"context": "@context", "public": "@public", "slots": "@slots", "cards": "@cards"}
    return {**out, "proof": data, **more}


def _changed(area: Area, proof: bytes) -> None:
    changed: list[tuple[str, Value, str]] = []
    for name, at, size in FIELDS:
        last = at + size - 1
        if size == 33:
            changed += [
                (f"sign-{name}", edit("@proof", at, flip(proof, at)), f"{name} negated."),
                (f"infinity-{name}", edit("@proof", at, INFINITY), f"{name} is infinity."),
                (f"off-curve-{name}", edit("@proof", at, NO_POINT), f"{name} is no point."),
            ]
        else:
            order = ORDER.to_bytes(32, "big")
            changed += [
                (f"flip-{name}", edit("@proof", last, flip(proof, last)), f"A bit of {name}."),
                (f"zero-{name}", edit("@proof", at, bytes(32)), f"{name} is zero."),
                (f"order-{name}", edit("@proof", at, order), f"{name} is q."),
            ]
    swap = proof[66:99] + proof[33:66]
    changed += [
        ("exchanged-F", edit("@proof", 33, swap), "F'_1 and F'_2 exchanged."),
        ("exchanged-M", edit("@proof", 132, proof[165:198] + proof[132:165]), "M' exchanged."),
        ("meets", edit("@proof", 132, proof[33:66]), "M'_1 equals F'_1."),
        ("short", keep("@proof", len(proof) - 1), "One byte missing."),
        ("long", extend("@proof"), "One byte more."),
        ("empty", "", "Nothing at all."),
    ]
    for name, data, why in changed:
        area.reject(name, ASK, why, **_base(data))


def _statements(area: Area) -> None:
    a, b, c = CARDS
    other = slot(HELD[0], "other")
    for name, changed, why in (
        ("key", {"public": write(KEYS[2].public)}, "Another seat's key."),
        ("cards-order", {"cards": write([b, a, c])}, "Two cards exchanged."),
        ("card", {"cards": write([a, b, card_points(("Jh",))[0]])}, "Another third card."),
        ("more-cards", {"cards": write([*CARDS, *card_points(("Jh",))])}, "One card more."),
        ("fewer-cards", {"cards": write([a, b])}, "One card fewer."),
        ("held", {"cards": write([a, b, HELD[0]])}, "A card that the first slot holds."),
        ("slots-order", {"slots": write_deck(SLOTS[::-1])}, "The slots exchanged."),
        ("slot", {"slots": write_deck((other, SLOTS[1]))}, "The same card, masked otherwise."),
        ("fewer-slots", {"slots": write_deck(SLOTS[:1])}, "One slot fewer."),
        ("no-slots", {"slots": []}, "No slot."),
        ("no-cards", {"cards": []}, "No card."),
    ):
        area.reject(f"other-{name}", ASK, f"Held against another statement. {why}",
                    **{**_base(), **changed})  # fmt: skip


def _lies(area: Area) -> None:
    """Proofs by a prover that otherwise keeps to the protocol; slot 1 holds 7s."""
    shown = [mul(p, T) for p in (*CARDS, *HELD)]
    data = claim_absent(CTX, PUBLIC, TRUE, T, T * X % ORDER, shown, seed("lie"))
    area.accept("liar-honest", ASK, "What the same prover makes of a true statement is accepted.",
                None, **_base(write(data)))  # fmt: skip
    cards = (HELD[0], *CARDS[1:])
    false = Absence(SLOTS, cards)
    true_to_t = [mul(p, T) for p in (*cards, *HELD)]
    other_t, off = scalar("another blinding"), add(mul(HELD[0], T), G)
    wrong = T * X + 1
    for name, u, changed, why in (
        ("plain", T * X, {}, "All as it is: then M'_1 equals F'_1, and that shows it."),
        ("card", T * X, {0: mul(cards[0], other_t)}, "The held card blinded by another t."),
        ("slot", T * X, {3: mul(HELD[0], other_t)}, "The slot that holds it blinded otherwise."),
        ("other-slot", T * X, {3: off}, "The slot's blinded card moved by G."),
        ("key", wrong, {3: sub(mul(HELD[0], T), SLOTS[0].a), 4: sub(mul(HELD[1], T), SLOTS[1].a)},
         "u that is not t x, with which all but the key's equation holds."),
    ):  # fmt: skip
        shown = [changed.get(i, p) for i, p in enumerate(true_to_t)]
        data = claim_absent(CTX, PUBLIC, false, T, u % ORDER, shown, seed("lie"))
        area.reject(f"lie-{name}", ASK, f"The first card is the one that slot 1 holds. {why}",
                    **_base(write(data), cards=write(cards)))  # fmt: skip
