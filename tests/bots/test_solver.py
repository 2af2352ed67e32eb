"""The solver against trying everything, and the fast state's playouts against the slow one."""

from __future__ import annotations

import random
from typing import Any

import pytest

from p2pcards.bots.fast import Position, deal_masks
from p2pcards.bots.playout import play_out, whims
from p2pcards.bots.policy import pick
from p2pcards.bots.solver import OutOfNodesError, Solver
from p2pcards.bots.tables import bits, tables
from p2pcards.cards import Suit
from p2pcards.games.engine import Game
from p2pcards.games.registry import GAMES


def plain_value(position: Position, bonus: int) -> int:
    """Minimax without any shortcut."""
    if not any(position.hands):
        return bonus if position.last % 2 == 0 else 0
    values = []
    for slot in bits(position.legal()):
        after = position.copy()
        after.play(slot)
        values.append(after.taken[0] - position.taken[0] + plain_value(after, bonus))
    return max(values) if position.turn % 2 == 0 else min(values)


def endings(game: Game[Any], cards: int, count: int) -> list[Position]:
    """Positions with at most so many cards in a hand, in the middle of tricks too."""
    out = []
    for seed in range(count):
        rng = random.Random(seed)
        held = {"ace_discard": "held"} if game.name == "belka" and seed % 2 else {}
        t = tables(game, game.parse_options(held), Suit(seed % 4))
        position = Position(t, deal_masks(rng.sample(range(32), 32)), seed % 4)
        for _ in range(32 - 4 * cards + seed % 4):
            position.play(rng.choice(list(bits(position.legal()))))
        out.append(position)
    return out


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_solver_finds_what_trying_everything_finds(game: Game[Any]) -> None:
    for position in endings(game, 3, 24):
        solver = Solver(position.tables, last_bonus=10)
        best = solver.best(position, position.legal())
        values = solver.values(position, position.legal())
        assert solver.value(position) == plain_value(position, 10)
        assert values[best] == plain_value(position, 10)
        for slot, value in values.items():
            after = position.copy()
            after.play(slot)
            assert value == after.taken[0] - position.taken[0] + plain_value(after, 10)


def test_a_search_stops_at_its_limit() -> None:
    position = endings(GAMES["belota"], 8, 1)[0]
    with pytest.raises(OutOfNodesError):
        Solver(position.tables, limit=1000).value(position)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_deal_played_out_is_the_policy_card_by_card(game: Game[Any]) -> None:
    for position in endings(game, 8, 12):
        fast, slow = position.copy(), position.copy()
        play_out(fast, 1)
        left = (1 << 32) - 1 & sum(slow.hands)
        while any(slow.hands):
            hand = slow.hands[slow.turn]
            slot = pick(slow, hand, left & ~hand, 1)
            assert slow.legal() >> slot & 1
            left &= ~(1 << slot)
            slow.play(slot)
        assert (fast.taken, fast.tricks, fast.last) == (slow.taken, slow.tricks, slow.last)
        noisy = position.copy()
        play_out(noisy, 1, whims(random.Random(0).random, 0.5))
        assert sum(noisy.tricks) == 8
        assert sum(noisy.taken) == sum(position.tables.points)
