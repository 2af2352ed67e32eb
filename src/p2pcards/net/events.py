"""What the mesh tells the layer above it."""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.net.dial import Address
from p2pcards.net.link import CloseKind


@dataclass(frozen=True, slots=True)
class LinkUp:
    """A link to ``peer`` is up. If it was up already, its connection was replaced: re-sync.

    ``address`` is where the peer can be dialled, as far as we can tell.
    """

    peer: bytes
    name: str
    want: bytes
    inbound: bool
    address: Address | None


@dataclass(frozen=True, slots=True)
class LinkDown:
    """The link to ``peer`` ended and no other took its place."""

    peer: bytes
    reason: str
    kind: CloseKind


@dataclass(frozen=True, slots=True)
class Received:
    """A payload from ``peer``, of whom only the key is proven."""

    peer: bytes
    payload: bytes


MeshEvent = LinkUp | LinkDown | Received
