"""Vectors of shuffles: mostly of four cards, which have every part of the proof."""

from __future__ import annotations

from collections.abc import Iterator

from tests.crypto.cheats import (
    Shuffler,
    copy_first,
    mark,
    mixed,
    permutation,
    replace,
    scaled,
)
from tools.vectors.common import (
    INFINITY,
    JOINT,
    KEYS,
    NO_POINT,
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
    small_deck,
    write,
    write_deck,
)

from p2pcards.crypto.deck import Deck, card_points
from p2pcards.crypto.group import ORDER, msm
from p2pcards.crypto.shuffle import Witness, prove_shuffle, remask, shuffle, verify_shuffle
from p2pcards.crypto.transcript import Drbg
from p2pcards.protocol.deal import NAMES

CTX = context(1, step=6)
CARDS = ("7s", "8s", "9s", "10s")
N = len(CARDS)
PSI = (2, 0, 3, 1)
ASK = "verify-shuffle"
DECK = small_deck(CARDS)
ORDER_BYTES = ORDER.to_bytes(32, "big")


def shuffles() -> Area:
    """Honest shuffles, changed ones and those of cheats."""
    area = Area(
        "shuffle",
        "Shuffles of 2, 4 and 32 cards; the answer is the deck that comes out. A message is "
        "A'_1, B'_1, ..; c_1..c_N; the chain; x; s_1..s_4; s^_1..s^_N; s'_1..s'_N.",
    )
    area.share("context", write(CTX))
    area.share("joint", write(JOINT))
    area.share("deck", write_deck(DECK))
    message = shuffle(CTX, JOINT, DECK, seed("shuffle"))
    area.share("shuffle", write(message))
    _honest(area, message)
    for name, ctx, why in neighbours(CTX):
        replay = {**_base(), "context": write(ctx)}
        area.reject(f"replay-{name}", ASK, f"An honest shuffle replayed in {why}.", **replay)
    _statements(area)
    for name, data, why in _changed(message):
        area.reject(name, ASK, why, **_base(data))
    _cheats(area)
    return area


def _base(data: Value = "@shuffle", **more: Value) -> dict[str, Value]:
    out = {"context": "@context", "joint": "@joint", "deck": "@deck"}
    return {**out, "shuffle": data, **more}


def _read(message: bytes, count: int) -> list[list[str]]:
    """The deck at the front of a message."""
    points = [message[i : i + 33].hex() for i in range(0, 66 * count, 33)]
    return [[points[2 * i], points[2 * i + 1]] for i in range(count)]


def _honest(area: Area, message: bytes) -> None:
    area.accept("four", ASK, "An honest shuffle.", _read(message, N), **_base())
    again = write_again(message)
    area.share("again", write(again))
    deck = _read(message, N)
    area.accept("second", ASK, "The next seat shuffles what came out.", _read(again, N),
                **{**_base("@again"), "deck": deck, "context": write(context(2))})  # fmt: skip
    two = small_deck(CARDS[:2])
    small = shuffle(CTX, JOINT, two, seed("two"))
    area.accept("two", ASK, "The least deck that can be shuffled.", _read(small, 2),
                **_base(write(small), deck=write_deck(two)))  # fmt: skip
    full = small_deck(NAMES)
    area.share("deck32", write_deck(full))
    large = shuffle(CTX, JOINT, full, seed("thirty-two"))
    area.share("shuffle32", write(large))
    area.accept("full", ASK, "A whole deck.", _read(large, 32),
                **_base("@shuffle32", deck="@deck32"))  # fmt: skip
    for at, why in ((66 * 31, "the last card"), (len(large) - 1, "the last response")):
        area.reject(f"full-{at}", ASK, f"A whole deck with one bit changed in {why}.",
                    **_base(edit("@shuffle32", at, flip(large, at)), deck="@deck32"))  # fmt: skip
    still = Witness(list(range(N)), [scalar(f"still {i}") for i in range(N)])
    output = remask(JOINT, DECK, still)
    proof = prove_shuffle(CTX, JOINT, DECK, output, still, Drbg(seed("still")))
    data = b"".join(bytes(p) for card in output for p in (card.a, card.b)) + proof
    area.accept("still", ASK, "The permutation that moves nothing is one.", _read(data, N),
                **_base(write(data)))  # fmt: skip


def write_again(message: bytes) -> bytes:
    """A second shuffle, of what the first gave."""
    deck = verify_shuffle(CTX, JOINT, DECK, message)
    return shuffle(context(2), JOINT, deck, seed("again"))


