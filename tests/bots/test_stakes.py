"""What a deal is worth to a bot against the engine's own sheets, and the estimate of a hand."""

from __future__ import annotations

import random
from typing import Any

import pytest

from p2pcards.bots.bidding import WEIGHTS, estimate, features
from p2pcards.bots.fast import Position
from p2pcards.bots.stakes import BelkaStakes, BelotaStakes, stakes_of
from p2pcards.bots.tables import tables
from p2pcards.cards import DECK, Suit, parse_cards
from p2pcards.games.base import Phase, Play, State, trump_of
from p2pcards.games.engine import Game
from p2pcards.games.registry import GAMES
from tests.bots.test_fast import some_options
from tests.games.table import Table


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
@pytest.mark.parametrize("variant", range(5))
def test_the_scores_a_bot_foresees_are_those_of_the_engine(game: Game[Any], variant: int) -> None:
    rng = random.Random(variant)
    options = some_options(game, variant)
    if game.name == "belota":  # a bot always calls, the random player does not
        options = game.parse_options({**dict(options.items()), "belote_call": "auto"})
    table = Table(game, game.start(options, 0), rng)
    before: State | None = None
    dealt = table.dealt
    checked = 0
    for state, action in table.steps(most_deals=5):
        if isinstance(action, Play) and not state.played:
            before, dealt = state, table.dealt
        if table.state.phase is not Phase.SCORED or not isinstance(action, Play):
            continue
        assert before is not None
        t = tables(game, options, trump_of(before))
        position = Position(t, [0, 0, 0, 0], before.turn)
        for trick in (*state.tricks, state.trick):
            for card in trick.cards:
                position.play(t.slots[card.index])
        position.play(t.slots[action.card.index])
        stakes = stakes_of(t, before)
        favoured = stakes.favoured([t.mask(hand) for hand in dealt])
        taken = (position.taken[0], position.taken[1])
        tricks = (position.tricks[0], position.tricks[1])
        after = stakes.after(taken, tricks, position.last & 1, favoured)
        assert after.scores == table.state.scores
        assert after.games_won == table.state.games_won
        assert after.sheets[-1].added == table.state.sheets[-1].added
        checked += 1
    assert checked >= 2


def test_a_won_game_is_worth_most_and_an_even_score_half() -> None:
    assert BelotaStakes.pace.chance((0, 0), 1000) == pytest.approx(0.5)
    assert BelkaStakes.pace.chance((3, 3), 12) == pytest.approx(0.5)
    ahead = [BelotaStakes.pace.chance((score, 300), 1000) for score in range(0, 1000, 50)]
    assert ahead == sorted(set(ahead))
    for pace, target in ((BelotaStakes.pace, 1000), (BelkaStakes.pace, 12)):
        ours = pace.chance((target - 1, target // 2), target)
        assert ours + pace.chance((target // 2, target - 1), target) == pytest.approx(1)
        assert 0.5 < ours < 1


def test_better_trumps_make_a_better_hand() -> None:
    worst = parse_cards("7h 8c 9d 7s 8s Qd")
    hands = [
        worst,
        parse_cards("7h 8h 9d 7s 8s Qd"),
        parse_cards("7h 9h Ad 7s 8s Qd"),
        parse_cards("7h 9h Ad 7s Jh Qd"),
        parse_cards("Kh 9h Ad Qh Jh As"),
    ]
    values = [estimate(hand, Suit.HEARTS) for hand in hands]
    assert values == sorted(set(values))
    assert values[0] < 0 < values[-1]


def test_an_estimate_by_suits_is_the_sum_of_its_features() -> None:
    rng = random.Random(2)
    for _ in range(200):
        cards, trump = rng.sample(DECK, 6), Suit(rng.randrange(4))
        counted = zip(WEIGHTS, features(cards, trump), strict=True)
        assert estimate(cards, trump) == pytest.approx(sum(w * n for w, n in counted))
