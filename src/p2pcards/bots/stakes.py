"""What the end of a deal is worth: the game's own score, seen as the chance to win the game.

Every number comes from the engine's scoring functions, asked once for each outcome and then
remembered. Only the step from a score to a chance is an estimate: what is still to come is taken
as a sum of independent deals with the spread that deals have been measured to have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, sqrt
from typing import ClassVar

from p2pcards.bots.tables import Tables
from p2pcards.cards import Card
from p2pcards.games import belka_score, belota_score
from p2pcards.games.base import Pair, Seat, State
from p2pcards.games.belka_cards import JACK_OF_CLUBS
from p2pcards.games.belka_state import BelkaState
from p2pcards.games.belota_cards import ROYALS
from p2pcards.games.belota_state import LAST_TRICK, BelotaState

CARD_SHARE = 0.12
"""How much the card points count beside the chance to win, as a share of it.

Scores have steps (a contract made or lost, an eye more), and a guess at a deal's end is never
exact: the points keep a bot going where it sees itself on one side of a step for certain.
"""


@dataclass(frozen=True, slots=True)
class Pace:
    """How the scores of a game move: the winners' part and the spread of the difference a deal."""

    gain: float
    spread: float

    def chance(self, scores: Pair, target: int) -> float:
        """The chance of team 0 to win a game that goes on with these scores."""
        deals = max(target - max(scores), 0) / self.gain + 0.6
        return 0.5 + 0.5 * erf((scores[0] - scores[1]) / (self.spread * sqrt(2 * deals)))


class Stakes:
    """The worth of every outcome of one deal; the answers are remembered.

    ``favoured`` is the team that a game's special card favours: in Belotă the team whose belote
    counts, in Belka the one that was dealt the J♣; -1 for none.
    """

    pace: ClassVar[Pace]
    last_bonus: ClassVar[int] = 0

    def __init__(self, tables: Tables, state: State) -> None:
        self.tables, self.state = tables, state
        self.total = sum(tables.points)
        self._known: dict[int, float] = {}
        self._target = int(dict(state.options.items())["target"])

    def favoured(self, dealt: Sequence[int]) -> int:
        """The team that the special card favours, from the masks of the hands as dealt."""
        raise NotImplementedError

    def after(self, taken: Pair, tricks: Pair, last: int, favoured: int) -> State:
        """The state once the deal is scored; ``taken`` are card points alone."""
        raise NotImplementedError

    def worth(self, taken: int, tricks: int, last: Seat, favoured: int) -> float:
        """Team 0's chance to win the game, and a little for the points, from ``-CARD_SHARE`` up.

        Args:
            taken, tricks: team 0's card points and tricks.
            last: the seat that won the last trick.
        """
        key = ((taken * 9 + tricks) * 2 + (last & 1)) * 3 + favoured
        found = self._known.get(key)
        if found is None:
            both = (taken, self.total - taken)
            after = self.after(both, (tricks, 8 - tricks), last & 1, favoured)
            share = CARD_SHARE * (both[0] - both[1]) / self.total
            found = self._known[key] = self.chance(after) + share
        return found

    def chance(self, after: State) -> float:
        """Team 0's chance to win the game, once a deal was scored."""
        won = [a - b for a, b in zip(after.games_won, self.state.games_won, strict=True)]
        if any(won):
            return float(won[0])
        return self.pace.chance(after.scores, self._target)


class BelotaStakes(Stakes):
    """Belotă: the contract, the belote, the last trick and the pot."""

    pace = Pace(gain=95, spread=115)
    last_bonus = LAST_TRICK

    def __init__(self, tables: Tables, state: BelotaState, taker: Seat) -> None:
        super().__init__(tables, state)
        self._belota, self._taker = state, taker
        self._royals = tables.mask(Card.of(rank, tables.trump) for rank in ROYALS)

    def favoured(self, dealt: Sequence[int]) -> int:
        """The team of the seat that was dealt king and queen of trump."""
        for seat, hand in enumerate(dealt):
            if hand & self._royals == self._royals:
                return seat & 1
        return -1

    def after(self, taken: Pair, tricks: Pair, last: int, favoured: int) -> State:
        """The state once the deal is scored."""
        ours, theirs = taken
        facts = belota_score.DealFacts(
            takers=self._taker & 1,
            tricks=tricks,
            taken=(ours, theirs + LAST_TRICK) if last else (ours + LAST_TRICK, theirs),
            belote=None if favoured < 0 else favoured,
            pot=self._belota.pot,
        )
        score = belota_score.score_deal(self._belota.options, facts)
        return belota_score.close_deal(self._belota, score, facts)


class BelkaStakes(Stakes):
    """Belka: eyes, the J♣, eggs, and a side left naked."""

    pace = Pace(gain=1.4, spread=1.8)

    def __init__(self, tables: Tables, state: BelkaState) -> None:
        super().__init__(tables, state)
        self._belka = state
        self._jack = 1 << tables.slots[JACK_OF_CLUBS.index]

    def favoured(self, dealt: Sequence[int]) -> int:
        """The team that was dealt the J♣."""
        return next((seat & 1 for seat, hand in enumerate(dealt) if hand & self._jack), -1)

    def after(self, taken: Pair, tricks: Pair, last: int, favoured: int) -> State:
        """The state once the deal is scored."""
        facts = belka_score.DealFacts(
            first=self._belka.is_first_deal,
            tricks=tricks,
            taken=taken,
            jack=favoured,
            eggs=self._belka.eggs,
        )
        score = belka_score.score_deal(self._belka.options, facts)
        return belka_score.close_deal(self._belka, score, facts)


def stakes_of(tables: Tables, state: State, taker: Seat | None = None) -> Stakes:
    """The stakes of the deal in play; ``taker`` overrides who chose trump, for a bid to come."""
    if isinstance(state, BelotaState):
        seat = state.taker if taker is None else taker
        if seat is None:
            raise RuntimeError("nobody has chosen trump yet")
        return BelotaStakes(tables, state, seat)
    if isinstance(state, BelkaState):
        return BelkaStakes(tables, state)
    raise TypeError(f"no stakes are known for {type(state).__name__}")


def passed_out(state: BelotaState) -> float:
    """Team 0's chance to win when nobody takes."""
    return BelotaStakes.pace.chance(state.scores, state.options.target)


def taker_of(state: State) -> Seat:
    """The seat that chose trump, or whose suit made it; -1 if nobody did."""
    if isinstance(state, BelotaState):
        return -1 if state.taker is None else state.taker
    if isinstance(state, BelkaState) and not state.is_first_deal and state.jack is not None:
        return state.jack
    return -1
