"""A view turned into the fast state: what one seat knows, with nothing in the other hands."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from p2pcards.bots.fast import Position
from p2pcards.bots.stakes import taker_of
from p2pcards.bots.tables import ALL, Tables, tables
from p2pcards.games.base import Action, Play, View, trump_of
from p2pcards.games.engine import Game


@dataclass(slots=True)
class Sight:
    """What a seat to play knows.

    Attributes:
        position: the deal so far; the other hands are empty.
        hand: the seat's cards.
        out: every card in the other hands.
        taker: the seat that chose trump, or -1.
        played: the cards each seat has played.
    """

    tables: Tables
    position: Position
    hand: int
    out: int
    taker: int
    played: list[int]

    @classmethod
    def of(cls, game: Game[Any], view: View) -> Sight:
        """From a view in phase ``PLAY``."""
        state, seat = view.state, view.seat
        t = tables(game, state.options, trump_of(state))
        hand = t.mask(view.hand)
        hands = [0, 0, 0, 0]
        hands[seat] = hand
        position = Position.of(t, state, hands)
        played = [0, 0, 0, 0]
        for trick in (*state.tricks, state.trick):
            for owner, card in trick.by_seat():
                played[owner] |= 1 << t.slots[card.index]
        gone = played[0] | played[1] | played[2] | played[3]
        for owner in range(4):
            shown = t.mask(state.shown[owner])
            for other in range(4):
                if other != owner:
                    position.absent[other] |= shown
        return cls(t, position, hand, ALL & ~gone & ~hand, taker_of(state), played)


def choice_of(t: Tables, slot: int, choices: tuple[Action, ...]) -> Action:
    """The play of this slot among the choices."""
    card = t.cards[slot]
    return next(c for c in choices if isinstance(c, Play) and c.card == card)


def stream(seed: bytes, view: View) -> int:
    """A number for a random stream that depends on the seed and on what is seen, on no more."""
    state = view.state
    tricks = (*state.tricks, state.trick)
    facts = (
        state.deal,
        view.seat,
        state.phase.value,
        state.scores,
        state.turn,
        [(trick.leader, [card.index for card in trick.cards]) for trick in tricks],
        sorted(card.index for card in view.hand),
    )
    return int.from_bytes(blake2b(seed + repr(facts).encode(), digest_size=16).digest(), "big")
