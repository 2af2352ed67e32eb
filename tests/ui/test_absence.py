"""Who is away, who left, what a vote needs, and what who comes back is shown."""

from __future__ import annotations

import pytest

from p2pcards.cards import Card
from p2pcards.protocol import events
from p2pcards.protocol.course import Bar
from p2pcards.protocol.faults import Fault, FaultKind
from p2pcards.ui import happenings as hap
from p2pcards.ui import i18n, narration, partings
from p2pcards.ui.act import act
from p2pcards.ui.intents import Command, Show, Typed
from p2pcards.ui.keys import intent_for
from p2pcards.ui.lobby import lobby_keys
from p2pcards.ui.render import render
from p2pcards.ui.screen import Screen
from p2pcards.ui.words import BARS
from p2pcards.worded import Worded
from tests.ui.scene import NAMES, Scene

SIZES = [(80, 24), (120, 40), (60, 20), (40, 12)]


def drawn(screen: Screen, width: int = 80, height: int = 24) -> str:
    """The screen as text, with what was wrapped joined again."""
    return "\n".join(render(screen, width, height).text())


def flat(screen: Screen) -> str:
    """The screen's words, without frames and the ends of lines."""
    return " ".join(drawn(screen).replace("│", " ").split())


def press(screen: Screen, key: str) -> object:
    """What a key sends out."""
    intent = intent_for(key, screen)
    return act(screen, intent) if intent is not None else None


@pytest.mark.parametrize("size", SIZES)
def test_who_is_away_is_named_below_the_table_at_every_size(size: tuple[int, int]) -> None:
    scene = Scene(seed=3).until_play(1, 0)
    scene.tell(hap.Absent((1, 3)))
    assert render(scene.screen, *size).text()[-2].strip() == "not connected: Bogdan, Erzhan"
    scene.tell(hap.Linked(1, True, ""))
    scene.tell(hap.Linked(3, True, ""))
    assert "not connected" not in drawn(scene.screen, *size)


def test_a_vote_says_whom_it_waits_for_and_is_not_offered_where_it_cannot_be() -> None:
    scene = Scene(seed=3).until_play(1, 0)
    scene.tell(hap.LossAsked(1))
    scene.screen.overlay = "vote"
    assert "v let the bot play" in drawn(scene.screen)
    assert "wait, too" not in flat(scene.screen)
    scene.tell(hap.Linked(2, False, "the connection is lost"))
    assert "The vote must wait, too, for who is not connected: Dana" in flat(scene.screen)
    assert "Dana does not answer: the connection is lost" in flat(scene.screen)

    scene.tell(hap.LossAsked(1, Bar.UNDRAWN))
    text = flat(scene.screen)
    assert "v let the bot play" not in text
    assert press(scene.screen, "v") is None
    scene.screen.overlay = "vote"
    assert press(scene.screen, "x") == Command("stop", 1)


@pytest.mark.parametrize("bar", Bar)
def test_why_the_bot_cannot_take_over_is_told_in_one_true_reason(bar: Bar) -> None:
    scene = Scene(seed=3).until_play(1, 0)
    scene.tell(hap.LossAsked(1, bar))
    scene.screen.overlay = "vote"
    told = [line for line, _style in partings.vote(scene.screen, 200)[1]]
    assert [one for one in Bar if BARS[one] in told] == [bar]
    assert "So the game waits" in flat(scene.screen)
    assert "x end the game" in drawn(scene.screen, 40, 12)


def test_a_second_seat_cannot_be_voted_about_once_the_bot_plays_the_first() -> None:
    scene = Scene(seed=3).until_play(1, 0)
    for seat in (1, 2):
        scene.tell(hap.LossAsked(seat))
    scene.happened(events.SeatLost(1, False))
    scene.screen.overlay = "vote"
    assert BARS[Bar.BOT] in flat(scene.screen)
    assert not scene.screen.table.can_vote()
    scene.happened(events.SeatBack(1))
    assert scene.screen.table.can_vote()


def test_who_has_voted_can_still_leave() -> None:
    scene = Scene(seed=3).until_play(1, 0)
    scene.tell(hap.LossAsked(1))
    scene.happened(events.VoteCast(0, 1, 9))
    scene.screen.overlay = "vote"
    assert "x leaves the table" in drawn(scene.screen)
    assert press(scene.screen, "x") is None
    assert scene.screen.overlay == "leave"


