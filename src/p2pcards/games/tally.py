"""What counting both games' scores shares: pairs of numbers, sheet lines, tricks, who is ahead."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from p2pcards.games.base import Pair, Phase, Sheet, SheetLine, State
from p2pcards.games.base import team as team_of

S = TypeVar("S", bound=State)


def pair(team: int, points: int) -> Pair:
    """These points for one team and none for the other."""
    return (points, 0) if team == 0 else (0, points)


def add(first: Pair, second: Pair) -> Pair:
    """The sum, team by team."""
    return (first[0] + second[0], first[1] + second[1])


def line(template: str, points: Pair | None = None, /, **values: str | int) -> SheetLine:
    """One line of the sheet."""
    return SheetLine(template, tuple(values.items()), points)


def total(lines: list[SheetLine]) -> Pair:
    """What the lines of a sheet add to both scores."""
    points = [entry.points for entry in lines if entry.points is not None]
    return (sum(ns for ns, _ in points), sum(ew for _, ew in points))


def tricks_won(state: State) -> Pair:
    """How many tricks each team has won in this deal."""
    won = [0, 0]
    for trick in state.tricks:
        if trick.winner is not None:
            won[team_of(trick.winner)] += 1
    return (won[0], won[1])


def ahead(games_won: Pair, scores: Pair) -> int | None:
    """The team that wins a match ended now: more games won, then more in the unfinished game."""
    ours, theirs = (games_won[0], scores[0]), (games_won[1], scores[1])
    return None if ours == theirs else int(theirs > ours)


def close_deal(
    state: S, lines: list[SheetLine], tricks: Pair, taken: Pair, added: Pair, winner: int | None
) -> S:
    """The state with this deal's sheet and its scores; ``winner`` is the team that won a game."""
    scores = add(state.scores, added)
    sheet = Sheet(state.deal, tuple(lines), tricks, taken, added, scores, winner)
    games = state.games_won if winner is None else add(state.games_won, pair(winner, 1))
    sheets = (*state.sheets, sheet)
    return replace(state, phase=Phase.SCORED, scores=scores, games_won=games, sheets=sheets)
