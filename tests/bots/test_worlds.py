"""Deals drawn for a seat: exactly those that fit what it knows, each as often as it should be."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import pytest

from p2pcards.bots.sight import Sight
from p2pcards.bots.worlds import Unseen
from p2pcards.games.awaited import AwaitPlay, MatchOver
from p2pcards.games.base import Phase
from p2pcards.games.engine import Game
from p2pcards.games.registry import GAMES
from tests.games.table import Table


def every_deal(unseen: Unseen) -> set[tuple[int, ...]]:
    """All deals that fit, by trying every way to give the free slots to the three seats."""
    free = [s for s in range(32) if any(p >> s & 1 for p in unseen.possible)]
    found: set[tuple[int, ...]] = set()
    for owners in itertools.product(range(3), repeat=len(free)):
        pairs = list(zip(free, owners, strict=True))
        if any(not unseen.possible[o] >> s & 1 for s, o in pairs):
            continue
        if any(sum(o == i for o in owners) != unseen.needs[i] for i in range(3)):
            continue
        hands = [0, 0, 0, 0]
        for i, seat in enumerate(unseen.seats):
            hands[seat] = unseen.fixed[i] | sum(1 << s for s, o in pairs if o == i)
        found.add(tuple(hands))
    return found


@pytest.mark.parametrize(
    ("fixed", "possible", "needs"),
    [
        ((0, 0, 0), (0b11111111, 0b11111111, 0b11111111), (3, 3, 2)),
        ((1 << 20, 0, 0), (0b00001111, 0b11111111, 0b11110011), (2, 3, 3)),
        ((0, 1 << 9, 1 << 8), (0b1111, 0b0011, 0b111100), (2, 2, 2)),
        ((0, 0, 0), (0b000011, 0b001100, 0b110000), (2, 2, 2)),
        ((0, 0, 0), (0b1, 0b11, 0b11), (0, 1, 1)),
    ],
)
def test_every_deal_that_fits_is_drawn_equally_often(
    fixed: tuple[int, ...], possible: tuple[int, ...], needs: tuple[int, ...]
) -> None:
    unseen = Unseen((0, 2, 3), fixed, possible, needs)
    deals = every_deal(unseen)
    assert unseen.deals == len(deals)
    rng = random.Random(5)
    draws = 60 * len(deals)
    counts = Counter(tuple(unseen.draw(rng)) for _ in range(draws))
    assert set(counts) == deals
    chi = sum((counts[deal] - 60) ** 2 / 60 for deal in deals)
    freedom = len(deals) - 1
    assert chi <= freedom + 5 * (2 * freedom) ** 0.5 + 1


def test_knowledge_that_contradicts_itself_still_gives_deals() -> None:
    unseen = Unseen((1, 2, 3), (0, 0, 0), (0b11, 0b11, 0b1100), (1, 2, 1))
    hands = unseen.draw(random.Random(1))
    assert hands[1] | hands[2] | hands[3] == 0b1111


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_true_deal_always_fits_what_each_seat_knows(game: Game[Any]) -> None:
    rng = random.Random(11)
    table = Table(game, game.start(game.parse_options({}), 0), rng)
    checked = 0
    for _ in table.steps(most_deals=3):
        awaited = game.awaited(table.state)
        if table.state.phase is not Phase.PLAY or isinstance(awaited, MatchOver):
            continue
        assert isinstance(awaited, AwaitPlay)
        view = table.view(awaited.seat)
        sight = Sight.of(game, view)
        unseen = Unseen.of(sight.tables, view)
        for which, seat in enumerate(unseen.seats):
            true = sight.tables.mask(table.hands[seat])
            held = true & ~unseen.fixed[which]
            assert unseen.fixed[which] & ~true == 0
            assert held & ~unseen.possible[which] == 0
            assert held.bit_count() == unseen.needs[which]
        drawn = unseen.draw(rng)
        for seat in unseen.seats:
            assert drawn[seat].bit_count() == len(table.hands[seat])
        checked += 1
    assert checked in (32, 64, 96)  # a deal may be passed out
