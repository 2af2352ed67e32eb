"""The running screen: keys through a pipe, trio as the guest, and what comes out at the end."""

from __future__ import annotations

import os
import signal
from collections.abc import Awaitable, Callable
from functools import partial
from typing import cast

import pytest
import trio
import trio.lowlevel
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from p2pcards.games.base import Phase, Play
from p2pcards.protocol import events
from p2pcards.ui import happenings as hap
from p2pcards.ui import host
from p2pcards.ui.full import Full
from p2pcards.ui.intents import Command, Intent, Point, Typed
from p2pcards.ui.render import render
from p2pcards.ui.screen import Screen
from p2pcards.ui.settings import Settings
from p2pcards.ui.signalled import Signalled
from tests.ui.scene import Scene

Main = Callable[[Full, PipeInput], Awaitable[object]]


async def until(reached: Callable[[], object]) -> None:
    """Let the screen run until something is so."""
    while not reached():  # noqa: ASYNC110 - the other loop has no events of trio's
        await trio.sleep(0.001)


def run(
    main: Main, screen: Screen | None = None, leave: Callable[[], None] | None = None
) -> object:
    """Run a screen over a pipe beside ``main``, exactly as the program does."""
    with create_pipe_input() as pipe:
        shown = screen or Screen(place="table", settings=Settings(pace="fast"))
        face = Full(shown, lambda now: True, pipe, DummyOutput())

        async def guest() -> object:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(face.show)
                with trio.fail_after(60):
                    result = await main(face, pipe)
                nursery.cancel_scope.cancel()
            return result

        return host.run(guest, face, leave or (lambda: None))


def scene() -> Scene:
    made = Scene(seed=3).until_play(2, 2)
    made.screen.settings = Settings(pace="fast")
    return made


def test_a_card_is_chosen_by_keys() -> None:
    made = scene()
    question, hand = made.question(), made.screen.hand()

    async def main(face: Full, pipe: PipeInput) -> object:
        pipe.send_text("2\r")
        return await face.choose(question)

    made.screen.ask(None)
    choice = run(main, made.screen)
    assert isinstance(choice, Play)
    assert choice.card == hand[1]


def test_arrow_keys_come_through_the_terminal_too() -> None:
    made = scene()
    question, hand = made.question(), made.screen.hand()

    async def main(face: Full, pipe: PipeInput) -> object:
        pipe.send_text("\x1b[D\r")
        return await face.choose(question)

    choice = run(main, made.screen)
    assert isinstance(choice, Play)
    assert choice.card == hand[-1]


def where(screen: Screen, intent: Intent) -> tuple[int, int]:
    """The column and row, from 1, of something to click on, as a dummy terminal shows it."""
    size = DummyOutput().get_size()
    for y, row in enumerate(render(screen, size.columns, size.rows).lines(), 1):
        x = 1
        for piece in row:
            if piece.intent == intent:
                return x, y
            x += len(piece.text)
    raise AssertionError(f"{intent} is nowhere on the screen")


def drawn_since(face: Full, count: int) -> bool:
    """Whether the screen was drawn again."""
    return face.app.render_counter > count


