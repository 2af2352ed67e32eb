"""How a deal of Belka is scored in eyes, line by line, and what ends a game."""

from __future__ import annotations

from dataclasses import dataclass, replace

from p2pcards.games import tally
from p2pcards.games.base import TEAM_NAMES, Pair, SheetLine, team
from p2pcards.games.belka_cards import CARD_POINTS
from p2pcards.games.belka_options import BelkaOptions
from p2pcards.games.belka_state import BelkaState, card_points
from p2pcards.games.tally import add, line, pair, total, tricks_won

FIRST_EYES = 2
EGGS_EYES = 4
EGGS_MORE = 2
NAKED_EYES = 4

TAKEN = "Card points: NS {ns}, EW {ew}"
SAVED = "{winners} won, {more} to {less}; {losers} are saved with {save} or more: one eye"
UNSAVED = "{winners} won, {more} to {less}; {losers} have less than {save}: two eyes"
FIRST = "{winners} won the first deal, {more} to {less}: two eyes, whatever the margin"
JACK = "The J♣ was dealt to {losers}: one eye more"
FLAT = "{winners} won, {more} to {less}; a deal after eggs: {eyes} eyes, whatever the margin"
TIMES = "A deal after eggs counts {times} times"
MORE = "A deal after eggs: {eyes} eyes more"
TITLE = "A deal after eggs: {losers} get the title Eggs"
EGGS = "60 to 60, eggs: nobody scores"
EGGS_FLAT = "60 to 60, eggs: nobody scores; the next deal that is won is worth {eyes} eyes"
EGGS_TIMES = "60 to 60, eggs: nobody scores; the next deal that is won counts {times} times"
EGGS_ADD = "60 to 60, eggs: nobody scores; the next deal that is won is worth {eyes} eyes more"
NAKED_TRICKS = "{winners} took all eight tricks: {losers} are naked"
NAKED_POINTS = "{winners} took all {points} points: {losers} are naked"
NAKED_GAME = "{winners} win the game at once, whatever the eyes"
NAKED_FOUR = "Leaving the others naked makes it {eyes} eyes"
GAME_WON = "{team} win the game, {more} to {less}"
LOST_WITH_EGGS = "{team} lose a game with eggs in it: lost with eggs"


@dataclass(frozen=True, slots=True)
class DealFacts:
    """Everything about a finished deal that its score depends on; teams are 0 and 1.

    ``first`` tells whether it is the first deal of a game, ``tricks`` and ``taken`` are each
    team's tricks and card points, ``jack`` is the team that was dealt the J♣, and ``eggs``
    counts the tied deals since the last one that was won.
    """

    first: bool
    tricks: Pair
    taken: Pair
    jack: int
    eggs: int = 0


@dataclass(frozen=True, slots=True)
class DealScore:
    """What a deal adds to both scores, the eggs after it, and the lines that explain it.

    ``game`` is the team that won the game by leaving the other naked. The points of the lines
    sum to ``added``.
    """

    added: Pair
    eggs: int
    lines: tuple[SheetLine, ...]
    game: int | None = None


def score_deal(options: BelkaOptions, facts: DealFacts) -> DealScore:
    """The score of a finished deal. Pure: the same facts always give the same lines."""
    lines = [line(TAKEN, ns=facts.taken[0], ew=facts.taken[1])]
    if facts.taken[0] == facts.taken[1]:
        eggs = facts.eggs + 1
        return DealScore((0, 0), eggs, (*lines, _eggs_line(options, eggs)))
    winner = int(facts.taken[1] > facts.taken[0])
    names = {"winners": TEAM_NAMES[winner], "losers": TEAM_NAMES[1 - winner]}
    naked = _naked_line(options, facts, winner, names)
    if naked is not None and options.naked == "game":
        lines += [naked, line(NAKED_GAME, winners=names["winners"])]
        return DealScore((0, 0), 0, tuple(lines), winner)
    lines += _eyes(options, facts, winner, names)
    if naked is not None:
        lacking = NAKED_EYES - total(lines)[winner]
        lines.append(naked)
        if lacking > 0:
            lines.append(line(NAKED_FOUR, pair(winner, lacking), eyes=NAKED_EYES))
    return DealScore(total(lines), 0, tuple(lines))


