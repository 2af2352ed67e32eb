"""Options: one text form, clear refusals, presets, and a meaning in words for every value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from p2pcards.games import registry
from p2pcards.games.belota_options import BelotaOptions
from p2pcards.games.engine import Game
from p2pcards.games.options import Choices, Numbers, OptionError, Options, choice, number

GAMES: list[Game[Any]] = list(registry.GAMES.values())


def every_value() -> list[Any]:
    """Each value of each option of each game."""
    params = []
    for game in GAMES:
        for key, spec, _ in game.options_type.specs():
            if isinstance(spec, Choices):
                values = spec.values
            else:
                ends = (spec.least, spec.least + 1, spec.most - 1, spec.most)
                values = tuple(map(str, spec.only or ends))
            params += [
                pytest.param(game, key, value, id=f"{game.name}-{key}-{value}") for value in values
            ]
    return params


@pytest.mark.parametrize(("game", "key", "value"), every_value())
def test_every_value_survives_its_text_form(game: Game[Any], key: str, value: str) -> None:
    options = game.parse_options({key: value})
    items = dict(options.items())
    assert items[key] == value
    assert game.parse_options(items) == options
    default = dict(game.parse_options({}).items())[key]
    expected = () if value == default else ((key, value, default),)
    assert options.differences() == expected
    assert {k: v for k, v in items.items() if k != key} == {
        k: v for k, v in game.parse_options({}).items() if k != key
    }


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_canonical_form_is_sorted_and_complete(game: Game[Any]) -> None:
    items = game.parse_options({}).items()
    assert [key for key, _ in items] == sorted(key for key, _, _ in game.options_type.specs())
    assert all(isinstance(value, str) for _, value in items)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_option_explains_itself(game: Game[Any]) -> None:
    for key, spec, default in game.options_type.specs():
        assert spec.text, key
        assert spec.parse(key, default) is not None
        if isinstance(spec, Choices):
            assert len(spec.meanings) > 1
            assert all(meaning for _, meaning in spec.meanings)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_presets_are_valid_and_may_be_changed(game: Game[Any]) -> None:
    for name, items in game.options_type.presets.items():
        options = game.parse_options({"preset": name})
        assert {key: dict(options.items())[key] for key in items} == dict(items)
        plain = {key: value for key, _, value in game.options_type.specs()}
        changed = game.parse_options({**{key: plain[key] for key in items}, "preset": name})
        assert changed == game.parse_options({})


@pytest.mark.parametrize(
    ("items", "told"),
    [
        ({"coinche": "on"}, ["coinche", "undertrump", "preset", "target"]),
        ({"undertrump": "perhaps"}, ["undertrump=perhaps", "may", "must"]),
        ({"undertrump": ""}, ["may", "must"]),
        ({"preset": "paris"}, ["preset=paris", "default", "common"]),
        ({"games": "4"}, ["games=4", "1, 3, 5, 7, 9"]),
        ({"target": "99"}, ["target=99", "100 to 3000"]),
        ({"target": "-100"}, ["target=-100"]),
        ({"target": "+100"}, ["target=+100"]),
        ({"target": " 100"}, ["target= 100"]),
        ({"target": "0100"}, ["target=0100"]),
        ({"target": "1e3"}, ["target=1e3"]),
        ({"target": "１０００"}, ["target=１０００"]),
        ({"target": "9" * 5000}, ["target=9"]),
    ],
)
def test_a_refusal_lists_what_is_valid(items: dict[str, str], told: list[str]) -> None:
    with pytest.raises(OptionError) as caught:
        BelotaOptions.parse(items)
    assert all(text in str(caught.value) for text in told)


@dataclass(frozen=True, slots=True)
class Sample(Options):
    """Options of no game: a number within bounds and a choice."""

    size: int = number(3, "How many.", 2, 12)
    colour: str = choice("red", "Which colour.", red="Red.", blue="Blue.")


def test_numbers_within_bounds() -> None:
    assert Sample.parse({"size": "12"}).size == 12
    for text in ("1", "13", "x", ""):
        with pytest.raises(OptionError, match="2 to 12"):
            Sample.parse({"size": text})
    spec = Sample.specs()[0][1]
    assert isinstance(spec, Numbers)
    assert spec.allowed() == "2 to 12"


def test_the_meaning_of_a_value() -> None:
    assert Sample.parse({"colour": "blue"}).meaning("colour") == "Blue."
    with pytest.raises(TypeError):
        Sample().meaning("size")


def test_a_field_without_a_specification_is_our_own_bug() -> None:
    @dataclass(frozen=True, slots=True)
    class Broken(Options):
        size: int = 3

    with pytest.raises((TypeError, KeyError)):
        Broken.specs()
