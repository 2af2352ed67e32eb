"""The exact end of a deal with all cards open: alpha-beta search with a table of tricks.

The value of a position is what team 0 still takes in points, the open trick and the last trick's
bonus included, when both sides play as well as can be. It depends only on who holds what and who
leads (and, where the rules look at that, on what was led), so it is remembered for each set of
cards left, at the beginning of each trick.
"""

from __future__ import annotations

from p2pcards.bots.fast import Position
from p2pcards.bots.tables import Tables

NO_LIMIT = 1 << 62


class OutOfNodesError(Exception):
    """The search was longer than its limit."""


class Solver:
    """Solves positions of one deal whose hands change by play alone.

    Attributes:
        nodes: how often a card had to be chosen so far; beyond ``limit`` OutOfNodesError is
            raised.
    """

    def __init__(self, tables: Tables, last_bonus: int = 0, limit: int = NO_LIMIT) -> None:
        self.tables, self.last_bonus, self.limit = tables, last_bonus, limit
        self.nodes = 0
        self._hands = [0, 0, 0, 0]
        self._known: dict[int, tuple[int, int, int]] = {}
        self._most = sum(tables.points) + last_bonus

    def value(self, position: Position) -> int:
        """What team 0 takes from here on."""
        return self._value(position, -1, self._most + 1)

    def values(self, position: Position, choices: int) -> dict[int, int]:
        """What team 0 takes after each of these slots is played by the seat to play."""
        out: dict[int, int] = {}
        for slot in self.distinct(position.turn, choices, position):
            after = position.copy()
            after.play(slot)
            out[slot] = self.value(after) + after.taken[0] - position.taken[0]
        return out

    def best(self, position: Position, choices: int) -> int:
        """The best of these slots for the seat to play."""
        ours = position.turn & 1 == 0
        low, high, found = -1, self._most + 1, -1
        for slot in self.distinct(position.turn, choices, position):
            after = position.copy()
            after.play(slot)
            gained = after.taken[0] - position.taken[0]
            value = self._value(after, low - gained, high - gained) + gained
            if found < 0 or (value > low if ours else value < high):
                found = slot
                low, high = (max(low, value), high) if ours else (low, min(high, value))
        return found

    def distinct(self, seat: int, choices: int, position: Position) -> list[int]:
        """One of each run of equal slots of a seat, the most promising first."""
        self._hands[:] = position.hands
        best = position.best if position.count else -1
        mine = position.mine()
        return self._ordered(seat, choices, best, mine)

    def _value(self, position: Position, low: int, high: int) -> int:
        self._hands[:] = position.hands
        p = position
        if p.count == 0:
            return self._trick(p.turn, p.history, p.last, low, high)
        return self._card(
            p.turn, p.led, p.best, p.holder, p.stake, p.count, p.history, low, high, -1
        )[0]

    def _trick(self, leader: int, history: int, last: int, low: int, high: int) -> int:
        """The value at the beginning of a trick, or a bound of it outside ``low`` to ``high``."""
        hands = self._hands
        left = hands[0] | hands[1] | hands[2] | hands[3]
        if not left:
            return 0 if last & 1 else self.last_bonus
        key = left << 6 | leader << 4 | (history if self.tables.uses_history else 0)
        least, most, move = self._known.get(key, (0, self._most, -1))
        if least >= high or least == most:
            return least
        if most <= low:
            return most
        value, move = self._card(
            leader, 0, -1, leader, 0, 0, history, max(low, least - 1), min(high, most + 1), move
        )
        if value > low:
            least = max(least, value)
        if value < high:
            most = min(most, value)
        self._known[key] = (least, most, move)
        return value

    def _card(
        self, seat: int, led: int, best: int, holder: int, stake: int, count: int,
        history: int, low: int, high: int, first: int,
    ) -> tuple[int, int]:  # fmt: skip
        """The value before a card of a trick, and the card; ``first`` is tried first."""
        self.nodes += 1
        if self.nodes > self.limit:
            raise OutOfNodesError
        tables, hands = self.tables, self._hands
        hand = hands[seat]
        mine = count > 0 and holder ^ seat == 2
        legal = tables.legal(hand, led, best, mine, history) if count else hand
        if legal & (legal - 1):
            slots = self._ordered(seat, legal, best, mine)
            if first >= 0:
                slots.remove(first)
                slots.insert(0, first)
        else:
            slots = [legal.bit_length() - 1]
        ours = seat & 1 == 0
        worth, move = (-1 << 30, -1) if ours else (1 << 30, -1)
        beats = tables.beats[best] if count else 0
        for slot in slots:
            hands[seat] = hand & ~(1 << slot)
            value = stake + tables.points[slot]
            if count == 0:
                value = self._card(
                    (seat + 1) & 3, tables.group[slot], slot, seat, value, 1, history, low, high, -1
                )[0]
            else:
                top, owner = (slot, seat) if beats >> slot & 1 else (best, holder)
                if count < 3:
                    value = self._card(
                        (seat + 1) & 3, led, top, owner, value, count + 1, history, low, high, -1
                    )[0]
                else:
                    won = 0 if owner & 1 else value
                    value = won + self._trick(
                        owner, history | 1 << led, owner, low - won, high - won
                    )
            if ours:
                if value > worth:
                    worth, move = value, slot
                    low = max(low, value)
            elif value < worth:
                worth, move = value, slot
                high = min(high, value)
            if low >= high:
                break
        hands[seat] = hand
        return worth, move

    def _ordered(self, seat: int, legal: int, best: int, mine: bool) -> list[int]:
        """One of each run of equal slots, the most promising first."""
        tables, points, group, hands = (
            self.tables,
            self.tables.points,
            self.tables.group,
            self._hands,
        )
        others = (hands[0] | hands[1] | hands[2] | hands[3]) & ~hands[seat]
        if best >= 0:
            others |= 1 << best
        slots: list[int] = []
        before = -1
        rest = legal
        while rest:
            low = rest & -rest
            slot = low.bit_length() - 1
            rest ^= low
            if (
                before < 0
                or points[before] != points[slot]
                or group[before] != group[slot]
                or others & (low - (2 << before))
            ):
                slots.append(slot)
            before = slot
        if len(slots) < 2:
            return slots
        if best < 0:
            slots.sort(key=lambda s: (tables.above[s] & others != 0, -points[s]))
        elif mine:
            slots.sort(key=lambda s: -points[s])
        else:
            wins = tables.beats[best]
            slots.sort(key=lambda s: (not wins >> s & 1, points[s]))
        return slots
