"""Keys become intents, intents move the screen, and only choices leave it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pcards.cards import Card
from p2pcards.games.base import Pass, Play, Take
from p2pcards.games.belota_state import BelotaState
from p2pcards.games.registry import GAMES
from p2pcards.protocol import events
from p2pcards.ui import choices, settings
from p2pcards.ui import happenings as hap
from p2pcards.ui.act import act
from p2pcards.ui.editing import open_line
from p2pcards.ui.form import form_rows
from p2pcards.ui.intents import Chosen, Command, Effect, Typed
from p2pcards.ui.keys import intent_for
from p2pcards.ui.render import render
from p2pcards.ui.screen import Saved, Screen, Seen
from p2pcards.ui.settings import Settings
from tests.ui.scene import Scene, royals, with_belote


def press(screen: Screen, *keys: str) -> list[Effect]:
    """What leaves the screen when these keys are pressed."""
    out = []
    for key in keys:
        intent = intent_for(key, screen)
        effect = act(screen, intent) if intent is not None else None
        out += [effect] if effect is not None else []
    return out


def drawn(screen: Screen) -> str:
    """What a screen of the standard size shows."""
    return "\n".join(render(screen, 80, 24).text())


def played(effects: list[Effect]) -> Card:
    """The one card that was played."""
    (effect,) = effects
    assert isinstance(effect, Chosen)
    assert isinstance(effect.choice, Play)
    return effect.choice.card


def test_a_number_selects_and_enter_plays() -> None:
    screen = Scene(seed=3).until_play(2, 2).screen
    second = screen.hand()[1]
    assert press(screen, "2") == []
    assert screen.cursor == 1
    assert played(press(screen, "enter")) == second


def test_arrows_walk_round_the_hand() -> None:
    screen = Scene(seed=3).until_play(2, 2).screen
    last = screen.hand()[-1]
    press(screen, "left")
    assert played(press(screen, "enter")) == last
    press(screen, "right")
    assert played(press(screen, "enter")) == screen.hand()[0]


def test_a_second_press_of_the_number_plays_and_without_the_guard_the_first() -> None:
    screen = Scene(seed=3).until_play(2, 2).screen
    assert played(press(screen, "3", "3")) == screen.hand()[2]
    screen = Scene(seed=3).until_play(2, 2).screen
    screen.settings = Settings(guard=False)
    assert played(press(screen, "3")) == screen.hand()[2]


@pytest.mark.parametrize("written", [("{r}", "{s}"), ("{R}", "{s}")])
def test_a_card_is_selected_by_its_name(written: tuple[str, ...]) -> None:
    for index in range(6):
        screen = Scene(seed=3).until_play(2, 2).screen
        card = screen.hand()[index]
        rank, suit = card.rank.symbol, card.suit.letter
        keys = [k.format(r=rank.lower(), R=rank, s=suit) for k in written]
        press(screen, *[c for key in keys for c in key])
        assert screen.cursor == index, str(card)
        assert screen.typed == ""


def test_a_card_that_is_not_held_is_said() -> None:
    screen = Scene(seed=3).until_play(2, 2).screen
    missing = next(Card(i) for i in range(32) if Card(i) not in screen.hand())
    press(screen, *missing.ascii.lower())
    assert "you do not hold" in screen.message


def test_an_illegal_card_gives_the_rule_and_is_not_played() -> None:
    scene = Scene(seed=3).until_play(3, 2)
    screen = scene.screen
    barred = next(c for c in screen.hand() if c not in screen.legal())
    screen.cursor = screen.hand().index(barred)
    assert press(screen, "enter") == []
    assert screen.is_bad
    assert "must" in screen.message


def test_enter_alone_plays_nothing() -> None:
    screen = Scene(seed=3).until_play(2, 2).screen
    assert press(screen, "enter") == []
    assert "select a card" in screen.message


def test_out_of_turn_nothing_is_played() -> None:
    screen = Scene(seed=3).until_play(2, 2).screen
    screen.ask(None)
    assert press(screen, "1", "enter") == []
    assert "not your turn" in screen.message


def test_the_only_legal_card_is_selected_from_the_start() -> None:
    for seed in range(1, 40):
        screen = Scene(seed=seed).until_play(4, 1).screen
        if len(screen.legal()) == 1 < len(screen.hand()):
            assert played(press(screen, "enter")) in screen.legal()
            return
    pytest.fail("no such hand among the seeds")


def test_bids_by_number_by_letter_and_by_arrows() -> None:
    for keys, kind in ((("1", "enter"), Take), (("2", "2"), Pass), (("p", "enter"), Pass),
                       (("right", "enter"), Take)):  # fmt: skip
        screen = Scene(seed=1).until_bid().screen
        (effect,) = press(screen, *keys)
        assert isinstance(effect, Chosen)
        assert isinstance(effect.choice, kind)


def test_chat_is_written_and_edited_in_its_line() -> None:
    screen = Scene(seed=3).until_play(2, 2).screen
    press(screen, "c", *"helo", "left", "l", "end", "!", "home", "delete", "H")
    assert press(screen, "enter") == [Typed("chat", "Hello!")]
    assert screen.line is None
    press(screen, "c", *"one two", "c-w")
    assert screen.line is not None
    assert screen.line.text == "one "
    press(screen, "c-u", "x" * 300)
    assert len(screen.line.text) == 200
    assert press(screen, "escape") == []
    assert screen.line is None


@pytest.mark.parametrize("key", ["c", "m", "с"])
def test_talk_in_the_lobby_is_written_in_a_line_once_somebody_is_there(key: str) -> None:
    screen = Screen(place="lobby")
    assert press(screen, key) == []
    assert screen.line is None
    for count, is_open in ((1, False), (2, True)):
        people = tuple(hap.Person(n, n, False) for n in ("Ana", "Bogdan")[:count])
        lobby = hap.Gathering("Den", "belka", "Belka", people, (), "drawn", 90, True)
        screen.table.gathering = lobby
        press(screen, key)
        assert (screen.line is not None) == is_open
    assert press(screen, *"bqx p", "enter") == [Typed("chat", "bqx p")]
    assert not screen.is_ready


@pytest.mark.parametrize("key", ["l", "s", "v", "g", "r", "?", "x"])
def test_overlays_open_and_close(key: str) -> None:
    screen = Scene(seed=3).until_play(2, 2).screen
    press(screen, key)
    assert screen.overlay
    press(screen, "down", "pageup")
    assert screen.overlay
    press(screen, "escape")
    assert not screen.overlay


def test_leaving_takes_two_steps() -> None:
    screen = Scene(seed=3).until_play(2, 2).screen
    assert press(screen, "x", "n") == []
    assert press(screen, "x", "y") == [Command("leave")]
    screen.overlay = ""
    assert press(screen, "c-c") == []
    assert press(screen, "c-c") == [Command("leave")]


def test_the_vote_about_a_lost_seat() -> None:
    screen = Scene(seed=3).until_play(2, 2).screen
    assert press(screen, "w", "v") == []
    screen.table.asked_losses = [2]
    press(screen, "escape")
    assert press(screen, "v", "v") == [Command("vote", 2)]
    screen.table.asked_losses = [2]
    assert press(screen, "w", "x") == [Command("stop", 2)]


def test_belote_is_called_by_a_key_where_it_must_be() -> None:
    screen = with_belote("manual").screen
    cards = choices.callable_cards(screen.table.question)
    assert len(cards) == 2
    (first, second), other = sorted(cards), next(c for c in screen.hand() if c not in cards)
    assert "! call belote" in render(screen, 80, 24).text()[-1]
    screen.cursor = screen.hand().index(first)
    assert press(screen, "!", "!", "!") == []
    assert "belote is called with" in screen.message
    assert "call belote ✓" in render(screen, 80, 24).text()[-1]
    assert press(screen, "enter") == [Chosen(Play(0, first, call=True))]
    press(screen, "!")
    screen.cursor = screen.hand().index(second)
    assert press(screen, "enter") == [Chosen(Play(0, second, call=False))]
    press(screen, "!")
    screen.cursor = screen.hand().index(other)
    assert press(screen, "enter") == [Chosen(Play(0, other, call=False))]


@pytest.mark.parametrize(
    ("game", "call", "has_call"),
    [("belota", "manual", True), ("belota", "auto", False), ("belka", "", False)],
)
def test_the_help_page_has_the_key_for_belote_only_where_it_is_called(
    game: str, call: str, has_call: bool
) -> None:
    scene = Scene(game, belote_call=call) if call else Scene(game)
    screen = scene.until_play().screen
    screen.overlay = "help"
    text = drawn(screen)
    assert ("call belote" in text) == has_call
    assert "leave the table" in text


def test_the_second_card_is_called_only_after_the_first() -> None:
    for called in (True, False):
        scene = with_belote("manual")
        first, second = royals(scene)
        view = scene.table.view(0)
        assert isinstance(view.state, BelotaState)
        shown = replace(view.state, royals=(Play(0, first, call=called),))
        later = replace(view, state=shown, hand=view.hand - {first})
        question = replace(scene.question(), view=later, choices=(Play(0, second),))
        assert choices.callable_cards(question) == (frozenset({second}) if called else frozenset())


def test_a_wish_that_the_match_end_goes_out_and_is_taken_back() -> None:
    screen = Scene(seed=3).until_play(2, 2).screen
    assert press(screen, "e") == [Command("end", 1)]
    assert "if all four ask" in screen.message
    assert "you ask to end" in "\n".join(render(screen, 80, 24).text())
    assert press(screen, "у") == [Command("end", 0)]
    assert "you ask to end" not in "\n".join(render(screen, 80, 24).text())


def test_belote_that_counts_by_itself_has_no_key() -> None:
    screen = with_belote("auto").screen
    assert "!" not in render(screen, 80, 24).text()[-1]
    assert press(screen, "!") == []
    assert screen.message == "belote cannot be called now"
    screen.cursor = 0
    assert press(screen, "enter") == [Chosen(Play(0, screen.hand()[0], call=True))]


def test_the_start_screen_joins_the_selected_table() -> None:
    screen = Screen(settings=Settings(nick="Ana"))
    screen.seen = [
        Seen("1", "Kitchen", "belota", "Bogdan", "", 2, "open", True, "same"),
        Seen("2", "Porch", "belka", "Dana", "", 0, "full", True, "new"),
    ]
    screen.enter("start")
    assert press(screen, "enter") == [Command("join", 0)]
    assert press(screen, "down", "enter") == []
    assert "no seat is free" in screen.message
    assert press(screen, "x") == [Command("quit")]


def test_a_table_that_is_played_at_is_watched() -> None:
    screen = Screen(settings=Settings(nick="Ana"))
    screen.enter("start")
    assert press(screen, "w") == []
    assert "no table is played at" in screen.message
    screen.seen = [
        Seen("1", "Kitchen", "belota", "Bogdan", "", 2, "open", True, "same"),
        Seen("2", "Porch", "belka", "Dana", "", 0, "playing", True, "new"),
    ]
    assert press(screen, "w") == [Command("watch", 1)]
    screen.enter("start")
    assert press(screen, "down", "enter") == [Command("watch", 1)]
    screen.enter("start")
    screen.seen.append(Seen("3", "Hall", "belka", "Ion", "", 0, "playing", True, "new"))
    assert press(screen, "w") == []
    assert "select a table" in screen.message
    assert press(screen, "down", "down", "w") == [Command("watch", 2)]


def test_saved_games_are_replayed_or_gone_back_to() -> None:
    screen = Screen(settings=Settings(nick="Ana"))
    screen.enter("start")
    screen.seen = [Seen("/j", "Kitchen", "belota", "Bogdan", "", 0, "mine", True, "same")]
    assert press(screen, "s", "enter") == [Command("saved")]
    assert screen.place == "saved"
    screen.saved = [Saved("/j", 0.0, "mine"), Saved("/a", 0.0, "good")]
    assert press(screen, "enter") == [Command("join", 0)]
    assert press(screen, "down", "enter") == [Command("replay", 1)]
    press(screen, "escape")
    assert screen.place == "start"


def test_the_form_changes_options_and_opens_the_table() -> None:
    screen = Screen(settings=Settings(nick="Ana"))
    press(screen, "o")
    assert screen.place == "form"
    keys = [row.key for row in form_rows(screen)]
    screen.cursor = keys.index("rounding")
    press(screen, "right")
    assert screen.form.options["rounding"] == "ten"
    screen.cursor = keys.index("game")
    press(screen, "right")
    assert screen.form.game == "belka"
    assert screen.form.options == {}
    screen.cursor = keys.index("name")
    press(screen, "enter", "c-u", *"Porch", "enter")
    assert screen.form.name == "Porch"
    screen.cursor = len(form_rows(screen)) - 1
    assert press(screen, "enter") == [Command("open")]


def test_settings_turn_round_and_are_kept(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    assert settings.load(folder) == Settings()
    changed = settings.turned(Settings(nick="Ana"), "deck", 1)
    assert changed.deck == "four"
    assert settings.save(folder, changed)
    assert settings.load(folder) == changed
    (folder / settings.FILE).write_text('{"deck": "seven"}')
    assert settings.load(folder) == Settings()


def test_a_nickname_must_be_given_before_anything_else() -> None:
    screen = Screen()
    open_line(screen, "nick", "")
    assert press(screen, "enter") == []
    assert screen.line is not None
    assert press(screen, *"Ana", "enter", "o") == [Typed("nick", "Ana")]
    assert screen.form.name == "Ana's table"
    screen = Screen()
    open_line(screen, "nick", "")
    assert press(screen, "escape") == [Command("quit")]


def test_commands_work_on_a_cyrillic_keyboard() -> None:
    screen = Scene(seed=3).until_play(2, 2).screen
    press(screen, "ы")
    assert screen.overlay == "score"
    press(screen, "escape", "ч")
    assert screen.overlay == "leave"
    assert press(screen, "н") == [Command("leave")]
    screen = Scene(seed=3).until_play(2, 2).screen
    press(screen, "с", "д", "а", "enter")
    assert screen.line is None


def test_what_is_only_read_goes_when_a_key_means_something_else() -> None:
    screen = Scene(seed=3).until_play(2, 2).screen
    screen.overlay = "score"
    assert press(screen, "g") == []
    assert (screen.overlay, screen.scroll) == ("log", 10**6)
    press(screen, "2")
    assert (screen.overlay, screen.cursor) == ("", 1)
    screen.overlay = "checks"
    press(screen, "x")
    assert screen.overlay == "leave"
    press(screen, "g")
    assert screen.overlay == ""
    screen.overlay = "score"
    assert press(screen, "enter") == []
    assert screen.overlay == ""


def test_a_card_or_a_number_too_large_is_no_bid() -> None:
    screen = Scene(seed=3).until_bid().screen
    assert press(screen, "7") == []
    assert screen.cursor == -1
    assert screen.message == "select a bid first: arrows or its number"
    assert "1 2 3 4 5" not in " ".join(drawn(screen).split())


def test_the_rules_of_both_games_are_read_from_the_start_screen() -> None:
    screen = Screen(settings=Settings(nick="Ana"))
    press(screen, "r")
    assert "The rules of Belotă" in drawn(screen)
    press(screen, "right")
    assert "The rules of Belka" in drawn(screen)
    press(screen, "left")
    assert "The rules of Belotă" in drawn(screen)


def test_the_next_table_begins_with_the_rules_of_the_last() -> None:
    screen = Screen(settings=Settings(nick="Ana"))
    press(screen, "o")
    screen.form.put("target", "501")
    screen.form.put("partners", "chosen")
    screen.enter("start")
    press(screen, "o")
    assert (screen.form.options, screen.form.partners) == ({"target": "501"}, "chosen")
    screen.enter("start")
    press(screen, "b")
    assert screen.form.practise
    assert screen.form.options == {"target": "501"}
    screen.form.put("game", "belka")
    screen.enter("start")
    press(screen, "o")
    assert (screen.form.game, screen.form.options, screen.form.practise) == ("belka", {}, False)


def test_home_and_end_go_to_the_ends_of_a_form() -> None:
    screen = Screen(settings=Settings(nick="Ana"))
    press(screen, "b", "home", "right")
    assert screen.cursor == 0
    assert "↓" in "".join(row[-3:] for row in drawn(screen).splitlines()[10:])
    press(screen, "end")
    assert screen.cursor == len(form_rows(screen)) - 1


def test_the_keys_of_the_lobby_are_explained() -> None:
    screen = Screen(place="lobby")
    screen.table.take(
        hap.Gathering(
            "Kitchen", "belota", "Belotă", (hap.Person("A", "f", True),), (), "drawn", 60, True
        )
    )
    press(screen, "?")
    assert "bring a bot" in drawn(screen)
    press(screen, "?")
    assert press(screen, "-", "b") == [Command("no bot"), Command("bot")]


def test_a_number_of_the_form_can_be_typed_and_must_be_allowed() -> None:
    screen = Screen(settings=Settings(nick="Ana"))
    press(screen, "b")
    screen.cursor = next(i for i, row in enumerate(form_rows(screen)) if row.key == "target")
    assert "Type the number" in drawn(screen)
    press(screen, "5", "0", "1", "enter")
    assert screen.form.options["target"] == "501"
    press(screen, "7", "enter")
    assert screen.form.options["target"] == "501"
    assert screen.is_bad
    assert "7" in screen.message
    press(screen, "9", "escape")
    assert screen.form.options["target"] == "501"
    screen.cursor = 0
    press(screen, "9")
    assert screen.line is None


def test_time_to_think_is_typed_and_the_arrows_go_on_from_there() -> None:
    screen = Screen(settings=Settings(nick="Ana"))
    press(screen, "o")
    keys = [row.key for row in form_rows(screen)]
    screen.cursor = keys.index("think")
    press(screen, *"0100", "enter")
    assert screen.form.think == 100
    press(screen, "right")
    assert screen.form.think == 120
    press(screen, *"100", "enter", "left")
    assert screen.form.think == 60
    for text, left, right in (("7", 900, 30), ("4000", 900, 30)):
        for key, think in (("left", left), ("right", right)):
            press(screen, *text, "enter", key)
            assert screen.form.think == think
    press(screen, "0", "enter")
    assert screen.is_bad
    assert screen.message == "time to think: 1 to 86400, and not 0"
    screen.cursor = keys.index("target")
    target = form_rows(screen)[screen.cursor]
    below, above = target.values[1:3]
    press(screen, *str(int(below) + 1), "enter", "right")
    assert screen.form.options["target"] == above
    press(screen, *str(int(below) + 1), "enter", "left")
    assert screen.form.options["target"] == below


def test_the_arrows_reach_every_value_of_an_option_with_names() -> None:
    screen = Screen(settings=Settings(nick="Ana"))
    press(screen, "o")
    screen.cursor = [row.key for row in form_rows(screen)].index("litige")
    values = form_rows(screen)[screen.cursor].values
    seen = []
    for _value in values:
        press(screen, "right")
        seen.append(screen.form.options["litige"])
    assert sorted(seen) == sorted(values)
    press(screen, "left")
    assert screen.form.options["litige"] == seen[-2]


def test_what_a_number_may_be_is_said_without_keys_of_the_command_line() -> None:
    screen = Screen(settings=Settings(nick="Ana"))
    for game in GAMES:
        press(screen, "o")
        screen.form.game = game
        for at, row in enumerate(form_rows(screen)):
            if row.number is None:
                continue
            screen.cursor = at
            press(screen, *"99999", "enter")
            assert screen.is_bad
            assert screen.message.startswith(f"{row.label}: ")
            assert "=" not in screen.message
        press(screen, "escape")


def test_a_refused_card_leaves_nothing_half_typed() -> None:
    screen = Scene(seed=3).until_play(1, 0).screen
    barred = next(i for i, card in enumerate(screen.hand()) if card not in screen.legal())
    press(screen, str(barred + 1), "enter", "q")
    assert screen.typed == "q"


def test_x_closes_what_is_read_on_the_start_screen() -> None:
    screen = Screen(settings=Settings(nick="Ana"))
    assert press(screen, "r", "x") == []
    assert (screen.place, screen.overlay) == ("start", "")
    assert press(screen, "x") == [Command("quit")]


def test_who_is_lost_has_no_turn_any_more() -> None:
    scene = Scene(seed=3).until_play(2, 2)
    scene.screen.ask(scene.question())
    scene.happened(events.SeatLost(0, False))
    assert not scene.screen.table.is_my_turn()
    assert "Your turn" not in drawn(scene.screen)
