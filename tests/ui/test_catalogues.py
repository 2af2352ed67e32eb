"""Every language: nothing missing, nothing broken, and everything fits the screen."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.utils import get_cwidth
from tools import catalogues

from p2pcards.cards import Card, Rank, Suit
from p2pcards.games import belka_score, belota_score
from p2pcards.games.base import IllegalActionError, Phase, Rule, SheetLine
from p2pcards.games.options import Choices
from p2pcards.games.registry import GAMES
from p2pcards.games.rulestext import WIDTH, rules_text
from p2pcards.protocol import events
from p2pcards.ui import foot, i18n, optionwords, overlays, panel, saved, sheets, shuffling, start
from p2pcards.ui import happenings as hap
from p2pcards.ui.act import act
from p2pcards.ui.cardtext import card_text, read_card, suit_letter, suit_name
from p2pcards.ui.form import form_rows
from p2pcards.ui.i18n import _, n_
from p2pcards.ui.intents import Letter, Turn
from p2pcards.ui.keys import intent_for
from p2pcards.ui.plainwords import HELP
from p2pcards.ui.render import render
from p2pcards.ui.replay import Reel
from p2pcards.ui.replay_view import ReplayView, render_replay
from p2pcards.ui.screen import Saved, Screen, Seen
from p2pcards.ui.settings import Settings
from p2pcards.ui.words import STEPS, Speaker
from tests.ui.scene import NAMES, Scene, with_belote

TRANSLATED = ("ro", "ru", "kk")
SCOPE = ("ui/", "commands/", "games/", "net/", "protocol/", "crypto/", "bots/")
"""Where the messages that must be translated come from: all of the interface, the rules with
their options, score sheets, the command line's use and results, and every reason that the network,
the protocol, the proofs and a player's program can give. Not in any catalogue: what programs
read."""


@pytest.fixture(scope="module")
def wanted() -> dict[str, list[str]]:
    """Every message of the source."""
    return catalogues.collect()


@pytest.fixture(params=["en", *TRANSLATED])
def code(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each language in turn, chosen; English again afterwards."""
    name = str(request.param)
    assert i18n.choose(name) == name
    yield name
    i18n.choose("en")


def drawn(screen: Screen, width: int = 80, height: int = 24) -> str:
    return "\n".join(render(screen, width, height).text())


# -- the catalogues ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", TRANSLATED)
def test_no_message_is_missing_broken_or_left_over(name: str, wanted: dict[str, list[str]]) -> None:
    assert catalogues.faults(name, wanted, catalogues.translations(name)) == []


def test_messages_come_from_every_part_that_speaks(wanted: dict[str, list[str]]) -> None:
    places = [place for several in wanted.values() for place in several]
    for part in SCOPE:
        assert sum(place.startswith(part) for place in places) > 8, part
    assert len(wanted) > 600


@pytest.mark.parametrize("name", TRANSLATED)
def test_gettext_finds_every_message(name: str) -> None:
    found = i18n.load(catalogues.path_of(name))
    assert found is not None
    for key, text in catalogues.translations(name).items():
        ids = key.split("\0")
        if key and len(ids) == 1:
            assert found.gettext(key) == text
        elif key:
            forms = {found.ngettext(ids[0], ids[1], n) for n in range(30)}
            assert forms == set(text.split("\0"))


def test_broken_translations_are_told() -> None:
    head = {"": f"Plural-Forms: {catalogues.PLURALS['ru']}\n"}

    def told(key: str, text: str, wanted: str | None = None) -> list[str]:
        return catalogues.faults("ru", {wanted or key: []}, {**head, key: text})

    assert told("{a} of {b}", "{b}: {a}") == []
    assert told("{n} card\0{n} cards", "одна карта\0{n} карты\0{n} карт") == []
    assert "placeholders" in told("{a} of {b}", "{a} из")[0]
    assert "placeholders" in told("{a}", "{a} {c}")[0]
    assert "placeholders" in told("{a}", "{a")[0]
    assert "placeholders" in told("NS {a}", "СЮ {a}")[0]
    assert "placeholders" in told(" ({a})", "({a})")[0]
    assert "plural" in told("{n} card\0{n} cards", "{n} карта\0{n} карт")[0]
    assert told("{a}", "{a}", wanted="{b}") == ["ru: missing: '{b}'", "ru: not used: '{a}'"]
    assert "Plural-Forms" in catalogues.faults("ru", {}, {"": ""})[0]


