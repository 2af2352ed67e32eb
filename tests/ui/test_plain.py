"""Plain mode: lines in, lines out, and a game from a list of lines."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
import trio
import trio.testing

from p2pcards.games.base import Pass, Play, Take
from p2pcards.games.registry import GAMES
from p2pcards.games.rulestext import rules_text
from p2pcards.protocol import events
from p2pcards.protocol.choosing import Question
from p2pcards.protocol.course import Bar
from p2pcards.ui import happenings as hap
from p2pcards.ui import i18n, narration, sheets
from p2pcards.ui.backlog import AHEAD, Backlog
from p2pcards.ui.canvas import width_of
from p2pcards.ui.choices import menu
from p2pcards.ui.i18n import _
from p2pcards.ui.lines import PipeLines
from p2pcards.ui.plain import Plain
from p2pcards.ui.plainwords import words
from p2pcards.ui.rulespage import rules_in
from p2pcards.ui.words import Speaker
from p2pcards.ui.wrapping import wrapped
from tests.ui.scene import Scene, royals, with_belote


class Listed:
    """Lines of a list; ``live`` as if somebody typed them."""

    def __init__(self, lines: Iterable[str], live: bool = False) -> None:
        self.lines = list(lines)
        self.is_live = live

    async def next(self) -> str | None:
        await trio.lowlevel.checkpoint()
        return self.lines.pop(0) if self.lines else None


class Noted:
    """What the player did besides choosing."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.gone: list[str] = []
        self.wishes: list[bool] = []

    def change_partner(self) -> None:
        self.said.append("partner")

    def bring(self) -> None:
        self.said.append("bot")

    def dismiss(self) -> None:
        self.said.append("dismiss")

    def ask_end(self, wish: bool) -> None:
        self.wishes.append(wish)

    def say(self, text: str) -> None:
        self.said.append(text)

    def leave(self, reason: str) -> None:
        self.gone.append(reason)

    def hint(self, question: Question) -> str | None:
        return "7♣"

    def left(self, seat: int) -> float | None:
        return 40.0 - seat


class Sat:
    """A plain table over a scene, with all that was written."""

    def __init__(self, scene: Scene, *lines: str, live: bool = False, alone: bool = False) -> None:
        self.out: list[str] = []
        self.done = Noted()
        self.plain = Plain(Listed(lines, live), self.out.append, self.done, ready=True, alone=alone)
        self.plain.tell(hap.Seated(scene.game, ("Ana", "Bogdan", "Dana", "Erzhan"), 0))
        self.scene = scene

    def answers(self, count: int = 1) -> list[object]:
        """Ask the scene's question so often, then read on to the end of the lines."""
        got: list[object] = []

        async def main() -> None:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self.plain.read)
                while len(got) < count:
                    got.append(await self.plain.choose(self.scene.question()))
                    self.happened(events.Arrived(9, 0, "play", frozenset()))
                await trio.testing.wait_all_tasks_blocked()
                nursery.cancel_scope.cancel()

        trio.run(main)
        return got

    def happened(self, event: events.Event) -> None:
        """Tell of an event without a new view."""
        self.plain.tell(hap.Happened(event, None, 0.0))

    @property
    def text(self) -> str:
        return "\n".join(self.out)


def test_cards_by_name_and_by_number() -> None:
    scene = Scene(seed=3).until_play(2, 2)
    hand = scene.screen.hand()
    for line in (hand[1].ascii, str(hand[1]), "2", f"play {hand[1].ascii.upper()}"):
        (choice,) = Sat(scene, line).answers()
        assert isinstance(choice, Play)
        assert choice.card == hand[1]


def test_belote_is_called_by_a_mark_after_the_card_or_its_number() -> None:
    scene = with_belote("manual")
    first, second = royals(scene)
    place = [entry.choice.card for entry in menu(scene.question(), Speaker())].index(first) + 1  # type: ignore[union-attr]
    sat = Sat(scene, f"{place}!", f"{second.ascii}!", second.ascii)
    assert sat.answers(3) == [Play(0, first, True), Play(0, second, True), Play(0, second, False)]
    assert sum("calls belote" in line for line in sat.out) == 6


