"""Vectors of key parts and of complaints about them."""

from __future__ import annotations

from collections.abc import Mapping

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
    seed,
    write,
)

from p2pcards.crypto.group import ORDER, Point, encode_scalar
from p2pcards.crypto.parts import complain, open_part, split_key, verify_parts
from p2pcards.crypto.shares import prove_shares

PARTS_CTX = context(1, step=5)
COMPLAINT_CTX = context(2, step=12)
RECIPIENTS = (0, 2, 3)


def parts() -> Area:
    """Parts of keys, sealed, and complaints about them."""
    area = Area(
        "parts",
        "Seat 1's key in parts for seats 0, 2, 3: three points, then three boxes of 48 bytes. "
        "Complaints are those of seat 2, of 97 bytes.",
    )
    boxes = {k: KEYS[k].box for k in RECIPIENTS}
    good = split_key(PARTS_CTX, SECRETS[1], boxes, seed("parts"))
    bad = good[:147] + flip(good, 147) + good[148:]
    other_boxes = {**boxes, 2: KEYS[3].box}
    wrong = split_key(PARTS_CTX, SECRETS[1], other_boxes, seed("parts"))
    area.share("context", write(PARTS_CTX))
    area.share("complaint_context", write(COMPLAINT_CTX))
    area.share("public", write(KEYS[1].public))
    area.share("sender_box", write(KEYS[1].box))
    area.share("recipient_box", write(KEYS[2].box))
    for name, data in (("parts", good), ("altered", bad), ("misdirected", wrong)):
        area.share(name, write(data))
    scalars = opened(boxes)
    _verify(area, good)
    _open(area, scalars)
    _judge(area)
    _rebuild(area, scalars)
    return area


def opened(boxes: Mapping[int, Point]) -> dict[int, bytes]:
    """Each part as its recipient has it, found from the recipients' own secrets."""
    data = split_key(PARTS_CTX, SECRETS[1], boxes, seed("parts"))
    parts = verify_parts(PARTS_CTX, KEYS[1].public, RECIPIENTS, data)
    return {
        k: encode_scalar(open_part(PARTS_CTX, parts, k, SECRETS[k], KEYS[1].box))
        for k in RECIPIENTS
    }


def _base(parts: Value = "@parts", **more: Value) -> dict[str, Value]:
    out = {"context": "@context", "public": "@public", "recipients": list(RECIPIENTS)}
    return {**out, "parts": parts, **more}


def _verify(area: Area, good: bytes) -> None:
    points = [good[i : i + 33].hex() for i in (0, 33, 66)]
    area.accept("honest", "verify-parts", "Three points that add up to X.", points, **_base())
    swapped = edit("@parts", 0, good[33:66] + good[:33])
    why = "Two points exchanged add up just as well; their boxes will be found wrong."
    area.accept("swapped", "verify-parts", why, [points[1], points[0], points[2]],
                **_base(swapped))  # fmt: skip
    changed: list[tuple[str, Value, str]] = [
        ("negated", edit("@parts", 0, flip(good, 0)), "One point's sign changed."),
        ("off-curve", edit("@parts", 33, NO_POINT), "One point is no point."),
        ("infinity", edit("@parts", 66, INFINITY), "One point is infinity."),
        ("short", keep("@parts", len(good) - 1), "One byte missing."),
        ("long", extend("@parts"), "One byte more."),
        ("two", keep("@parts", 2 * 81), "Two parts where three are due."),
        ("empty", "", "Nothing at all."),
    ]
    for name, data, why in changed:
        area.reject(name, "verify-parts", why, **_base(data))
    other = {**_base(), "public": write(KEYS[2].public)}
    area.reject("other-key", "verify-parts", "The parts of another key.", **other)


def _open(area: Area, scalars: dict[int, bytes]) -> None:
    ask = "open-part"
    for k in RECIPIENTS:
        y = write(encode_scalar(SECRETS[k].y))
        area.accept(f"open-{k}", ask, f"Seat {k} opens its box with its box key.",
                    write(scalars[k]),
                    **_base(recipient=k, y=y, sender_box="@sender_box"))  # fmt: skip
    y = write(encode_scalar(SECRETS[2].y))
    fields = {"recipient": 2, "y": y, "sender_box": "@sender_box"}
    area.reject("open-altered", ask, "One bit of the box changed.", **_base("@altered", **fields))
    why = "Sealed to another seat's box key."
    area.reject("open-misdirected", ask, why, **_base("@misdirected", **fields))
    area.reject("open-another", ask, "The box of seat 3.", **_base(**{**fields, "recipient": 3}))
    other = write(encode_scalar(SECRETS[3].y))
    area.reject("open-wrong-key", ask, "Seat 3's key on seat 2's box.",
                **_base(**{**fields, "y": other}))  # fmt: skip
    for name, ctx, why in neighbours(PARTS_CTX):
        replay = {**_base(**fields), "context": write(ctx)}
        area.reject(f"open-{name}", ask, f"A box from {why}.", **replay)