def test_writing_keeps_translations_and_marks_what_is_missing(tmp_path: Path) -> None:
    wanted = {'say "hi"': ["ui/a.py"], "{n} card\0{n} cards": ["ui/b.py"], "new": ["ui/b.py"]}
    have = {'say "hi"': "zi „salut”", "{n} card\0{n} cards": "a\0b\0c", "old": "vechi"}
    text = catalogues.written("ro", wanted, have)
    back = dict(i18n.entries(text))
    assert back.pop("").startswith("Language: ro\n")
    assert back == {key: have[key] for key in wanted if key in have}
    assert '# NOT TRANSLATED YET\nmsgid "new"\nmsgstr ""' in text
    path = tmp_path / "a.po"
    path.write_text(text, encoding="utf-8")
    loaded = i18n.load(path)
    assert loaded is not None
    assert loaded.gettext("new") == "new"


def test_messages_are_found_wherever_they_are_marked(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "belka_score.py").write_text('WON = "{a} won"\nlow = "x"\n')
    (tmp_path / "games" / "belka_options.py").write_text('a = choice("v", "Text.", v="Means.")\n')
    (tmp_path / "games" / "belka_text.py").write_text('b = t("Rules.")\n')
    (tmp_path / "a.py").write_text('_("one"); n_("{n} a", "{n} b", 3); N_("two"); _(x); f("no")\n')
    assert set(catalogues.collect(tmp_path)) == {
        "{a} won", "Text.", "Means.", "Rules.", "one", "{n} a\0{n} b", "two",
    }  # fmt: skip


# -- choosing ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"LANG": "ro_RO.UTF-8"}, "ro"),
        ({"LANG": "ru_RU.UTF-8"}, "ru"),
        ({"LANG": "kk_KZ.UTF-8"}, "kk"),
        ({"LANG": "kk"}, "kk"),
        ({"LANG": "en_GB.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({}, "en"),
        ({"LANG": "ro_RO.UTF-8", "LC_ALL": "ru_RU.UTF-8"}, "ru"),
        ({"LANG": "ro_RO.UTF-8", "LC_MESSAGES": "kk_KZ"}, "kk"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "de:ro:en"}, "ro"),
        ({"LANG": "ru_RU.UTF-8", "LC_ALL": "C"}, "en"),
    ],
)
def test_the_locale_chooses_the_language(environ: dict[str, str], expected: str) -> None:
    assert i18n.from_locale(environ) == expected


@pytest.mark.parametrize(
    ("lang", "heading"),
    [("ro_RO.UTF-8", "Cărțile"), ("ru_RU.UTF-8", "Карты"), ("kk_KZ.UTF-8", "Карталар"),
     ("C.UTF-8", "Cards")],
)  # fmt: skip
def test_a_program_speaks_the_language_of_the_locale(lang: str, heading: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "p2pcards", "rules", "belka"],
        env={"LANG": lang, "PYTHONUTF8": "1"}, capture_output=True, timeout=60, check=True,
    )  # fmt: skip
    assert f"\n{heading}\n---" in done.stdout.decode()


def test_an_unknown_language_is_english_and_the_head_is_never_shown() -> None:
    try:
        assert i18n.choose("xx") == "en"
        assert i18n.choose("ru") == "ru"
        assert _("") == ""
        assert _("no such message {a}", a=1) == "no such message 1"
    finally:
        i18n.choose("en")


@pytest.mark.parametrize(
    ("name", "forms"),
    [
        ("en", {1: "1 free seat", 2: "2 free seats", 0: "0 free seats"}),
        ("ru", {1: "1 место", 2: "2 места", 5: "5 мест", 11: "11 мест", 21: "21 место"}),
        ("kk", {1: "1 бос орын", 3: "3 бос орын"}),
    ],
)
def test_each_language_counts_in_its_own_way(name: str, forms: dict[int, str]) -> None:
    try:
        i18n.choose(name)
        assert {n: n_("{n} free seat", "{n} free seats", n) for n in forms} == forms
    finally:
        i18n.choose("en")


