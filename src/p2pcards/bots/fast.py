"""A deal in play as a few integers, and whole deals played out at random with it.

Points are those of cards alone: what a last trick or a contract adds is the scorer's business.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from p2pcards.bots.tables import Tables
from p2pcards.games.base import Seat, State


@dataclass(slots=True)
class Position:
    """A deal in play with all four hands: the true ones, or a guess at them. Mutable.

    Attributes:
        hands: the mask of each seat's cards.
        turn: the seat to play.
        led, best, holder, stake: the group led, the best slot, its seat and the points in the
            trick so far; only meaningful while ``count``, its number of cards, is not 0.
        taken, tricks: each team's points and tricks.
        history: the groups led so far, a mask of four bits.
        absent: what each seat has shown not to hold.
        last: the seat that won the last finished trick.
    """

    tables: Tables
    hands: list[int]
    turn: Seat
    led: int = 0
    best: int = 0
    holder: Seat = 0
    stake: int = 0
    count: int = 0
    taken: list[int] = field(default_factory=lambda: [0, 0])
    tricks: list[int] = field(default_factory=lambda: [0, 0])
    history: int = 0
    absent: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    last: Seat = 0

    @classmethod
    def of(cls, tables: Tables, state: State, hands: Sequence[int]) -> Position:
        """The position of a public state in phase ``PLAY`` with these hands."""
        tricks = (*state.tricks, state.trick)
        position = cls(tables, [0, 0, 0, 0], tricks[0].leader)
        for trick in tricks:
            for card in trick.cards:
                position.play(tables.slots[card.index])
        position.hands = list(hands)
        position.absent = [tables.mask(cards) for cards in state.absent]
        return position

    def copy(self) -> Position:
        """An independent copy."""
        return Position(
            self.tables, self.hands.copy(), self.turn, self.led, self.best, self.holder,
            self.stake, self.count, self.taken.copy(), self.tricks.copy(), self.history,
            self.absent.copy(), self.last,
        )  # fmt: skip

    def mine(self) -> bool:
        """Whether the partner of the seat to play holds the trick."""
        return self.count > 0 and self.holder ^ self.turn == 2

    def legal(self) -> int:
        """The slots the seat to play may play."""
        hand = self.hands[self.turn]
        if self.count == 0:
            return hand
        return self.tables.legal(hand, self.led, self.best, self.mine(), self.history)

    def play(self, slot: int) -> None:
        """Play a slot, which need not be in the hand, for the seat to play."""
        tables, seat = self.tables, self.turn
        self.hands[seat] &= ~(1 << slot)
        if self.count == 0:
            self.led, self.stake = tables.group[slot], 0
            self.best, self.holder = slot, seat
        else:
            bars = tables.rules(self.history)[1][self.mine()]
            self.absent[seat] |= bars[self.led * 32 + self.best][slot]
            if tables.beats[self.best] >> slot & 1:
                self.best, self.holder = slot, seat
        self.stake += tables.points[slot]
        self.count += 1
        self.turn = (seat + 1) & 3
        if self.count == 4:
            self._take()

    def _take(self) -> None:
        self.history |= 1 << self.led
        self.taken[self.holder & 1] += self.stake
        self.tricks[self.holder & 1] += 1
        self.turn = self.last = self.holder
        self.count = 0

    def unseen(self, seat: Seat) -> int:
        """The slots in the three other hands."""
        out = 0
        for other in range(4):
            if other != seat:
                out |= self.hands[other]
        return out


def random_deal(
    tables: Tables, hands: Sequence[int], leader: Seat, rng: Callable[[], float]
) -> tuple[int, int, Seat]:
    """Play a whole deal at random.

    Args:
        rng: gives numbers from 0 up to, but less than, 1.

    Returns:
        team 0's card points and tricks, and the seat that won the last trick.
    """
    held = list(hands)
    group, points, beats = tables.group, tables.points, tables.beats
    history = taken = tricks = 0
    others, partners = tables.rules(0)[0]
    for _ in range(held[leader].bit_count()):
        choices = held[leader]
        for _ in range(int(rng() * choices.bit_count())):
            choices &= choices - 1
        low = choices & -choices
        best = low.bit_length() - 1
        held[leader] ^= low
        led, stake, holder, seat = group[best] << 5, points[best], leader, leader
        for _ in (1, 2, 3):
            seat = (seat + 1) & 3
            hand, choices = held[seat], 0
            for bar, cards in (partners if holder ^ seat == 2 else others)[led | best]:
                if not hand & bar:
                    choices |= cards
            choices &= hand
            low = choices & -choices
            if choices != low:
                for _ in range(int(rng() * choices.bit_count())):
                    choices &= choices - 1
                low = choices & -choices
            held[seat] = hand ^ low
            slot = low.bit_length() - 1
            stake += points[slot]
            if beats[best] & low:
                best, holder = slot, seat
        if not holder & 1:
            taken += stake
            tricks += 1
        leader = holder
        if tables.uses_history:
            history |= 1 << (led >> 5)
            others, partners = tables.rules(history)[0]
    return taken, tricks, leader


def deal_masks(order: Sequence[int]) -> list[int]:
    """Four hands of eight from 32 slots in some order."""
    hands = [0, 0, 0, 0]
    for place, slot in enumerate(order):
        hands[place & 3] |= 1 << slot
    return hands
