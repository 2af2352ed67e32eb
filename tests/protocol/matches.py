"""Short matches that several tests look at; each is played once."""

from __future__ import annotations

import random
from functools import cache

from p2pcards.protocol.envelope import unseal
from p2pcards.protocol.events import Arrived, Event
from tests.protocol.room import ONE_DEAL, Room, make_roster

SHORT = {"target": "100"}
"""Options of a match that ends after a deal or two."""


@cache
def finished(order: int | None = None, seed: str = ONE_DEAL) -> Room:
    """A whole match; ``order`` seeds the order in which envelopes are delivered."""
    room = Room(make_roster(options=SHORT), seed=seed)
    room.run(rng=None if order is None else random.Random(order))
    return room


def record(room: Room) -> list[bytes]:
    """The record of a match as its first player holds it."""
    return room.players[0].observer.record()


def facts(events: list[Event]) -> list[Event]:
    """What was verified, without the order in which envelopes came in."""
    return [event for event in events if not isinstance(event, Arrived)]


@cache
def first_of_kinds() -> dict[str, int]:
    """The place in the record of the first envelope of each kind; of plays, the longest."""
    found: dict[str, int] = {}
    wires = record(finished())
    for index, wire in enumerate(wires):
        kind = unseal(wire).payload.kind
        if kind not in found or (kind == "play" and len(wire) > len(wires[found[kind]])):
            found[kind] = index
    return found
