"""What a sensible player goes by, in numbers: the weights of each game, as tables for a trump.

The weights were found by climbing: changed at random, kept when deals played against the old
ones and against the lowest-card player went better. Nothing depends on their digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from p2pcards.bots.tables import TRUMPS, Tables


@dataclass(frozen=True, slots=True)
class Weights:
    """What a player of one game goes by, in points unless said.

    Attributes:
        held: the chance, from 0 to 1, to reckon with that a seat holds a card it may hold.
        to_come: what a player still to play adds to a trick, on average; ``to_come_step`` more
            for each card in hand above four.
        trump, trump_step: what keeping a trump is worth, and each place in their order.
        top_trump: keeping the highest trump left.
        plain_step: keeping a plain card, for each place in the order.
        master: keeping the highest card left of a plain suit.
        bare: not leaving a ten or more without a companion.
        late: the part of all that which is left when the hand is down to its last card.
        rescue: the chance that a partner still to play takes a lost trick back.
        overtaken: how much an opponent in between spoils a partner's chance to take it.
        partner: the chance that a partner who can beat our lead does so in time.
        draw, draw_other: leading a trump that takes trumps from opponents, when our side chose
            them, and otherwise; ``draw_top`` more for leading the highest.
        to_taker: leading a trump to the partner who chose them.
        single: leading the only card of a suit, with trumps to follow.
        void: throwing the only card of a suit away, with trumps to follow.
    """

    held: float
    to_come: float
    to_come_step: float
    trump: float
    trump_step: float
    top_trump: float
    plain_step: float
    master: float
    bare: float
    late: float
    rescue: float
    overtaken: float
    partner: float
    draw: float
    draw_other: float
    draw_top: float
    to_taker: float
    single: float
    void: float


WEIGHTS = {
    "belota": Weights(
        held=0.53, to_come=3.5, to_come_step=-0.02, trump=4, trump_step=6.6, top_trump=0.7,
        plain_step=0.26, master=3.9, bare=1.05, late=0.67, rescue=0.97, overtaken=0.33,
        partner=0.54, draw=6.3, draw_other=-0.4, draw_top=-0.75, to_taker=2.4, single=-0.2,
        void=1.4,
    ),
    "belka": Weights(
        held=0.69, to_come=4.6, to_come_step=0.02, trump=6.8, trump_step=1.8, top_trump=0,
        plain_step=0.19, master=6, bare=1.8, late=0.83, rescue=0.65, overtaken=0.37, partner=0.66,
        draw=3, draw_other=0.3, draw_top=0, to_taker=3.3, single=1.05, void=1.6,
    ),
}  # fmt: skip
"""The weights by game."""


class Habits:
    """The weights of a game as tables for one trump suit."""

    def __init__(self, tables: Tables) -> None:
        self.weights = w = WEIGHTS[tables.game.name]
        self.without = tuple((1 - w.held) ** n for n in range(33))
        self.late = tuple(w.late + (1 - w.late) * (n - 1) / 7 for n in range(9))
        self.come = tuple(w.to_come + w.to_come_step * (n - 4) for n in range(9))
        keep: list[float] = []
        for slot in range(32):
            place = (tables.masks[tables.group[slot]] & ((1 << slot) - 1)).bit_count()
            if tables.group[slot] == TRUMPS:
                keep.append(w.trump + w.trump_step * place)
            else:
                keep.append(w.plain_step * place)
        self.keep = tuple(keep)


@lru_cache(maxsize=64)
def habits(tables: Tables) -> Habits:
    """The habits for these tables."""
    return Habits(tables)