def test_a_vote_about_a_seat_that_answered_is_forgotten() -> None:
    scene = Scene(seed=3).until_play(1, 0)
    scene.tell(hap.LossAsked(1))
    scene.happened(events.VoteCast(0, 1, 9))
    scene.happened(events.Arrived(9, 1, "play", frozenset()))
    scene.tell(hap.LossAsked(1))
    assert scene.screen.table.can_vote()


def test_a_game_that_stopped_says_that_it_goes_on() -> None:
    scene = Scene(seed=3).until_play(1, 0)
    scene.tell(hap.LossAsked(1))
    scene.tell(hap.Over("lost", "", (1,), None, (0, 0), "", ""))
    scene.screen.overlay = "over"
    text = flat(scene.screen)
    assert "Bogdan did not answer in time" in text
    assert "The game is kept".lower() in text.lower()
    scene.screen.overlay = ""
    assert "v vote" not in drawn(scene.screen)
    assert "does not answer" not in drawn(scene.screen)
    practice = Scene(seed=3).until_play(1, 0)
    practice.tell(hap.Over("lost", "", (1,), None, (0, 0), "", "", is_kept=False))
    practice.screen.overlay = "over"
    assert "game is kept" not in flat(practice.screen)


@pytest.mark.parametrize("overlay", ["vote", "leave", "left", "over"])
def test_the_keys_of_a_question_are_seen_on_the_smallest_table(overlay: str) -> None:
    scene = Scene(seed=5).until(lambda s: bool(s.table.state.sheets))
    scene.tell(hap.LossAsked(1))
    scene.tell(hap.Linked(2, False, "the other side ended the connection without a word"))
    scene.tell(hap.Left(1, "has left"))
    scene.tell(hap.Over("complete", "", (), 0, (162, 0), "ab" * 32, "/a/long/path/to/it.p2prec"))
    if overlay == "vote":
        scene.screen.table.over, scene.screen.table.asked_losses = None, [1]
    scene.screen.overlay = overlay
    text = drawn(scene.screen, 40, 12)
    first = {"vote": "v let", "leave": "y leaves", "left": "x leaves", "over": "Enter goes on"}
    assert first[overlay] in text


def test_the_winners_points_come_first() -> None:
    speaker = Scene(seed=3).screen.table.speaker
    assert speaker.won(1, (26, 136)) == "Bogdan & Erzhan win the match (136:26)"
    assert speaker.won(0, (136, 26)) == "Ana & Dana win the match (136:26)"
    assert speaker.won(None, (5, 7)).endswith("(5:7)")


def test_the_end_can_be_left_for_the_score_and_comes_back() -> None:
    scene = Scene(seed=5).until(lambda s: bool(s.table.state.sheets))
    scene.tell(hap.Over("complete", "", (), 0, (162, 0), "", ""))
    scene.screen.overlay = "over"
    for key, page in (("s", "score"), ("?", "help"), ("l", "last"), ("g", "log")):
        assert press(scene.screen, key) is None
        assert scene.screen.overlay == page
        press(scene.screen, "escape")
        assert scene.screen.overlay == "over"
    assert press(scene.screen, "enter") == Command("on")


def test_a_key_without_a_meaning_does_not_take_the_end_away() -> None:
    scene = Scene(seed=5).until(lambda s: bool(s.table.state.sheets))
    scene.tell(hap.Over("complete", "", (), 0, (162, 0), "", ""))
    scene.screen.overlay = "over"
    for key in ("1", "k", "left", "tab", "!", "e"):
        assert press(scene.screen, key) is None
        assert scene.screen.overlay == "over"


