"""What a headless peer prints about sheets and about the end of a match."""

from __future__ import annotations

from dataclasses import replace

from p2pcards.cards import Card, Suit
from p2pcards.commands.eventjson import as_json
from p2pcards.commands.telling import Teller
from p2pcards.games.base import Seat, Take
from p2pcards.games.belka import BELKA
from p2pcards.games.belka_options import BelkaOptions
from p2pcards.games.belka_score import DealFacts, close_deal, score_deal
from p2pcards.games.belka_state import BelkaState
from p2pcards.net.notices import LobbyLine, Watched
from p2pcards.protocol.events import (
    BidMade,
    CardPlayed,
    DealBegun,
    DealScored,
    HolderKnown,
    MatchEnded,
    SeatBack,
    SeatLost,
    TrickTaken,
)
from p2pcards.ui import sheets
from p2pcards.ui.words import Speaker


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
        "Final sheet: NS : EW",
        "  deal 1        +2     +0      12:3  NS wins game 1",
        "  deal 2        +0     +0       0:0",
        "  deal 3        +0     +4       0:4",
        "  deal 4        +0     +0       0:4  NS wins game 2",
        "NS win the match (2:0)",
    ]


def test_the_end_as_json() -> None:
    state = series()
    values = as_json(MatchEnded(state.winner, state.sheets, state.games_won))
    assert values is not None
    assert (values["winner"], values["games"]) == ("NS", (2, 0))
    assert [deal["won"] for deal in values["deals"]] == ["NS", None, None, "NS"]


def test_the_holder_of_the_jack_and_trump() -> None:
    known = HolderKnown(2, Card.parse("Jc"), Suit.HEARTS)
    assert Teller().words(known) == ["seat 2 holds J♣; trump is ♥"]
    assert as_json(known) == {"event": "announce", "seat": 2, "card": "Jc", "trump": "h"}


def test_the_sheet_says_from_where_the_public_bot_played() -> None:
    sheet = series().sheets[0]
    teller = Teller()
    teller.seat(("Ana", "Ion", "Dana", "Erzhan"))
    plain = sheets.told(Speaker(teller.speaker.names), sheet)
    assert teller.words(DealScored(sheet)) == plain
    assert plain[-1] == "Score: Ana & Dana 12, Ion & Erzhan 3"
    teller.words(DealBegun(2, 1))
    for _ in range(3):
        teller.words(TrickTaken(0, (), 0))
    teller.words(SeatLost(2, redeal=False))
    note = "  Dana (seat 2): the public bot played from deal 2, trick 4 on"
    assert teller.words(DealScored(sheet)) == [*plain, note]
    teller.words(SeatBack(2))
    assert teller.words(MatchEnded(0, (sheet,), (1, 0)))[-2] == f"{note} to deal 2"


def test_players_are_named_with_their_seats() -> None:
    teller = Teller()
    teller.seat(("Ana", "Ion", "Dana", "Erzhan"))
    king = Card.parse("Kh")
    assert teller.words(CardPlayed(1, king, 0, by_bot=False)) == ["Ion (seat 1) plays K♥"]
    assert teller.words(CardPlayed(1, king, 2, by_bot=True)) == [
        "Ion (seat 1) [bot] plays K♥  (2 proofs)"
    ]
    assert teller.words(BidMade(Take(2), by_bot=False)) == ["Dana (seat 2) takes"]
    assert teller.words(Watched(3, "Vera", up=True)) == [
        "Vera watches the table, linked to Erzhan (seat 3)"
    ]


def test_talk_in_the_lobby_names_its_speaker_for_people_and_for_programs() -> None:
    line = LobbyLine("Ana", "salut", is_mine=False)
    assert Teller().words(line) == ["<Ana> salut"]
    assert as_json(line) == {"event": "lobby-chat", "name": "Ana", "text": "salut"}
