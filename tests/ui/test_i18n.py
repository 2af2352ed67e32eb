"""Catalogues: read as written, plural forms by their own rule, and never a broken text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2pcards.cards import Card, Rank, Suit
from p2pcards.games.base import IllegalActionError, Rule, SheetLine
from p2pcards.ui import i18n, sheets
from p2pcards.ui.cardtext import card_text, grouped, rank_text, read_card
from p2pcards.ui.i18n import _, n_
from p2pcards.ui.words import Speaker
from p2pcards.worded import Worded, WordedError
from tests.ui.scene import Scene

PO = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && "
"(n%100<10 || n%100>=20) ? 1 : 2);\\n"

#. a comment
msgid "{name} passes"
msgstr "{name} пасует"

msgid "{n} card"
msgid_plural "{n} cards"
msgstr[0] "{n} карта"
msgstr[1] "{n} карты"
msgstr[2] "{n} карт"

msgid "rank K"
msgstr "ранг К"

msgid "rank J"
msgstr "ранг В"

msgid "suit letter h"
msgstr "буква ч"

msgid "{name} is lost"
msgstr "{nmae} потерян"

#, fuzzy
msgid "score"
msgstr "не то"

msgid "hand"
msgstr ""
"ру"
"ка"
"""


@pytest.fixture
def russian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    folder = tmp_path / "ru" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / i18n.FILE).write_text(PO, encoding="utf-8")
    monkeypatch.setattr(i18n, "FOLDER", tmp_path)
    assert i18n.choose("ru") == "ru"
    yield
    i18n.choose("en")


@pytest.mark.usefixtures("russian")
def test_a_catalogue_is_read_as_it_is_written() -> None:
    assert _("{name} passes", name="Дана") == "Дана пасует"
    assert _("hand") == "рука"
    assert [n_("{n} card", "{n} cards", n) for n in (1, 3, 5, 11, 21)] == [
        "1 карта", "3 карты", "5 карт", "11 карт", "21 карта",
    ]  # fmt: skip


@pytest.mark.usefixtures("russian")
def test_a_text_of_the_core_is_translated_with_the_texts_and_errors_in_it() -> None:
    passed = Worded("{name} passes", name=Worded("hand"))
    assert (passed, passed.upper()) == ("hand passes", "HAND PASSES")
    assert _(passed) == "рука пасует"
    assert _("{name} passes", name=passed) == "рука пасует пасует"
    assert _("{name} passes", name="hand") == "hand пасует"
    assert _("{name} passes", name=WordedError("{name} passes", name=ValueError("hand"))) == (
        "рука пасует пасует"
    )
    assert i18n.why(OSError(Worded("hand"))) == "рука"
    assert i18n.why(KeyError()) == ""
    assert json.dumps([passed]) == '["hand passes"]'


@pytest.mark.usefixtures("russian")
def test_what_is_missing_fuzzy_or_broken_is_english() -> None:
    assert _("nothing of the kind") == "nothing of the kind"
    assert _("score") == "score"
    assert _("{name} is lost", name="Дана") == "Дана is lost"


@pytest.mark.usefixtures("russian")
def test_cards_have_local_letters_and_are_read_both_ways() -> None:
    king = Card.of(Rank.KING, Suit.HEARTS)
    assert card_text(king) == "К♥"
    assert {read_card(text) for text in ("кч", "kh", "К♥", "кh", "KH")} == {king}
    assert read_card("10ч") == Card.parse("10h")
    assert rank_text(Rank.TEN) == "10"


def test_without_a_catalogue_the_language_is_english(tmp_path: Path) -> None:
    assert i18n.load(tmp_path / "none.po") is None
    (tmp_path / "bad.po").write_text('msgid "unfinished\n')
    assert i18n.load(tmp_path / "bad.po") is None
    assert i18n.choose("xx") == "en"


@pytest.mark.parametrize(
    ("environ", "code"),
    [
        ({"LANG": "ro_RO.UTF-8"}, "ro"),
        ({"LANG": "ro_RO.UTF-8", "LC_ALL": "kk_KZ"}, "kk"),
        ({"LANGUAGE": "de:ru", "LANG": "en_US"}, "ru"),
        ({"LC_ALL": "C", "LANG": "ru_RU"}, "en"),
        ({}, "en"),
    ],
)
def test_the_locale_chooses_the_language(environ: dict[str, str], code: str) -> None:
    assert i18n.from_locale(environ) == code


def test_every_rule_has_its_reason_in_words() -> None:
    speaker = Speaker(("Ana", "Bogdan", "Dana", "Erzhan"), 0)
    reasons = {rule: speaker.reason(IllegalActionError(rule, "x"), None) for rule in Rule}
    assert all(reasons.values())
    due = (Card.parse("9h"), Card.parse("kh"))
    error = IllegalActionError(Rule.MUST_TRUMP, "x", due)
    assert speaker.reason(error, None).endswith(": 9♥ K♥")
    assert Speaker(ascii_only=True).reason(error, None).endswith(": 9H KH")


def test_a_sheet_line_names_the_players_of_both_teams() -> None:
    speaker = Speaker(("Ana", "Bogdan", "Da{na}", "Erzhan"), 0)
    line = SheetLine("{team} and EW: {ns}", (("team", "NS"), ("ns", 7)))
    assert sheets.line_text(speaker, line) == "Ana & Da{na} and Bogdan & Erzhan: 7"


def test_a_sheet_shows_our_own_side_first() -> None:
    scene = Scene(seed=5).until(lambda s: bool(s.table.state.sheets))
    sheet = scene.table.state.sheets[0]
    for me in (0, 1):
        lines = sheets.table(Speaker(("Ana", "Bogdan", "Dana", "Erzhan"), me), sheet)
        numbers = [int(word) for word in lines[-1].split()[-2:]]
        assert numbers == [sheet.scores[me], sheet.scores[1 - me]]
        assert len({len(line) for line in (lines[0], lines[-1])}) == 1


def test_a_hand_is_held_with_trumps_first_and_every_suit_high_to_low() -> None:
    game = Scene().game
    cards = [Card.parse(text) for text in ("7h", "jh", "9h", "ah", "10s", "as", "js", "qc")]
    assert " ".join(map(str, grouped(cards, game, Suit.HEARTS))) == "J♥ 9♥ A♥ 7♥ A♠ 10♠ J♠ Q♣"
    assert " ".join(map(str, grouped(cards, game, None))) == "A♠ 10♠ J♠ A♥ J♥ 9♥ 7♥ Q♣"
