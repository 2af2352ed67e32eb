"""The score sheet of Belotă explains every point, and what becomes of the pot."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from p2pcards.games.base import Pair, Phase
from p2pcards.games.belota import BELOTA
from p2pcards.games.belota_options import BelotaOptions
from p2pcards.games.belota_score import DealFacts, close_deal, deal_facts, score_deal

TRICK_POINTS = "Trick points, with 10 for the last trick: "
BELOTE = "king and queen of trump in one hand, 20 points"


def sheet(
    taken: Pair,
    belote: int | None = None,
    pot: int = 0,
    tricks: Pair = (4, 4),
    scores: Pair = (0, 0),
    **items: str,
) -> list[tuple[str, Pair | None]]:
    """The lines of a deal that team 0 took, as text and points."""
    options = BelotaOptions.parse(items)
    facts = DealFacts(takers=0, tricks=tricks, taken=taken, belote=belote, pot=pot)
    state = replace(BELOTA.start(options, 3), scores=scores, pot=pot)
    closed = close_deal(state, score_deal(options, facts), facts)
    assert closed.phase is Phase.SCORED
    return [(str(entry), entry.points) for entry in closed.sheets[-1].lines]


CASES: list[Any] = [
    pytest.param(
        sheet((82, 80), pot=81),
        [
            (TRICK_POINTS + "NS 82, EW 80", None),
            ("NS took and won, 82 to 80: each side scores its trick points", (82, 80)),
            ("The pot goes to NS: 81 points", (81, 0)),
        ],
        id="made, with a pot",
    ),
    pytest.param(
        sheet((60, 102), belote=0),
        [
            (TRICK_POINTS + "NS 60, EW 102", None),
            (f"Belote of NS: {BELOTE}", (20, 0)),
            ("NS took and lost, 80 to 102: EW score all 162", (0, 162)),
        ],
        id="lost, the belote kept",
    ),
    pytest.param(
        sheet((71, 91), belote=0, pot=81),
        [
            (TRICK_POINTS + "NS 71, EW 91", None),
            ("Belote of NS: its 20 points are held with the takers' other points", None),
            ("NS took; a tie, 91 to 91: EW score their trick points", (0, 91)),
            (
                "91 points are held for the side that wins the next decided deal; the pot is 172",
                None,
            ),
        ],
        id="a tie held, a second time",
    ),
    pytest.param(
        sheet((81, 81), litige="held_all"),
        [
            (TRICK_POINTS + "NS 81, EW 81", None),
            ("NS took; a tie, 81 to 81: nobody scores trick points", (0, 0)),
            (
                "162 points are held for the side that wins the next decided deal; the pot is 162",
                None,
            ),
        ],
        id="everything held",
    ),
    pytest.param(
        sheet((81, 81), litige="inside"),
        [
            (TRICK_POINTS + "NS 81, EW 81", None),
            ("NS took; a tie, 81 to 81, counts as lost: EW score 162", (0, 162)),
        ],
        id="a tie is lost",
    ),
    pytest.param(
        sheet((81, 81), litige="made", rounding="ten"),
        [
            (TRICK_POINTS + "NS 81, EW 81", None),
            ("NS took; a tie, 81 to 81, counts as won: each scores its trick points", (81, 81)),
            ("Rounded to the nearest ten, 5 upward", (-1, -1)),
        ],
        id="a tie is won, rounded",
    ),
    pytest.param(
        sheet((0, 162), tricks=(0, 8), belote=0),
        [
            (TRICK_POINTS + "NS 0, EW 162", None),
            (f"Belote of NS: {BELOTE}", (20, 0)),
            ("EW won all eight tricks: 252 points", (0, 252)),
        ],
        id="all tricks by the defenders",
    ),
    pytest.param(
        sheet((81, 81), scores=(0, 950)),
        [
            (TRICK_POINTS + "NS 81, EW 81", None),
            ("NS took; a tie, 81 to 81: EW score their trick points", (0, 81)),
            (
                "81 points are held for the side that wins the next decided deal; the pot is 81",
                None,
            ),
            ("The pot of 81 points lapses with the end of the game", None),
            ("EW win the game, 1031 to 0", None),
        ],
        id="the pot lapses",
    ),
    pytest.param(
        sheet((82, 80), scores=(918, 920)),
        [
            (TRICK_POINTS + "NS 82, EW 80", None),
            ("NS took and won, 82 to 80: each side scores its trick points", (82, 80)),
            ("Both have 1000 points: another deal decides the game", None),
        ],
        id="equal at the target",
    ),
]


@pytest.mark.parametrize(("lines", "expected"), CASES)
def test_lines(lines: list[tuple[str, Pair | None]], expected: list[tuple[str, Pair]]) -> None:
    assert lines == expected


def test_a_deal_without_a_taker_cannot_be_scored() -> None:
    with pytest.raises(RuntimeError):
        deal_facts(BELOTA.start(BelotaOptions(), 0))
