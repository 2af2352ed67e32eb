"""A deal played out to its end, each seat by the policy and by what it alone may know.

:func:`play_out` is long and spells everything out on purpose: calls and attributes are what
looking ahead spends its time on.
"""

from __future__ import annotations

from collections.abc import Callable

from p2pcards.bots.fast import Position
from p2pcards.bots.habits import habits
from p2pcards.bots.policy import follow, lead

NO_WHIMS = (1.0,) * 33


def whims(rng: Callable[[], float], noise: float) -> tuple[float, ...]:
    """Where a deal that is played out leaves the policy, for each number of cards left.

    Entries below 1 say which of the legal cards is played instead; they are a share ``noise`` of
    all. Choices that are compared in the same deal are played out with the same whims.
    """
    return tuple(rng() / noise for _ in range(33)) if noise else NO_WHIMS


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
