"""How a deal of Belotă is scored, line by line, and what ends a game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from p2pcards.games import tally
from p2pcards.games.base import TEAM_NAMES, Pair, SheetLine
from p2pcards.games.belota_options import BelotaOptions
from p2pcards.games.belota_state import (
    LAST_TRICK,
    BelotaState,
    belote_seat,
    trick_points,
)
from p2pcards.games.tally import add, line, pair, total, tricks_won

BELOTE = 20
CAPOT_BONUS = 90
"""All eight tricks: 100 in place of the 10 for the last one."""

TAKEN = "Trick points, with {last} for the last trick: NS {ns}, EW {ew}"
BELOTE_SCORED = "Belote of {team}: king and queen of trump in one hand, {points} points"
BELOTE_HELD = "Belote of {team}: its {points} points are held with the takers' other points"
MADE = "{takers} took and won, {more} to {less}: each side scores its trick points"
TIE_MADE = "{takers} took; a tie, {more} to {less}, counts as won: each scores its trick points"
INSIDE = "{takers} took and lost, {less} to {more}: {defenders} score all {points}"
TIE_INSIDE = "{takers} took; a tie, {less} to {more}, counts as lost: {defenders} score {points}"
CAPOT = "{winners} won all eight tricks: {points} points"
HELD = "{takers} took; a tie, {more} to {less}: {defenders} score their trick points"
HELD_ALL = "{takers} took; a tie, {more} to {less}: nobody scores trick points"
POT_IN = "{points} points are held for the side that wins the next decided deal; the pot is {pot}"
POT_OUT = "The pot goes to {team}: {points} points"
POT_STAYS = "The pot of {pot} points stays"
POT_LAPSES = "The pot of {pot} points lapses with the end of the game"
ROUNDED = "Rounded to the nearest ten, 5 upward"
PASSED_OUT = "All four passed twice: nobody scores"
GAME_WON = "{team} win the game, {more} to {less}"
GAME_TIED = "Both have {points} points: another deal decides the game"


class Outcome(Enum):
    """What the comparison of takers and defenders came to."""

    MADE = "made"
    INSIDE = "inside"
    HELD = "held"
    HELD_ALL = "held_all"


@dataclass(frozen=True, slots=True)
class DealScore:
    """What a deal adds to both scores, the pot after it, and the lines that explain it.

    The points of the lines sum to ``added``.
    """

    added: Pair
    pot: int
    lines: tuple[SheetLine, ...]


@dataclass(frozen=True, slots=True)
class DealFacts:
    """Everything about a finished deal that its score depends on; teams are 0 and 1.

    ``tricks`` and ``taken`` are each team's tricks and trick points (the last trick's 10
    included, no capot, no belote), ``belote`` the team whose belote counts, ``pot`` what earlier
    ties have left.
    """

    takers: int
    tricks: Pair
    taken: Pair
    belote: int | None = None
    pot: int = 0


def score_deal(options: BelotaOptions, facts: DealFacts) -> DealScore:
    """The score of a finished deal. Pure: the same facts always give the same lines."""
    lines = [line(TAKEN, last=LAST_TRICK, ns=facts.taken[0], ew=facts.taken[1])]
    won = with_capot(facts)
    outcome, compared = compare(options, facts, won)
    held, belote_line = _belote(options, facts, outcome)
    lines += [belote_line] if belote_line else []
    lines.append(_outcome_line(facts, outcome, won, compared))
    pot, pot_lines = _pot(facts, outcome, won, held)
    lines += pot_lines
    added = total(lines)
    if options.rounding == "ten":
        rounded = (round_to_ten(added[0]), round_to_ten(added[1]))
        change = (rounded[0] - added[0], rounded[1] - added[1])
        lines += [line(ROUNDED, change)] if change != (0, 0) else []
        added = rounded
    return DealScore(added, pot, tuple(lines))


def with_capot(facts: DealFacts) -> Pair:
    """The trick points that count: as taken, or 252 for a side that won all eight tricks."""
    for side in (0, 1):
        if facts.tricks[side] == 8:
            return pair(side, facts.taken[side] + CAPOT_BONUS)
    return facts.taken


def compare(options: BelotaOptions, facts: DealFacts, won: Pair) -> tuple[Outcome, Pair]:
    """The outcome, and the takers' and the defenders' points that were compared."""
    totals = won
    if facts.belote is not None and options.belote_counts == "yes":
        totals = add(won, pair(facts.belote, BELOTE))
    takers, defenders = totals[facts.takers], totals[1 - facts.takers]
    if takers == defenders:
        return Outcome(options.litige), (takers, defenders)
    return (Outcome.MADE if takers > defenders else Outcome.INSIDE), (takers, defenders)


def round_to_ten(points: int) -> int:
    """To the nearest ten, 5 upward: 84 is 80, 85 is 90."""
    return (points + 5) // 10 * 10


def _belote(
    options: BelotaOptions, facts: DealFacts, outcome: Outcome
) -> tuple[int, SheetLine | None]:
    """The points of a belote that go to the pot, and the line that speaks of it."""
    if facts.belote is None:
        return 0, None
    name = TEAM_NAMES[facts.belote]
    held = (
        outcome is Outcome.HELD
        and facts.belote == facts.takers
        and options.belote_counts == "yes"
        and options.litige_belote == "held"
    )
    if held:
        return BELOTE, line(BELOTE_HELD, team=name, points=BELOTE)
    return 0, line(BELOTE_SCORED, pair(facts.belote, BELOTE), team=name, points=BELOTE)


def _outcome_line(facts: DealFacts, outcome: Outcome, won: Pair, compared: Pair) -> SheetLine:
    """The line that says who won the contract, with the trick points both sides score."""
    takers, defenders = facts.takers, 1 - facts.takers
    names = {"takers": TEAM_NAMES[takers], "defenders": TEAM_NAMES[defenders]}
    more, less = max(compared), min(compared)
    if 8 in facts.tricks:
        winners = facts.tricks.index(8)
        return line(CAPOT, won, winners=TEAM_NAMES[winners], points=sum(won))
    tie = more == less
    text, points = HELD_ALL, (0, 0)
    if outcome is Outcome.MADE:
        text, points = TIE_MADE if tie else MADE, won
    elif outcome is Outcome.INSIDE:
        text, points = TIE_INSIDE if tie else INSIDE, pair(defenders, sum(won))
    elif outcome is Outcome.HELD:
        text, points = HELD, pair(defenders, won[defenders])
    return line(text, points, **names, more=more, less=less, points=sum(points))


def _pot(
    facts: DealFacts, outcome: Outcome, won: Pair, held_belote: int
) -> tuple[int, list[SheetLine]]:
    """The pot after the deal, and the lines about it."""
    if outcome in (Outcome.HELD, Outcome.HELD_ALL):
        held = won[facts.takers] + held_belote if outcome is Outcome.HELD else sum(won)
        pot = facts.pot + held
        return pot, [line(POT_IN, points=held, pot=pot)]
    if facts.pot == 0:
        return 0, []
    heir = facts.takers if outcome is Outcome.MADE else 1 - facts.takers
    text = line(POT_OUT, pair(heir, facts.pot), team=TEAM_NAMES[heir], points=facts.pot)
    return 0, [text]


def deal_facts(state: BelotaState) -> DealFacts:
    """The facts of a deal whose eight tricks have been played."""
    if state.taker is None:
        raise RuntimeError("a deal without a taker has no facts to score")
    seat = belote_seat(state)
    return DealFacts(
        takers=state.taker % 2,
        tricks=tricks_won(state),
        taken=trick_points(state),
        belote=None if seat is None else seat % 2,
        pot=state.pot,
    )


def game_winner(options: BelotaOptions, scores: Pair) -> int | None:
    """The team that has won the game with these scores, or None while it goes on."""
    if max(scores) < options.target or scores[0] == scores[1]:
        return None
    return 0 if scores[0] > scores[1] else 1


def close_deal(state: BelotaState, score: DealScore, facts: DealFacts | None) -> BelotaState:
    """The state with this deal's sheet, the new scores and, if it ended, the game's winner."""
    scores = add(state.scores, score.added)
    lines, pot = list(score.lines), score.pot
    winner = game_winner(state.options, scores)
    if winner is not None:
        lines += [line(POT_LAPSES, pot=pot)] if pot else []
        more, less = max(scores), min(scores)
        lines.append(line(GAME_WON, team=TEAM_NAMES[winner], more=more, less=less))
        pot = 0
    elif max(scores) >= state.options.target:
        lines.append(line(GAME_TIED, points=scores[0]))
    tricks, taken = (facts.tricks, facts.taken) if facts else ((0, 0), (0, 0))
    return replace(tally.close_deal(state, lines, tricks, taken, score.added, winner), pot=pot)


def passed_out(state: BelotaState) -> DealScore:
    """The score of a deal in which everybody passed twice: none, and the pot stays."""
    lines = [line(PASSED_OUT)]
    lines += [line(POT_STAYS, pot=state.pot)] if state.pot else []
    return DealScore((0, 0), state.pot, tuple(lines))
