"""Who sent an envelope: a seat once the seats are drawn, a place in the roster before."""

from __future__ import annotations

from collections.abc import Iterable

from p2pcards.protocol.course import Course
from p2pcards.protocol.envelope import Envelope, Payload

DRAWN_AT = 3
"""The first step in which senders are seats; before, they are places in the roster."""


def signer(course: Course, envelope: Envelope) -> int | None:
    """The place in the roster of the player who signed an envelope and may send it."""
    payload, players = envelope.payload, course.table.roster.players
    if payload.step < DRAWN_AT:
        places: Iterable[int] = (payload.sender,)
    elif course.step.number < DRAWN_AT:
        places = range(4)
    else:
        places = (course.table.places[payload.sender],)
    return next((p for p in places if envelope.signed_by(players[p].identity)), None)


def is_by_sender(course: Course, envelope: Envelope) -> bool:
    """Whether an envelope is signed by the seat it names; False while that is not drawn."""
    drawn = course.step.number >= DRAWN_AT or envelope.payload.step < DRAWN_AT
    return drawn and signer(course, envelope) is not None


def seat_of(course: Course, payload: Payload) -> int:
    """The sender's seat; after the draw, the sender of an earlier step is a place."""
    if payload.step < DRAWN_AT <= course.step.number:
        return course.table.places.index(payload.sender)
    return payload.sender
