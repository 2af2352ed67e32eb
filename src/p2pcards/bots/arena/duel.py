"""One pair of matches: the same decks and dealers twice, with the sides exchanged."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from p2pcards.bots.arena.oracle import ORACLE, Oracle
from p2pcards.bots.arena.table import Table
from p2pcards.bots.levels import Bot, make_bot
from p2pcards.games.registry import GAMES

TARGETS = {"belota": "501"}
"""What a match of the arena is played to, where the game's own default is longer."""


@dataclass(frozen=True, slots=True)
class Duel:
    """Two kinds of bots, a game, and a seed from which everything follows."""

    a: str
    b: str
    game: str
    options: tuple[tuple[str, str], ...]
    seed: str


@dataclass(frozen=True, slots=True)
class Half:
    """One match, seen from A: margins of card points and of score a deal, the winner, the times.

    ``margins`` and ``scored`` have one entry a deal, ``won`` is 1, 0.5 for no winner, or 0, and
    ``times`` are the seconds of each of A's and of B's decisions.
    """

    margins: tuple[int, ...]
    scored: tuple[int, ...]
    won: float
    times: tuple[tuple[float, ...], tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class PairOfMatches:
    """Both halves of one pair, A in seats 0 and 2 first."""

    number: int
    halves: tuple[Half, Half]

    def as_json(self) -> dict[str, Any]:
        """A form that JSON keeps."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> PairOfMatches:
        """Back from :meth:`as_json`; raises KeyError, TypeError or ValueError."""
        first, second = (
            Half(
                tuple(map(int, half["margins"])),
                tuple(map(int, half["scored"])),
                float(half["won"]),
                (tuple(map(float, half["times"][0])), tuple(map(float, half["times"][1]))),
            )
            for half in values["halves"]
        )
        return cls(int(values["number"]), (first, second))

    def deals(self) -> list[tuple[float, float]]:
        """A's margins of card points and of score for each deal that both halves had."""
        first, second = self.halves
        points = zip(first.margins, second.margins, strict=False)
        scored = zip(first.scored, second.scored, strict=False)
        means = zip(((x + y) / 2 for x, y in points), ((x + y) / 2 for x, y in scored), strict=True)
        return list(means)


def bot_for(spec: str, seed: str) -> Bot:
    """A bot of a level, or the oracle; raises ValueError for any other name.

    Hard plays without a clock unless its budget is named, so that a seed gives one result.
    """
    if spec == ORACLE:
        return Oracle()
    name, _, settings = spec.partition(":")
    if name == "hard" and "budget=" not in settings:
        spec = f"hard:{settings}{',' if settings else ''}budget=none"
    return make_bot(spec, seed.encode())


def play_pair(duel: Duel, number: int) -> PairOfMatches:
    """Play one pair of matches; the same arguments always give the same matches."""
    return PairOfMatches(number, (_half(duel, number, 0), _half(duel, number, 1)))


def _half(duel: Duel, number: int, a_team: int) -> Half:
    game = GAMES[duel.game]
    seed = f"{duel.seed}/{number}"
    specs = [duel.a if seat & 1 == a_team else duel.b for seat in range(4)]
    bots = [bot_for(spec, f"{seed}/{seat}") for seat, spec in enumerate(specs)]
    state = game.start(game.parse_options(dict(duel.options)), number % 4)
    table = Table(game, state, bots, seed)
    end = table.play()
    sign = 1 - 2 * a_team
    times: tuple[list[float], list[float]] = ([], [])
    for seat, _, seconds in table.times:
        times[(seat & 1) ^ a_team].append(round(seconds, 5))
    won = 0.5 if end.winner is None else float(end.winner == a_team)
    return Half(
        tuple(sign * (s.taken[0] - s.taken[1]) for s in end.sheets),
        tuple(sign * (s.added[0] - s.added[1]) for s in end.sheets),
        won,
        (tuple(times[0]), tuple(times[1])),
    )
