"""Vectors of encodings, of hashing to points and of challenges."""

from __future__ import annotations

from tools.vectors.common import (
    INFINITY,
    NO_POINT,
    Area,
    Value,
    context,
    neighbours,
    scalar,
    write,
)

from p2pcards.crypto.deck import card_points, generators
from p2pcards.crypto.group import ORDER, base_mul, decode_point, hash_to_point, neg
from p2pcards.crypto.transcript import Transcript
from p2pcards.protocol.deal import NAMES

FIELD = 2**256 - 2**32 - 977
"""The field of the coordinates, p."""


def number(value: int) -> bytes:
    """32 bytes."""
    return value.to_bytes(32, "big")


def encoding() -> Area:
    """Points and scalars: what parses and what does not."""
    area = Area(
        "encoding",
        "The 33 bytes of a point and the 32 of a scalar; all else is refused. The output for a "
        "point is 04, x and y; for a scalar it is the number.",
    )
    _good_points(area)
    for name, data, why in _bad_points():
        area.reject(f"point-{name}", "decode-point", why, data=data.hex())
    for name, value, why in (
        ("one", 1, "The least."),
        ("largest", ORDER - 1, "The greatest, q - 1."),
        ("random", scalar("a scalar"), "One like any other."),
    ):
        area.accept(f"scalar-{name}", "decode-scalar", why, str(value), data=number(value).hex())
    for name, data, why in (
        ("zero", bytes(32), "Zero is never sent."),
        ("order", number(ORDER), "q is zero over again."),
        ("above", number(ORDER + 1), "One must not have two encodings."),
        ("ones", b"\xff" * 32, "Far above q."),
        ("short", bytes(30) + b"\1", "31 bytes."),
        ("long", bytes(32) + b"\1", "33 bytes."),
        ("empty", b"", "No bytes at all."),
    ):
        area.reject(f"scalar-{name}", "decode-scalar", why, data=data.hex())
    return area


def _good_points(area: Area) -> None:
    for name, point, why in (
        ("generator", base_mul(1), "The generator of SEC 2, whose y is even."),
        ("minus-generator", neg(base_mul(1)), "Its inverse: the same x, y odd."),
        ("two", base_mul(2), "Twice the generator."),
        ("small-x", decode_point(b"\x02" + number(1)), "x = 1 is on the curve."),
        ("large-x", decode_point(b"\x03" + number(FIELD - 3)), "x = p - 3 is on the curve."),
        ("random", base_mul(scalar("a point")), "One like any other."),
    ):
        area.accept(f"point-{name}", "decode-point", why, point.raw.hex(), data=write(point))


def _bad_points() -> list[tuple[str, bytes, str]]:
    g, raw = bytes(base_mul(1)), base_mul(1).raw
    return [
        ("infinity-short", b"\0", "The point at infinity as SEC 1 writes it."),
        ("infinity-long", INFINITY, "Zeros, which some take for the point at infinity."),
        ("infinity-02", b"\x02" + bytes(32), "x = 0 is on no point."),
        ("off-curve", NO_POINT, "x = 5 is on no point."),
        ("off-curve-odd", b"\x03" + NO_POINT[1:], "x = 5 is on no point, whatever the sign."),
        ("x-is-p", b"\x02" + number(FIELD), "x = p is zero over again, and not reduced."),
        ("x-above-p", b"\x02" + number(FIELD + 1), "x = 1 in a second encoding."),
        ("x-ones", b"\x02" + b"\xff" * 32, "x = 2^256 - 1 is not reduced."),
        ("tag-00", b"\0" + g[1:], "No such first byte."),
        ("tag-01", b"\x01" + g[1:], "No such first byte."),
        ("tag-04", b"\x04" + g[1:], "The first byte of 65, before 32."),
        ("tag-05", b"\x05" + g[1:], "No such first byte."),
        ("tag-82", b"\x82" + g[1:], "A high bit is not ignored."),
        ("uncompressed", raw, "65 bytes: only the compressed form is sent."),
        ("hybrid", b"\x06" + raw[1:], "The hybrid form of old standards."),
        ("x-only", g[1:], "x alone, 32 bytes."),
        ("long", g + b"\0", "One byte too many."),
        ("short", g[:-1], "One byte too few."),
        ("empty", b"", "No bytes at all."),
    ]


def hashing() -> Area:
    """Points nobody knows a logarithm of."""
    area = Area(
        "hashing",
        "Hashing to points: card points from the cards' names, and the generators H, H_1, ... of "
        "the commitments, which the answer gives in that order.",
    )
    names = list(NAMES)
    points = list(card_points(NAMES))
    area.accept("cards", "card-points", "All 32 cards.", write(points), names=names)
    for count in (4, 32):
        h0, h = generators(count)
        why = f"For {count} cards; they begin alike for any number."
        area.accept(f"generators-{count}", "generators", why, write([h0, *h]), count=count)
    for name, label, fields, why in (
        ("plain", b"label", [b"field"], "A label and one field."),
        ("boundary-1", b"label", [b"ab", b"c"], "The same letters as the next, cut elsewhere."),
        ("boundary-2", b"label", [b"a", b"bc"], "Each field has its length before it."),
        ("into-label", b"labela", [b"b", b"c"], "The label has its length, too."),
        ("empty-field", b"label", [b""], "An empty field is a field."),
        ("no-field", b"label", [], "No field is not an empty one."),
    ):
        output = write(hash_to_point(label, *fields))
        inputs = {"label": label.hex(), "fields": write(fields)}
        area.accept(f"hash-{name}", "hash-to-point", why, output, **inputs)
    return area


def transcript() -> Area:
    """Challenges."""
    area = Area(
        "transcript",
        "What a transcript of these steps gives: a step with data is absorbed, one without gives "
        "a challenge, or as many as it counts.",
    )
    steps: list[Value] = [
        {"label": "first", "data": "00ff"},
        {"label": "c"},
        {"label": "second", "data": ""},
        {"label": "e", "count": 3},
        {"label": "c"},
    ]
    base = context(0)
    plain = ("plain", base, "a proof", steps, "Every later challenge depends on all before it.")
    cases = [plain, ("proof", base, "b proof", steps, "Another proof's label.")]
    cases += [
        (name, ctx, "a proof", steps, f"In {why} all challenges are others.")
        for name, ctx, why in neighbours(base)
    ]
    moved = [{"label": "firs", "data": "7400ff"}, *steps[1:]]
    cases.append(("moved", base, "a proof", moved, "A letter cannot move from label to data."))
    for name, ctx, proof, wanted, why in cases:
        output = _challenges(Transcript(proof.encode(), ctx), wanted)
        area.accept(name, "challenges", why, output, context=write(ctx), proof=proof, steps=wanted)
    return area


def _challenges(transcript: Transcript, steps: list[Value]) -> list[str]:
    out: list[int] = []
    for step in steps:
        label = step["label"].encode()
        if "data" in step:
            transcript.append(label, bytes.fromhex(step["data"]))
        elif "count" in step:
            out += transcript.scalars(label, step["count"])
        else:
            out.append(transcript.scalar(label))
    return [number(value).hex() for value in out]