def test_a_click_selects_and_a_second_click_plays() -> None:
    made = scene()
    question, hand = made.question(), made.screen.hand()

    async def main(face: Full, pipe: PipeInput) -> object:
        async def click() -> None:
            await until(lambda: face.screen.table.question and face.app.render_counter > 0)
            for _ in range(2):
                x, y = where(face.screen, Point(1, is_click=True))
                count = face.app.render_counter
                pipe.send_text(f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m")
                await until(partial(drawn_since, face, count))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(click)
            choice = await face.choose(question)
            nursery.cancel_scope.cancel()
        return choice

    choice = run(main, made.screen)
    assert isinstance(choice, Play)
    assert choice.card == hand[1]


def test_chat_and_pasted_text_go_out_as_one_line() -> None:
    async def main(face: Full, pipe: PipeInput) -> object:
        pipe.send_text("chi \x1b[200~there\nall\x1b[201~\r")
        return await face.effect()

    assert run(main) == Typed("chat", "hi thereall")


def test_keys_that_mean_nothing_are_not_written_by_their_names() -> None:
    async def main(face: Full, pipe: PipeInput) -> object:
        pipe.send_text("ch\x0b\x1b[15~i\x1b[1;5C\r")  # Ctrl-K, F5 and Ctrl-Right within
        return await face.effect()

    assert run(main) == Typed("chat", "hi")


def test_leaving_is_asked_for_by_two_control_c() -> None:
    async def main(face: Full, pipe: PipeInput) -> object:
        pipe.send_text("\x03\x03")
        return await face.effect()

    assert run(main) == Command("leave")


def test_settings_changed_by_a_key_are_kept() -> None:
    kept: list[Settings] = []

    async def main(face: Full, pipe: PipeInput) -> object:
        def keep(now: Settings) -> bool:
            kept.append(now)
            return len(kept) == 1

        face._keep = keep
        pipe.send_text("o")
        await until(lambda: kept)
        assert not face.screen.message
        pipe.send_text("o")
        await until(lambda: len(kept) == 2)
        return kept[0].deck, face.screen.message

    deck, message = cast("tuple[str, str]", run(main))
    assert deck == "four"
    assert "cannot be saved" in message


def test_a_finished_trick_lies_until_a_key_is_pressed() -> None:
    made = Scene(seed=3).until(lambda s: len(s.table.state.tricks) == 1)
    made.screen.settings = Settings(pace="slow")
    trick = made.table.state.tricks[0]
    assert trick.winner is not None
    taken = events.TrickTaken(trick.winner, trick.cards, 0)

    async def main(face: Full, pipe: PipeInput) -> object:
        face.tell(hap.Happened(taken, made.table.view(0)))
        await until(lambda: face.screen.held)
        pipe.send_text("j")
        await face.shown()
        return face.screen.held

    assert run(main, made.screen) is False


def test_what_came_before_a_question_is_shown_before_it_is_asked() -> None:
    made = Scene(seed=3)
    made.until(lambda s: s.table.state.phase is Phase.PLAY and s.table.state.turn == 0)
    made.screen.settings = Settings(pace="fast")
    question = made.question()

    async def main(face: Full, pipe: PipeInput) -> object:
        face.tell(hap.Said(1, "hello"))
        pipe.send_text("1")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(face.choose, question)
            await until(lambda: face.screen.table.question)
            nursery.cancel_scope.cancel()
        return face.screen.talk

    assert run(main, made.screen) == "<Bogdan> hello"


def test_what_is_refused_at_the_table_is_said_above_the_hand_and_is_not_in_the_log() -> None:
    made = scene()
    why = "too many lines at once; the last was not sent"

    async def main(face: Full, pipe: PipeInput) -> object:
        face.tell(hap.Denied(why))
        await face.shown()
        return "\n".join(render(face.screen, 80, 24).text())

    assert why in cast("str", run(main, made.screen))
    assert why not in [line.text for line in made.screen.table.log]


def test_a_vote_answers_the_session_and_an_answer_of_the_seat_ends_it() -> None:
    made = scene()

    async def main(face: Full, pipe: PipeInput) -> object:
        verdicts: dict[str, str] = {}

        async def ask(key: str, seat: int) -> None:
            verdicts[key] = await face.decide_loss(seat, None)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(ask, "voted", 1)
            await until(lambda: face.screen.overlay == "vote")
            pipe.send_text("v")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ask, "answered", 2)
            await until(lambda: face.screen.overlay == "vote")
            face.tell(hap.Happened(events.Arrived(9, 2, "play", frozenset()), None))
        return verdicts

    assert run(main, made.screen) == {"voted": "vote", "answered": "wait"}


def test_the_page_about_all_having_left_comes_and_goes_by_itself() -> None:
    made = scene()

    async def main(face: Full, pipe: PipeInput) -> object:
        for seat in (1, 2, 3):
            face.tell(hap.Left(seat, "has left"))
        await face.shown()
        before = face.screen.overlay
        face.tell(hap.Linked(2, True, ""))
        await face.shown()
        return before, face.screen.overlay

    assert run(main, made.screen) == ("left", "")


def test_an_error_of_the_session_comes_out_after_the_screen_is_closed() -> None:
    async def main(face: Full, pipe: PipeInput) -> object:
        await trio.lowlevel.checkpoint()
        raise LookupError("a bug in the session")

    with pytest.raises(ExceptionGroup) as caught:
        run(main)
    assert caught.group_contains(LookupError, match="a bug in the session")


def test_an_error_of_the_screen_ends_the_session() -> None:
    screen = Screen(place="nowhere")
    asked = trio.Event()

    async def main(face: Full, pipe: PipeInput) -> object:
        await asked.wait()
        return "left in order"

    with pytest.raises(KeyError):
        run(main, screen, asked.set)


def test_an_error_while_a_key_is_handled_ends_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """prompt_toolkit takes keys in a callback of the loop: nobody waits for what it raises."""
    asked = trio.Event()

    async def main(face: Full, pipe: PipeInput) -> object:
        monkeypatch.setattr(face, "carry_out", lambda _intent: os.environ["NO SUCH KEY"])
        pipe.send_text("?")
        await asked.wait()
        return "left in order"

    with pytest.raises(KeyError, match="NO SUCH KEY"):
        run(main, leave=asked.set)