@pytest.mark.parametrize("size", SIZES)
def test_at_the_end_people_talk_and_read_who_goes(size: tuple[int, int]) -> None:
    scene = Scene(seed=5).until(lambda s: bool(s.table.state.sheets))
    scene.tell(hap.Said(1, "before the end"))
    scene.tell(hap.Over("complete", "", (), 0, (162, 0), "", ""))
    scene.screen.overlay = "over"
    for count in range(5):
        scene.tell(hap.Said(1, f"line {count}"))
    scene.tell(hap.Left(3, "has left"))
    text = drawn(scene.screen, *size)
    last = [*(f"<Bogdan> line {count}" for count in (2, 3, 4)), "Erzhan leaves the table"]
    assert scene.screen.table.epilogue == last
    assert all(f"│ {line}" in text for line in last)
    press(scene.screen, "c")
    for key in "gg":
        press(scene.screen, key)
    assert "gg" in render(scene.screen, *size).text()[-2]
    assert press(scene.screen, "enter") == Typed("chat", "gg")
    assert scene.screen.overlay == "over"


@pytest.mark.parametrize("ending", ["lost", "fault", "practice"])
def test_where_nobody_hears_it_nothing_is_said(ending: str) -> None:
    scene = Scene(seed=5).until(lambda s: bool(s.table.state.sheets))
    scene.screen.alone = ending == "practice"
    kind = "complete" if ending == "practice" else ending
    scene.tell(hap.Over(kind, "", (1,), 0, (162, 0), "", ""))
    scene.screen.overlay = "over"
    assert "chat" not in drawn(scene.screen)
    press(scene.screen, "c")
    assert scene.screen.line is None


def test_a_click_on_the_way_on_goes_on() -> None:
    scene = Scene(seed=5).until(lambda s: bool(s.table.state.sheets))
    scene.tell(hap.Over("complete", "", (), 0, (162, 0), "", ""))
    scene.screen.overlay = "over"
    rows = render(scene.screen, 80, 24).lines()
    clicks = [piece.intent for row in rows for piece in row if "Enter goes on" in piece.text]
    assert [act(scene.screen, click) for click in clicks if click] == [Command("on")]


def test_when_all_others_have_left_one_is_told_and_may_leave_or_wait() -> None:
    scene = Scene(seed=3).until_play(1, 0)
    reason = "seat 0 did not answer within the deadline"
    for seat in (1, 2, 3):
        assert not scene.screen.table.is_left()
        scene.tell(hap.Left(seat, reason))
    scene.screen.overlay = "left"
    text = flat(scene.screen)
    assert "Bogdan leaves: Ana did not answer within the deadline" in text
    assert "The game is kept" in text
    scene.screen.overlay = ""
    assert "nobody else is at the table now" in drawn(scene.screen)
    scene.screen.overlay = "left"
    assert press(scene.screen, "x") == Command("leave")
    scene.tell(hap.Linked(2, True, ""))
    assert not scene.screen.table.is_left()


def test_who_has_lost_all_links_is_told_to_look_at_the_own_network() -> None:
    scene = Scene(seed=3).until_play(1, 0)
    for seat in (1, 2, 3):
        assert "no link to anybody" not in drawn(scene.screen)
        scene.tell(hap.Linked(seat, False, "nothing was heard for a while"))
    assert "no link to anybody: has the game ended there, or this machine" in drawn(scene.screen)
    assert not scene.screen.table.is_left()
    scene.tell(hap.Linked(1, True, ""))
    scene.tell(hap.Left(1, "has left"))
    assert scene.screen.table.is_left()


def test_a_goodbye_is_told_once_and_not_as_a_lost_connection() -> None:
    scene = Scene(seed=3).until_play(1, 0)
    assert scene.tell(hap.Left(1, "has left")) == ["Bogdan leaves the table"]
    assert scene.tell(hap.Linked(1, False, "this peer has left")) == []
    assert scene.tell(hap.Linked(1, True, "")) == ["Bogdan is connected"]
    assert scene.tell(hap.Linked(1, False, "reset")) == ["Bogdan lost connection: reset"]


def test_a_seat_that_the_bot_plays_need_not_have_left() -> None:
    scene = Scene(seed=3).until_play(1, 0)
    scene.happened(events.SeatLost(1, False))
    scene.tell(hap.Left(2, "has left"))
    scene.tell(hap.Left(3, "has left"))
    assert scene.screen.table.is_left()


def test_time_that_is_up_is_said_in_words() -> None:
    scene = Scene(seed=3).until_play(1, 0)
    scene.screen.left = {0: 0.0}
    assert "Your time is up: the others may go on without you" in drawn(scene.screen)


