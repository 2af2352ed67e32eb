"""The fast state against the engine: every card of random matches, with random options."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import Phase as Step
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.bots.fast import Position, deal_masks, random_deal
from p2pcards.bots.tables import ALL, TRUMPS, Tables, tables
from p2pcards.cards import DECK, Card, Suit
from p2pcards.games.base import Action, Phase, Play, State, team, trump_of
from p2pcards.games.engine import Game
from p2pcards.games.options import Choices, Options
from p2pcards.games.registry import GAMES
from tests.games.table import Table

PROPERTY = settings(max_examples=6, deadline=None, phases=(Step.explicit, Step.generate))
"""Seeds do not shrink to anything simpler."""


@cache
def some_options(game: Game[Any], variant: int) -> Options:
    """Some value of every option with named values; numbers stay as they are."""
    rng = random.Random(variant)
    return game.parse_options(
        {
            key: rng.choice(spec.values)
            for key, spec, _ in game.options_type.specs()
            if isinstance(spec, Choices)
        }
    )


def plays(game: Game[Any], seed: int, deals: int) -> Iterator[tuple[Table[Any], State, Action]]:
    """Every play of a random match with random options: the table before it, and the play."""
    rng = random.Random(seed)
    table = Table(game, game.start(some_options(game, rng.randrange(5)), rng.randrange(4)), rng)
    for state, action in table.steps(most_deals=deals):
        if isinstance(action, Play):
            yield table, state, action


def masks(t: Tables, hands: tuple[frozenset[Card], ...]) -> list[int]:
    return [t.mask(hand) for hand in hands]


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
@PROPERTY
@given(seed=st.integers(0, 2**32))
def test_legal_cards_and_knowledge_agree_with_the_engine(game: Game[Any], seed: int) -> None:
    for table, state, action in plays(game, seed, 2):
        assert isinstance(action, Play)
        t = tables(game, state.options, trump_of(state))
        hands = list(table.hands)
        hands[action.seat] |= {action.card}
        position = Position.of(t, state, masks(t, tuple(hands)))
        legal = t.of_mask(position.legal())
        assert sorted(legal) == list(game.legal(state, hands[action.seat]))
        position.play(t.slots[action.card.index])
        after = table.state
        if after.phase is not Phase.PLAY:
            continue
        assert position.turn == after.turn
        assert position.count == len(after.trick.cards)
        for seat in range(4):
            gone = t.mask(after.played)
            engine = t.mask(after.absent[seat]) & ~gone
            assert position.absent[seat] & ~gone == engine
        wins = [0, 0]
        for trick in after.tricks:
            assert trick.winner is not None
            wins[team(trick.winner)] += 1
        assert position.tricks == wins


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
@PROPERTY
@given(seed=st.integers(0, 2**32))
def test_a_deal_followed_slot_by_slot_ends_with_the_points_of_its_sheet(
    game: Game[Any], seed: int
) -> None:
    bonus = 10 if game.name == "belota" else 0
    fast: Position | None = None
    for table, state, action in plays(game, seed, 2):
        assert isinstance(action, Play)
        t = tables(game, state.options, trump_of(state))
        if not state.played:
            fast = Position(t, masks(t, table.dealt), state.turn)
        assert fast is not None
        assert fast.turn == action.seat
        fast.play(t.slots[action.card.index])
        if len(table.state.sheets) > len(state.sheets):
            taken = list(fast.taken)
            taken[fast.last & 1] += bonus
            sheet = table.state.sheets[-1]
            assert (tuple(taken), tuple(fast.tricks)) == (sheet.taken, sheet.tricks)
            assert fast.hands == [0, 0, 0, 0]


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_random_deals_stay_within_the_rules_of_the_engine(game: Game[Any]) -> None:
    """Replay what a random deal does, draw by draw, through the slower, tested position."""
    for seed in range(16):
        rng = random.Random(seed)
        t = tables(game, some_options(game, rng.randrange(5)), Suit(seed % 4))
        hands = deal_masks(rng.sample(range(32), 32))
        draws = random.Random(seed)
        taken, tricks, last = random_deal(t, hands, seed % 4, draws.random)
        slow = Position(t, list(hands), seed % 4)
        again = random.Random(seed)
        while any(slow.hands):
            choices = slow.legal()
            forced = choices & (choices - 1) == 0 and slow.count > 0
            skip = 0 if forced else int(again.random() * choices.bit_count())
            for _ in range(skip):
                choices &= choices - 1
            slow.play((choices & -choices).bit_length() - 1)
        assert (taken, tricks, last) == (slow.taken[0], slow.tricks[0], slow.last)
        assert again.random() == draws.random()


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
@pytest.mark.parametrize("trump", Suit)
def test_slots_are_sorted_by_suit_and_strength(game: Game[Any], trump: Suit) -> None:
    t = tables(game, game.parse_options({}), trump)
    assert sorted(t.cards) == list(DECK)
    assert sum(t.masks) == ALL
    assert set(t.of_mask(t.masks[TRUMPS])) == set(game.of_suit(trump, trump))
    for g in range(4):
        ordered = [game.strength(card, trump) for card in t.of_mask(t.masks[g])]
        assert ordered == sorted(set(ordered))
    assert t.mask(t.cards) == ALL
    assert [t.cards[t.slots[c.index]] for c in DECK] == list(DECK)
