"""Whole matches by random legal plays: what must hold after every step, whatever the options."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.cards import DECK, Rank
from p2pcards.games.base import (
    NO_CARDS,
    SEATS,
    Action,
    Dealt,
    Phase,
    Play,
    Signed,
    partner,
    team,
)
from p2pcards.games.belota import BELOTA
from p2pcards.games.belota_options import BelotaOptions
from p2pcards.games.belota_state import BelotaState
from tests.games import belota_oracle as oracle
from tests.games.table import Table

CHOICES: dict[str, list[str]] = {
    "direction": ["cw", "ccw"],
    "all_pass": ["next", "same"],
    "undertrump": ["may", "must"],
    "partner_trump": ["free", "higher"],
    "belote_counts": ["yes", "no"],
    "belote_call": ["auto", "manual"],
    "litige": ["held", "held_all", "inside", "made"],
    "litige_belote": ["held", "kept"],
    "target": ["100", "300", "500"],
    "rounding": ["none", "ten"],
    "games": ["1", "3"],
}
OPTIONS = st.fixed_dictionaries({key: st.sampled_from(v) for key, v in CHOICES.items()})
SEEDS = st.integers(0, 2**32 - 1)
SETTINGS: dict[str, Any] = {"deadline": None, "derandomize": True}


def new_table(items: dict[str, str], seed: int) -> Table[BelotaState]:
    """A table about to start a match."""
    rng = random.Random(seed)
    state = BELOTA.start(BelotaOptions.parse(items), rng.randrange(4))
    return Table(BELOTA, state, rng)


@settings(max_examples=40, **SETTINGS)
@given(OPTIONS, SEEDS)
def test_every_step_of_a_match(items: dict[str, str], seed: int) -> None:
    table = new_table(items, seed)
    for before, action in table.steps(most_deals=4):
        check_cards(table)
        if isinstance(action, Play):
            check_play(table, before, action)
    assert table.state.phase is Phase.OVER


def check_cards(table: Table[BelotaState]) -> None:
    """Each card has one owner or was played, and public knowledge about hands is true."""
    state, hands = table.state, table.hands
    assert sum(len(hand) for hand in hands) == len(frozenset().union(*hands))
    assert state.hand_sizes == tuple(len(hand) for hand in hands)
    for seat in SEATS:
        assert state.shown[seat] <= hands[seat]
        assert not state.absent[seat] & hands[seat]
    if state.phase is Phase.PLAY:
        assert frozenset().union(state.played, *hands) == frozenset(DECK)


def check_play(table: Table[BelotaState], before: BelotaState, play: Play) -> None:
    """What the play had to prove was true, and the engine agrees with the plain loops."""
    rest = table.hands[play.seat]
    assert not BELOTA.to_prove(before, play.card) & rest
    hand = rest | {play.card}
    assert before.trump is not None
    expected = oracle.legal(
        [c.ascii for c in hand],
        [c.ascii for c in before.trick.cards],
        before.trump.letter,
        before.options.undertrump,
        before.options.partner_trump,
    )
    assert {c.ascii for c in BELOTA.legal(before, hand)} == set(expected)
    assert BELOTA.legal(before, hand) == tuple(sorted(BELOTA.legal(before, hand)))
    for card in hand:
        why = BELOTA.why_illegal(before, hand, card)
        assert (why is None) == (card.ascii in expected)
        assert why is None or {c.ascii for c in why.cards} == set(expected)


class Accounts:
    """Keeps the score of a match beside the engine, from the cards as dealt and played."""

    def __init__(self, items: dict[str, str]) -> None:
        self.items = items
        self.scores, self.games, self.pot = [0, 0], [0, 0], 0
        self.plays: list[Play] = []
        self.dealt = NO_CARDS

    def note(self, table: Table[BelotaState], before: BelotaState, action: Action) -> None:
        """Follow one step."""
        match action:
            case Dealt():
                self.plays, self.dealt = [], table.dealt
            case Play():
                self.plays.append(action)
            case Signed() if before.taker is not None:
                self.close(before)
            case _:
                pass

    def belote(self, state: BelotaState) -> int | None:
        """The team whose belote counts, from the hands as dealt."""
        royal = [c for c in DECK if c.suit == state.trump and c.rank in (Rank.KING, Rank.QUEEN)]
        for seat in SEATS:
            if set(royal) <= self.dealt[seat]:
                called = [play.call for play in self.plays if play.card in royal]
                return seat % 2 if all(called) or self.items["belote_call"] == "auto" else None
        return None

    def close(self, state: BelotaState) -> None:
        """Score the deal and compare with the sheet that all four sign."""
        assert state.taker is not None
        assert state.trump is not None
        names = [play.card.ascii for play in self.plays]
        leader = (state.dealer + 1) % 4
        tricks, taken = oracle.count_deal(names, leader, state.trump.letter)
        belote, old_pot = self.belote(state), self.pot
        gained, self.pot = oracle.score(self.items, state.taker % 2, tricks, taken, belote, old_pot)
        sheet = state.sheets[-1]
        assert (list(sheet.tricks), list(sheet.taken)) == (tricks, taken)
        assert list(sheet.added) == gained
        assert sum(taken) == 162
        assert sum(tricks) == 8
        if self.items["rounding"] == "none":
            whole = 252 if 8 in tricks else 162
            bonus = 0 if belote is None else 20
            assert sum(gained) + self.pot - old_pot == whole + bonus
        self.scores = [self.scores[s] + gained[s] for s in (0, 1)]
        assert list(state.scores) == self.scores
        self.end_game(int(self.items["target"]))
        assert (state.pot, list(state.games_won)) == (self.pot, self.games)

    def end_game(self, target: int) -> None:
        """Count a finished game and start the next one from nothing."""
        if max(self.scores) >= target and self.scores[0] != self.scores[1]:
            self.games[0 if self.scores[0] > self.scores[1] else 1] += 1
            self.scores, self.pot = [0, 0], 0


@settings(max_examples=60, **SETTINGS)
@given(OPTIONS, SEEDS)
def test_the_scores_of_a_match(items: dict[str, str], seed: int) -> None:
    table, accounts = new_table(items, seed), Accounts(items)
    for before, action in table.steps(most_deals=25):
        accounts.note(table, before, action)
    state = table.state
    assert [sheet.deal for sheet in state.sheets] == list(range(1, len(state.sheets) + 1))
    for sheet in state.sheets:
        points = [line.points for line in sheet.lines if line.points is not None]
        assert tuple(sum(p[s] for p in points) for s in (0, 1)) == sheet.added
        assert all("{" not in str(line) for line in sheet.lines)
    if max(state.games_won) > int(items["games"]) // 2:
        assert state.winner == (0 if state.games_won[0] > state.games_won[1] else 1)
    else:
        assert len(state.sheets) == 25


@settings(max_examples=20, **SETTINGS)
@given(OPTIONS, SEEDS)
def test_a_replayed_match_is_the_same(items: dict[str, str], seed: int) -> None:
    table = new_table(items, seed)
    start = table.state
    actions = [action for _, action in table.steps(most_deals=3)]
    state = start
    for action in actions:
        state = BELOTA.apply(state, action)
    assert state == table.state


@settings(max_examples=25, **SETTINGS)
@given(SEEDS)
def test_what_a_play_shows_stays_known(seed: int) -> None:
    table = new_table({}, seed)
    for before, action in table.steps(most_deals=2):
        if isinstance(action, Play):
            shown = BELOTA.excluded(before, action.card) - before.played - {action.card}
            assert shown <= table.state.absent[action.seat]
            others = [s for s in SEATS if s != action.seat]
            assert all(table.state.absent[s] == before.absent[s] for s in others)


def test_partners_sit_opposite() -> None:
    assert [partner(seat) for seat in SEATS] == [2, 3, 0, 1]
    assert [team(seat) for seat in SEATS] == [0, 1, 0, 1]
