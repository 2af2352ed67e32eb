"""How Hard bids in Belotă: every bid is followed to the end in the same deals."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from p2pcards.bots.beliefs import DOUBT, Stop
from p2pcards.bots.bidding import (
    NAME_ABOVE,
    TAKE_ABOVE,
    best_other,
    estimate_mask,
    mask_of,
    says,
    speakers,
)
from p2pcards.bots.fast import Position
from p2pcards.bots.playout import play_out, whims
from p2pcards.bots.stakes import Stakes, passed_out, stakes_of
from p2pcards.bots.tables import Tables, tables
from p2pcards.cards import DECK, Card, Suit
from p2pcards.games.base import Action, Name, Pass, Seat, Take, View, following
from p2pcards.games.belota_state import BelotaState
from p2pcards.games.engine import Game


class Auction:
    """One decision to take, name or pass."""

    def __init__(self, game: Game[Any], view: View, rng: random.Random) -> None:
        if not isinstance(view.state, BelotaState) or view.state.turned is None:
            raise TypeError("there is no choice of trump in this state")
        self._game, self._view, self._rng = game, view, rng
        self._state, self._turned = view.state, view.state.turned
        self._stakes: dict[tuple[Suit, Seat], Stakes] = {}
        self._rest = [c for c in DECK if c not in view.hand and c != self._turned]

    def draw(self) -> tuple[float, list[list[Card]], list[Card]]:
        """A weight, five cards for each seat, and the rest of the deck in its order."""
        cards = self._rng.sample(self._rest, len(self._rest))
        hands: list[list[Card]] = []
        for seat in range(4):
            if seat == self._view.seat:
                hands.append(sorted(self._view.hand))
            else:
                hands.append(cards[:5])
                cards = cards[5:]
        weight = 1.0
        for seat, second in speakers(self._state):
            if seat != self._view.seat:
                six = mask_of([*hands[seat], self._turned])
                odds = says(six, self._turned.suit, second, False)
                weight *= DOUBT + (1 - DOUBT) * odds
        return weight, hands, cards

    def worth(
        self, bid: Action, hands: list[list[Card]], rest: list[Card], whim: tuple[float, ...]
    ) -> float:
        """Team 0's chance to win if this bid is made in this deal and the others follow habit."""
        seat, passes = self._view.seat, self._state.passes
        while True:
            if isinstance(bid, Take | Name):
                suit = bid.suit if isinstance(bid, Name) else self._turned.suit
                return self._played(seat, suit, hands, rest, whim)
            passes, seat = passes + 1, following(seat)
            if passes == 8:
                return passed_out(self._state)
            bid = self._usual(seat, passes, hands[seat])

    def _usual(self, seat: Seat, passes: int, hand: list[Card]) -> Action:
        six, turned = mask_of([*hand, self._turned]), self._turned.suit
        if passes < 4:
            return Take(seat) if estimate_mask(six, turned) > TAKE_ABOVE else Pass(seat)
        best = best_other(six, turned)
        good = estimate_mask(six, best) > NAME_ABOVE
        return Name(seat, Suit(best)) if good else Pass(seat)

    def dealt(
        self, taker: Seat, t: Tables, hands: Sequence[Sequence[Card]], rest: Sequence[Card]
    ) -> list[int]:
        """The full hands if this seat takes and the rest is dealt in its order."""
        masks, place = [0, 0, 0, 0], 0
        for seat in range(4):
            more = 2 if seat == taker else 3
            masks[seat] = t.mask(hands[seat]) | t.mask(rest[place : place + more])
            place += more
        masks[taker] |= 1 << t.slots[self._turned.index]
        return masks

    def _played(
        self,
        taker: Seat,
        trump: Suit,
        hands: list[list[Card]],
        rest: list[Card],
        whim: tuple[float, ...],
    ) -> float:
        t = tables(self._game, self._state.options, trump)
        masks = self.dealt(taker, t, hands, rest)
        stakes = self._stakes.get((trump, taker))
        if stakes is None:
            state = replace(self._state, trump=trump, taker=taker)
            stakes = self._stakes[trump, taker] = stakes_of(t, state)
        position = Position(t, list(masks), following(self._state.dealer))
        position.absent = [
            0 if seat == taker else 1 << t.slots[self._turned.index] for seat in range(4)
        ]
        play_out(position, taker, whim)
        favoured = stakes.favoured(masks)
        return stakes.worth(position.taken[0], position.tricks[0], position.last, favoured)


def choose_bid(
    game: Game[Any],
    view: View,
    choices: tuple[Action, ...],
    rng: random.Random,
    samples: int,
    until: Stop,
    noise: float = 0.1,
) -> Action:
    """The bid with the best chance to win the game, over so many deals or until time is up."""
    auction = Auction(game, view, rng)
    sums = [0.0] * len(choices)
    sign = 1 if view.seat & 1 == 0 else -1
    for _ in range(samples):
        weight, hands, rest = auction.draw()
        whim = whims(rng.random, noise)
        for i, bid in enumerate(choices):
            sums[i] += weight * sign * auction.worth(bid, hands, rest, whim)
        if until.passed():
            break
    return choices[max(range(len(choices)), key=sums.__getitem__)]
