"""How each question of the vectors is put to the code under test.

It takes the fields of a vector with references resolved, and answers in the vectors' own form.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from p2pcards.crypto.deck import Deck, Masked, card_points, generators, open_masked
from p2pcards.crypto.group import (
    Point,
    decode_point,
    decode_scalar,
    encode_scalar,
    hash_to_point,
)
from p2pcards.crypto.inequality import Absence, verify_absent
from p2pcards.crypto.keys import (
    DealKey,
    DealSecret,
    commit_key,
    joint_key,
    public_secret,
    verify_key,
)
from p2pcards.crypto.parts import (
    Parts,
    judge_complaint,
    open_part,
    rebuild_secret,
    verify_part,
    verify_parts,
)
from p2pcards.crypto.shares import verify_shares
from p2pcards.crypto.shuffle import verify_shuffle
from p2pcards.crypto.transcript import Context, Transcript

Fields: TypeAlias = dict[str, Any]
Ask: TypeAlias = Callable[[Fields], Any]

unhex = bytes.fromhex


def text(*points: Point) -> list[str]:
    """Points as the vectors write them."""
    return [bytes(p).hex() for p in points]


def point(data: str) -> Point:
    """A point of a vector."""
    return decode_point(unhex(data))


def points(data: list[str]) -> tuple[Point, ...]:
    """Points of a vector."""
    return tuple(point(item) for item in data)


def context(f: Fields, name: str = "context") -> Context:
    """A context of a vector."""
    c = f[name]
    return Context(unhex(c["session"]), c["deal"], c["step"], c["seat"], unhex(c["prev"]))


def deck(data: list[list[str]]) -> Deck:
    """Masked cards of a vector."""
    return tuple(Masked(point(a), point(b)) for a, b in data)


def _uncompressed(f: Fields) -> str:
    return decode_point(unhex(f["data"])).raw.hex()


def _challenges(f: Fields) -> list[str]:
    transcript = Transcript(f["proof"].encode(), context(f))
    out: list[str] = []
    for step in f["steps"]:
        label = step["label"].encode()
        if "data" in step:
            transcript.append(label, unhex(step["data"]))
        elif "count" in step:
            out += [f"{k:064x}" for k in transcript.scalars(label, step["count"])]
        else:
            out.append(f"{transcript.scalar(label):064x}")
    return out


def _key(f: Fields) -> dict[str, str]:
    key = verify_key(context(f), unhex(f["claim"]), unhex(f["commitment"]))
    return {"public": bytes(key.public).hex(), "box": bytes(key.box).hex()}


def _public_secret(f: Fields) -> dict[str, str]:
    secret = public_secret(*(unhex(item) for item in f["fields"]))
    return {"x": encode_scalar(secret.x).hex(), "y": encode_scalar(secret.y).hex()}


def _joint(f: Fields) -> str:
    pairs = zip(points(f["publics"]), points(f["boxes"]), strict=True)
    return bytes(joint_key([DealKey(public, box) for public, box in pairs])).hex()


def _parts(f: Fields) -> Parts:
    return verify_parts(context(f), point(f["public"]), f["recipients"], unhex(f["parts"]))


def _verify_parts(f: Fields) -> list[str]:
    parts = _parts(f)
    return text(*(parts.points[k] for k in sorted(parts.points)))


def _open_part(f: Fields) -> str:
    y = decode_scalar(unhex(f["y"]))
    secret = DealSecret(1, y)
    return encode_scalar(
        open_part(context(f), _parts(f), f["recipient"], secret, point(f["sender_box"]))
    ).hex()


def _judge(f: Fields) -> str:
    bad = judge_complaint(
        context(f),
        context(f, "complaint_context"),
        _parts(f),
        f["recipient"],
        point(f["recipient_box"]),
        point(f["sender_box"]),
        unhex(f["complaint"]),
    )
    return "the part is bad" if bad else "the part is good"


def _part(f: Fields) -> str:
    return encode_scalar(verify_part(_parts(f), f["recipient"], unhex(f["part"]))).hex()


def _rebuild(f: Fields) -> str:
    scalars = {int(k): decode_scalar(unhex(s)) for k, s in f["scalars"].items()}
    return encode_scalar(rebuild_secret(point(f["public"]), scalars, _parts(f)).x).hex()


def _shares(f: Fields) -> list[str]:
    label = f["proof"].encode()
    bases, data = points(f["bases"]), unhex(f["shares"])
    return text(*verify_shares(context(f), point(f["public"]), bases, data, label))


def _open(f: Fields) -> str:
    (masked,) = deck([f["masked"]])
    return bytes(open_masked(masked, points(f["shares"]))).hex()


def _shuffle(f: Fields) -> list[list[str]]:
    out = verify_shuffle(context(f), point(f["joint"]), deck(f["deck"]), unhex(f["shuffle"]))
    return [text(card.a, card.b) for card in out]


def _absent(f: Fields) -> None:
    statement = Absence(deck(f["slots"]), points(f["cards"]))
    verify_absent(context(f), point(f["public"]), statement, unhex(f["proof"]))


CODE: dict[str, Ask] = {
    "decode-point": _uncompressed,
    "decode-scalar": lambda f: str(decode_scalar(unhex(f["data"]))),
    "hash-to-point": lambda f: text(
        hash_to_point(unhex(f["label"]), *(unhex(item) for item in f["fields"]))
    )[0],
    "card-points": lambda f: text(*card_points(tuple(f["names"]))),
    "generators": lambda f: text(generators(f["count"])[0], *generators(f["count"])[1]),
    "challenges": _challenges,
    "commit-key": lambda f: commit_key(context(f), unhex(f["claim"])).hex(),
    "verify-key": _key,
    "public-secret": _public_secret,
    "joint-key": _joint,
    "verify-parts": _verify_parts,
    "open-part": _open_part,
    "judge-complaint": _judge,
    "verify-part": _part,
    "rebuild-secret": _rebuild,
    "verify-shares": _shares,
    "open-card": _open,
    "verify-shuffle": _shuffle,
    "verify-absent": _absent,
}
"""Each question, answered by the code under test."""
