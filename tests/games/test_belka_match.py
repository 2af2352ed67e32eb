"""Whole matches by random legal plays: what must hold after every step, whatever the options."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.games.base import (
    NO_CARDS,
    SEATS,
    Action,
    Announced,
    Dealt,
    Phase,
    Play,
    Redeal,
    Signed,
)
from p2pcards.games.belka import BELKA
from p2pcards.games.belka_options import BelkaOptions
from p2pcards.games.belka_state import BelkaState, seat_suits
from p2pcards.games.options import Choices, Numbers
from tests.games import belka_oracle as oracle
from tests.games.table import Table

SETTINGS: dict[str, Any] = {"deadline": None, "derandomize": True}
SEEDS = st.integers(0, 10_000_000)


def values(spec: Choices | Numbers) -> tuple[str, ...]:
    """All values of an option of Belka."""
    return spec.values if isinstance(spec, Choices) else tuple(map(str, spec.only))


OPTIONS = st.fixed_dictionaries(
    {key: st.sampled_from(values(spec)) for key, spec, _ in BelkaOptions.specs()}
)
EVERY_VALUE = [(key, value) for key, spec, _ in BelkaOptions.specs() for value in values(spec)]


def new_table(items: dict[str, str], seed: int) -> Table[BelkaState]:
    """A table with these options; the first dealer depends on the seed."""
    state = BELKA.start(BELKA.parse_options(items), seed % 4)
    return Table(BELKA, state, random.Random(seed))


class Accounts:
    """Follows a match with the plain loops and compares whatever the engine says."""

    def __init__(self, table: Table[BelkaState]) -> None:
        self.table = table
        self.items = dict(table.state.options.items())
        self.dealer = table.state.dealer
        self.scores, self.games = [0, 0], [0, 0]
        self.waiting = 0
        self.clubs: int | None = None
        self.jack = -1
        self.plays: list[str] = []
        self.deal_in_game = 1

    def note(self, before: BelkaState, action: Action) -> None:
        """What one action has brought about."""
        after = self.table.state
        self.invariants(after)
        match action:
            case Dealt():
                self.dealt()
            case Redeal(hands):
                again = any(hand is not None for hand in hands)
                assert (after.phase is Phase.DECK) == again
                assert (after.dealer, after.deal) == (self.dealer, before.deal)
            case Announced(holder):
                assert holder == self.jack
                assert self.deal_in_game > 1 or self.items["announce_first"] == "yes"
            case Play():
                self.played(before, action)
                if after.phase is Phase.SCORED:
                    self.settle(after)
            case Signed(stop):
                self.signed(stop)

    def dealt(self) -> None:
        """Compare the hands; note who was dealt the jack of clubs."""
        hands = oracle.hands_of([card.ascii for card in self.table.deck], self.dealer)
        assert [{c.ascii for c in hand} for hand in self.table.dealt] == [set(h) for h in hands]
        self.jack = next(seat for seat in SEATS if "Jc" in hands[seat])
        self.plays = []

    def trump(self) -> str:
        """The suit that is trump in this deal."""
        if self.deal_in_game == 1:
            return "c"
        assert self.clubs is not None
        return oracle.own_suit(self.items["direction"], self.clubs, self.jack)

    def leader(self) -> int:
        """Who leads to the first trick of this deal."""
        announced = self.deal_in_game > 1 or self.items["announce_first"] == "yes"
        known = self.jack if announced else None
        return oracle.first_leader(self.items["lead"], self.dealer, known)

    def played(self, before: BelkaState, play: Play) -> None:
        """Compare the turn, the trump and the cards that could be played."""
        trump = self.trump()
        assert before.trump is not None
        assert before.trump.letter == trump
        if not self.plays:
            assert play.seat == self.leader()
        hand = [c.ascii for c in self.table.hands[play.seat]] + [play.card.ascii]
        start = len(self.plays) // 4 * 4
        leads = " ".join(self.plays[i] for i in range(0, start, 4))
        aces = self.items["ace_discard"]
        due = oracle.legal(hand, self.plays[start:], trump, aces, leads)
        held = self.table.hands[play.seat] | {play.card}
        assert {c.ascii for c in BELKA.legal(before, held)} == set(due)
        self.plays.append(play.card.ascii)

    def settle(self, state: BelkaState) -> None:
        """Score the deal and compare with the sheet that all four sign."""
        _, tricks, taken = oracle.count_deal(self.plays, self.leader(), self.trump())
        gained, self.waiting, naked = oracle.score(
            self.items, self.deal_in_game == 1, tricks, taken, self.jack % 2, self.waiting
        )
        sheet = state.sheets[-1]
        assert (list(sheet.tricks), list(sheet.taken)) == (tricks, taken)
        assert list(sheet.added) == gained
        self.scores = [self.scores[s] + gained[s] for s in (0, 1)]
        assert list(state.scores) == self.scores
        assert state.eggs == self.waiting
        assert 0 in gained
        assert sum(taken) == 120
        target = int(self.items["target"])
        won = (
            naked
            if naked is not None
            else next((s for s in (0, 1) if self.scores[s] >= target), None)
        )
        assert state.game_won == won
        self.over = won is not None
        if won is not None:
            self.games[won] += 1
        assert list(state.games_won) == self.games
        if self.clubs is None or self.items["suits"] == "rolling":
            self.clubs = self.jack

    def signed(self, stop: bool) -> None:
        """The deal passes on; a finished game is followed by one from nothing."""
        after = self.table.state
        if after.phase is Phase.OVER:
            assert stop or max(self.games) > int(self.items["games"]) // 2
            return
        self.dealer = (self.dealer + 1) % 4
        self.deal_in_game += 1
        if self.over:
            self.scores, self.waiting, self.clubs, self.deal_in_game = [0, 0], 0, None, 1
        assert after.dealer == self.dealer
        assert after.deal_in_game == self.deal_in_game
        assert list(after.scores) == self.scores
        assert (after.eggs, after.clubs, after.jack) == (self.waiting, self.clubs, None)

    def invariants(self, state: BelkaState) -> None:
        """What must hold after every step."""
        hands = self.table.hands
        if state.phase is not Phase.DECK:
            assert state.hand_sizes == tuple(len(hand) for hand in hands)
        for seat in SEATS:
            assert state.shown[seat] <= hands[seat] or state.phase is Phase.DECK
            assert not state.absent[seat] & hands[seat]
        suits = seat_suits(state)
        if suits is not None:
            assert len(set(suits)) == 4
            assert {suits[0], suits[2]} in ({0, 3}, {1, 2})


def follow(items: dict[str, str], seed: int, deals: int) -> Table[BelkaState]:
    """Play a match, compared step by step."""
    table = new_table(items, seed)
    accounts = Accounts(table)
    for before, action in table.steps(most_deals=deals):
        accounts.note(before, action)
    return table


@settings(max_examples=20, **SETTINGS)
@given(OPTIONS, SEEDS)
def test_a_match_agrees_with_plain_loops(items: dict[str, str], seed: int) -> None:
    state = follow(items, seed, 10).state
    assert [sheet.deal for sheet in state.sheets] == list(range(1, len(state.sheets) + 1))
    for sheet in state.sheets:
        points = [line.points for line in sheet.lines if line.points is not None]
        assert tuple(sum(p[s] for p in points) for s in (0, 1)) == sheet.added
        assert all("{" not in str(line) for line in sheet.lines)
    if max(state.games_won) > int(items["games"]) // 2:
        assert state.winner == (0 if state.games_won[0] > state.games_won[1] else 1)
    else:
        assert len(state.sheets) == 10


@pytest.mark.parametrize(("key", "value"), EVERY_VALUE)
def test_every_value_plays_to_the_end(key: str, value: str) -> None:
    table = new_table({"target": "6", key: value}, 7)
    for _ in table.steps():
        pass
    state = table.state
    assert state.winner is not None
    assert max(state.games_won) == (int(value) // 2 + 1 if key == "games" else 1)


def test_the_preset_plays_to_the_end() -> None:
    assert follow({"preset": "common"}, 5, 1000).state.winner is not None


@settings(max_examples=8, **SETTINGS)
@given(OPTIONS, SEEDS)
def test_a_replayed_match_is_the_same(items: dict[str, str], seed: int) -> None:
    table = new_table(items, seed)
    state = table.state
    for _, action in table.steps(most_deals=3):
        state = BELKA.apply(state, action)
    assert state == table.state


def test_a_played_card_shows_only_what_its_own_seat_lacks() -> None:
    table = new_table({"ace_discard": "held"}, 3)
    for before, action in table.steps(most_deals=3):
        if isinstance(action, Play):
            shown = BELKA.excluded(before, action.card) - before.played - {action.card}
            assert shown <= table.state.absent[action.seat]
            others = [s for s in SEATS if s != action.seat]
            assert all(table.state.absent[s] == before.absent[s] for s in others)
        if isinstance(action, Announced):
            jack = {BELKA.announced_card()}
            assert all((s == action.holder) == (table.state.shown[s] == jack) for s in SEATS)
            assert all((s != action.holder) == (table.state.absent[s] == jack) for s in SEATS)
        if isinstance(action, Signed) and table.state.phase is Phase.DECK:
            assert table.state.absent == table.state.shown == NO_CARDS


def test_a_match_stopped_by_all_goes_to_the_team_ahead() -> None:
    for seed in range(6):
        state = follow({"games": "3"}, seed, 4).state
        assert state.phase is Phase.OVER
        ours, theirs = ((state.games_won[s], state.scores[s]) for s in (0, 1))
        if not state.game_won:
            assert state.winner == (None if ours == theirs else int(theirs > ours))
