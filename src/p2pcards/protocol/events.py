"""What an observer reports: facts that were verified, in the order in which they became true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from p2pcards.cards import Card, Suit
from p2pcards.games.base import Bid, Sheet
from p2pcards.protocol.faults import Fault


@dataclass(frozen=True, slots=True)
class Arrived:
    """An envelope was verified and counted; ``waiting`` are the seats this step still needs."""

    step: int
    seat: int
    kind: str
    waiting: frozenset[int]


@dataclass(frozen=True, slots=True)
class SeatsDrawn:
    """The joint draw is done: ``players[seat]`` is a place in the roster."""

    players: tuple[int, int, int, int]
    dealer: int


@dataclass(frozen=True, slots=True)
class DealBegun:
    """A new deck is to be made; ``deal`` is the number that the score sheet will have.

    A deal that is made anew keeps its number.
    """

    deal: int
    dealer: int


@dataclass(frozen=True, slots=True)
class DeckConfirmed:
    """Every seat has signed the same shuffled deck."""

    deal: int


@dataclass(frozen=True, slots=True)
class PacketDealt:
    """Hidden cards have reached their owners; ``turned`` lies face up, if one was turned."""

    turned: Card | None


@dataclass(frozen=True, slots=True)
class BidMade:
    """A seat bid; ``by_bot`` when the public bot did so for a lost seat."""

    bid: Bid
    by_bot: bool = False


@dataclass(frozen=True, slots=True)
class HandShown:
    """A seat showed a weak hand to get a new deal."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class HolderKnown:
    """The holder of the announced card is known, and the other three have proved they are not.

    ``trump`` is the suit that is trump in this deal.
    """

    holder: int
    card: Card
    trump: Suit | None = None


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card was opened and is legal; ``proved`` counts the inequalities that show it."""

    seat: int
    card: Card
    proved: int
    by_bot: bool = False


@dataclass(frozen=True, slots=True)
class TrickTaken:
    """A trick is complete; ``points`` are the card points in it."""

    seat: int
    cards: tuple[Card, ...]
    points: int


@dataclass(frozen=True, slots=True)
class DealScored:
    """The deal is over; the sheet explains the score."""

    sheet: Sheet


@dataclass(frozen=True, slots=True)
class StopWished:
    """These seats signed with the score that they wish the match to stop; it does if all do."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class VoteCast:
    """A seat voted to give a lost seat's hand to the public bot.

    Whoever holds that seat's envelope of this step answers with an objection, also when the step
    is over here: the voter takes the envelope only from an objection now.
    """

    voter: int
    seat: int
    step: int


@dataclass(frozen=True, slots=True)
class Unheard:
    """A seat that others have voted about has answered here; those others wait for an objection."""

    seat: int
    step: int


@dataclass(frozen=True, slots=True)
class SeatLost:
    """Three votes: from here the public bot plays this seat; ``redeal`` when the deck is remade."""

    seat: int
    redeal: bool


@dataclass(frozen=True, slots=True)
class SeatBack:
    """The player of a lost seat plays again from the next deal."""

    seat: int


@dataclass(frozen=True, slots=True)
class Diverged:
    """A seat's envelope names another history; the peers must compare what each was sent."""

    seat: int
    step: int


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over; ``winner`` is a team, or None when stopped undecided.

    ``sheets`` are those of all its deals, ``games_won`` counts each team's games.
    """

    winner: int | None
    sheets: tuple[Sheet, ...] = ()
    games_won: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Closed:
    """Everyone has signed the final transcript hash."""

    transcript: bytes


Event: TypeAlias = (
    Arrived
    | SeatsDrawn
    | DealBegun
    | DeckConfirmed
    | PacketDealt
    | BidMade
    | HandShown
    | HolderKnown
    | CardPlayed
    | TrickTaken
    | DealScored
    | StopWished
    | VoteCast
    | Unheard
    | SeatLost
    | SeatBack
    | Diverged
    | MatchEnded
    | Closed
    | Fault
)
