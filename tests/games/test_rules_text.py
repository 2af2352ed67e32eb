"""The rules in words say what the options and the engine's tables say."""

from __future__ import annotations

from typing import Any

import pytest

from p2pcards.games import registry
from p2pcards.games.belka import BELKA
from p2pcards.games.belota import BELOTA
from p2pcards.games.engine import Game
from p2pcards.games.options import Choices
from p2pcards.games.rulestext import WIDTH, rules_text

GAMES: list[Game[Any]] = list(registry.GAMES.values())


def text(game: Game[Any], **items: str) -> str:
    """The rules with these options, on one line."""
    return " ".join(rules_text(game, game.parse_options(items)).split())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_option_is_listed_with_its_value_and_meanings(game: Game[Any]) -> None:
    whole = text(game)
    for key, spec, default in game.options_type.specs():
        assert f" {key}={default} " in whole
        assert " ".join(spec.text.split()) in whole
        if isinstance(spec, Choices):
            for value, meaning in spec.meanings:
                assert f"{value}: {meaning}" in whole
    assert "All of them have their default values." in whole


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_lines_fit_a_terminal(game: Game[Any]) -> None:
    lines = rules_text(game, game.parse_options({})).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert not any(line.endswith(" ") for line in lines)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_differences_from_the_defaults_are_marked(game: Game[Any]) -> None:
    for key, spec, default in game.options_type.specs():
        if isinstance(spec, Choices):
            other = next(value for value in spec.values if value != default)
            lines = rules_text(game, game.parse_options({key: other})).splitlines()
            assert f"* {key}={other}  (default {default})" in lines
            assert sum(line.startswith("* ") for line in lines) == 1
            marked = [line for line in lines if line.startswith(f"  > {other}: ")]
            assert marked


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_rules_say_what_each_value_means_where_it_matters(game: Game[Any]) -> None:
    for key, spec, _ in game.options_type.specs():
        if isinstance(spec, Choices):
            for value, meaning in spec.meanings:
                body = text(game, **{key: value}).split("Options ------- ")[0]
                assert meaning[1:] in body, (key, value)


def test_belota_numbers_come_from_the_tables() -> None:
    whole = text(BELOTA, target="700", games="5")
    assert "J (20) 9 (14) A (11) 10 (10) K (4) Q (3) 8 (0) 7 (0)" in whole
    assert "A (11) 10 (10) K (4) Q (3) J (2) 9 (0) 8 (0) 7 (0)" in whole
    assert "worth 152 points" in whole
    assert "so 162 points" in whole
    assert "scores 252" in whole
    assert "has 700 points or more" in whole
    assert "first wins 3 has won" in whole


def test_belka_numbers_come_from_the_tables() -> None:
    whole = text(BELKA, save="31", target="6", games="5")
    assert "Jacks J♣ (2) J♠ (2) J♥ (2) J♦ (2)" in whole
    assert "Every suit A (11) 10 (10) K (4) Q (3) 9 (0) 8 (0) 7 (0)" in whole
    assert "worth 120 points" in whole
    assert "With 61 to 89 points they get one eye: the losers, with 31 or more" in whole
    assert "With 90 points or more they get two eyes" in whole
    assert "first has 6 eyes or more" in whole
    assert "first wins 3 has won" in whole


def test_belka_is_silent_about_options_that_cannot_matter() -> None:
    def eggs(**items: str) -> str:
        return text(BELKA, **items).split("Eggs ---- ")[1].split("The end ------- ")[0]

    assert "An eye" not in eggs(eggs="double") + eggs(jack_eye="off")
    assert "Eggs again" not in eggs(eggs="title")
    assert "Eggs again" in eggs(eggs="double")


def test_presets_are_named() -> None:
    assert "preset=common stands for first_deal=two." in text(BELKA)
    assert "preset=common stands for undertrump=must." in text(BELOTA)
