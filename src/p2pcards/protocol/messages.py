"""The bodies of all envelopes: strict, bounded MessagePack arrays, one type for each kind.

Arrays leave no room for repeated or unknown keys. What is accepted must also be canonical:
:func:`decode` refuses bytes that do not come out the same when they are encoded again.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from p2pcards.protocol.limits import (
    ADDRESS_MAX,
    ADDRESSES_MAX,
    ENVELOPE_MAX,
    NAME_MAX,
    OPTIONS_MAX,
)
from p2pcards.worded import Worded

Hash: TypeAlias = Annotated[bytes, Meta(min_length=32, max_length=32)]
Identity: TypeAlias = Annotated[bytes, Meta(min_length=32, max_length=32)]
Blob: TypeAlias = Annotated[bytes, Meta(max_length=ENVELOPE_MAX)]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=3)]
Position: TypeAlias = Annotated[int, Meta(ge=0, le=31)]
ShortText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=NAME_MAX)]
Address: TypeAlias = Annotated[str, Meta(min_length=1, max_length=ADDRESS_MAX)]


class WireError(ValueError):
    """The bytes are no message of the kind expected; the text says why."""


class Body(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """The base of every body."""


class PlayerInfo(Body, frozen=True):
    """A player in the roster: identity key, nickname, and addresses ``host:port``."""

    identity: Identity
    name: ShortText
    addresses: Annotated[tuple[Address, ...], Meta(max_length=ADDRESSES_MAX)]


class Terms(Body, frozen=True):
    """What a table agrees on before its players are known.

    ``partners`` is ``drawn`` (the seats are drawn by joint randomness) or ``chosen`` (the seats
    are the roster's order). ``deadline`` is how many seconds a step may take that needs no
    person, ``think`` how many a person has for a bid or a card.
    """

    version: Annotated[int, Meta(ge=0, le=65535)]
    table: Annotated[bytes, Meta(min_length=16, max_length=16)]
    name: ShortText
    game: Annotated[str, Meta(min_length=1, max_length=16)]
    options: Annotated[
        tuple[tuple[Annotated[str, Meta(max_length=32)], Annotated[str, Meta(max_length=32)]], ...],
        Meta(max_length=OPTIONS_MAX),
    ]
    partners: Annotated[str, Meta(pattern=r"\A(drawn|chosen)\Z")]
    deadline: Annotated[int, Meta(ge=1, le=3600)]
    think: Annotated[int, Meta(ge=1, le=86400)]


class Roster(Body, frozen=True):
    """Step 0, from all four: who plays, and under which terms; its hash is the session."""

    terms: Terms
    players: tuple[PlayerInfo, PlayerInfo, PlayerInfo, PlayerInfo]


class Commit(Body, frozen=True):
    """Joint randomness: the hash of a number still secret."""

    commitment: Hash


class Reveal(Body, frozen=True):
    """Joint randomness: the number behind the commitment."""

    number: Hash


class KeyCommit(Body, frozen=True):
    """The hash of a deal key and its proof of knowledge."""

    commitment: Hash


class Key(Body, frozen=True):
    """The deal key and box key with their proofs."""

    claim: Blob


class Parts(Body, frozen=True):
    """The deal key in three additive parts, one sealed to each other seat."""

    data: Blob


class Shuffle(Body, frozen=True):
    """The deck after one seat's shuffle, with its proof."""

    data: Blob


class Cut(Body, frozen=True):
    """How many cards go from the top of the deck to its bottom, 1 to 31."""

    at: Annotated[int, Meta(ge=1, le=31)]


class Complaint(Body, frozen=True):
    """A part that does not fit: whose, and the opened box with its proof."""

    against: SeatNumber
    data: Blob


class Confirm(Body, frozen=True):
    """This seat saw the same deck; or a complaint about a part it was given."""

    complaint: Complaint | None


class Shares(Body, frozen=True):
    """Decryption shares for a packet, with one proof for all of them."""

    data: Blob


class BidBody(Body, frozen=True):
    """``pass``, ``take``, or the letter of the suit named."""

    bid: Annotated[str, Meta(pattern=r"\A(pass|take|c|d|h|s)\Z")]


class RedealBody(Body, frozen=True):
    """Nothing, or the openings of the whole hand to show that it is weak."""

    opening: Blob | None


class Announce(Body, frozen=True):
    """Who holds the announced card: the slot opened, or a proof that no slot holds it."""

    slot: Position | None
    data: Blob


class PlayBody(Body, frozen=True):
    """A card: the slot opened, its share, and the proof that the play is legal."""

    slot: Position
    opening: Blob
    proof: Blob
    call: bool


class Result(Body, frozen=True):
    """The score after a deal; wishes to stop, and which lost seats may return."""

    scores: tuple[int, int]
    stop: bool
    back: Annotated[tuple[SeatNumber, ...], Meta(max_length=4)]


class End(Body, frozen=True):
    """The last step: this seat signs the final transcript hash, which is in ``prev``."""


class Vote(Body, frozen=True):
    """The seat named has not answered this step: give its hand to the public bot."""

    seat: SeatNumber


class Object(Body, frozen=True):
    """The seat named has answered this step; its envelope is attached for all to see."""

    seat: SeatNumber
    envelope: Blob


class Part(Body, frozen=True):
    """After three votes: this seat's part of the lost seat's deal key, a scalar."""

    scalar: Annotated[bytes, Meta(min_length=32, max_length=32)]


BODIES: dict[str, type[Body]] = {
    "roster": Roster,
    "commit": Commit,
    "reveal": Reveal,
    "key-commit": KeyCommit,
    "key": Key,
    "parts": Parts,
    "shuffle": Shuffle,
    "cut": Cut,
    "confirm": Confirm,
    "shares": Shares,
    "bid": BidBody,
    "redeal": RedealBody,
    "announce": Announce,
    "play": PlayBody,
    "result": Result,
    "end": End,
    "vote": Vote,
    "object": Object,
    "part": Part,
}
"""Every kind of envelope with the type of its body."""

T = TypeVar("T", bound=Body)
_DECODERS: dict[type[Body], msgspec.msgpack.Decoder[Body]] = {}
_encode = msgspec.msgpack.Encoder().encode


def encode(body: Body) -> bytes:
    """The one encoding of a body."""
    return _encode(body)


def decode(kind: type[T], data: bytes) -> T:
    """The body in these bytes.

    Raises:
        WireError: not such a body, out of bounds, or not in its one encoding.
    """
    decoder = _DECODERS.get(kind)
    if decoder is None:
        decoder = _DECODERS[kind] = msgspec.msgpack.Decoder(kind)
    try:
        body = decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as exc:
        raise WireError(Worded("not a valid {name}: {why}", name=kind.__name__, why=exc)) from None
    if not isinstance(body, kind) or _encode(body) != data:
        raise WireError(Worded("{name} is not in its canonical encoding", name=kind.__name__))
    return body
