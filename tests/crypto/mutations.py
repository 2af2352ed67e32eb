"""Every way in which the tests change a message, field by field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from p2pcards.crypto.errors import CryptoError
from p2pcards.crypto.group import ORDER, G, add, decode_point
from tests.crypto.curve import P

Layout = Sequence[tuple[str, int, int]]
"""The name, place and size of each field: 33 bytes are a point, 32 a scalar."""


def layout(points: Iterable[str], scalars: Iterable[str]) -> Layout:
    """A message of points, then scalars."""
    out, at = [], 0
    for size, names in ((33, points), (32, scalars)):
        for name in names:
            out.append((name, at, size))
            at += size
    return out


def points_instead(value: bytes) -> Iterator[tuple[str, bytes]]:
    """What may stand in the place of a point."""
    for bit in (0, 1, 7, 100, 263):
        changed = int.from_bytes(value, "big") ^ 1 << 263 - bit
        yield f"bit {bit}", changed.to_bytes(33, "big")
    yield "negated", bytes((value[0] ^ 1,)) + value[1:]
    yield "moved by G", bytes(add(decode_point(value), G))
    yield "G", bytes(G)
    yield "infinity", bytes(33)
    yield "off the curve", b"\x02" + (5).to_bytes(32, "big")
    yield "x is p", b"\x02" + P.to_bytes(32, "big")


def scalars_instead(value: bytes) -> Iterator[tuple[str, bytes]]:
    """What may stand in the place of a scalar."""
    number = int.from_bytes(value, "big")
    for bit in (0, 1, 128, 255):
        yield f"bit {bit}", (number ^ 1 << bit).to_bytes(32, "big")
    yield "plus one", ((number + 1) % ORDER).to_bytes(32, "big")
    yield "negated", (ORDER - number).to_bytes(32, "big")
    yield "zero", bytes(32)
    yield "order", ORDER.to_bytes(32, "big")
    yield "one", (1).to_bytes(32, "big")
    yield "all ones", b"\xff" * 32


def mutations(data: bytes, fields: Layout) -> Iterator[tuple[str, bytes]]:
    """Every changed message, with what was changed."""
    for name, at, size in fields:
        value = data[at : at + size]
        instead = points_instead if size == 33 else scalars_instead
        for what, other in instead(value):
            yield f"{name}: {what}", data[:at] + other + data[at + size :]
    for (name, at, size), (_, after, next_size) in pairwise(fields):
        if size == next_size:
            end = after + size
            swapped = data[after:end] + data[at:after]
            yield f"{name}: swapped with the next", data[:at] + swapped + data[end:]
    yield from misshapen(data, fields)


def misshapen(data: bytes, fields: Layout) -> Iterator[tuple[str, bytes]]:
    """Messages of a wrong length."""
    yield "empty", b""
    yield "one byte fewer", data[:-1]
    yield "first byte missing", data[1:]
    yield "one byte more", data + b"\0"
    yield "twice", data * 2
    yield "last field missing", data[: -fields[-1][2]]
    yield "first field missing", data[fields[0][2] :]
    yield "a scalar more", data + (1).to_bytes(32, "big")
    yield "a point more", bytes(G) + data


def one_each(data: bytes, fields: Layout) -> Iterator[tuple[str, bytes]]:
    """One change for every field, another kind each time: for messages with many fields."""
    for i, (name, at, size) in enumerate(fields):
        value = data[at : at + size]
        choices = list(points_instead(value) if size == 33 else scalars_instead(value))
        what, other = choices[i % len(choices)]
        yield f"{name}: {what}", data[:at] + other + data[at + size :]


def accepted(
    changed: Iterable[tuple[str, bytes]], good: bytes, verify: Callable[[bytes], object]
) -> list[str]:
    """The names of the changed messages that were not refused; any other error passes through."""
    out = []
    for name, data in changed:
        if data == good:
            continue
        try:
            verify(data)
        except CryptoError:
            continue
        out.append(name)
    return out