def eggs_count(options: BelkaOptions, eggs: int) -> int:
    """How often so many tied deals in a row count."""
    return eggs if options.eggs_again == "add" else min(eggs, 1)


def _eggs_line(options: BelkaOptions, eggs: int) -> SheetLine:
    """The line of a tied deal, after which so many wait."""
    count = eggs_count(options, eggs)
    match options.eggs:
        case "four":
            return line(EGGS_FLAT, (0, 0), eyes=EGGS_EYES * count)
        case "double":
            return line(EGGS_TIMES, (0, 0), times=1 + count)
        case "plus_two":
            return line(EGGS_ADD, (0, 0), eyes=EGGS_MORE * count)
    return line(EGGS, (0, 0))


def _naked_line(
    options: BelkaOptions, facts: DealFacts, winner: int, names: dict[str, str]
) -> SheetLine | None:
    """The line that says why the losers are naked, if they are."""
    if facts.tricks[winner] == 8:
        return line(NAKED_TRICKS, **names)
    if options.naked_by == "points" and facts.taken[winner] == CARD_POINTS:
        return line(NAKED_POINTS, **names, points=CARD_POINTS)
    return None


def _eyes(
    options: BelkaOptions, facts: DealFacts, winner: int, names: dict[str, str]
) -> list[SheetLine]:
    """The lines of a deal that was won, but for what a naked side adds."""
    against_jack = options.jack_eye == "on" and facts.jack != winner
    jack = [line(JACK, pair(winner, 1), losers=names["losers"])] if against_jack else []
    count = eggs_count(options, facts.eggs)
    won: dict[str, str | int] = {
        "winners": names["winners"],
        "more": max(facts.taken),
        "less": min(facts.taken),
    }
    if count and options.eggs == "four":
        eyes = EGGS_EYES * count
        flat = line(FLAT, pair(winner, eyes), **won, eyes=eyes)
        return [flat, *(jack if options.eggs_jack == "on" else [])]
    if facts.first and options.first_deal == "two":
        lines = [line(FIRST, pair(winner, FIRST_EYES), **won)]
    else:
        saved = facts.taken[1 - winner] >= options.save
        text, eyes = (SAVED, 1) if saved else (UNSAVED, 2)
        margin = line(text, pair(winner, eyes), **won, losers=names["losers"], save=options.save)
        lines = [margin, *jack]
    return lines + _after_eggs(options, count, winner, total(lines)[winner])


def _after_eggs(options: BelkaOptions, count: int, winner: int, eyes: int) -> list[SheetLine]:
    """What eggs add to a deal that is otherwise worth so many eyes."""
    if not count:
        return []
    match options.eggs:
        case "double":
            return [line(TIMES, pair(winner, eyes * count), times=1 + count)]
        case "plus_two":
            more = EGGS_MORE * count
            return [line(MORE, pair(winner, more), eyes=more)]
    return [line(TITLE, losers=TEAM_NAMES[1 - winner])]


def deal_facts(state: BelkaState) -> DealFacts:
    """The facts of a deal whose eight tricks have been played."""
    if state.jack is None:
        raise RuntimeError("a deal in which all cards were played has shown its J♣")
    return DealFacts(
        first=state.is_first_deal,
        tricks=tricks_won(state),
        taken=card_points(state),
        jack=team(state.jack),
        eggs=state.eggs,
    )


def close_deal(state: BelkaState, score: DealScore, facts: DealFacts) -> BelkaState:
    """The state with this deal's sheet, the new scores and, if it ended, the game's winner."""
    scores, lines = add(state.scores, score.added), list(score.lines)
    eggs_in_game = state.eggs_in_game + (score.eggs > facts.eggs)
    winner = score.game
    if winner is None and max(scores) >= state.options.target:
        winner = int(scores[1] > scores[0])
        more, less = max(scores), min(scores)
        lines.append(line(GAME_WON, team=TEAM_NAMES[winner], more=more, less=less))
    if winner is not None and eggs_in_game:
        lines.append(line(LOST_WITH_EGGS, team=TEAM_NAMES[1 - winner]))
    closed = tally.close_deal(state, lines, facts.tricks, facts.taken, score.added, winner)
    return replace(closed, eggs=score.eggs, eggs_in_game=eggs_in_game, game_won=winner)
