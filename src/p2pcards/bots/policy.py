"""Which card a sensible player plays, from its own hand, what lies open and what it remembers.

For each card it weighs the chance that its side takes the trick against what the trick is worth
and what the card is worth later: a high trump or the highest card left of a suit is kept, a ten
is not left bare, points go to a partner who is likely to win. It is fast enough to be asked
thousands of times by a bot that looks ahead, and is the middle level's play by itself.

:func:`lead`, :func:`follow` and :func:`play_out` are long and spell everything out on purpose:
calls and attributes are what looking ahead spends its time on.

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


def masters(tables: Tables, hand: int, out: int) -> int:
    """The cards of a hand that no card of the same group among ``out`` beats."""
    a, b, c, d = tables.masks
    return hand & (
        (a & -(1 << (out & a).bit_length()))
        | (b & -(1 << (out & b).bit_length()))
        | (c & -(1 << (out & c).bit_length()))
        | (d & -(1 << (out & d).bit_length()))
    )


def pick(position: Position, hand: int, out: int, taker: int) -> int:
    """The slot for the seat to play, from its own hand and what has been shown.

    Args:
        position: the deal; its ``hands`` are not looked at.
        hand: the hand of the seat to play.
        out: every card in the other hands.
        taker: the seat that chose trump, or -1.
    """
    tables, seat, absent = position.tables, position.turn, position.absent
    count = position.count
    mine = position.mine()
    legal = hand
    if count:
        legal = tables.legal(hand, position.led, position.best, mine, position.history)
    if not legal & (legal - 1):
        return legal.bit_length() - 1
    next_, across = out & ~absent[(seat + 1) & 3], out & ~absent[seat ^ 2]
    habit = habits(tables)
    if count == 0:
        before = out & ~absent[(seat + 3) & 3]
        side = -1 if taker < 0 else taker ^ seat
        return lead(tables, habit, hand, out, next_, across, before, side)
    return follow(
        tables, habit, hand, legal, out, position.led, position.best, mine, position.stake,
        3 - count, next_, across,
    )  # fmt: skip


def lead(
    tables: Tables, habit: Habits, hand: int, out: int,
    next_: int, across: int, before: int, side: int,
) -> int:  # fmt: skip
    """The slot to lead.

    Args:
        next_, across, before: what the next seat, the partner and the last seat may hold.
        side: the taker's seat exclusive-or one's own: 0 oneself, 2 the partner, -1 nobody.
    """
    w, without, keep = habit.weights, habit.without, habit.keep
    points, above, groups = tables.points, tables.above, tables.group
    trumps = tables.masks[TRUMPS]
    danger = (next_ | before) & trumps
    top = masters(tables, hand, out)
    count = hand.bit_count()
    share, come = habit.late[count], 3 * habit.come[count]
    ruffs = [1 - without[(may & trumps).bit_count()] for may in (next_, across, before)]
    known: dict[int, tuple[float, float, float]] = {}
    found, most, rest = -1, -1e9, hand
    while rest:
        low = rest & -rest
        slot = low.bit_length() - 1
        rest ^= low
        group, higher = groups[slot], above[slot]
        first = without[(higher & next_).bit_count()]
        second = without[(higher & across).bit_count()]
        third = without[(higher & before).bit_count()]
        if group == TRUMPS:
            held, helped = first * third, 1 - second
        else:
            ruffed = known.get(group)
            if ruffed is None:
                mask = tables.masks[group]
                ruffed = known[group] = (
                    ruffs[0] * without[(mask & next_).bit_count()],
                    ruffs[1] * without[(mask & across).bit_count()],
                    ruffs[2] * without[(mask & before).bit_count()],
                )
            held = (first - ruffed[0]) * (third - ruffed[2])
            helped = 1 - second + ruffed[1]
        chance = held + (1 - held) * w.partner * helped
        worth = (2 * chance - 1) * (points[slot] + come) - keep[slot] * share
        if group == TRUMPS:
            if danger:
                worth += w.draw if side in (0, 2) else w.draw_other
            if top & low:
                worth += (w.draw_top if danger else 0) - w.top_trump * share / 2
            if side == 2:
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


def follow(
    tables: Tables, habit: Habits, hand: int, legal: int, out: int,
    led: int, best: int, mine: bool, stake: int, behind: int, later: int, across: int,
) -> int:  # fmt: skip
    """The slot to follow with, from more than one legal one.

    Args:
        mine: whether the partner holds the trick with ``best``.
        behind: how many players are still to come.
        later, across: what the next seat and the partner may hold.
    """
    w, without, keep, points = habit.weights, habit.without, habit.keep, tables.points
    above, groups = tables.above, tables.group
    top = masters(tables, hand, out)
    count = hand.bit_count()
    share, pot = habit.late[count], stake + behind * habit.come[count]
    void = ruff = 0.0
    if behind:
        void = 1.0 if led == TRUMPS else without[(tables.masks[led] & later).bit_count()]
        if led != TRUMPS:
            ruff = void * (1 - without[(tables.masks[TRUMPS] & later).bit_count()])
    if mine or behind == 2:
        lost = 1 - without[(above[best] & later).bit_count()] if behind else 0.0
        lost = void * lost if groups[best] == TRUMPS else lost + ruff
        alone = 1 - lost
        if not mine:
            alone = (1 - w.overtaken * lost) * _beats(tables, without, across, best, led)
    else:
        alone = 0.0
    wins = tables.beats[best]
    found, most, rest = -1, -1e9, legal
    while rest:
        low = rest & -rest
        slot = low.bit_length() - 1
        rest ^= low
        group = groups[slot]
        if not wins & low:
            chance = alone
        elif behind == 0:
            chance = 1.0
        else:
            lost = 1 - without[(above[slot] & later).bit_count()]
            lost = void * lost if group == TRUMPS else lost + ruff
            chance = 1 - lost + (lost * w.rescue if behind == 2 else 0)
        worth = (2 * chance - 1) * (pot + points[slot]) - keep[slot] * share
        if top & low:
            worth -= (w.top_trump if group == TRUMPS else w.master) * share
        elif group != TRUMPS and group != led:
            worth -= _baring(tables, w, hand, slot)
        if worth > most:
            found, most = slot, worth
    return found


def _beats(tables: Tables, without: tuple[float, ...], may: int, slot: int, led: int) -> float:
    """The chance that a seat which may hold the cards in ``may`` beats a slot."""
    lacks = without[(tables.above[slot] & may).bit_count()]
    if led == TRUMPS:
        return 1 - lacks
    void = without[(tables.masks[led] & may).bit_count()]
    if tables.group[slot] == TRUMPS:
        return void * (1 - lacks)
    return 1 - lacks + void * (1 - without[(tables.masks[TRUMPS] & may).bit_count()])


def _baring(tables: Tables, w: Weights, hand: int, slot: int) -> float:
    """What throwing a plain card of another suit away costs the rest of its suit."""
    suit = hand & tables.masks[tables.group[slot]]
    rest = suit & ~(1 << slot)
    if not rest:
        return -w.void if hand & tables.masks[TRUMPS] else 0.0
    if not rest & (rest - 1) and rest > 1 << slot and tables.points[rest.bit_length() - 1] >= 10:
        return w.bare
    return 0.0


def whims(rng: Callable[[], float], noise: float) -> tuple[float, ...]:
    """Where a deal that is played out leaves the policy, for each number of cards left.

    Entries below 1 say which of the legal cards is played instead; they are a share ``noise`` of
    all. Choices that are compared in the same deal are played out with the same whims.
    """
    return tuple(rng() / noise for _ in range(33)) if noise else NO_WHIMS


NO_WHIMS = (1.0,) * 33


def play_out(position: Position, taker: int, whim: tuple[float, ...] = NO_WHIMS) -> None:
    """Play a position to the end of its deal, each seat by what it alone may know.

    Args:
        position: all four hands; it is changed.
        taker: the seat that chose trump, or -1.
        whim: where to play a random card instead, as :func:`whims` draws it.
    """
    tables, hands, absent = position.tables, position.hands, position.absent
    habit, beats, groups, points = habits(tables), tables.beats, tables.group, tables.points
    seat, led, best, holder = position.turn, position.led, position.best, position.holder
    stake, count, history = position.stake, position.count, position.history
    rules, bars = tables.rules(history)
    left = hands[0] | hands[1] | hands[2] | hands[3]
    while left:
        hand = legal = hands[seat]
        mine = False
        if count:
            mine = holder ^ seat == 2
            legal = 0
            for bar, cards in rules[mine][led << 5 | best]:
                if not hand & bar:
                    legal |= cards
            legal &= hand
        if not legal & (legal - 1):
            slot = legal.bit_length() - 1
        elif (skip := whim[left.bit_count()]) < 1:
            for _ in range(int(skip * legal.bit_count())):
                legal &= legal - 1
            slot = (legal & -legal).bit_length() - 1
        else:
            out = left & ~hand
            next_, across = out & ~absent[(seat + 1) & 3], out & ~absent[seat ^ 2]
            if count:
                slot = follow(
                    tables, habit, hand, legal, out, led, best, mine, stake, 3 - count,
                    next_, across,
                )  # fmt: skip
            else:
                before = out & ~absent[(seat + 3) & 3]
                side = -1 if taker < 0 else taker ^ seat
                slot = lead(tables, habit, hand, out, next_, across, before, side)
        bit = 1 << slot
        left ^= bit
        hands[seat] ^= bit
        if count == 0:
            led, best, holder, stake, count = groups[slot], slot, seat, points[slot], 1
            seat = (seat + 1) & 3
            continue
        absent[seat] |= bars[mine][led << 5 | best][slot]
        if beats[best] & bit:
            best, holder = slot, seat
        stake += points[slot]
        count += 1
        seat = (seat + 1) & 3
        if count == 4:
            position.taken[holder & 1] += stake
            position.tricks[holder & 1] += 1
            position.last = seat = holder
            count = 0
            if tables.uses_history:
                history |= 1 << led
                rules, bars = tables.rules(history)
    position.count = 0
    position.turn = seat