def test_romanian_counts_with_de_from_twenty_on() -> None:
    one, many = "{n} play proved ✓", "{n} plays proved ✓"
    try:
        i18n.choose("ro")
        said = [n_(one, many, n).split(" doved")[0] for n in (1, 2, 19, 20, 101, 120)]
    finally:
        i18n.choose("en")
    assert said == ["1 carte", "2 cărți", "19 cărți", "20 de cărți", "101 cărți", "120 de cărți"]


# -- cards ------------------------------------------------------------------------------------


def test_every_card_is_read_as_it_is_written(code: str) -> None:
    for card in (Card(i) for i in range(32)):
        assert read_card(card_text(card)) == card
        assert read_card(card.ascii) == card
    assert len({suit_name(suit) for suit in Suit}) == 4
    assert len({card_text(Card.of(rank, Suit.CLUBS)) for rank in Rank}) == 8


def test_cards_by_local_letters() -> None:
    try:
        i18n.choose("ru")
        assert read_card("вк") == Card.of(Rank.JACK, Suit.CLUBS)
        assert read_card("10б") == Card.of(Rank.TEN, Suit.DIAMONDS)
        assert read_card("тк") == Card.of(Rank.ACE, Suit.CLUBS)
        i18n.choose("kk")
        assert read_card("Дқ") == Card.of(Rank.QUEEN, Suit.SPADES)
        i18n.choose("ro")
        assert read_card("7i") == Card.of(Rank.SEVEN, Suit.HEARTS)
    finally:
        i18n.choose("en")


def test_every_card_can_be_typed_at_the_table(code: str) -> None:
    scene = Scene(seed=3).until_play(0, 0)
    hand = scene.screen.hand()
    for card in hand:
        scene.screen.cursor, scene.screen.typed = -1, ""
        for char in card_text(card).replace(card.suit.symbol, suit_letter(card.suit)).lower():
            intent = intent_for(char, scene.screen)
            assert isinstance(intent, Letter), (card, char)
            act(scene.screen, intent)
        assert hand[scene.screen.cursor] == card


def test_a_language_is_spoken_as_soon_as_it_is_set() -> None:
    screen = Screen(place="settings", cursor=1)
    try:
        seen = []
        for _step in range(5):
            act(screen, Turn(1))
            seen.append((screen.settings.language, drawn(screen).splitlines()[0].strip()))
    finally:
        i18n.choose("en")
    assert seen[:4] == [
        ("en", "Settings"), ("ro", "Setări"), ("ru", "Настройки"), ("kk", "Баптаулар"),
    ]  # fmt: skip
    assert seen[4][0] == ""


# -- words ------------------------------------------------------------------------------------


def templates() -> set[str]:
    """All score sheet lines, from the modules that write them."""
    parts = [vars(module) for module in (belka_score, belota_score)]
    return {v for part in parts for k, v in part.items() if k.isupper() and isinstance(v, str)}


def test_score_sheets_are_translated_and_name_the_players(code: str) -> None:
    speaker = Speaker(NAMES, me=0)
    assert len(templates()) > 30
    for template in templates():
        names = catalogues.names(template)
        teams = names & {"winners", "losers", "takers", "defenders", "team"}
        line = SheetLine(template, tuple((k, "EW" if k in teams else 7) for k in sorted(names)))
        text = sheets.line_text(speaker, line)
        assert not re.search(r"[{}]|\bNS\b|\bEW\b", text)
        assert ("Erzhan" in text) == bool(teams or "EW" in template)
        assert (text == str(line)) is False or code == "en" or not names


