"""Hard and the other levels: reproducible, in time, and without a look at hidden cards."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from p2pcards.bots.fast import Position
from p2pcards.bots.hard import Hard, Settings
from p2pcards.bots.levels import LEVELS, check_level, make_bot, suggest
from p2pcards.bots.sight import Sight, stream
from p2pcards.bots.solver import Solver
from p2pcards.bots.tables import Tables
from p2pcards.bots.worlds import Unseen
from p2pcards.cards import DECK, parse_cards
from p2pcards.games.awaited import AwaitBid, AwaitPlay
from p2pcards.games.base import Action, Bid, CardSets, Name, Pass, Phase, Play, Take, View
from p2pcards.games.engine import Game
from p2pcards.games.registry import GAMES
from tests.games.table import Table

QUICK = Settings(samples=8, budget=None, solved=6, solve=2)


def decisions(game: Game[Any], seed: int, deals: int = 1) -> Iterator[tuple[Table[Any], View]]:
    """Every moment of a random match in which a seat has a choice."""
    rng = random.Random(seed)
    table = Table(game, game.start(game.parse_options({}), rng.randrange(4)), rng)
    for _ in table.steps(most_deals=deals):
        awaited = game.awaited(table.state)
        if isinstance(awaited, AwaitBid | AwaitPlay):
            yield table, table.view(awaited.seat)


def choices(game: Game[Any], view: View) -> tuple[Action, ...]:
    if view.state.phase is Phase.BID:
        return game.bids(view.state)
    return tuple(Play(view.seat, card, True) for card in game.legal(view.state, view.hand))


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
@pytest.mark.parametrize("level", ["easy", "normal", "hard:samples=3,solved=2,budget=none"])
def test_every_level_chooses_a_legal_action_everywhere(game: Game[Any], level: str) -> None:
    bot = make_bot(level, b"seed")
    asked = 0
    for _, view in decisions(game, 3):
        options = choices(game, view)
        assert bot.act(game, view, options) in options
        asked += 1
    assert asked >= 32


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_hidden_cards_change_neither_the_move_nor_the_random_stream(
    game: Game[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two deals that look the same from one seat: another bot, other hands behind the view."""
    draws: list[list[float]] = []

    class Recorder(random.Random):
        def random(self) -> float:
            value = super().random()
            draws[-1].append(value)
            return value

    monkeypatch.setattr("p2pcards.bots.hard.random", SimpleNamespace(Random=Recorder))
    compared = 0
    for number, (table, view) in enumerate(decisions(game, 8)):
        options = choices(game, view)
        if number % 5 or len(options) < 2:
            continue
        moves: list[Action] = []
        hidden: list[CardSets] = []
        for turn in range(2):
            draws.append([])
            others = [seat for seat in range(4) if seat != view.seat]
            if turn:
                pool = sorted(card for seat in others for card in table.hands[seat])
                random.Random(number).shuffle(pool)
                sizes = [len(table.hands[seat]) for seat in others]
                new = [frozenset(pool[sum(sizes[:i]) : sum(sizes[: i + 1])]) for i in range(3)]
                held = list(table.hands)
                for seat, hand in zip(others, new, strict=True):
                    held[seat] = hand
                table.hands = (held[0], held[1], held[2], held[3])
            hidden.append(table.hands)
            seen = table.view(view.seat)
            moves.append(Hard(b"peek", QUICK).act(game, seen, options))
        table.hands = hidden[0]
        assert moves[0] == moves[1]
        assert draws[-1] == draws[-2]
        compared += hidden[0] != hidden[1]
    assert compared >= 3


def test_an_ending_that_is_known_card_by_card_is_played_perfectly() -> None:
    """In Belka: in Belotă a lost contract makes the last trick's ten points worth nothing."""
    game, known = GAMES["belka"], 0
    for seed in range(9):
        for table, view in decisions(game, seed):
            options = choices(game, view)
            if view.state.phase is not Phase.PLAY or len(options) < 2 or len(view.hand) > 3:
                continue
            state = view.state
            for seat in range(4):  # as if every seat had proved what it does not hold
                lacks = frozenset(DECK) - table.hands[seat]
                state = game.note_absent(state, seat, lacks)
            view = replace(view, state=state)
            sight = Sight.of(game, view)
            assert Unseen.of(sight.tables, view).deals == 1
            position = sight.position.copy()
            position.hands = [sight.tables.mask(hand) for hand in table.hands]
            values = [
                Solver(sight.tables).value(after) + after.taken[0] - position.taken[0]
                for after in (played(position, sight.tables, option) for option in options)
            ]
            chosen = Hard(b"e", replace(QUICK, solve=3)).act(game, view, options)
            best = max(values) if view.seat % 2 == 0 else min(values)
            assert values[options.index(chosen)] == best
            known += len(set(values)) > 1
    assert known >= 5