@pytest.mark.parametrize(
    "sent", ["\x1b[MN!!", "\x1b[<999;1;1M", "\x1b[<0;99999;99999M", "\x1b[999;1;1M"]
)
def test_a_mouse_that_says_what_nobody_knows_changes_nothing(sent: str) -> None:
    made = scene()
    question, hand = made.question(), made.screen.hand()

    async def main(face: Full, pipe: PipeInput) -> object:
        pipe.send_text(sent + "2\r")
        return await face.choose(question)

    choice = run(main, made.screen)
    assert isinstance(choice, Play)
    assert choice.card == hand[1]


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"])
@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_a_signal_asks_for_leave_and_gives_its_status(name: str) -> None:
    number = getattr(signal, name)
    asked = trio.Event()

    async def main(face: Full, pipe: PipeInput) -> object:
        os.kill(os.getpid(), number)
        await asked.wait()
        return "left in order"

    before = signal.getsignal(number)
    with pytest.raises(Signalled) as caught:
        run(main, leave=asked.set)
    assert caught.value.status == 128 + number
    assert signal.getsignal(number) == before


@pytest.mark.parametrize(("partners", "ready"), [("chosen", False), ("drawn", True)])
def test_a_changed_partner_must_be_agreed_to(partners: str, ready: bool) -> None:
    """Two friends have changed places: where partners are chosen, that takes back one's word."""

    async def main(face: Full, pipe: PipeInput) -> object:
        face.begin(ready=True)
        face.tell(lobby(partners, "Ana", "Bogdan", "Dana", "Erzhan"))
        await face.shown()
        assert face.is_ready
        face.tell(lobby(partners, "Ana", "Dana", "Bogdan", "Erzhan"))
        await face.shown()
        return face.is_ready, "partner has changed" in face.screen.message

    assert run(main, Screen(settings=Settings(pace="fast"))) == (ready, not ready)


def test_a_line_begun_in_the_lobby_stays_a_line_when_the_game_begins_and_when_it_does_not() -> None:
    async def main(face: Full, pipe: PipeInput) -> object:
        face.begin(ready=True)
        gathers = lobby("drawn", "Ana", "Bogdan", "Dana", "Erzhan")
        face.tell(gathers)
        await face.shown()
        pipe.send_text("cle")
        await until(lambda: face.screen.line and face.screen.line.text == "le")
        face.tell(hap.Formed("Den", ("Ana", "Bogdan", "Dana", "Erzhan"), False))
        await face.shown()
        places = [face.screen.place]
        face.tell(gathers)
        await face.shown()
        places.append(face.screen.place)
        pipe.send_text("x\r")
        return await face.effect(), places

    result = run(main, Screen(settings=Settings(pace="fast")))
    assert result == (Typed("chat", "lex"), ["table", "lobby"])


def lobby(partners: str, *names: str) -> hap.Gathering:
    """The lobby as Erzhan sees it, who opened nothing."""
    people = tuple(hap.Person(n, n, True, is_me=n == "Erzhan") for n in names)
    return hap.Gathering("Den", "belota", "Belotă", people, (), partners, 90, False)


def test_nothing_is_played_that_cannot_be_seen() -> None:
    made = scene()

    async def main(face: Full, pipe: PipeInput) -> None:
        face.screen.ask(made.question())
        face._draw(30, 8)
        for key in ("1", "enter", "x", "1", "enter"):
            face.press(key)
        assert (face.screen.cursor, face.screen.overlay) == (-1, "")
        face._draw(80, 24)
        face.press("1")
        assert face.screen.cursor == 0

    run(main, made.screen)


def test_what_happened_while_one_was_away_is_shown_at_once() -> None:
    """A whole deal at the pace of play would leave one behind those who play on."""
    made = Scene(seed=3).until_play(0, 0)
    made.screen.settings = Settings(pace="slow")

    async def main(face: Full, pipe: PipeInput) -> list[float]:
        pauses: list[float] = []

        async def pause(seconds: float) -> None:
            pauses.append(seconds)

        face._pace._pause = pause  # type: ignore[method-assign]
        for seat, card in ((seat, card) for seat in range(4) for card in made.screen.hand()[:4]):
            face.tell(hap.Happened(events.CardPlayed(seat, card, False, False), None, 0.0))
            face.tell(hap.Happened(events.TrickTaken(seat, (card,) * 4, 0), None, 0.0))
        await face.shown()
        return pauses

    assert run(main, made.screen) == []