def test_the_reasons_of_refused_cards_are_translated() -> None:
    said: dict[str, list[str]] = {}
    for name in ("en", *TRANSLATED):
        i18n.choose(name)
        speaker = Speaker(NAMES, me=0)
        said[name] = [speaker.reason(IllegalActionError(rule, "no"), None) for rule in Rule]
    i18n.choose("en")
    for name in TRANSLATED:
        assert not set(said[name]) & set(said["en"])
        assert len(set(said[name])) == len(set(said["en"]))


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_rules_are_translated_and_fit_a_terminal(code: str, game: str) -> None:
    played = GAMES[game]
    for options in ({}, {"games": "3", "redeal": "weak"} if game == "belka" else {"games": "3"}):
        text = rules_text(played, played.parse_options(options), _)
        assert max(get_cwidth(line) for line in text.splitlines()) <= WIDTH
        assert not re.search(r"[{}]", text)
        english = set(rules_text(played, played.parse_options(options)).split("\n\n"))
        same = english & set(text.split("\n\n"))
        assert len(same) <= 1 or code == "en"  # the game's own name


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_option_and_value_is_said_in_words(code: str, game: str) -> None:
    specs = GAMES[game].options_type.specs()
    for key, spec, _default in specs:
        assert key in optionwords.NAMES
        values = spec.values if isinstance(spec, Choices) else ()
        assert set(optionwords.VALUES.get(key, {})) == set(values)
        assert len({optionwords.value_of(key, value) for value in values}) == len(values)
    keys = {key for key, _spec, _default in specs if "_" in key}
    screen = Screen(place="form")
    screen.form.game = game
    for screen.overlay in ("", "rules"):
        for row, _row in enumerate(form_rows(screen)):
            screen.cursor, screen.scroll = row, 5 * row
            text = drawn(screen, 120, 40)
            assert not [key for key in keys if key in text]
            assert not re.search(r"\w=\w", text)


# -- widths -----------------------------------------------------------------------------------


def screens(game: str) -> Iterator[Screen]:
    """Every kind of screen there is, with what lies on top."""
    for screen in (
        Scene(game).until(lambda s: s.table.state.phase is Phase.PACKET).screen,
        Scene(game, seed=3).until_play(2, 2).screen,
        Scene(game, seed=5).until(lambda s: bool(s.table.state.sheets)).screen,
    ):
        for screen.overlay in ("", "help", "score", "checks", "last", "log", "leave", "rules"):
            yield screen
    if game == "belota":
        yield Scene(game, seed=3).until_bid().screen
    gone = Scene(game, seed=3).until_play(1, 0)
    gone.tell(hap.Linked(1, False, "the other side cut the connection"))
    gone.tell(hap.LossAsked(1))
    yield gone.screen
    gone.screen.overlay = "vote"
    yield gone.screen
    first = Screen(settings=Settings(nick="Ana"))
    first.seen = [Seen("1", "Kitchen", game, "Dana", "", 2, "open", True, "changed")]
    states = ("mine", "checking", "good", "part", "bad")
    first.saved = [Saved("/a", 0.0, state, "Belka", "Ana & Dana", "6:4", "/a") for state in states]
    for first.place in ("start", "form", "settings", "saved"):
        for first.cursor in range(5):
            yield first
    people = (hap.Person("Bogdan", "5555 6666 7777 8888", False, "changed"),)
    lobby = Screen(place="lobby")
    changed = (("target", "6", "12"),)
    lobby.table.gathering = hap.Gathering("Den", game, game, people, changed, "drawn", 90, True)
    yield lobby


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_screen_is_exactly_as_wide_as_the_window(code: str, game: str) -> None:
    for screen in screens(game):
        for size in ((80, 24), (40, 12), (120, 40)):
            rows = render(screen, *size).lines()
            assert {sum(get_cwidth(piece.text) for piece in row) for row in rows} == {size[0]}
            assert len(rows) == size[1]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_nothing_on_top_is_cut_on_a_small_screen(code: str, game: str) -> None:
    screen = Scene(game, seed=5).until(lambda s: bool(s.table.state.sheets)).screen
    screen.table.over = hap.Over("complete", "", (), 0, (12, 3), "ab" * 32, "/games/a.p2prec")
    for screen.overlay in ("checks", "help", "score", "over"):
        assert "…" not in drawn(screen, 60, 20), screen.overlay


def test_troubles_in_the_lobby_speak_the_language(code: str) -> None:
    trouble = "nobody is here to hear it yet"
    screen = Screen(place="lobby", notes=[trouble])
    assert _(trouble) in drawn(screen)
    me = hap.Person("Ana", "1111 2222 3333 4444", True, "same", True)
    screen.table.gathering = hap.Gathering("Den", "belka", "Belka", (me,), (), "drawn", 90, True)
    assert _(trouble) in drawn(screen)
    assert (_(trouble) == trouble) == (code == "en")