def _judge(area: Area) -> None:
    complaint = complain(COMPLAINT_CTX, SECRETS[2], KEYS[1].box, seed("complaint"))
    area.share("complaint", write(complaint))
    ask = "judge-complaint"
    fields = {
        "complaint_context": "@complaint_context", "recipient": 2,
        "recipient_box": "@recipient_box", "sender_box": "@sender_box", "complaint": "@complaint",
    }  # fmt: skip
    good, bad = "the part is good", "the part is bad"
    area.accept("judge-false", ask, "Nothing is wrong: the complaint is a fault.", good,
                **_base(**fields))  # fmt: skip
    area.accept("judge-altered", ask, "The box was altered: its sender is at fault.", bad,
                **_base("@altered", **fields))  # fmt: skip
    area.accept("judge-misdirected", ask, "Sealed to another seat.", bad,
                **_base("@misdirected", **fields))  # fmt: skip
    lie = prove_shares(COMPLAINT_CTX, SECRETS[2].x, KEYS[2].public, (KEYS[1].box,), seed("lie"),
                       b"complaint")  # fmt: skip
    as_share = prove_shares(COMPLAINT_CTX, SECRETS[2].y, KEYS[2].box, (KEYS[1].box,), seed("lie"))
    changed: list[tuple[str, Value, str]] = [
        ("point", edit("@complaint", 0, bytes(KEYS[3].box)), "Another point as the box's key."),
        ("challenge", edit("@complaint", 64, flip(complaint, 64)), "The challenge changed."),
        ("response", edit("@complaint", 96, flip(complaint, 96)), "The response changed."),
        ("infinity", edit("@complaint", 0, INFINITY), "Infinity as the box's key."),
        ("deal-key", write(lie), "Made with the deal key in place of the box key."),
        ("as-share", write(as_share), "A proof made as one of shares."),
        ("short", keep("@complaint", 96), "One byte missing."),
        ("empty", "", "A complaint without proof."),
    ]
    for name, data, why in changed:
        given = {**fields, "complaint": data}
        area.reject(f"judge-{name}", ask, why, **_base("@altered", **given))
    for name, ctx, why in neighbours(COMPLAINT_CTX):
        given = {**fields, "complaint_context": write(ctx)}
        area.reject(f"judge-{name}", ask, f"Replayed in {why}.", **_base("@altered", **given))


def _rebuild(area: Area, scalars: dict[int, bytes]) -> None:
    for k, part in scalars.items():
        area.accept(f"part-{k}", "verify-part", "A part that fits its point.", write(part),
                    **_base(recipient=k, part=write(part)))  # fmt: skip
    plus = encode_scalar((int.from_bytes(scalars[2], "big") + 1) % ORDER)
    for name, part, why in (
        ("plus-one", plus, "One more than the part."),
        ("another", scalars[3], "Seat 3's part."),
        ("zero", bytes(32), "Zero."),
        ("order", ORDER.to_bytes(32, "big"), "q."),
        ("short", scalars[2][1:], "31 bytes."),
    ):
        area.reject(f"part-{name}", "verify-part", why, **_base(recipient=2, part=write(part)))
    given = {str(k): write(part) for k, part in scalars.items()}
    x = write(encode_scalar(SECRETS[1].x))
    area.accept("rebuild", "rebuild-secret", "All three parts give the key.", x,
                **_base(scalars=given))  # fmt: skip
    two = {k: v for k, v in given.items() if k != "2"}
    area.reject("rebuild-two", "rebuild-secret", "Two parts are not enough.",
                **_base(scalars=two))  # fmt: skip
    area.reject("rebuild-wrong", "rebuild-secret", "One part does not fit.",
                **_base(scalars={**given, "2": write(plus)}))  # fmt: skip
    exchanged = {**given, "0": given["2"], "2": given["0"]}
    area.reject("rebuild-exchanged", "rebuild-secret", "Right in sum, but given by other seats.",
                **_base(scalars=exchanged))  # fmt: skip
