"""What a headless peer prints about sheets and about the end of a match."""

from __future__ import annotations

from dataclasses import replace

from p2pcards.cards import Card, Suit
from p2pcards.commands.telling import Teller, as_json, sheet_lines
from p2pcards.games.base import Seat
from p2pcards.games.belka import BELKA
from p2pcards.games.belka_options import BelkaOptions
from p2pcards.games.belka_score import DealFacts, close_deal, score_deal
from p2pcards.games.belka_state import BelkaState
from p2pcards.games.tally import line
from p2pcards.net.notices import LobbyLine
from p2pcards.protocol.events import (
    DealBegun,
    DealScored,
    HolderKnown,
    MatchEnded,
    SeatBack,
    SeatLost,
    TrickTaken,
)


def played(state: BelkaState, taken: tuple[int, int], jack: Seat = 0) -> BelkaState:
    """The state with one more deal scored and signed."""
    tricks = (8, 0) if taken == (120, 0) else (4, 4)
    facts = DealFacts(state.is_first_deal, tricks, taken, jack % 2, state.eggs)
    scored = close_deal(replace(state, jack=jack), score_deal(state.options, facts), facts)
    return BELKA.next_deal(scored, stop=False)


def series() -> BelkaState:
    """A series of three games, won by NS: eyes, a naked deal of the others, a naked deal."""
    state = BELKA.start(BelkaOptions(games=3), 0)
    state = played(replace(state, scores=(10, 3)), (100, 20))
    state = played(state, (60, 60))
    state = played(state, (40, 80), jack=2)
    return played(state, (120, 0))


def test_the_final_sheet_lists_every_deal_and_who_won_each_game() -> None:
    state = series()
    lines = Teller().words(MatchEnded(state.winner, state.sheets, state.games_won))
    assert lines == [
        "Final sheet     NS     EW     score",
        "  deal 1        +2     +0      12:3  NS wins game 1",
        "  deal 2        +0     +0       0:0",
        "  deal 3        +0     +4       0:4",
        "  deal 4        +0     +0       0:4  NS wins game 2",
        "the match is over: NS wins, 2:0 in games",
    ]


def test_the_end_as_json() -> None:
    state = series()
    values = as_json(MatchEnded(state.winner, state.sheets, state.games_won))
    assert values is not None
    assert (values["winner"], values["games"]) == (0, (2, 0))
    assert [deal["won"] for deal in values["deals"]] == [0, None, None, 0]


def test_a_sheet_lines_up_its_points() -> None:
    sheet = series().sheets[0]
    heading, *lines = sheet_lines(sheet)
    assert heading.split() == ["Deal", "1", "NS", "EW"]
    ends = [text for text in lines if text.endswith(("2     0", "12     3"))]
    assert [len(text) for text in ends] == [len(heading)] * 2
    bare = replace(sheet, lines=(line("Nobody scores"),))
    assert sheet_lines(bare)[1] == "  Nobody scores"


def test_the_holder_of_the_jack_and_trump() -> None:
    known = HolderKnown(2, Card.parse("Jc"), Suit.HEARTS)
    assert Teller().words(known) == ["seat 2 holds J♣; trump is ♥"]
    assert as_json(known) == {"event": "announce", "seat": 2, "card": "Jc", "trump": "h"}


def test_the_sheet_says_from_where_the_public_bot_played() -> None:
    sheet = series().sheets[0]
    teller = Teller()
    teller.seat(("Ana", "Ion", "Dana", "Erzhan"))
    assert teller.words(DealScored(sheet)) == sheet_lines(sheet)
    teller.words(DealBegun(2, 1))
    for _ in range(3):
        teller.words(TrickTaken(0, (), 0))
    teller.words(SeatLost(2, redeal=False))
    note = "  Dana (seat 2): the public bot played from deal 2, trick 4 on"
    assert teller.words(DealScored(sheet)) == [*sheet_lines(sheet), note]
    teller.words(SeatBack(2))
    assert teller.words(MatchEnded(0, (sheet,), (1, 0)))[-2] == f"{note} to deal 2"


def test_talk_in_the_lobby_names_its_speaker_for_people_and_for_programs() -> None:
    line = LobbyLine("Ana", "salut", is_mine=False)
    assert Teller().words(line) == ["<Ana> salut"]
    assert as_json(line) == {"event": "lobby-chat", "player": "Ana", "text": "salut"}
