"""Everything that peers say to each other over a link, apart from the link's own frames.

Each message is one MessagePack array whose first element names its type. Only :class:`Env`
enters the transcript; the rest helps peers to meet, to notice what is missing, and to talk.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from p2pcards.protocol.envelope import digest
from p2pcards.protocol.limits import ADDRESS_MAX, ADDRESSES_MAX, ENVELOPE_MAX, NAME_MAX
from p2pcards.protocol.messages import Identity, WireError
from p2pcards.worded import Worded

ROSTER_MAX = 4096
CHAT_MAX = 200
WATCHING_MAX = 3
"""Spectators at one peer."""
SEATS_MASK: TypeAlias = Annotated[int, Meta(ge=0, le=15)]
Text: TypeAlias = Annotated[str, Meta(max_length=CHAT_MAX)]


class _Message(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """The base of every message between peers."""


class Guest(_Message, frozen=True):
    """One player in a lobby: identity, nickname, addresses, and whether it is ready."""

    identity: Identity
    name: Annotated[str, Meta(min_length=1, max_length=NAME_MAX)]
    addresses: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=ADDRESS_MAX)], ...],
        Meta(max_length=ADDRESSES_MAX),
    ]
    ready: bool


class LobbyState(_Message, frozen=True, tag="lobby"):
    """From the opener: the table as it will be signed, and who is there so far."""

    proposal: Annotated[bytes, Meta(max_length=ROSTER_MAX)]
    guests: Annotated[tuple[Guest, ...], Meta(max_length=4)]


class Ready(_Message, frozen=True, tag="ready"):
    """From a guest: it accepts, or no longer accepts, the table it was shown.

    ``table`` is the :func:`lobby_hash` of the state it speaks of: a change on the way to the
    opener or from it cannot make it accept what it has not seen.
    """

    ready: bool
    table: Annotated[bytes, Meta(min_length=32, max_length=32)]


class Proposal(_Message, frozen=True, tag="roster"):
    """From the opener: the roster that all four are to sign."""

    roster: Annotated[bytes, Meta(max_length=ROSTER_MAX)]


class Env(_Message, frozen=True, tag="env"):
    """One signed envelope, its own or one that it passes on."""

    wire: Annotated[bytes, Meta(max_length=ENVELOPE_MAX)]


class Status(_Message, frozen=True, tag="status"):
    """Where a peer stands: its step, whose envelopes of that step it has, whom it has links to.

    ``have`` and ``links`` are bit masks of seats; ``back`` asks for a lost seat to be returned.
    """

    session: Annotated[bytes, Meta(min_length=32, max_length=32)]
    step: Annotated[int, Meta(ge=0, le=2**31)]
    have: SEATS_MASK
    links: SEATS_MASK
    back: bool


class Chat(_Message, frozen=True, tag="chat"):
    """A line of talk; hostile text until it is cleaned."""

    text: Text


class Said(_Message, frozen=True, tag="said"):
    """From the opener to everybody in the lobby: who said which line there.

    Nothing proves it: guests have links to the opener only, and believe it about talk.
    """

    speaker: Identity
    text: Text


class Leaving(_Message, frozen=True, tag="leaving"):
    """The sender leaves, and why, in words."""

    reason: Text


class Watching(_Message, frozen=True, tag="watching"):
    """From a player to the players: the names of those who watch through it now."""

    names: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=NAME_MAX)], ...],
        Meta(max_length=WATCHING_MAX),
    ]


Traffic: TypeAlias = LobbyState | Ready | Proposal | Env | Status | Chat | Said | Leaving | Watching
_DECODER: msgspec.msgpack.Decoder[Traffic] = msgspec.msgpack.Decoder(Traffic)
_ENCODER = msgspec.msgpack.Encoder()


def lobby_hash(state: LobbyState) -> bytes:
    """What a guest accepts: the terms, and who is there in which order, by key and name."""
    fields = [part for guest in state.guests for part in (guest.identity, guest.name.encode())]
    return digest(b"lobby", state.proposal, *fields)


def pack(message: Traffic) -> bytes:
    """The bytes of a message."""
    return _ENCODER.encode(message)


def unpack(data: bytes) -> Traffic:
    """The message in these bytes; raises WireError."""
    try:
        return _DECODER.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as exc:
        raise WireError(Worded("not a message between peers: {why}", why=exc)) from None