def test_bids_by_name_and_by_suit() -> None:
    scene = Scene(seed=1).until_bid()
    turned = getattr(scene.table.state, "turned")  # noqa: B009
    lines = {"take": Take, "t": Take, turned.suit.letter: Take, "pass": Pass, "2": Pass}
    for line, kind in lines.items():
        (choice,) = Sat(scene, line).answers()
        assert isinstance(choice, kind)


def test_the_rule_is_told_and_the_next_line_is_taken() -> None:
    scene = Scene(seed=3).until_play(3, 2)
    barred = next(c for c in scene.screen.hand() if c not in scene.screen.legal())
    sat = Sat(scene, "nonsense", barred.ascii, "7x", "1")
    (choice,) = sat.answers()
    assert isinstance(choice, Play)
    assert choice.card in scene.screen.legal()
    assert "nonsense is not a choice or a command" in sat.text
    assert re.search(r"not now: .*(must|trump)", sat.text)


def test_lines_of_a_pipe_wait_until_something_is_asked() -> None:
    scene = Scene(seed=3).until_play(2, 2)
    sat = Sat(scene, "1", "2", "say well played")
    first, second = sat.answers(2)
    hand = scene.screen.hand()
    assert [first.card, second.card] == hand[:2]  # type: ignore[attr-defined]
    assert sat.done.said == ["well played"]


def test_what_is_typed_out_of_turn_is_answered_at_once() -> None:
    scene = Scene(seed=3).until_play(2, 2)
    sat = Sat(scene, "7h", live=True)
    trio.run(sat.plain._line, "7h")
    assert "nothing is asked of you now" in sat.text


def test_an_ended_pipe_leaves_only_when_more_is_needed() -> None:
    scene = Scene(seed=3).until_play(2, 2)
    sat = Sat(scene, "1")
    sat.answers(1)
    assert sat.done.gone == []
    sat = Sat(scene, "# a comment")

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(sat.plain.choose, scene.question())
            await sat.plain.read()
            nursery.cancel_scope.cancel()

    trio.run(main)
    assert len(sat.done.gone) == 1
    assert "the input has ended" in sat.text


def test_commands_show_the_table() -> None:
    scene = Scene(seed=3).until_play(2, 2)
    sat = Sat(scene, "?", "hand", "trick", "last", "score", "checks", "log", "hint", "1")
    sat.plain.table.view = scene.table.view(0)
    sat.answers()
    state = scene.table.state
    for card in scene.table.hands[0]:
        assert str(card) in sat.text
    last = state.tricks[-1]
    assert last.winner is not None
    taker = ("Ana", "Bogdan", "Dana", "Erzhan")[last.winner]
    assert f"{taker} took it" in sat.text
    assert "Ana & Dana: 0" in sat.text
    assert "a bot would choose 7♣" in sat.text
    assert "quit: leave the table" in sat.text


def test_a_wish_that_the_match_end_goes_out_and_is_taken_back() -> None:
    scene = Scene(seed=3).until_play(2, 2)
    sat = Sat(scene, "end", "end", "1")
    sat.answers()
    assert sat.done.wishes == [True, False]


def test_letters_instead_of_signs() -> None:
    scene = Scene(seed=3).until_play(2, 2)
    out: list[str] = []
    plain = Plain(Listed(["1"]), out.append, Noted(), ready=True, ascii_only=True)
    trio.run(plain._line, "say x")
    plain.table.view = scene.table.view(0)
    plain._command("hand")
    assert all(line.isascii() for line in out)
    assert any(c.rank.symbol + c.suit.letter.upper() in "".join(out) for c in scene.screen.hand())


def test_lines_come_from_a_handle_whole_and_bounded() -> None:
    reader, writer = os.pipe()
    os.write(writer, b"one\ntwo \xff\n" + b"x" * 3000 + b"\nlast")
    os.close(writer)

    async def main() -> list[str | None]:
        lines = PipeLines(reader)
        return [await lines.next() for _ in range(5)]

    one, two, long, last, end = trio.run(main)
    os.close(reader)
    assert (one, two, last, end) == ("one", "two \N{REPLACEMENT CHARACTER}", "last", None)
    assert long == "x" * 500


