"""The score sheet of Belka explains every eye, and the score agrees with plain loops."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from p2pcards.games.base import Pair, Phase
from p2pcards.games.belka import BELKA
from p2pcards.games.belka_options import BelkaOptions
from p2pcards.games.belka_score import DealFacts, close_deal, deal_facts, score_deal
from p2pcards.games.options import Choices
from tests.games import belka_oracle as oracle

Lines = list[tuple[str, Pair | None]]


def sheet(
    taken: Pair,
    jack: int = 0,
    tricks: Pair = (4, 4),
    waiting: int = 0,
    first: bool = False,
    scores: Pair = (0, 0),
    **items: str,
) -> Lines:
    """The lines of a deal as text and points, after so many tied deals."""
    options = BelkaOptions.parse(items)
    facts = DealFacts(first=first, tricks=tricks, taken=taken, jack=jack, eggs=waiting)
    state = replace(BELKA.start(options, 3), scores=scores, eggs=waiting, eggs_in_game=waiting)
    closed = close_deal(state, score_deal(options, facts), facts)
    assert closed.phase is Phase.SCORED
    lines = [(str(entry), entry.points) for entry in closed.sheets[-1].lines]
    assert lines.pop(0) == (f"Card points: NS {taken[0]}, EW {taken[1]}", None)
    return lines


def case(name: str, got: Lines, *wanted: tuple[str, Pair | None]) -> Any:
    """One case of :func:`test_lines`."""
    return pytest.param(got, list(wanted), id=name)


SAVED = ("NS won, 75 to 45; EW are saved with 30 or more: one eye", (1, 0))
JACK_EYE = ("The J♣ was dealt to EW: one eye more", (1, 0))
NAKED = ("NS took all eight tricks: EW are naked", None)
EGGS = "60 to 60, eggs: nobody scores"

CASES = [
    case(
        "saved",
        sheet((90, 30)),
        ("NS won, 90 to 30; EW are saved with 30 or more: one eye", (1, 0)),
    ),
    case(
        "not saved, against the jack",
        sheet((29, 91), jack=0),
        ("EW won, 91 to 29; NS have less than 30: two eyes", (0, 2)),
        ("The J♣ was dealt to NS: one eye more", (0, 1)),
    ),
    case(
        "the first deal is worth two",
        sheet((75, 45), jack=1, first=True, first_deal="two"),
        ("NS won the first deal, 75 to 45: two eyes, whatever the margin", (2, 0)),
    ),
    case(
        "eggs",
        sheet((60, 60), waiting=1),
        (EGGS + "; the next deal that is won is worth 4 eyes", (0, 0)),
    ),
    case(
        "eggs again, added",
        sheet((60, 60), waiting=1, eggs_again="add"),
        (EGGS + "; the next deal that is won is worth 8 eyes", (0, 0)),
    ),
    case("eggs for the title", sheet((60, 60), eggs="title"), (EGGS, (0, 0))),
    case(
        "eggs that double",
        sheet((60, 60), eggs="double"),
        (EGGS + "; the next deal that is won counts 2 times", (0, 0)),
    ),
    case(
        "eggs worth two more",
        sheet((60, 60), waiting=2, eggs="plus_two", eggs_again="add"),
        (EGGS + "; the next deal that is won is worth 6 eyes more", (0, 0)),
    ),
    case(
        "four after eggs",
        sheet((118, 2), jack=1, waiting=1),
        ("NS won, 118 to 2; a deal after eggs: 4 eyes, whatever the margin", (4, 0)),
    ),
    case(
        "four and one after eggs",
        sheet((75, 45), jack=1, waiting=1, eggs_jack="on"),
        ("NS won, 75 to 45; a deal after eggs: 4 eyes, whatever the margin", (4, 0)),
        JACK_EYE,
    ),
    case(
        "double after eggs",
        sheet((75, 45), jack=1, waiting=1, eggs="double"),
        SAVED,
        JACK_EYE,
        ("A deal after eggs counts 2 times", (2, 0)),
    ),
    case(
        "two more after eggs",
        sheet((75, 45), waiting=3, eggs="plus_two"),
        SAVED,
        ("A deal after eggs: 2 eyes more", (2, 0)),
    ),
    case(
        "the title after eggs",
        sheet((75, 45), waiting=1, eggs="title"),
        SAVED,
        ("A deal after eggs: EW get the title Eggs", None),
    ),
    case(
        "naked",
        sheet((120, 0), tricks=(8, 0), waiting=1, scores=(0, 11)),
        NAKED,
        ("NS win the game at once, whatever the eyes", None),
        ("EW lose a game with eggs in it: lost with eggs", None),
    ),
    case(
        "naked by points, for four eyes",
        sheet((120, 0), tricks=(7, 1), jack=1, naked_by="points", naked="four"),
        ("NS won, 120 to 0; EW have less than 30: two eyes", (2, 0)),
        JACK_EYE,
        ("NS took all 120 points: EW are naked", None),
        ("Leaving the others naked makes it 4 eyes", (1, 0)),
    ),
    case(
        "naked for four eyes in a deal worth more",
        sheet((120, 0), tricks=(8, 0), jack=1, waiting=1, naked="four", eggs="double"),
        ("NS won, 120 to 0; EW have less than 30: two eyes", (2, 0)),
        JACK_EYE,
        ("A deal after eggs counts 2 times", (3, 0)),
        NAKED,
    ),
    case(
        "all points, a trick conceded",
        sheet((120, 0), tricks=(7, 1)),
        ("NS won, 120 to 0; EW have less than 30: two eyes", (2, 0)),
    ),
    case(
        "the game is won",
        sheet((28, 92), jack=0, scores=(11, 10)),
        ("EW won, 92 to 28; NS have less than 30: two eyes", (0, 2)),
        ("The J♣ was dealt to NS: one eye more", (0, 1)),
        ("EW win the game, 13 to 11", None),
    ),
]


@pytest.mark.parametrize(("got", "wanted"), CASES)
def test_lines(got: Lines, wanted: Lines) -> None:
    assert got == wanted


def a_deal(rng: random.Random) -> DealFacts:
    """A finished deal near one of the limits."""
    least = rng.choice([0, 0, 2, 10, 28, 29, 30, 31, 32, 45, 58, 59, 60, 60])
    taken = rng.choice([(least, 120 - least), (120 - least, least)])
    tricks = rng.choice([(4, 4), (1, 7), (7, 1)])
    if least == 0 and rng.random() < 0.5:
        tricks = (8, 0) if taken[0] else (0, 8)
    return DealFacts(rng.random() < 0.3, tricks, taken, rng.randint(0, 1), rng.choice([0, 1, 2, 3]))


def test_scores_agree_with_plain_loops() -> None:
    rng = random.Random(12)
    kinds = [(key, spec) for key, spec, _ in BelkaOptions.specs()]
    seen = set()
    for _ in range(3000):
        items = {
            key: rng.choice(
                spec.values if isinstance(spec, Choices) else [str(n) for n in spec.only]
            )
            for key, spec in kinds
        }
        facts = a_deal(rng)
        got = score_deal(BelkaOptions.parse(items), facts)
        wanted = oracle.score(
            items, facts.first, list(facts.tricks), list(facts.taken), facts.jack, facts.eggs
        )
        assert (list(got.added), got.eggs, got.game) == wanted, (items, facts)
        seen.add(max(got.added))
    assert {0, 1, 2, 3, 4, 5, 6, 8, 9, 12} <= seen


def test_a_deal_that_never_showed_its_jack_cannot_be_scored() -> None:
    with pytest.raises(RuntimeError):
        deal_facts(BELKA.start(BelkaOptions(), 0))