def test_all_keys_fit_the_lowest_line(code: str) -> None:
    def fits(screen: Screen, keys: list[tuple[str, str]]) -> None:
        row = drawn(screen).splitlines()[-1]
        for key, text in keys:
            assert f"{key} {text}" in row

    scene = Scene(seed=3).until_play(2, 2)
    fits(scene.screen, foot.table_keys(scene.screen))
    assert "?" in drawn(scene.screen).splitlines()[-1]
    fits(Screen(), [("b", _("practise")), ("x", _("quit"))])
    fits(Screen(place="settings"), [("Esc", _("back"))])
    lobby = Screen(place="lobby")
    person = hap.Person("Ana", "1111 2222 3333 4444", True, "same", True)
    lobby.table.gathering = hap.Gathering("Den", "belka", "Belka", (person,), (), "drawn", 90, True)
    fits(lobby, [("b", _("add a bot")), ("x", _("leave"))])
    games = Screen(place="saved", saved=[Saved("/a", 0.0, "mine")], cursor=0)
    fits(games, saved.saved_keys(games))
    scene = with_belote("manual")
    fits(scene.screen, foot.table_keys(scene.screen))
    replay = ReplayView(Reel())
    row = render_replay(replay, 80, 24).text()[-1]
    assert f"q {_('end')}" in row
    replay.screen.overlay = "keys"
    text = render_replay(replay, 80, 24).text()
    assert not any("…" in line for line in text)
    assert max(get_cwidth(line) for line in text) <= 80


def test_texts_fit_the_places_they_have(code: str) -> None:
    def within(width: int, *texts: str) -> None:
        assert [text for text in texts if get_cwidth(text) > width] == []

    within(26, *(_(text) for text in STEPS.values()))
    within(38, *(_(text) for _kind, text in shuffling._STEPS))
    within(
        66, *(_(text) for _key, text in overlays.HELP + overlays.LOBBY_HELP + overlays.ROWS_HELP)
    )
    within(13, *(n_("{n} free seat", "{n} free seats", n) for n in range(4)), _("full"))
    within(7, _("We"), _("They"))
    within(16, _("asks to end"))
    within(38, _("you ask to end after this deal"))
    within(16, _("dealer"), _("partner"), _("a bot plays"), _("not connected"), _("passed"))
    within(12, _("OTHER KEY!"), _("OTHER KEY"))
    within(32, *(_(text) for _what, _key, text in start.ENTRIES))
    within(100, *(_(text) for text in HELP))
    within(26, *map(optionwords.name_of, optionwords.NAMES))
    within(28, *(_(text) for words in optionwords.VALUES.values() for text in words.values()))


def test_the_table_shows_whole_words_at_80_columns(code: str) -> None:
    scene = Scene("belota", seed=3).until_play(2, 2)
    facts = panel.facts(scene.screen, 25)
    assert [text for text, _style in facts if get_cwidth(text) > 25] == []
    text = drawn(scene.screen)
    assert foot.trust_text(scene.screen) in text
    assert panel.turn_text(scene.screen)[0] in text
    for overlay in ("help", "checks", "leave", "score"):
        scene.screen.overlay = overlay
        assert "…" not in drawn(scene.screen), overlay
    scene.screen.overlay = ""
    scene.happened(events.SeatLost(1, False))
    assert _("a bot plays") in drawn(scene.screen)


def test_why_a_player_is_gone_is_translated(code: str) -> None:
    scene = Scene(seed=3).until_play(1, 0)
    scene.tell(hap.LossAsked(1))
    for reason in ("the other side cut the connection", "nothing listens there"):
        lines = scene.tell(hap.Linked(1, False, reason))
        scene.screen.overlay = "vote"
        gone = _("{name} does not answer", name="Bogdan") + ": " + _(reason)
        assert gone in drawn(scene.screen)
        assert lines[0].endswith(_(reason))
        assert (reason in lines[0]) == (code == "en")


def test_the_warning_of_another_key_is_clear_of_the_line(code: str) -> None:
    screen = Screen(settings=Settings(nick="Ana"))
    screen.seen = [Seen("1", "W" * 32, "belota", "W" * 32, "", 2, "open", True, "changed")]
    row = next(row for row in drawn(screen).splitlines() if _("OTHER KEY!") in row)
    assert f"… {_('OTHER KEY!')}" in row or f"…{_('OTHER KEY!')}" in row
