"""Which card a sensible player plays, from its own hand, what lies open and what it remembers.

For each card it weighs the chance that its side takes the trick against what the trick is worth
and what the card is worth later: a high trump or the highest card left of a suit is kept, a ten
is not left bare, points go to a partner who is likely to win. It is fast enough to be asked
thousands of times by a bot that looks ahead, and is the middle level's play by itself.

:func:`lead` and :func:`follow` are long and spell everything out on purpose: calls and
attributes are what looking ahead spends its time on. What may be played, what beats what and
what counts come from the tables.
"""

from __future__ import annotations

from p2pcards.bots.fast import Position
from p2pcards.bots.habits import Habits, Weights, habits
from p2pcards.bots.tables import TRUMPS, Tables


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
