"""Vectors of decryption shares, and of a card opened with them."""

from __future__ import annotations

from tests.crypto.liars import claim_shares
from tools.vectors.common import (
    INFINITY,
    JOINT,
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
)

from p2pcards.crypto.deck import Masked, card_points
from p2pcards.crypto.group import ORDER, G, Point, add, base_mul, encode_scalar, mul, neg, sub
from p2pcards.crypto.shares import prove_shares

CTX = context(2, step=20)
X, PUBLIC = SECRETS[2].x, KEYS[2].public
BASES = tuple(base_mul(scalar(f"base {i}")) for i in range(3))
SHARES = tuple(mul(base, X) for base in BASES)
ASK = "verify-shares"


def shares() -> Area:
    """Shares for three bases and for one."""
    area = Area(
        "shares",
        "Decryption shares of seat 2: D_1..D_m, c, s. With one base there are no weights. The "
        'proof\'s label is "shares"; "complaint" is for opened boxes.',
    )
    message = prove_shares(CTX, X, PUBLIC, BASES, seed("shares"))
    one = prove_shares(CTX, X, PUBLIC, BASES[:1], seed("shares"))
    area.share("context", write(CTX))
    area.share("public", write(PUBLIC))
    area.share("bases", write(BASES))
    area.share("one_base", write(BASES[:1]))
    area.share("shares", write(message))
    area.share("one_share", write(one))
    area.accept("three", ASK, "Honest shares for three bases.", write(SHARES), **_base())
    area.accept("one", ASK, "An honest share for one base.", write(SHARES[:1]), **_one())
    for name, ctx, why in neighbours(CTX):
        replay = {**_base(), "context": write(ctx)}
        area.reject(f"replay-{name}", ASK, f"Honest shares replayed in {why}.", **replay)
    _changed(area, message)
    _statements(area)
    _lies(area)
    _opening(area)
    return area


def _base(data: Value = "@shares", **more: Value) -> dict[str, Value]:
    out = {"context": "@context", "proof": "shares", "public": "@public", "bases": "@bases"}
    return {**out, "shares": data, **more}


def _one(data: Value = "@one_share", **more: Value) -> dict[str, Value]:
    return _base(data, **{"bases": "@one_base", **more})


def _changed(area: Area, message: bytes) -> None:
    order = ORDER.to_bytes(32, "big")
    plus = encode_scalar((int.from_bytes(message[131:], "big") + 1) % ORDER)
    flipped = bytes([*message[:98], *flip(message, 98)])[66:]
    changed: list[tuple[str, Value, str]] = [
        ("negated", edit("@shares", 0, flip(message, 0)), "D_1 with the other sign."),
        ("other-point", edit("@shares", 66, bytes(base_mul(3))), "D_3 is another point."),
        ("flipped", edit("@shares", 66, flipped), "One bit of D_3: no point, or another."),
        ("off-curve", edit("@shares", 33, NO_POINT), "D_2 is no point."),
        ("infinity", edit("@shares", 33, INFINITY), "D_2 is infinity."),
        ("swapped", edit("@shares", 0, message[33:66] + message[:33]), "D_1 and D_2 exchanged."),
        ("repeated", edit("@shares", 33, message[:33]), "D_1 twice."),
        ("challenge", edit("@shares", 130, flip(message, 130)), "One bit of c."),
        ("challenge-zero", edit("@shares", 99, bytes(32)), "c is zero."),
        ("challenge-order", edit("@shares", 99, order), "c is q."),
        ("response", edit("@shares", 162, flip(message, 162)), "One bit of s."),
        ("response-plus", edit("@shares", 131, plus), "s is one more."),
        ("response-zero", edit("@shares", 131, bytes(32)), "s is zero."),
        ("response-order", edit("@shares", 131, order), "s is q."),
        ("exchanged", edit("@shares", 99, message[131:] + message[99:131]), "c and s exchanged."),
        ("short", keep("@shares", len(message) - 1), "One byte missing."),
        ("long", extend("@shares"), "One byte more."),
        ("two", {**edit("@shares", 66, message[99:]), "keep": 130}, "A share too few."),
        ("empty", "", "Nothing at all."),
    ]
    for name, data, why in changed:
        area.reject(name, ASK, why, **_base(data))


def _statements(area: Area) -> None:
    """Good shares, held against other statements."""

    def bases(*order: Point) -> Value:
        return write(order)

    a, b, c = BASES
    for name, other, why in (
        ("public", {"public": write(KEYS[1].public)}, "The key of seat 1."),
        ("box", {"public": write(KEYS[2].box)}, "The box key of the same seat."),
        ("bases-order", {"bases": bases(b, a, c)}, "Two bases exchanged."),
        ("bases-other", {"bases": bases(a, b, base_mul(3))}, "Another third base."),
        ("bases-two", {"bases": bases(a, b)}, "A base too few."),
        ("bases-four", {"bases": bases(a, b, c, a)}, "A base too many."),
        ("proof", {"proof": "complaint"}, "Taken as an opened box."),
    ):
        area.reject(f"other-{name}", ASK, f"Held against another statement. {why}",
                    **{**_base(), **other})  # fmt: skip


def _lies(area: Area) -> None:
    """False shares by a prover that otherwise keeps to the protocol."""

    def lie(given: tuple[Point, ...], secret: int = X) -> bytes:
        return claim_shares(CTX, secret, PUBLIC, BASES, given, seed("lie"))

    d1, d2, d3 = SHARES
    honest = "What the same prover makes of true shares is accepted."
    area.accept("liar-honest", ASK, honest, write(SHARES), **_base(write(lie(SHARES))))
    other_key = tuple(mul(base, SECRETS[1].x) for base in BASES)
    for name, data, why in (
        ("one-key", lie((other_key[0], d2, d3)), "D_1 is made with another key."),
        ("all-key", lie(other_key, SECRETS[1].x), "All made with another key."),
        ("base", lie((d1, d2, mul(base_mul(3), X))), "D_3 is the share of another base."),
        ("sign", lie((d1, d2, neg(d3))), "D_3 has the other sign."),
        ("exchanged", lie((d2, d1, d3)), "Two shares exchanged before the proof is made."),
        ("cancel", lie((add(d1, G), sub(d2, G), d3)), "Two errors that cancel in a plain sum."),
        ("to-card", lie((_to_card(), d2, d3)), "D_1 chosen so that a slot opens to a wished card."),
    ):
        area.reject(f"lie-{name}", ASK, why, **_base(write(data)))
    single = claim_shares(CTX, X, PUBLIC, BASES[:1], (d2,), seed("lie"))
    area.reject("lie-one", ASK, "One base, and the share of another.", **_one(write(single)))


def _to_card() -> Point:
    seven, ace = card_points(("7s", "As"))
    return add(SHARES[0], sub(seven, ace))


def _opening(area: Area) -> None:
    """One masked card, opened with all shares."""
    (card,) = card_points(("As",))
    mask = scalar("mask")
    masked = Masked(base_mul(mask), add(card, mul(JOINT, mask)))
    given = [mul(masked.a, secret.x) for secret in SECRETS]
    pair = write([masked.a, masked.b])
    area.accept("open", "open-card", "Four shares leave the card.", write(card), masked=pair,
                shares=write(given))  # fmt: skip
    left = add(masked.b, neg(given[0]), neg(given[1]), neg(given[2]))
    area.accept("open-three", "open-card", "Three leave it masked under the last key.",
                write(left), masked=pair, shares=write(given[:3]))  # fmt: skip
    area.reject("open-infinity", "open-card", "A sum at infinity is no card.", masked=pair,
                shares=write([masked.b]))  # fmt: skip
