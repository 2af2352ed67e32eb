"""How each question of the vectors is put to the oracle."""

from __future__ import annotations

from typing import Any

from tests.crypto import curve, oracle
from tests.crypto.asks import Ask, Fields
from tests.crypto.curve import Affine, need

unhex = bytes.fromhex


def text(p: Affine) -> str:
    """A point as the vectors write it."""
    return curve.enc(p).hex()


def number(value: int) -> str:
    """A scalar as the vectors write it."""
    return value.to_bytes(32, "big").hex()


def point(data: str) -> Affine:
    """A point of a vector."""
    return curve.point(unhex(data))


def points(data: list[str]) -> list[Affine]:
    """Points of a vector."""
    return [point(item) for item in data]


def pairs(data: list[list[str]]) -> list[oracle.Ciphertext]:
    """Masked cards of a vector."""
    return [(point(a), point(b)) for a, b in data]


def context(f: Fields, name: str = "context") -> dict[str, Any]:
    """A context of a vector."""
    c = dict(f[name])
    return {**c, "session": unhex(c["session"]), "prev": unhex(c["prev"])}


def _uncompressed(f: Fields) -> str:
    x, y = curve.point(unhex(f["data"]))
    return "04" + number(x) + number(y)


def _challenges(f: Fields) -> list[str]:
    h = oracle.Hash(f["proof"].encode(), context(f))
    out: list[int] = []
    for step in f["steps"]:
        label = step["label"].encode()
        if "data" in step:
            h.put(label, unhex(step["data"]))
        else:
            out += h.many(label, step["count"]) if "count" in step else [h.one(label)]
    return [number(k) for k in out]


def _key(f: Fields) -> dict[str, str]:
    x, y = oracle.verify_key(context(f), unhex(f["claim"]), unhex(f["commitment"]))
    return {"public": text(x), "box": text(y)}


def _public_secret(f: Fields) -> dict[str, str]:
    x, y = oracle.public_secret(*(unhex(item) for item in f["fields"]))
    return {"x": number(x), "y": number(y)}


def _parts(f: Fields) -> list[Affine]:
    return oracle.verify_parts(point(f["public"]), f["recipients"], unhex(f["parts"]))


def _unseal(f: Fields, shared: Affine) -> int | None:
    _parts(f)
    return oracle.unseal(context(f), f["recipients"], unhex(f["parts"]), f["recipient"], shared)


def _open_part(f: Fields) -> str:
    y = curve.scalar(unhex(f["y"]))
    part = _unseal(f, curve.total((y, point(f["sender_box"]))))
    need(part is not None, "the box does not hold its part")
    return number(part or 0)


def _judge(f: Fields) -> str:
    (shared,) = oracle.verify_shares(
        context(f, "complaint_context"),
        point(f["recipient_box"]),
        [point(f["sender_box"])],
        unhex(f["complaint"]),
        b"complaint",
    )
    return "the part is bad" if _unseal(f, shared) is None else "the part is good"


def _part(f: Fields) -> str:
    part = curve.scalar(unhex(f["part"]))
    at = sorted(f["recipients"]).index(f["recipient"])
    need(curve.total((part, curve.G)) == _parts(f)[at], "another part")
    return number(part)


def _rebuild(f: Fields) -> str:
    given = {int(k): curve.scalar(unhex(s)) for k, s in f["scalars"].items()}
    need(sorted(given) == sorted(f["recipients"]), "a part too few or too many")
    for k, p in zip(sorted(f["recipients"]), _parts(f), strict=True):
        need(curve.total((given[k], curve.G)) == p, "a wrong part")
    return number(sum(given.values()) % curve.Q)


def _shares(f: Fields) -> list[str]:
    label = f["proof"].encode()
    bases = points(f["bases"])
    data = unhex(f["shares"])
    return [
        text(p) for p in oracle.verify_shares(context(f), point(f["public"]), bases, data, label)
    ]


def _open(f: Fields) -> str:
    _, b = (point(item) for item in f["masked"])
    return text(curve.total((1, b), *((-1, p) for p in points(f["shares"]))))


def _shuffle(f: Fields) -> list[list[str]]:
    joint, deck = point(f["joint"]), pairs(f["deck"])
    out = oracle.verify_shuffle(context(f), joint, deck, unhex(f["shuffle"]))
    return [[text(a), text(b)] for a, b in out]


def _absent(f: Fields) -> None:
    slots, cards = pairs(f["slots"]), points(f["cards"])
    oracle.verify_absent(context(f), point(f["public"]), slots, cards, unhex(f["proof"]))


ORACLE: dict[str, Ask] = {
    "decode-point": _uncompressed,
    "decode-scalar": lambda f: str(curve.scalar(unhex(f["data"]))),
    "hash-to-point": lambda f: text(
        oracle.hash_to_point(unhex(f["label"]), *(unhex(item) for item in f["fields"]))
    ),
    "card-points": lambda f: [text(oracle.card_point(name)) for name in f["names"]],
    "generators": lambda f: [text(oracle.generator(i)) for i in range(f["count"] + 1)],
    "challenges": _challenges,
    "commit-key": lambda f: oracle.commit_key(context(f), unhex(f["claim"])).hex(),
    "verify-key": _key,
    "public-secret": _public_secret,
    "joint-key": lambda f: text(oracle.joint_key(points(f["publics"]), points(f["boxes"]))),
    "verify-parts": lambda f: [text(p) for p in _parts(f)],
    "open-part": _open_part,
    "judge-complaint": _judge,
    "verify-part": _part,
    "rebuild-secret": _rebuild,
    "verify-shares": _shares,
    "open-card": _open,
    "verify-shuffle": _shuffle,
    "verify-absent": _absent,
}
"""Each question, answered by the oracle."""
