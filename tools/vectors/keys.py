"""Vectors of deal keys."""

from __future__ import annotations

from collections.abc import Sequence

from tools.vectors.common import (
    INFINITY,
    KEYS,
    NO_POINT,
    SECRETS,
    SESSION,
    Area,
    Value,
    context,
    flip,
    neighbours,
    seed,
    write,
)

from p2pcards.crypto.group import (
    ORDER,
    base_mul,
    encode_points,
    encode_scalar,
    msm,
    mul,
    neg,
)
from p2pcards.crypto.keys import DealKey, claim_key, commit_key, public_secret
from p2pcards.crypto.transcript import Context, Transcript

CTX = context(1, step=3)
FIELDS = (("X", 0, 33), ("Y", 33, 33), ("c", 66, 32), ("s_x", 98, 32), ("s_y", 130, 32))
"""The fields of a key claim: name, place, size."""


def keys() -> Area:
    """Claims and commitments."""
    area = Area(
        "keys",
        "Deal keys: a claim is X, Y, c, s_x, s_y; the context is that of the step in which its "
        "commitment was sent.",
    )
    claim = claim_key(CTX, SECRETS[1], seed("claim"))
    area.share("context", write(CTX))
    area.share("claim", write(claim))
    area.share("commitment", write(commit_key(CTX, claim)))
    _commitments(area, claim)
    area.accept(
        "honest", "verify-key", "An honest claim.",
        {"public": write(KEYS[1].public), "box": write(KEYS[1].box)},
        context="@context", claim="@claim", commitment="@commitment",
    )  # fmt: skip
    for name, other, why in neighbours(CTX):
        _refuse(area, f"replay-{name}", f"An honest claim replayed in {why}.", claim, other)
    area.reject(
        "commitment", "verify-key", "A good claim, but another was committed to.",
        context="@context", claim="@claim", commitment=write(bytes(32)),
    )  # fmt: skip
    _changed_claims(area, claim)
    _rogue_claims(area)
    _joint(area)
    _public(area)
    return area


def _commitments(area: Area, claim: bytes) -> None:
    ask = "commit-key"
    output = write(commit_key(CTX, claim))
    area.accept("commit", ask, "The hash that is sent first.", output, context="@context",
                claim="@claim")  # fmt: skip
    other = neighbours(CTX)[3][1]
    output = write(commit_key(other, claim))
    area.accept("commit-seat", ask, "Another seat's commitment to the same claim differs.", output,
                context=write(other), claim="@claim")  # fmt: skip


def _refuse(area: Area, name: str, why: str, claim: bytes, ctx: Context = CTX) -> None:
    """A claim that opens its commitment, and is refused for another reason."""
    area.reject(
        name, "verify-key", why,
        context=write(ctx), claim=write(claim), commitment=write(commit_key(ctx, claim)),
    )  # fmt: skip


def _changed_claims(area: Area, claim: bytes) -> None:
    for name, at, size in FIELDS:
        last = at + size - 1
        changed = claim[:last] + flip(claim, last) + claim[last + 1 :]
        _refuse(area, f"flip-{name}", f"One bit of {name} changed, and committed to so.", changed)
        wrong = [("order", encode_order(), "q itself"), ("zero", bytes(32), "zero")]
        if size == 33:
            wrong = [("infinity", INFINITY, "infinity"), ("off-curve", NO_POINT, "no point")]
        for kind, data, what in wrong:
            changed = claim[:at] + data + claim[at + size :]
            _refuse(area, f"{kind}-{name}", f"{name} is {what}.", changed)
    swapped = claim[33:66] + claim[:33] + claim[66:98] + claim[130:162] + claim[98:130]
    _refuse(area, "swapped", "Keys and responses both exchanged: the order is hashed.", swapped)
    _refuse(area, "short", "One byte missing.", claim[:-1])
    _refuse(area, "long", "One byte more.", claim + b"\0")
    _refuse(area, "empty", "Nothing at all.", b"")


def encode_order() -> bytes:
    """q, as 32 bytes."""
    return ORDER.to_bytes(32, "big")


def _rogue_claims(area: Area) -> None:
    """Claims of keys whose logarithm their sender does not know."""
    w, own = 5, SECRETS[1]
    rogue = msm([k.public for k in KEYS if k != KEYS[1]], (-1, -1, -1), own.x)
    box = KEYS[1].box
    transcript = Transcript(b"deal key", CTX)
    transcript.append_points(b"keys", (rogue, box))
    transcript.append_points(b"t", (base_mul(w), base_mul(w)))
    c = transcript.scalar(b"c")
    s = [encode_scalar((w + c * x) % ORDER) for x in (own.x, own.y)]
    claim = encode_points((rogue, box)) + encode_scalar(c) + b"".join(s)
    why = "X chosen so that the sum of all keys is the sender's own: it cannot prove it knows x."
    _refuse(area, "rogue", why, claim)
    # Fixed c and s give a key that fits, if the key were not part of what c is hashed from.
    c, s_x, s_y = 3, 7, 11
    ts = base_mul(13), base_mul(17)
    fitted = [
        mul(msm((t,), (-1,), s), pow(c, -1, ORDER)) for t, s in zip(ts, (s_x, s_y), strict=True)
    ]
    claim = encode_points(fitted) + b"".join(encode_scalar(k) for k in (c, s_x, s_y))
    _refuse(area, "fitted", "Keys solved for after the challenge, their logarithms unknown.", claim)
    copied = claim_key(context(2, step=3), SECRETS[2], seed("claim"))
    _refuse(area, "copied", "Seat 2's key and proof sent by seat 1 as its own.", copied)


def _joint(area: Area) -> None:
    def fields(keys: Sequence[DealKey]) -> dict[str, Value]:
        return {"publics": write([k.public for k in keys]), "boxes": write([k.box for k in keys])}

    ask = "joint-key"
    total = base_mul(sum(secret.x for secret in SECRETS))
    area.accept("joint", ask, "The sum of four deal keys.", write(total), **fields(KEYS))
    cases = [
        ("same-key", [KEYS[0], KEYS[1], KEYS[2], DealKey(KEYS[0].public, KEYS[3].box)],
         "Two seats with one deal key."),
        ("same-box", [KEYS[0], KEYS[1], KEYS[2], DealKey(KEYS[3].public, KEYS[0].box)],
         "Two seats with one box key."),
        ("box-is-key", [DealKey(KEYS[0].public, KEYS[0].public), *KEYS[1:]],
         "One key in both uses."),
        ("box-of-another", [DealKey(KEYS[0].public, KEYS[1].public), *KEYS[1:]],
         "A box key that is another seat's deal key."),
        ("infinity", [*KEYS[:3], DealKey(neg(base_mul(sum(s.x for s in SECRETS[:3]))),
         KEYS[3].box)], "A sum at infinity, which masks nothing."),
    ]  # fmt: skip
    for name, given, why in cases:
        area.reject(f"joint-{name}", ask, why, **fields(given))


def _public(area: Area) -> None:
    fields = [SESSION, (2).to_bytes(4, "big"), bytes((3,))]
    secret = public_secret(*fields)
    output = {"x": write(encode_scalar(secret.x)), "y": write(encode_scalar(secret.y))}
    why = "The keys that everybody derives for a seat which the public bot plays."
    area.accept("public-secret", "public-secret", why, output, fields=write(fields))