def test_a_demo_is_played_from_a_list_of_lines(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "p2pcards", "demo", "--points", "100", "--name", "Ana",
               "--record", str(tmp_path), "--data-dir", str(tmp_path / "data")]  # fmt: skip
    done = subprocess.run(
        command, input="1\n" * 200, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "win the match" in done.stdout
    assert len(re.findall(r"^Ana plays ", done.stdout, re.MULTILINE)) % 8 == 0
    assert list(tmp_path.glob("*-Ana.p2prec"))


def test_a_person_among_bots_ends_the_match_early(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "p2pcards", "demo", "--points", "1001", "--name", "Ana",
               "--data-dir", str(tmp_path)]  # fmt: skip
    done = subprocess.run(
        command, input="1\nend\n" + "1\n" * 200, capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    asked = re.findall(r"^asking that the match end: (.*)", done.stdout, re.MULTILINE)
    assert asked[0] == "Ana"
    assert sorted(asked[1].split(", ")) == ["Ainur", "Ana", "Bogdan", "Dana"]
    assert len(asked) == 2
    last = done.stdout.rstrip().splitlines()[-1].split(" (")[0]
    assert last.endswith(("win the match", "with no winner"))  # it may be a tie by then


def test_a_pipe_that_ends_in_the_middle_leaves_cleanly(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "p2pcards", "demo", "--name", "Ana", "--data-dir",
               str(tmp_path)]  # fmt: skip
    done = subprocess.run(
        command, input="1\n", capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "the input has ended; leaving the table" in done.stdout
    assert "Traceback" not in done.stderr


def test_a_wait_is_told_once_and_once_more_when_its_time_runs_out() -> None:
    sat = Sat(Scene(seed=3))
    sat.out.clear()
    for elapsed in range(0, 140, 5):
        sat.plain.tell(hap.Waits((1,), "play", elapsed, 140 - elapsed))
    assert len(sat.out) == 2
    assert all("waiting for Bogdan to play a card" in line for line in sat.out)
    for elapsed in range(0, 140, 5):
        sat.plain.tell(hap.Waits((0,), "play", elapsed, 140 - elapsed))
    assert len(sat.out) == 3
    assert "the others may go on without you" in sat.out[-1]


def test_talk_in_the_lobby_line_by_line() -> None:
    sat = Sat(Scene(), live=True)
    trio.run(sat.plain._line, "say anybody here?")
    assert sat.done.said == ["anybody here?"]
    sat.plain.tell(hap.LobbySaid("Bogdan", "me", False))
    assert sat.out[-1] == "<Bogdan> me"


def test_a_partner_is_changed_and_agreed_to_line_by_line() -> None:
    people = tuple(hap.Person(n, n, True, is_me=n == "Ana") for n in ("Ana", "Bogdan", "Dana"))
    turned = (people[0], people[2], people[1])
    sat = Sat(Scene(), live=True)

    def show(people: tuple[hap.Person, ...], is_opener: bool) -> None:
        sat.plain.tell(
            hap.Gathering("Den", "belota", "Belotă", people, (), "chosen", 90, is_opener)
        )

    show(people, False)
    assert "your partner is Dana" in sat.text
    trio.run(sat.plain._line, "partner")
    assert "only who opened" in sat.text
    show(turned, False)
    assert "your partner is Bogdan" in sat.text
    assert "write ready if you agree" in sat.text
    assert not sat.plain.is_ready
    show(people, True)
    trio.run(sat.plain._line, "partner")
    assert sat.done.said == ["partner"]


def test_what_a_blind_player_asks_for_is_told_in_lines() -> None:
    scene = Scene(seed=3).until_play(2, 2)
    sat = Sat(scene, "seats", "rules", "bot", "dismiss", "", "ready", "vote", live=True)
    scene_view = scene.question().view
    sat.plain.table.view = scene_view
    sat.answers(0)
    seats = sat.out[sat.out.index(next(line for line in sat.out if "dealer" in line)) :][:4]
    assert sorted(line.split(",")[0] for line in seats) == ["Bogdan", "Dana", "Erzhan", "you"]
    assert [line for line in seats if "partner" in line] == ["Dana, partner"]
    assert "Belot\u0103\n======" in sat.text
    assert sat.done.said == ["bot", "dismiss"]
    assert "the match has begun already" in sat.out
    assert "nothing to vote about" in sat.text


def test_a_queen_typed_alone_leaves_no_table() -> None:
    sat = Sat(Scene(seed=3).until_play(2, 2), "Q", "quit now", "1")
    sat.answers()
    assert sat.done.gone == []
    assert "Q is not a choice or a command" in sat.text


def test_readiness_is_told_in_words() -> None:
    sat = Sat(Scene(seed=3))
    people = [hap.Person("Ana", "f", False, is_me=True), hap.Person("Bek", "g", False)]
    people += [hap.Person("Cos", "h", False)]

    def lobby() -> hap.Gathering:
        return hap.Gathering("T", "belka", "Belka", tuple(people), (), "drawn", 60, True)

    sat.plain.tell(lobby())
    people[1] = replace(people[1], ready=True)
    sat.plain.tell(lobby())
    people += [hap.Person("Dan", "i", False)]
    people[1] = replace(people[1], ready=False)
    sat.plain.tell(lobby())
    sat.out.clear()
    people[1] = replace(people[1], ready=True)
    sat.plain.tell(lobby())
    people[0] = replace(people[0], ready=True)
    sat.plain.tell(lobby())
    people[1] = replace(people[1], ready=False)
    sat.plain.tell(lobby())
    assert sat.plain._command("ready")
    assert sat.out == ["Bek is ready", "Bek is not ready any more", "you are ready"]


def test_to_wait_leaves_the_vote_open_until_the_player_is_back() -> None:
    scene = Scene(seed=3).until_play(1, 0)
    sat = Sat(scene, live=True)
    verdicts: list[str] = []

    async def main() -> None:
        async def decide() -> None:
            verdicts.append(await sat.plain.decide_loss(1, None))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(decide)
            await trio.testing.wait_all_tasks_blocked()
            assert sat.plain._command("wait")
            await trio.testing.wait_all_tasks_blocked()
            assert verdicts == []
            assert sat.plain._command("vote")
            await trio.testing.wait_all_tasks_blocked()
            assert verdicts == ["vote"]
            sat.plain.tell(hap.Happened(events.VoteCast(0, 1, 9), None, 0.0))
            assert sat.plain._command("vote")
            assert sat.out[-1].startswith("you have voted already")
            assert sat.plain._command("stop")
            assert sat.done.gone == ["does not wait for the votes any longer"]
            nursery.start_soon(decide)
            await trio.testing.wait_all_tasks_blocked()
            sat.plain.tell(hap.Happened(events.Arrived(9, 1, "play", frozenset()), None, 0.0))
            await trio.testing.wait_all_tasks_blocked()
            assert verdicts == ["vote", "wait"]

    trio.run(main)


def test_a_sheet_is_told_in_sentences_with_whose_points_they_are() -> None:
    scene = Scene(game="belota", seed=5, me=1)
    scene.until(lambda one: bool(one.screen.table.state and one.screen.table.state.sheets))
    state = scene.screen.table.state
    assert state is not None
    told = sheets.told(scene.screen.table.speaker, state.sheets[0])
    assert told[-1] == "Score: We 0, They 162"
    assert told[-2].endswith("score all 162: We 0, They 162")
    lost = narration.lines(
        scene.screen.table.speaker, hap.Happened(events.SeatLost(1, False), None, 0.0)
    )
    assert lost == ["a bot plays your hand; it is yours again in the next deal"]


@pytest.mark.parametrize("code", ["ro", "ru", "kk"])
def test_the_words_of_plain_mode_are_ones_own_and_english_ones_too(code: str) -> None:
    i18n.choose(code)
    try:
        own = words()
        assert len(set(own.values())) == len(own)
        assert not {v for k, v in own.items() if v in own and v != k}
        assert all(word.isalpha() and word == word.lower() for word in own.values())
        for form in (str.lower, str.upper):
            sat = Sat(Scene(seed=3).until_play(2, 2), form(own["seats"]), f"{own['say']} да", "1")
            sat.answers()
            assert _("partner") in sat.text
            assert sat.done.said == ["да"]
        sat = Sat(Scene(seed=3).until_play(2, 2), "seats", "help", "1")
        sat.answers()
        assert _("partner") in sat.text
        assert all(own[word] in sat.text for word in ("hand", "vote", "quit", "bot", "end"))
    finally:
        i18n.choose("en")


def test_nobody_is_sent_back_to_a_game_that_is_not_kept() -> None:
    for is_kept, told in ((True, "play again to come back"), (False, "you have left the table")):
        over = hap.Over("left", "has left", (0,), None, (0, 0), "", "", is_kept)
        (line,) = narration.over(Speaker(("A", "B", "C", "D"), 0), over)
        assert line.endswith(told)


def typed(scene: Scene, *, alone: bool = False) -> Sat:
    """A table at which somebody types, in the middle of a match."""
    sat = Sat(scene, live=True, alone=alone)
    sat.plain.tell(hap.Formed("Kitchen", ("Ana", "Bogdan", "Dana", "Erzhan"), False))
    return sat


def lobby(*people: hap.Person, is_opener: bool = True) -> hap.Gathering:
    """A lobby of Ana, who has opened it, and of others."""
    me = hap.Person("Ana", "1111", False, "same", True)
    changed = (("target", "6", "12"),)
    return hap.Gathering("Den", "belka", "Belka", (me, *people), changed, "drawn", 90, is_opener)


def test_who_types_quit_in_a_match_is_asked_once_and_anything_else_stays() -> None:
    sat = typed(Scene(seed=3).until_play(2, 2))
    assert sat.plain._command("quit")
    assert sat.done.gone == []
    assert "Write quit again to leave." in sat.out[-1]
    assert sat.plain._command("hand")
    assert not sat.plain.leave()
    assert sat.done.gone == []
    assert sat.plain.leave()
    assert sat.done.gone == ["has left"]
    sat = typed(Scene(seed=3).until_play(2, 2), alone=True)
    sat.plain.leave()
    assert "The practice ends here" in sat.out[-1]


def test_only_who_takes_a_table_away_from_people_is_asked_in_the_lobby() -> None:
    bot, bek = hap.Person("Bo (bot)", "2222", True, "bot"), hap.Person("Bek", "3333", False)
    for shown, asks in (
        (lobby(), False), (lobby(bot), False), (lobby(bek), True),
        (lobby(bek, is_opener=False), False),
    ):  # fmt: skip
        sat = Sat(Scene(), live=True)
        sat.plain.tell(shown)
        assert sat.plain.leave() != asks
        assert bool(sat.done.gone) != asks


def test_a_pipe_that_quits_leaves_at_once_but_behind_its_last_answer() -> None:
    scene = Scene(seed=3).until_play(2, 2)
    sat = Sat(scene, "1", "quit", "2")
    assert len(sat.answers()) == 1
    assert sat.done.gone == ["has left"]


def test_the_lobby_is_listed_with_readiness_keys_and_free_seats() -> None:
    sat = Sat(Scene(), live=True)
    bek = hap.Person("Bek", "3333 4444", True, "changed")
    sat.plain.tell(lobby(bek, hap.Person("Cos", "5555", False)))
    assert "WARNING: Bek comes with another key" in sat.text
    assert "  Cos: new here, fingerprint 5555" in sat.out
    sat.out.clear()
    assert sat.plain._command("seats")
    assert sat.out[:2] == [
        "1  Ana: not ready, you, fingerprint 1111",
        "2  Bek: ready, OTHER KEY, fingerprint 3333 4444",
    ]
    assert sat.out[2].startswith("WARNING: Bek")
    assert sat.out[3:5] == ["3  Cos: not ready, new here, fingerprint 5555", "4  free seat"]
    assert sat.out[5] == "write ready when you want to play"
    assert "rule: a game is played to: 6 (usually 12)" in sat.out


def test_the_seats_tell_who_is_not_connected_whose_turn_it_is_and_who_votes() -> None:
    scene = Scene(seed=3).until_play(1, 0)
    sat = typed(scene)
    sat.plain.table.view = scene.question().view
    sat.plain.tell(hap.Linked(1, False, "nothing listens there"))
    assert "the game waits" in sat.out[-1]
    sat.plain.tell(hap.LossAsked(1))
    sat.happened(events.VoteCast(2, 1, 9))
    sat.out.clear()
    assert sat.plain._command("seats")
    assert "you, to move" in sat.text.replace("dealer, ", "")
    place = next(i for i, line in enumerate(sat.out) if line.startswith("Bogdan"))
    assert "not connected" in sat.out[place]
    assert sat.out[place + 1 : place + 3] == [
        "  Bogdan does not answer",
        "  votes for the bot: Dana",
    ]


def test_the_time_left_is_told_when_it_is_asked_for() -> None:
    sat = Sat(Scene(seed=3).until_play(2, 2), "time", "1")
    sat.answers()
    assert "you: 40 seconds left" in sat.out


def test_what_brings_a_table_together_does_not_wait_behind_an_answer() -> None:
    sat = Sat(Scene(), "bot", "1", "bot", "say hello", "dismiss", "quit")

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(sat.plain.read)
            await trio.testing.wait_all_tasks_blocked()
            assert sat.done.said == []
            sat.plain.tell(lobby())
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()

    trio.run(main)
    assert sat.done.said == ["bot", "bot", "dismiss"]
    assert sat.done.gone == []


def test_where_no_vote_is_possible_the_reason_is_told_and_a_vote_ends_nothing() -> None:
    sat = Sat(Scene(seed=3).until_play(1, 0), live=True)
    why = "The bot cannot take that seat over: it plays another one already."
    verdicts: list[str] = []

    async def decide() -> None:
        verdicts.append(await sat.plain.decide_loss(1, Bar.BOT))

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(decide)
            await trio.testing.wait_all_tasks_blocked()
            assert sat.out[-2:] == [why, "wait: wait on; stop: end the game"]
            assert sat.plain._command("vote")
            assert sat.out[-1] == why
            assert sat.plain._command("wait")
            assert sat.out[-1] == "you wait; stop is possible as long as nobody answers"
            await trio.testing.wait_all_tasks_blocked()
            assert verdicts == []
            assert sat.plain._command("stop")

    trio.run(main)
    assert verdicts == ["stop"]


def test_a_vote_decides_only_about_who_can_be_voted_about() -> None:
    sat = Sat(Scene(seed=3).until_play(1, 0), live=True)
    verdicts: list[tuple[int, str]] = []

    async def decide(seat: int, bar: Bar | None) -> None:
        verdicts.append((seat, await sat.plain.decide_loss(seat, bar)))

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(decide, 2, Bar.UNASKED)
            nursery.start_soon(decide, 1, None)
            await trio.testing.wait_all_tasks_blocked()
            assert sat.plain._command("vote")
            await trio.testing.wait_all_tasks_blocked()
            assert verdicts == [(1, "vote")]
            assert sat.plain._command("stop")

    trio.run(main)
    assert verdicts == [(1, "vote"), (2, "stop")]


@pytest.mark.parametrize(
    ("lines", "verdicts", "is_gone"),
    [
        (["1", "2"], ["vote"], False),
        (["1", "stop"], ["stop"], False),
        (["1", "wait", "2", "vote"], ["vote"], False),
        (["1", "wait", "quit"], [], True),
        (["1", "wait"], [], True),
    ],
)
def test_a_pipe_says_what_becomes_of_a_player_who_is_gone_or_votes(
    lines: list[str], verdicts: list[str], is_gone: bool
) -> None:
    sat = Sat(Scene(seed=3).until_play(1, 0), *lines)
    told: list[str] = []

    async def decide() -> None:
        told.append(await sat.plain.decide_loss(1, None))

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(sat.plain.read)
            await trio.testing.wait_all_tasks_blocked()
            nursery.start_soon(decide)
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()

    trio.run(main)
    assert told == verdicts
    assert bool(sat.done.gone) == is_gone


def test_a_pipe_without_end_is_read_no_further_than_it_must() -> None:
    class Endless:
        is_live = False
        count = 0

        async def next(self) -> str | None:
            await trio.lowlevel.checkpoint()
            self.count += 1
            return "1"

    source = Endless()

    async def main() -> None:
        backlog = Backlog(source)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(backlog.fill)
            await trio.testing.wait_all_tasks_blocked()
            assert source.count == AHEAD
            assert await backlog.next() == "1"
            await trio.testing.wait_all_tasks_blocked()
            assert source.count == AHEAD + 1
            nursery.cancel_scope.cancel()

    trio.run(main)


def test_who_types_may_take_readiness_back_and_a_pipe_cannot_by_mistake() -> None:
    for live, ready in ((True, False), (False, True)):
        sat = Sat(Scene(), live=live)
        sat.plain.tell(lobby())
        assert sat.plain._command("ready")
        assert sat.plain.is_ready == ready


def test_every_mistake_is_told_with_what_to_do_next() -> None:
    sat = Sat(Scene(), live=True)
    for line, told in (
        ("redy", "redy is not a command, and nothing is asked of you now; ? for help"),
        ("say", "write say and behind it what the others are to read"),
        ("hint", "a bot can be asked when it is your turn"),
        ("end", "the match has not begun"),
        ("vote", "you are asked when somebody's time is up"),
        ("seats", "the table is being looked for"),
    ):
        sat = Sat(Scene(), live=True)
        sat.plain.table.me = None
        trio.run(sat.plain._line, line)
        assert told in sat.out[-1]


def test_the_bell_rings_for_a_turn_and_the_only_card_is_played_by_itself() -> None:
    rung: list[str] = []
    scene = Scene(seed=3).until_play(2, 2)
    only = replace(scene.question(), choices=scene.question().choices[:1])

    async def ask(question: Question, auto: bool) -> object:
        plain = Plain(
            Listed([], live=True), lambda _line: None, Noted(), ready=True, auto=auto,
            ring=lambda: rung.append("bell"),
        )  # fmt: skip
        plain._last_line -= 60
        with trio.move_on_after(0):
            return await plain.choose(question)
        return None

    played = trio.run(ask, only, True)
    assert isinstance(played, Play)
    assert [played.card] == [a.card for a in only.choices if isinstance(a, Play)]
    assert rung == []
    assert trio.run(ask, only, False) is None
    assert trio.run(ask, scene.question(), True) is None
    assert rung == ["bell", "bell"]


def test_the_end_tells_every_deal_who_has_won_and_what_is_kept() -> None:
    scene = Scene(game="belota", seed=5, me=0)
    scene.until(lambda one: bool(one.screen.table.state and one.screen.table.state.sheets))
    sat = typed(scene)
    sat.plain.table.view = scene.table.view(0)
    sat.out.clear()
    sat.plain.tell(hap.Over("complete", "", (), 0, (12, 3), "ab" * 32, "/games/a"))
    assert sat.out[0] == "Final sheet"
    assert sat.out[1].startswith("  deal 1: ")
    assert sat.out[-2] == "Ana & Dana win the match (12:3)"
    for is_kept in (True, False):
        sat.plain.tell(hap.Over("lost", "", (1,), None, (0, 0), "", "", is_kept))
        assert (sat.out[-1] == "the game is kept: p2pcards play comes back to it") == is_kept


def test_a_lobby_that_broke_up_asks_for_readiness_anew() -> None:
    sat = Sat(Scene(), live=True)
    sat.plain.tell(lobby(is_opener=False))
    sat.plain.tell(hap.BrokenUp("Den has broken up"))
    assert not sat.plain.is_ready
    assert "quit stops that" in sat.out[-1]
    sat.plain.tell(lobby(is_opener=False))
    assert sat.out[-1] == "write ready when you want to play"


def test_the_log_of_the_lobby_holds_what_happened_and_no_refusal() -> None:
    sat = Sat(Scene(), live=True)
    sat.plain.table.log.clear()
    sat.plain.tell(lobby(is_opener=False))
    sat.plain.tell(hap.LobbySaid("Bek", "hello", False))
    sat.plain.tell(hap.Trouble("no multicast here"))
    sat.plain.tell(hap.Denied("you have brought no bot"))
    assert sat.out[-1] == "you have brought no bot"
    sat.out.clear()
    assert sat.plain._command("log")
    assert sat.out == ["  <Bek> hello", "  no multicast here"]


def test_long_lines_are_broken_between_words_and_choices_stay_whole() -> None:
    text = "  " + "the game waits, and goes on when that player is back"
    lines = wrapped(text, 20)
    assert all(len(line) <= 20 and line.startswith("  ") for line in lines)
    assert " ".join(line.strip() for line in lines) == text.strip()
    menu_line = "your card: 1 10♣   2 J♥   3 A♠   4 K♦"
    assert wrapped(menu_line, 21) == ["your card: 1 10♣", "2 J♥   3 A♠   4 K♦"]
    assert wrapped("1  takers lose: The takers", 16) == ["1  takers lose:", "The takers"]
    assert wrapped("a" * 9, 4) == ["aaaa", "aaaa", "a"]
    assert wrapped("short\n\nlines", 20) == ["short", "", "lines"]


@pytest.mark.skipif(os.name != "posix", reason="there are no such terminals here")
def test_only_a_terminal_gets_its_lines_broken() -> None:
    import fcntl
    import pty
    import struct
    import termios

    code = "from p2pcards.commands import common; common.tell('word ' * 30)"
    piped = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert piped == "word " * 30 + "\n"
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 43, 0, 0))
    subprocess.run([sys.executable, "-c", code], stdout=slave, check=True)
    shown = os.read(master, 4096).decode().split("\r\n")
    os.close(slave)
    os.close(master)
    assert [len(line.split()) for line in shown if line.strip()] == [8, 8, 8, 6]


@pytest.mark.parametrize("columns", [30, 39, 59, 77])
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("code", i18n.LANGUAGES)
def test_rules_are_laid_out_for_a_narrow_terminal(code: str, name: str, columns: int) -> None:
    i18n.choose(code)
    try:
        game = GAMES[name]
        options = game.parse_options({})
        whole = rules_text(game, options, _)
        assert rules_in(0, game, options) == rules_in(78, game, options) == whole
        text = rules_in(columns, game, options)
        assert max(map(width_of, text.splitlines())) <= columns
        assert text.split() == whole.split()
        assert wrapped(text, columns) == text.split("\n")  # nothing is left to be broken
    finally:
        i18n.choose("en")


def test_lists_and_tables_of_the_rules_keep_their_shape_on_a_narrow_terminal() -> None:
    game = GAMES["belota"]
    lines = rules_in(39, game, game.parse_options({})).splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("  Trumps"))
    assert lines[at + 1 : at + 4] == [
        "               10 (10)  K (4)  Q (3)",
        "               8 (0)  7 (0)",
        "  Other suits  A (11)  10 (10)  K (4)",
    ]
    at = lines.index("  > held: It is held with their")
    assert lines[at + 1] == "      other points."
    at = lines.index("  1. The player who leads may play")
    assert lines[at + 1] == "     any card."


@pytest.mark.parametrize(("columns", "widest"), [(39, 39), (0, 78)])
def test_a_table_tells_its_rules_for_the_width_of_the_terminal(columns: int, widest: int) -> None:
    out: list[str] = []
    game = GAMES["belota"]
    plain = Plain(Listed([]), out.append, Noted(), ready=True, columns=lambda: columns)
    plain.tell(hap.Gathering("T", game.name, game.title, (), (), "drawn", 60, True))
    out.clear()
    assert plain._command("rules")
    assert widest - 4 <= max(map(width_of, "\n".join(out).splitlines())) <= widest
