"""What is awaited at any moment of a match: who owes what next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from p2pcards.cards import Card
from p2pcards.games.base import Bid, Seat


@dataclass(frozen=True, slots=True)
class AwaitDeck:
    """A new deck must be made; the seats shuffle in ``order``, then ``cutter`` cuts."""

    order: tuple[Seat, ...]
    cutter: Seat


@dataclass(frozen=True, slots=True)
class AwaitPacket:
    """Cards must be dealt.

    ``hidden`` pairs a position of the deck (0..31) with the seat that gets it face down,
    ``turned`` is a position to turn face up, and ``given`` hands positions that already lie
    face up to a seat.
    """

    hidden: tuple[tuple[int, Seat], ...]
    turned: int | None = None
    given: tuple[tuple[int, Seat], ...] = ()


@dataclass(frozen=True, slots=True)
class AwaitBid:
    """One seat must choose among these bids."""

    seat: Seat
    choices: tuple[Bid, ...]


@dataclass(frozen=True, slots=True)
class AwaitRedeal:
    """Every seat either plays on or shows a weak hand and so asks for a new deal."""


@dataclass(frozen=True, slots=True)
class AwaitAnnounce:
    """Every seat either opens this card or proves that it does not hold it."""

    card: Card


@dataclass(frozen=True, slots=True)
class AwaitPlay:
    """One seat must play a card."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AwaitSigned:
    """The deal is over; all four must sign its result."""


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match has ended; ``winner`` is a team, or None when it was stopped undecided."""

    winner: int | None


Awaited: TypeAlias = (
    AwaitDeck
    | AwaitPacket
    | AwaitBid
    | AwaitRedeal
    | AwaitAnnounce
    | AwaitPlay
    | AwaitSigned
    | MatchOver
)
