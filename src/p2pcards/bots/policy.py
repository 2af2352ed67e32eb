"""Which card a sensible player plays, from its own hand, what lies open and what it remembers.

For each card it weighs the chance that its side takes the trick against what the trick is worth
and what the card is worth later: a high trump or the highest card left of a suit is kept, a ten
is not left bare, points go to a partner who is likely to win. It is fast enough to be asked
thousands of times by a bot that looks ahead, and is the middle level's play by itself.

What may be played, what beats what and what counts come from the tables. The weights were found
by climbing: changed at random, kept when deals played against the old ones and against the
lowest-card player went better. Nothing depends on their digits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from p2pcards.bots.fast import Position
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
        held=0.66, to_come=3.5, to_come_step=0, trump=4, trump_step=5.5, top_trump=0.7,
        plain_step=0.26, master=6, bare=1.05, late=1, rescue=0.37, overtaken=0.73, partner=0.39,
        draw=3, draw_other=-0.4, draw_top=0, to_taker=1.8, single=0.6, void=1.5,
    ),
    "belka": Weights(
        held=0.69, to_come=4.6, to_come_step=0, trump=5.7, trump_step=1.4, top_trump=0,
        plain_step=0.19, master=6, bare=1.8, late=1, rescue=0.2, overtaken=0.35, partner=0.8,
        draw=3, draw_other=0.3, draw_top=0, to_taker=2.4, single=0.25, void=1.2,
    ),
}  # fmt: skip


class Habits:
    """The weights of a game as tables for one trump suit."""

    def __init__(self, tables: Tables) -> None:
        self.weights = w = WEIGHTS[tables.game.name]
        self.without = tuple((1 - w.held) ** n for n in range(33))
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


def masters(tables: Tables, hand: int, out: int) -> int:
    """The cards of a hand that no card of the same group among ``out`` beats."""
    found = 0
    for mask in tables.masks:
        found |= hand & mask & -(1 << (out & mask).bit_length())
    return found


def beaten(tables: Tables, without: tuple[float, ...], may: int, slot: int, led: int) -> float:
    """The chance that a seat which may hold the cards in ``may`` beats a slot."""
    above = without[(tables.above[slot] & may).bit_count()]
    if led == TRUMPS:
        return 1 - above
    void = without[(tables.masks[led] & may).bit_count()]
    if tables.group[slot] == TRUMPS:
        return void * (1 - above)
    return 1 - above + void * (1 - without[(tables.masks[TRUMPS] & may).bit_count()])


def pick(position: Position, hand: int, out: int, taker: int) -> int:
    """The slot for the seat to play, from its own hand and what has been shown.

    Args:
        position: the deal; its ``hands`` are not looked at.
        hand: the hand of the seat to play.
        out: every card in the other hands.
        taker: the seat that chose trump, or -1.
    """
    tables = position.tables
    if position.count == 0:
        legal = hand
    else:
        mine = position.holder ^ position.turn == 2
        legal = tables.legal(hand, position.led, position.best, mine, position.history)
    if not legal & (legal - 1):
        return legal.bit_length() - 1
    if position.count == 0:
        return _lead(position, hand, out, taker)
    return _follow(position, hand, legal, out)


def _lead(position: Position, hand: int, out: int, taker: int) -> int:
    tables, seat, absent = position.tables, position.turn, position.absent
    habit = habits(tables)
    w, without, keep = habit.weights, habit.without, habit.keep
    next_ = out & ~absent[(seat + 1) & 3]
    across = out & ~absent[seat ^ 2]
    before = out & ~absent[(seat + 3) & 3]
    trumps, points = tables.masks[TRUMPS], tables.points
    danger = (next_ | before) & trumps
    ours = taker >= 0 and not (taker ^ seat) & 1
    top = masters(tables, hand, out)
    count = hand.bit_count()
    share = w.late + (1 - w.late) * (count - 1) / 7
    come = 3 * (w.to_come + w.to_come_step * (count - 4))
    found, most, rest = -1, -1e9, hand
    while rest:
        low = rest & -rest
        slot = low.bit_length() - 1
        rest ^= low
        group = tables.group[slot]
        held = (1 - beaten(tables, without, next_, slot, group)) * (
            1 - beaten(tables, without, before, slot, group)
        )
        chance = held + (1 - held) * w.partner * beaten(tables, without, across, slot, group)
        worth = (2 * chance - 1) * (points[slot] + come) - keep[slot] * share
        if group == TRUMPS:
            if danger:
                worth += w.draw if ours else w.draw_other
            if top & low:
                worth += (w.draw_top if danger else 0) - w.top_trump * share / 2
            if taker == seat ^ 2:
                worth += w.to_taker
        else:
            worth -= _breaking(tables, w, hand, slot, top)
            if top & low:
                worth -= w.master / 2
        if worth > most:
            found, most = slot, worth
    return found


def _breaking(tables: Tables, w: Weights, hand: int, slot: int, top: int) -> float:
    """What leading a plain card costs the rest of its suit."""
    suit = hand & tables.masks[tables.group[slot]]
    if not suit & (suit - 1):
        return -w.single if hand & tables.masks[TRUMPS] else 0.0
    high = suit.bit_length() - 1
    if tables.points[high] >= 10 and not top & (1 << high | 1 << slot):
        return w.bare
    return 0.0


def _follow(position: Position, hand: int, legal: int, out: int) -> int:
    tables, seat, led = position.tables, position.turn, position.led
    habit = habits(tables)
    w, without, keep, points = habit.weights, habit.without, habit.keep, tables.points
    behind = 3 - position.count
    later = out & ~position.absent[(seat + 1) & 3] if behind else 0
    top = masters(tables, hand, out)
    count = hand.bit_count()
    share = w.late + (1 - w.late) * (count - 1) / 7
    stake = position.stake + behind * (w.to_come + w.to_come_step * (count - 4))
    without_us = _left_alone(position, without, w, out, later)
    wins = tables.beats[position.best]
    found, most, rest = -1, -1e9, legal
    while rest:
        low = rest & -rest
        slot = low.bit_length() - 1
        rest ^= low
        if not wins & low:
            chance = without_us
        elif behind == 0:
            chance = 1.0
        else:
            lost = beaten(tables, without, later, slot, led)
            chance = 1 - lost + (lost * w.rescue if behind == 2 else 0)
        worth = (2 * chance - 1) * (stake + points[slot]) - keep[slot] * share
        group = tables.group[slot]
        if top & low:
            worth -= (w.top_trump if group == TRUMPS else w.master) * share
        elif group != TRUMPS and group != led:
            worth -= _baring(tables, w, hand, slot)
        if worth > most:
            found, most = slot, worth
    return found


def _left_alone(
    position: Position, without: tuple[float, ...], w: Weights, out: int, later: int
) -> float:
    """The chance that our side takes the trick if this seat does not beat the best card."""
    tables, best, led = position.tables, position.best, position.led
    behind = 3 - position.count
    if position.holder ^ position.turn == 2:
        return 1 - beaten(tables, without, later, best, led) if behind else 1.0
    if behind < 2:
        return 0.0
    across = out & ~position.absent[position.turn ^ 2]
    spoiled = w.overtaken * beaten(tables, without, later, best, led)
    return beaten(tables, without, across, best, led) * (1 - spoiled)


def _baring(tables: Tables, w: Weights, hand: int, slot: int) -> float:
    """What throwing a plain card of another suit away costs the rest of its suit."""
    suit = hand & tables.masks[tables.group[slot]]
    rest = suit & ~(1 << slot)
    if not rest:
        return -w.void if hand & tables.masks[TRUMPS] else 0.0
    if not rest & (rest - 1) and rest > 1 << slot and tables.points[rest.bit_length() - 1] >= 10:
        return w.bare
    return 0.0


def play_out(position: Position, taker: int, rng: Callable[[], float], noise: float) -> None:
    """Play a position to the end of its deal, each seat by what it alone may know.

    Args:
        position: all four hands; it is changed.
        taker: the seat that chose trump, or -1.
        rng: gives numbers from 0 up to, but less than, 1.
        noise: the share of plays that are random.
    """
    hands = position.hands
    left = hands[0] | hands[1] | hands[2] | hands[3]
    while left:
        hand = hands[position.turn]
        if noise and rng() < noise:
            choices = position.legal()
            for _ in range(int(rng() * choices.bit_count())):
                choices &= choices - 1
            slot = (choices & -choices).bit_length() - 1
        else:
            slot = pick(position, hand, left & ~hand, taker)
        left &= ~(1 << slot)
        position.play(slot)
