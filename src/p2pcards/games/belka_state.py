"""The public state of a match of Belka, and what can be read off it."""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.cards import Suit
from p2pcards.games.base import Pair, Seat, State, team, trump_of
from p2pcards.games.belka_cards import POINTS, suit_of, suit_of_seat
from p2pcards.games.belka_options import BelkaOptions

NO_SUITS: frozenset[Suit] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class BelkaState(State):
    """What everybody at the table knows.

    ``jack`` is the seat that was dealt the J♣ in this deal, once that is known; ``clubs`` the
    seat that owns clubs. ``eggs`` counts the tied deals that still wait for a decided one,
    ``eggs_in_game`` all of this game. ``game_won`` is the team that won the game with the deal
    just scored.
    """

    options: BelkaOptions
    jack: Seat | None = None
    clubs: Seat | None = None
    eggs: int = 0
    eggs_in_game: int = 0
    game_won: int | None = None

    @property
    def is_first_deal(self) -> bool:
        """Whether this is the first deal of a game, in which clubs are trump."""
        return self.deal_in_game == 1


def seat_suits(state: BelkaState) -> tuple[Suit, Suit, Suit, Suit] | None:
    """The suit each seat owns, or None before the owner of clubs is known."""
    if state.clubs is None:
        return None
    direction = state.options.direction
    a, b, c, d = (suit_of_seat(direction, state.clubs, seat) for seat in range(4))
    return (a, b, c, d)


def card_points(state: State) -> Pair:
    """Each team's points in the tricks it has won so far."""
    taken = [0, 0]
    for trick in state.tricks:
        if trick.winner is not None:
            taken[team(trick.winner)] += sum(POINTS[card.index] for card in trick.cards)
    return (taken[0], taken[1])


def held_aces(state: BelkaState) -> frozenset[Suit]:
    """The suits whose ace must not be discarded now: not trump, and not led in this deal yet."""
    if state.options.ace_discard == "free":
        return NO_SUITS
    trump = trump_of(state)
    leads = [trick.cards[0] for trick in (*state.tricks, state.trick) if trick.cards]
    return frozenset(Suit) - {trump} - {suit_of(card, trump) for card in leads}
