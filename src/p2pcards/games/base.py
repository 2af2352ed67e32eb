"""What both games share: public states, actions, views and score sheets.

A state holds public knowledge only. Hands come in as arguments, and what a seat has shown it
does not hold is part of the state, so that every peer can check every play.

Seats are numbered 0 to 3 in the order of play: the seat after ``s`` is always ``(s + 1) % 4``.
Whether that neighbour sits on the right or on the left is the option ``direction``. Partners
sit opposite: team 0 is seats 0 and 2 (shown as NS), team 1 is seats 1 and 3 (EW).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from p2pcards.cards import Card, Suit, show_cards
from p2pcards.games.options import Options

Seat: TypeAlias = int
SEATS: tuple[Seat, ...] = (0, 1, 2, 3)
TEAM_NAMES = ("NS", "EW")
Pair: TypeAlias = tuple[int, int]
CardSets: TypeAlias = tuple[frozenset[Card], frozenset[Card], frozenset[Card], frozenset[Card]]
NO_CARDS: CardSets = (frozenset(), frozenset(), frozenset(), frozenset())


def following(seat: Seat, steps: int = 1) -> Seat:
    """The seat ``steps`` places after this one in the order of play."""
    return (seat + steps) % 4


def partner(seat: Seat) -> Seat:
    """The seat opposite."""
    return (seat + 2) % 4


def team(seat: Seat) -> int:
    """0 for seats 0 and 2, 1 for seats 1 and 3."""
    return seat % 2


class Rule(Enum):
    """Why an action is refused; the values are stable names for programs."""

    WRONG_PHASE = "wrong-phase"
    NOT_YOUR_TURN = "not-your-turn"
    NOT_A_CHOICE = "not-a-choice"
    NOT_IN_HAND = "not-in-hand"
    ALREADY_PLAYED = "already-played"
    REVOKE = "revoke"
    MUST_FOLLOW = "must-follow"
    MUST_TRUMP = "must-trump"
    MUST_OVERTRUMP = "must-overtrump"
    MUST_UNDERTRUMP = "must-undertrump"
    MUST_NOT_UNDERTRUMP = "must-not-undertrump"
    ACE_HELD = "ace-held"
    NOT_WEAK = "not-weak"


class IllegalActionError(ValueError):
    """An action against the rules: which rule, and which cards it is about.

    ``cards`` are those that must be played instead, or that show the fault.
    """

    def __init__(self, rule: Rule, message: str, cards: tuple[Card, ...] = ()) -> None:
        super().__init__(message + (f" ({show_cards(cards)})" if cards else ""))
        self.rule = rule
        self.cards = cards


# -- actions ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DeckReady:
    """Four peers have shuffled, cut and confirmed a deck."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """A packet has reached its owners; ``turned`` is the card turned face up, if one was."""

    turned: Card | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """A seat declines in the bidding."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Take:
    """A seat takes the turned suit as trump."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Name:
    """A seat names another suit as trump in the second round."""

    seat: Seat
    suit: Suit


@dataclass(frozen=True, slots=True)
class Redeal:
    """The answer of all four to "is a hand weak?": each seat's shown hand, or None to play on."""

    hands: tuple[frozenset[Card] | None, ...]


@dataclass(frozen=True, slots=True)
class Announced:
    """All four have answered who holds the announced card (Belka's J♣)."""

    holder: Seat


@dataclass(frozen=True, slots=True)
class Play:
    """A seat plays a card; ``call`` says belote or rebelote with it, where calling counts."""

    seat: Seat
    card: Card
    call: bool = False


@dataclass(frozen=True, slots=True)
class Signed:
    """All four have signed the deal's result; ``stop`` when all four asked to end the match."""

    stop: bool = False


Bid: TypeAlias = Pass | Take | Name
Action: TypeAlias = DeckReady | Dealt | Bid | Redeal | Announced | Play | Signed


# -- states -----------------------------------------------------------------------------------


class Phase(Enum):
    """Where in a deal the match stands."""

    DECK = "deck"
    PACKET = "packet"
    BID = "bid"
    REDEAL = "redeal"
    ANNOUNCE = "announce"
    PLAY = "play"
    SCORED = "scored"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Trick:
    """Cards in the order played, from the leader on; ``winner`` is None while it is open."""

    leader: Seat
    cards: tuple[Card, ...] = ()
    winner: Seat | None = None

    def by_seat(self) -> tuple[tuple[Seat, Card], ...]:
        """Each card with the seat that played it."""
        return tuple((following(self.leader, i), card) for i, card in enumerate(self.cards))


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One line of a score sheet: an English template, its values, and points for both teams."""

    template: str
    values: tuple[tuple[str, str | int], ...] = ()
    points: Pair | None = None

    def __str__(self) -> str:
        return self.template.format(**dict(self.values))


@dataclass(frozen=True, slots=True)
class Sheet:
    """How one deal was scored: every line, what was added to each team's score, and the totals.

    ``tricks`` and ``taken`` are the number of tricks and the trick points of each team, before
    any rule of scoring is applied. ``won`` is the team that won a game with this deal.
    """

    deal: int
    lines: tuple[SheetLine, ...]
    tricks: Pair
    taken: Pair
    added: Pair
    scores: Pair
    won: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The public state of a match; each game adds fields of its own.

    ``deal`` counts from 1 through the whole match, ``deal_in_game`` from 1 in each game of the
    series. ``shown`` are cards that lie open in a hand, ``absent`` are cards that a seat has
    shown not to hold, by a card it played or by a proof; both are for this deal.
    """

    options: Options
    dealer: Seat
    deal: int = 1
    deal_in_game: int = 1
    phase: Phase = Phase.DECK
    packet: int = 0
    turn: Seat = 0
    trump: Suit | None = None
    trick: Trick = Trick(0)
    tricks: tuple[Trick, ...] = ()
    hand_sizes: tuple[int, int, int, int] = (0, 0, 0, 0)
    shown: CardSets = NO_CARDS
    absent: CardSets = NO_CARDS
    scores: Pair = (0, 0)
    games_won: Pair = (0, 0)
    sheets: tuple[Sheet, ...] = ()
    winner: int | None = None

    @property
    def played(self) -> frozenset[Card]:
        """Every card played in this deal."""
        done = [card for trick in self.tricks for card in trick.cards]
        return frozenset(done) | frozenset(self.trick.cards)


def trump_of(state: State) -> Suit:
    """The trump suit of a deal in play; asking before there is one is our own bug."""
    if state.trump is None:
        raise RuntimeError("no trump has been chosen yet")
    return state.trump


@dataclass(frozen=True, slots=True)
class View:
    """What one seat knows: the public state and the cards in its own hand."""

    state: State
    seat: Seat
    hand: frozenset[Card]


def with_cards(sets: CardSets, seat: Seat, cards: frozenset[Card]) -> CardSets:
    """The sets with these cards added to one seat's."""
    a, b, c, d = (held | cards if s == seat else held for s, held in enumerate(sets))
    return (a, b, c, d)


def without_card(sets: CardSets, seat: Seat, card: Card) -> CardSets:
    """The sets with this card taken from one seat's."""
    a, b, c, d = (held - {card} if s == seat else held for s, held in enumerate(sets))
    return (a, b, c, d)


def with_sizes(
    sizes: tuple[int, int, int, int], changes: tuple[tuple[Seat, int], ...]
) -> tuple[int, int, int, int]:
    """Hand sizes after each seat in ``changes`` gained (or lost) so many cards."""
    out = list(sizes)
    for seat, change in changes:
        out[seat] += change
    return (out[0], out[1], out[2], out[3])
