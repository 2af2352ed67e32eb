"""What ``bench`` prints: words in columns for people, the same keys for programs."""

from __future__ import annotations

import json

import pytest

from p2pcards.cli import main
from p2pcards.commands import bench, bench_ui
from p2pcards.commands.figures import UNITS, WORDS, Figure, figure, line_of
from p2pcards.ui import i18n
from p2pcards.ui.canvas import width_of

QUICK = "shuffle,open_card"


@pytest.mark.parametrize("code", i18n.LANGUAGES)
def test_figures_are_printed_in_words_and_in_columns(code: str) -> None:
    i18n.choose(code)
    try:
        figures = [Figure(name, 1.5, 1.25, 1234.0, unit, 15) for name in WORDS for unit in UNITS]
        lines = [line_of(one) for one in figures]
        assert len({width_of(line.partition("(")[0]) for line in lines}) == 1
        assert max(map(width_of, lines)) <= 90
        assert len(set(lines)) == len(figures)
        assert all("_" not in line for line in lines)
    finally:
        i18n.choose("en")


def test_the_language_chosen_is_spoken(capsys: pytest.CaptureFixture[str]) -> None:
    words = {}
    for code in i18n.LANGUAGES:
        assert main(["bench", "--only", QUICK, "--rounds", "1", "--lang", code]) == 0
        done = capsys.readouterr()
        words[code] = [line[:20] for line in (done.out + done.err).splitlines()]
        assert len(words[code]) == 7
    i18n.choose("en")
    for code in ("ro", "ru", "kk"):
        assert not set(words[code]) & set(words["en"])


def test_json_is_the_same_in_every_language(capsys: pytest.CaptureFixture[str]) -> None:
    names = []
    for code in ("en", "ru"):
        assert main(["bench", "--only", QUICK, "--rounds", "1", "--json", "--lang", code]) == 0
        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert {tuple(row) for row in rows} == {("figure", "median", "min", "max", "unit", "n")}
        names.append([(row["figure"], row["unit"]) for row in rows])
    i18n.choose("en")
    assert names[0] == names[1]
    assert all(name in WORDS and unit in UNITS for name, unit in names[0])


def test_every_figure_of_the_screens_has_words() -> None:
    empty = {"pressed": {"1 7h": 0.0}, "drawn": {"1 7h": 1.0}, "proved": {}, "gaps": [0.1, 0.2]}
    notes = dict.fromkeys(bench_ui.NAMES, empty)
    proved = {name: {**empty, "proved": {"1 7h": 1}} for name in bench_ui.NAMES}
    for one in (*bench_ui.figures(notes), *bench_ui.figures(proved)):
        assert line_of(one)
    assert figure("shuffle", [3, 1, 2], "ms") == Figure("shuffle", 2, 1, 3, "ms", 3)


def test_an_unknown_bench_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--only", "shufle"]) == 2
    said = capsys.readouterr().err
    assert all(name in said for name in bench.BENCHES)
