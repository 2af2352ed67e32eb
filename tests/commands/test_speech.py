"""The command line speaks the person's language, and English to programs."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tools import catalogues

from p2pcards.cli import main
from p2pcards.commands import speech
from p2pcards.commands.parser import build_parser
from p2pcards.ui import i18n
from p2pcards.ui.i18n import _

TRANSLATED = ("ro", "ru", "kk")
PERCENT = re.compile(r"%(?:\(\w+\))?[sr]")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A person of no language, with nothing set; English again afterwards."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    yield tmp_path
    i18n.choose("en")


def refused(*args: str) -> None:
    with pytest.raises(SystemExit) as caught:
        main(args)
    assert caught.value.code == 2


def texts(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Everything that the help of a parser and of its commands says in words."""
    yield from (text for text in (parser.description, parser.epilog) if text)
    for group in parser._action_groups:
        yield group.title or ""
    for action in parser._actions:
        yield action.help or ""
        if isinstance(action, argparse._SubParsersAction):
            yield from (choice.help or "" for choice in action._choices_actions)
            for command in action.choices.values():
                yield from texts(command)


@pytest.mark.parametrize("lang", TRANSLATED)
def test_no_help_is_left_in_english(lang: str) -> None:
    speech.choose_early(["--lang", "en"])
    english = list(texts(build_parser()))
    speech.choose_early([f"--lang={lang}"])
    local = list(texts(build_parser()))
    assert len(english) == len(local) > 150
    assert [a for a, b in zip(english, local, strict=True) if a and a == b] == []


@pytest.mark.parametrize("lang", TRANSLATED)
def test_what_argparse_says_keeps_its_placeholders(lang: str) -> None:
    for key, text in catalogues.translations(lang).items():
        if key in speech.ARGPARSE:
            # a number's type is Python's name for it, and not for people
            due = set(PERCENT.findall(key)) - {"%(type)s"}
            assert due <= set(PERCENT.findall(text)) <= due | {"%(type)s"}, key
            assert key[-1].isspace() == text[-1].isspace()


@pytest.mark.parametrize(
    ("args", "english"),
    [
        (("tables", "--wait", "soon"), "a number from 0 to 86400"),
        (("demo", "--points", "many"), "invalid int value: 'many'"),
        (("arena", "easy", "easy", "--jobs", "0"), "a number from 1 to 1024"),
        (("tables", "--wait"), "expected one argument"),
        (("arena", "easy"), "the following arguments are required: B"),
        (("play", "--open", "--join"), "not allowed with argument --open"),
        (("rules", "poker"), "invalid choice: 'poker'"),
        (("id", "--purse"), "unrecognized arguments: --purse"),
        (("id", "--json=yes"), "ignored explicit argument 'yes'"),
        (("play", "--no", "--n", "x"), "could match"),
    ],
)
def test_wrong_use_is_told_in_every_language(
    args: tuple[str, ...], english: str, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    refused(*args)
    first = capsys.readouterr().err
    assert english in first
    assert first.startswith("usage: ")
    for lang in TRANSLATED:
        monkeypatch.setenv("LANG", f"{lang}.UTF-8")
        refused(*args)
        said = capsys.readouterr().err
        assert said.startswith(_("usage: "))
        assert not {"usage:", "error:", "argument"} & set(said.split())
        assert english not in said


def test_the_language_is_the_option_then_the_setting_then_the_locale(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "kk_KZ.UTF-8")
    speech.choose_early(["id"])
    assert i18n.language() == "kk"
    (home / "settings.json").write_text('{"language": "ru"}')
    speech.choose_early(["id", "--data-dir", str(home)])
    assert i18n.language() == "ru"
    speech.choose_early(["id", f"--data-dir={home}", "--lang", "ro"])
    assert i18n.language() == "ro"
    speech.choose_early(["id", "--lang"])
    assert i18n.language() == "kk"


def test_a_program_is_always_answered_in_english(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "ru_RU.UTF-8")
    nothing = str(home / "none.p2prec")
    for command in ("verify", "replay"):
        assert main([command, "--json", nothing]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out.splitlines()[0])["text"].startswith("cannot be read")
    assert "cannot be read" in err


@pytest.mark.parametrize(
    ("args", "status", "english"),
    [
        (("rules", "belka", "--option", "save=7"), 2, "the values are"),
        (("rules", "belka", "--option", "target=many"), 2, "the values are"),
        (("rules", "belota", "--option", "target=7"), 2, "100 to 3000"),
        (("rules", "belota", "--option", "eggs=four"), 2, "unknown option"),
        (("rules", "belota", "--option", "eggs"), 2, "write KEY=VALUE"),
        (("arena", "easy", "clever"), 2, "unknown level"),
        (("peer", "--bot", "clever"), 2, "unknown level"),
        (("peer", "--connect", "here"), 2, "not an address"),
        (("watch", "--connect", "here"), 2, "not an address"),
        (("watch", "--connect", "1:2:3"), 2, "not an address"),
        (("doctor", "--connect", "here"), 2, "not an address"),
        (("verify", "{here}"), 1, "NOT VALID: this is no game record"),
    ],
)
def test_what_a_command_refuses_is_told_in_every_language(
    args: tuple[str, ...], status: int, english: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [word.format(here=__file__) for word in args]
    for lang in ("en", *TRANSLATED):
        assert main([*words, "--lang", lang]) == status
        said = "".join(capsys.readouterr())
        assert (english in said) == (lang == "en"), said


@pytest.mark.parametrize(
    ("words", "most"),
    [
        ("peer --deadline=0", 3600), ("peer --deadline=-1", 3600), ("demo --deadline=3601", 3600),
        ("play --think=0", 86400), ("play --think=x", 86400), ("peer --port=-1", 65535),
        ("tables --wait=-1", 86400), ("tables --wait=nan", 86400), ("watch --wait=inf", 86400),
        ("bench --rounds=0", 1000000),
    ],
)  # fmt: skip
def test_a_number_out_of_bounds_is_refused_before_anything_begins(
    home: Path, words: str, most: int, capsys: pytest.CaptureFixture[str]
) -> None:
    refused(*words.split())
    told = capsys.readouterr().err
    option, _eq, value = words.split()[1].partition("=")
    assert f"argument {option}: {value}: a number from" in told
    assert told.rstrip().endswith(f"to {most}")
    assert list(home.iterdir()) == []