def test_who_comes_back_finds_the_log_the_checks_and_the_bids() -> None:
    scene = Scene(seed=5).until(lambda s: bool(s.table.state.sheets))
    sheet = scene.table.state.sheets[-1]
    king = Card.parse("kh")
    past = (
        events.DealBegun(1, 3), events.Arrived(5, 0, "shuffle", frozenset()),
        events.Arrived(5, 1, "shuffle", frozenset()), events.DeckConfirmed(1),
        events.CardPlayed(1, king, 3), events.DealScored(sheet),
        events.DealBegun(2, 0), events.Arrived(99, 2, "shuffle", frozenset()),
    )  # fmt: skip
    back = Scene(seed=5)
    before = len(back.screen.table.log)
    assert back.tell(hap.Past(past, scene.table.view(0))) == []
    told = [line.text for line in list(back.screen.table.log)[before:]]
    assert told[0] == "deal 1: Erzhan deals; everybody shuffles"
    assert any(line.startswith("Bogdan plays ") for line in told)
    assert any(line.startswith("deal 1: ") and "the score is" in line for line in told)
    assert back.screen.table.view is not None
    assert back.screen.table.checks.deal == 2
    back.screen.overlay = "checks"
    assert "— shuffle: Dana" in drawn(back.screen)
    # What comes after the return is put to no time that nobody measured.
    back.happened(events.Arrived(99, 3, "shuffle", frozenset()), 1e6)
    assert "— shuffle: Dana, Erzhan" in drawn(back.screen)


def test_a_page_over_the_own_turn_shows_that_it_is_ones_turn_and_how_long() -> None:
    scene = Scene(seed=5).until(lambda s: bool(s.table.state.sheets)).until_bid()
    scene.screen.left = {0: 95.0}
    for page in ("score", "log", "rules"):
        scene.screen.overlay = page
        assert "Your turn  1:35" in drawn(scene.screen)
    scene.screen.ask(None)
    scene.screen.overlay = "score"
    assert "Your turn" not in drawn(scene.screen)


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_a_fault_that_names_a_seat_says_whose_it_is(lang: str) -> None:
    i18n.choose(lang)
    try:
        speaker = Scene(seed=3).screen.table.speaker
        text = Worded("voted about seat {seat}, which owes nothing", seat=2)
        (told,) = narration.event_lines(speaker, Fault(1, FaultKind.BAD_VOTE, 7, text, ()), None)
        assert told.startswith("Bogdan")
        assert told.endswith("Dana)")
    finally:
        i18n.choose("en")


# -- the lobby --------------------------------------------------------------------------------


def lobby(*known: str, is_opener: bool = True) -> Screen:
    """A lobby where we are first, with others of these kinds."""
    others = (
        hap.Person(name, "", True, kind) for name, kind in zip(NAMES[1:], known, strict=False)
    )
    people = (hap.Person(NAMES[0], "", True, "same", True), *others)
    screen = Screen(place="lobby")
    gathering = hap.Gathering("Kitchen", "belota", "Belotă", people, (), "drawn", 60, is_opener)
    screen.table.take(gathering)
    return screen


def test_closing_a_table_that_others_wait_at_is_asked_about() -> None:
    screen = lobby("new", "bot")
    assert press(screen, "x") is None
    assert "The table is yours" in flat(screen)
    assert press(screen, "y") == Command("leave")
    assert press(lobby("bot", "bot"), "x") == Command("leave")
    assert press(lobby(), "c-c") == Command("leave")
    assert press(lobby("new", is_opener=False), "x") == Command("leave")


def test_only_who_brought_a_bot_can_send_it_away_and_takes_it_along() -> None:
    screen = lobby("bot", is_opener=False)
    assert "-" not in dict(lobby_keys(screen, screen.table.gathering))  # type: ignore[arg-type]
    screen.table.take(hap.Brought(("Bogdan",)))
    assert "-" in dict(lobby_keys(screen, screen.table.gathering))  # type: ignore[arg-type]
    scene = Scene(seed=3).until_play(1, 0)
    scene.tell(hap.Brought(("Bogdan",)))
    act(scene.screen, Show("leave"))
    assert "The bots that you brought go with you, and come back with you: Bogdan." in flat(
        scene.screen
    )
    scene.screen.alone = True
    assert "go with you" not in flat(scene.screen)
