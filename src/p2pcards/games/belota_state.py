"""The public state of a match of Belotă, and what can be read off it."""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.cards import Card
from p2pcards.games.base import Pair, Play, Seat, State, team, trump_of
from p2pcards.games.belota_cards import points
from p2pcards.games.belota_options import BelotaOptions

LAST_TRICK = 10
"""Points for winning the eighth trick."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BelotaState(State):
    """What everybody at the table knows.

    ``turned`` is the card turned up in this deal, ``taker`` the seat that chose trump,
    ``passes`` counts the passes of both rounds, ``royals`` are the plays of king and queen of
    trump so far, and ``pot`` holds points of tied deals for the next decided one.
    """

    options: BelotaOptions
    turned: Card | None = None
    taker: Seat | None = None
    passes: int = 0
    royals: tuple[Play, ...] = ()
    pot: int = 0


def belote_seat(state: BelotaState) -> Seat | None:
    """The seat that has shown a belote that counts: both cards, called where that is needed."""
    if len(state.royals) < 2:
        return None
    first, second = state.royals
    if first.seat != second.seat:
        return None
    if state.options.belote_call == "manual" and not (first.call and second.call):
        return None
    return first.seat


def trick_points(state: State) -> Pair:
    """Each team's points in tricks so far, 10 for the last of eight included."""
    taken = [0, 0]
    for trick in state.tricks:
        if trick.winner is not None:
            trump = trump_of(state)
            taken[team(trick.winner)] += sum(points(card, trump) for card in trick.cards)
    if len(state.tricks) == 8 and (last := state.tricks[-1].winner) is not None:
        taken[team(last)] += LAST_TRICK
    return (taken[0], taken[1])