def _statements(area: Area) -> None:
    turned = write_deck((*DECK[1:], DECK[0]))
    other = write_deck(small_deck(("As", *CARDS[1:])))
    short, joint = write_deck(DECK[:3]), write(msm([k.public for k in KEYS[:3]], (1, 1, 1)))
    for name, changed, why in (
        ("joint", {"joint": joint}, "A joint key that lacks one seat's."),
        ("order", {"deck": turned}, "The same cards in another order."),
        ("card", {"deck": other}, "Another first card."),
        ("fewer", {"deck": short}, "A deck of three."),
    ):
        area.reject(f"other-{name}", ASK, f"Held against another statement. {why}",
                    **{**_base(), **changed})  # fmt: skip


def fields(n: int) -> Iterator[tuple[str, int, int]]:
    """Name, place and size of every field of a message."""
    names = [f"{half}{i}" for i in range(n) for half in ("A", "B")]
    names += [f"c{i}" for i in range(n)] + [f"chain{i}" for i in range(n)]
    for i, name in enumerate(names):
        yield name, 33 * i, 33
    numbers = ["x", "s1", "s2", "s3", "s4"]
    numbers += [f"hat{i}" for i in range(n)] + [f"prime{i}" for i in range(n)]
    for i, name in enumerate(numbers):
        yield name, 33 * 4 * n + 32 * i, 32


def _changed(message: bytes) -> Iterator[tuple[str, Value, str]]:
    for i, (name, at, size) in enumerate(fields(N)):
        last = at + size - 1
        if size == 33:
            yield f"sign-{name}", edit("@shuffle", at, flip(message, at)), f"{name} negated."
            bad, what = ((INFINITY, "infinity"), (NO_POINT, "no point"))[i % 2]
        else:
            yield f"flip-{name}", edit("@shuffle", last, flip(message, last)), f"A bit of {name}."
            bad, what = ((bytes(32), "zero"), (ORDER_BYTES, "q"))[i % 2]
        yield f"bad-{name}", edit("@shuffle", at, bad), f"{name} is {what}."
    card = message[:66]
    yield "repeated", edit("@shuffle", 66, card), "The first card twice."
    yield "same-a", edit("@shuffle", 66, card[:33]), "A'_1 twice."
    yield "same-b", edit("@shuffle", 99, card[33:]), "B'_1 twice."
    yield "exchanged", edit("@shuffle", 0, message[66:132] + card), "Two cards exchanged."
    yield "halves", edit("@shuffle", 0, card[33:] + card[:33]), "A'_1 and B'_1 exchanged."
    c = message[264:297]
    yield "exchanged-c", edit("@shuffle", 264, message[297:330] + c), "c_1 and c_2 exchanged."
    yield "short", keep("@shuffle", len(message) - 1), "One byte missing."
    yield "long", extend("@shuffle"), "One byte more."
    yield "deck-only", keep("@shuffle", 66 * N), "A deck without proof."
    yield "empty", "", "Nothing at all."


def _cheats(area: Area) -> None:
    """Provers that keep to the protocol but for one lie."""
    unit, factor = permutation(PSI), scalar("factor")
    seven, ace = card_points(("7s", "As"))
    plain = Shuffler(unit, unit)
    honest = plain.message(CTX, JOINT, DECK, seed("cheat"))
    area.accept("cheat-none", ASK, "What the same prover makes of a true shuffle is accepted.",
                _read(honest, N), **_base(write(honest)))  # fmt: skip
    part, scale = mixed(N, factor), scaled(PSI, factor)

    def double(deck: Deck) -> Deck:
        return copy_first(deck, JOINT, scalar("copy"))

    def foreign(deck: Deck) -> Deck:
        return copy_first(deck[::-1], KEYS[1].public, scalar("copy"))[::-1]

    for name, cheat, why in (
        ("scaled", Shuffler(scale, scale),
         "Two cards multiplied by k and 1/k, committed to so: only the row sums show it."),
        ("uncommitted", Shuffler(scale, unit),
         "The same, but committed to as a permutation: only the third equation shows it."),
        ("mixed", Shuffler(part, part),
         "One card mixed into another, columns adding up to one: only the product shows it."),
        ("jump", Shuffler(part, part, jump=True),
         "The same with a chain that ends where it should: only its last link shows it."),
        ("marked", Shuffler(unit, unit, mark), "A card's first half moved: it opens to no card."),
        ("replaced", Shuffler(unit, unit, lambda deck: replace(deck, seven, ace)),
         "A card replaced by one that is not in the deck."),
        ("doubled", Shuffler(unit, unit, double), "A card twice, newly masked, another lost."),
        ("foreign", Shuffler(unit, unit, foreign),
         "A card masked under the cheat's own key in place of the joint one."),
        ("turned", Shuffler(unit, unit, lambda deck: (*deck[1:], deck[0])),
         "The output turned after it was made, and proved as before."),
    ):  # fmt: skip
        data = cheat.message(CTX, JOINT, DECK, seed("cheat"))
        area.reject(f"cheat-{name}", ASK, why, **_base(write(data)))
    area.vectors.sort(key=lambda vector: vector["outcome"] != "accept")