def played(position: Position, tables: Tables, option: Action) -> Position:
    assert isinstance(option, Play)
    after = position.copy()
    after.play(tables.slots[option.card.index])
    return after


def test_the_stream_depends_on_the_seed_and_on_what_is_seen() -> None:
    seen = [view for _, view in decisions(GAMES["belka"], 2)]
    streams = {stream(b"a", view) for view in seen}
    assert len(streams) == len(seen)
    assert stream(b"a", seen[3]) == stream(b"a", replace(seen[3]))
    assert stream(b"a", seen[3]) != stream(b"b", seen[3])


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_same_seed_and_samples_give_the_same_decisions(game: Game[Any]) -> None:
    views = [view for _, view in decisions(game, 5)][::4]
    first = [Hard(b"s", QUICK).act(game, view, choices(game, view)) for view in views]
    bot = Hard(b"s", QUICK)
    again = [bot.act(game, view, choices(game, view)) for view in reversed(views)]
    assert first == again[::-1]


def test_hard_answers_when_its_time_is_up() -> None:
    """A clock that jumps ahead at every look: the answer comes with hardly a deal looked at."""
    game = GAMES["belka"]
    looks = 0

    def clock() -> float:
        nonlocal looks
        looks += 1
        return 0.3 * looks

    view = next(view for _, view in decisions(game, 1) if len(choices(game, view)) > 3)
    bot = Hard(b"t", Settings(samples=10**6, budget=1.0), clock)
    assert bot.act(game, view, choices(game, view)) in choices(game, view)
    assert looks < 20


def bid_view(hand: str, turned: str) -> tuple[View, tuple[Bid, ...]]:
    game = GAMES["belota"]
    for table, view in decisions(game, 4):
        del table
        if view.state.phase is Phase.BID:
            card = parse_cards(turned)[0]
            state = replace(view.state, turned=card)  # type: ignore[call-arg]
            return View(state, view.seat, frozenset(parse_cards(hand))), game.bids(state)
    raise AssertionError("a deal of Belotă begins with a bid")


@pytest.mark.parametrize("level", ["normal", "hard:samples=24,budget=none"])
def test_strong_trumps_are_taken_and_weak_hands_passed(level: str) -> None:
    game = GAMES["belota"]
    view, options = bid_view("9h Ah 10h As Ad", "Jh")
    assert isinstance(make_bot(level, b"").act(game, view, options), Take)
    view, options = bid_view("7s 8s 9d 8d 7c", "Qh")
    assert isinstance(make_bot(level, b"").act(game, view, options), Pass)


@pytest.mark.parametrize("level", ["normal", "hard:samples=24,budget=none"])
def test_another_suit_is_named_in_the_second_round(level: str) -> None:
    game = GAMES["belota"]
    view, _ = bid_view("Jc 9c Ac As 7h", "Kd")
    state = replace(view.state, passes=4)  # type: ignore[call-arg]
    chosen = make_bot(level, b"").act(game, replace(view, state=state), game.bids(state))
    assert isinstance(chosen, Name)
    assert chosen.suit.letter == "c"


def test_levels_are_checked_by_name_and_setting() -> None:
    assert LEVELS == ("easy", "normal", "hard")
    assert check_level("hard:samples=7,budget=0.5") == "hard:samples=7,budget=0.5"
    settings = make_bot("hard:samples=7,budget=none", b"")
    assert isinstance(settings, Hard)
    assert (settings.settings.samples, settings.settings.budget) == (7, None)
    for wrong in ("oracle", "", "hard:samples", "hard:samples=0", "hard:x=1", "easy:a=1"):
        with pytest.raises(ValueError, match=r"level|hard"):
            check_level(wrong)


def test_a_hint_is_what_the_level_would_do() -> None:
    game = GAMES["belota"]
    view, options = bid_view("9h Ah 10h As Ad", "Jh")
    assert suggest("normal", game, view, options, b"") == Take(view.seat)
    with pytest.raises(ValueError, match="the levels are easy, normal, hard"):
        suggest("oracle", game, view, options, b"")
