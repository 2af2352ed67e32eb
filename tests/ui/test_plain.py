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
from p2pcards.protocol import events
from p2pcards.protocol.choosing import Question
from p2pcards.ui import happenings as hap
from p2pcards.ui import i18n
from p2pcards.ui.choices import menu
from p2pcards.ui.i18n import _
from p2pcards.ui.lines import PipeLines
from p2pcards.ui.plain import Plain
from p2pcards.ui.plainwords import words
from p2pcards.ui.words import Speaker
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

    def __init__(self, scene: Scene, *lines: str, live: bool = False) -> None:
        self.out: list[str] = []
        self.done = Noted()
        self.plain = Plain(Listed(lines, live), self.out.append, self.done, ready=True)
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
                await trio.testing.wait_all_tasks_blocked()
                nursery.cancel_scope.cancel()

        trio.run(main)
        return got

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
    assert done.stdout.rstrip().splitlines()[-1].split(" (")[0].endswith("win the match")


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
            verdicts.append(await sat.plain.decide_loss(1))

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
    told = scene.screen.table.speaker.told_sheet(state.sheets[0])
    assert told[-1] == "Score: We 0, They 162"
    assert told[-2].endswith("score all 162: We 0, They 162")
    lost = scene.screen.table.speaker.lines(hap.Happened(events.SeatLost(1, False), None, 0.0))
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
        (line,) = Speaker(("A", "B", "C", "D"), 0).over(over)
        assert line.endswith(told)
