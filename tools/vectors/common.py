"""What the makers of all vector files share: their form, their seeds and their table of four.

Everything secret in the vectors comes from labels hashed by :func:`seed`, so the files are the
same each time they are made.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from p2pcards.crypto.deck import Deck, card_points, initial_deck
from p2pcards.crypto.group import ORDER, Point
from p2pcards.crypto.keys import joint_key, make_secret, public_key
from p2pcards.crypto.transcript import Context

FORMAT = "p2pcards-crypto-1"
INFINITY = bytes(33)
"""What some encodings write for the point at infinity; no encoding of ours."""

NO_POINT = b"\x02" + (5).to_bytes(32, "big")
"""The x of no point of the curve."""

Value: TypeAlias = Any


def seed(label: str) -> bytes:
    """64 bytes that stand for chance in the vectors."""
    return hashlib.sha512(b"p2pcards test vectors: " + label.encode()).digest()


def scalar(label: str) -> int:
    """A scalar that stands for a random one."""
    return int.from_bytes(seed(label), "big") % ORDER


@dataclass
class Area:
    """One file of vectors. Values in ``inputs`` are used as "@name" by the vectors."""

    name: str
    about: str
    inputs: dict[str, Value] = field(default_factory=dict)
    vectors: list[dict[str, Value]] = field(default_factory=list)

    def share(self, name: str, value: Value) -> str:
        """Keep a value that many vectors use; returns the reference to it."""
        self.inputs[name] = value
        return "@" + name

    def accept(self, name: str, ask: str, why: str, output: Value, **fields: Value) -> None:
        """A vector that must be accepted with this output."""
        self._add(name, ask, why, fields, {"outcome": "accept", "output": output})

    def reject(self, name: str, ask: str, why: str, **fields: Value) -> None:
        """A vector that must be refused."""
        self._add(name, ask, why, fields, {"outcome": "reject"})

    def data(self) -> dict[str, Value]:
        """The file's contents."""
        out = {"format": FORMAT, "area": self.name, "about": self.about}
        return {**out, "inputs": self.inputs, "vectors": self.vectors}

    def _add(
        self, name: str, ask: str, why: str, fields: dict[str, Value], end: dict[str, Value]
    ) -> None:
        self.vectors.append({"id": name, "ask": ask, "inputs": fields, **end, "why": why})


def edit(of: str, at: int, put: bytes) -> dict[str, Value]:
    """Bytes with others written over them from a place on; a negative place counts from the end."""
    return {"of": of, "at": at, "put": put.hex()}


def keep(of: str, count: int) -> dict[str, Value]:
    """The first bytes only."""
    return {"of": of, "keep": count}


def extend(of: str, more: bytes = b"\0") -> dict[str, Value]:
    """Bytes with more after them."""
    return {"of": of, "more": more.hex()}


def flip(data: bytes, at: int, bit: int = 0) -> bytes:
    """The byte at a place, with one bit changed."""
    return bytes((data[at] ^ 1 << bit,))


def write(value: Any) -> Value:
    """A value as the files have it: bytes, points and contexts in hex."""
    if isinstance(value, Point | bytes):
        return bytes(value).hex()
    if isinstance(value, Context):
        return {
            "session": value.session.hex(),
            "deal": value.deal,
            "step": value.step,
            "seat": value.seat,
            "prev": value.prev.hex(),
        }
    if isinstance(value, list | tuple):
        return [write(item) for item in value]
    raise TypeError(f"no form for {type(value)}")


def write_deck(deck: Iterable[Any]) -> list[list[str]]:
    """Masked cards in hex."""
    return [[write(card.a), write(card.b)] for card in deck]


SESSION = hashlib.sha256(seed("session")).digest()
PREV = hashlib.sha256(seed("prev")).digest()


def context(seat: int, step: int = 7, deal: int = 1) -> Context:
    """A context at the vectors' table."""
    return Context(SESSION, deal, step, seat, PREV)


def neighbours(ctx: Context) -> list[tuple[str, Context, str]]:
    """The same context but for one field, with a name and a reason for each."""
    other = hashlib.sha256(b"another").digest()
    return [
        ("session", Context(other, ctx.deal, ctx.step, ctx.seat, ctx.prev), "another session"),
        ("deal", Context(ctx.session, ctx.deal + 1, ctx.step, ctx.seat, ctx.prev), "another deal"),
        ("step", Context(ctx.session, ctx.deal, ctx.step + 1, ctx.seat, ctx.prev), "another step"),
        ("seat", Context(ctx.session, ctx.deal, ctx.step, 3 - ctx.seat, ctx.prev), "another seat"),
        ("prev", Context(ctx.session, ctx.deal, ctx.step, ctx.seat, other), "another history"),
    ]


SECRETS = [make_secret(seed(f"secrets of seat {seat}")) for seat in range(4)]
KEYS = [public_key(secret) for secret in SECRETS]
JOINT = joint_key(KEYS)


def small_deck(names: Sequence[str]) -> Deck:
    """The deck of some cards before its first shuffle."""
    return initial_deck(card_points(tuple(names)), JOINT)
