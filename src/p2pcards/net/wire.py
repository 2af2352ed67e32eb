"""What goes in a frame: one byte that says the kind, then the body of that kind."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

import msgspec

from p2pcards.net import frames
from p2pcards.net.errors import NetError
from p2pcards.net.text import NAME_LIMIT, REASON_LIMIT, clean
from p2pcards.worded import Worded

VERSION = 1
"""The protocol version this program speaks."""

WANT_LIMIT = 64
MAX_PAYLOAD = frames.LIMIT - 1
PING_BYTES = 8
_REASON_BYTES = 4 * REASON_LIMIT


class Kind(IntEnum):
    """The first byte of a frame."""

    HELLO = 0
    REFUSE = 1
    PING = 2
    PONG = 3
    DATA = 4


class WireError(NetError):
    """The peer sent a frame that has no meaning here."""


class VersionMismatch(NetError):
    """The peer speaks another version of the protocol."""


class Hello(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """How a peer introduces itself on a link, as a MessagePack array in this order.

    ``version`` of the protocol; ``name``, a nickname (cleaned when read); ``port``, where it
    listens (0: nowhere); ``want``, opaque here: what the peer has come for.
    """

    version: Annotated[int, msgspec.Meta(ge=0, le=0xFFFF)]
    name: Annotated[str, msgspec.Meta(max_length=NAME_LIMIT)]
    port: Annotated[int, msgspec.Meta(ge=0, le=0xFFFF)]
    want: Annotated[bytes, msgspec.Meta(max_length=WANT_LIMIT)]


class _AnyHello(msgspec.Struct, array_like=True):
    """The one thing that every version's hello has: its number, first."""

    version: Annotated[int, msgspec.Meta(ge=0, le=0xFFFF)]


def frame(kind: Kind, body: bytes = b"") -> bytes:
    """Make the bytes of one frame, length prefix included."""
    return frames.encode(bytes((kind,)) + body)


def split(data: bytes) -> tuple[Kind, bytes]:
    """Part a received frame into kind and body; raises WireError."""
    try:
        return Kind(data[0]), data[1:]
    except (ValueError, IndexError) as error:
        raise WireError("it sent a frame of an unknown kind") from error


def refusal(reason: str) -> bytes:
    """The frame that says why a link ends."""
    return frame(Kind.REFUSE, clean(reason, REASON_LIMIT, _REASON_BYTES).encode())


def reason_of(body: bytes) -> str:
    """Read a refusal, as clean text; never fails, for the link ends in any case."""
    text = clean(body[:_REASON_BYTES].decode(errors="replace"), REASON_LIMIT)
    return text or "no reason given"


def encode_hello(hello: Hello) -> bytes:
    """The frame of a hello; raises ValueError if a field is out of bounds."""
    body = msgspec.msgpack.encode(hello)
    msgspec.msgpack.decode(body, type=Hello)  # a bad field of ours is found here, not by them
    return frame(Kind.HELLO, body)


def decode_hello(body: bytes, version: int) -> Hello:
    """Read a hello; raises VersionMismatch, or WireError for anything not exactly a hello.

    The version is looked at before the rest, whose form may change with it.
    """
    try:
        theirs = msgspec.msgpack.decode(body, type=_AnyHello).version
        if theirs != version:
            raise VersionMismatch(
                Worded(
                    "it speaks protocol version {theirs} and the other side {version}: both need "
                    "the same release of p2pcards",
                    theirs=theirs,
                    version=version,
                )
            )
        hello = msgspec.msgpack.decode(body, type=Hello)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise WireError("its hello is malformed") from error
    if msgspec.msgpack.encode(hello) != body:
        raise WireError("its hello is not in the shortest form")
    return msgspec.structs.replace(hello, name=clean(hello.name, NAME_LIMIT))
