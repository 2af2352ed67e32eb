"""When headless players join those who ask that the match end."""

from __future__ import annotations

import pytest

from p2pcards.commands.agreeing import Agreeing
from p2pcards.protocol.events import DealBegun, StopWished

BOTS = (1, 2, 3)


def told(bot: Agreeing, number: int, wished: set[int]) -> bool:
    """What a bot will say with the next deal's score, after this deal's score was signed."""
    if wished:
        assert bot.take(StopWished(tuple(sorted(wished)))) is None
    word = bot.take(DealBegun(number, 0))
    assert word is not None
    return word


def play(askings: list[set[int]], people: set[int], late: int = 99) -> list[set[int]]:
    """Who asks at each score of a match, where people ask as listed and the rest are bots.

    The bot in seat 3 is started anew at the score numbered ``late``, and does not hear of it.
    """
    bots = {seat: Agreeing() for seat in range(4) if seat not in people}
    words = {seat: told(bot, 1, set()) for seat, bot in bots.items()}
    out = []
    for number, asking in enumerate(askings, 1):
        wished = asking | {seat for seat, word in words.items() if word}
        out.append(wished)
        if len(wished) == 4:
            break
        if number == late:
            bots[3] = Agreeing()
        for seat, bot in bots.items():
            heard = set() if (number, seat) == (late, 3) else wished
            words[seat] = told(bot, number + 1, heard)
    return out


def test_one_person_among_bots_ends_the_match_with_the_next_deal() -> None:
    assert play([{0}, {0}, set()], {0}) == [{0}, {0, 1, 2, 3}]


def test_bots_alone_never_ask() -> None:
    assert play([set()] * 3, set()) == [set()] * 3
    assert play([set()] * 3, {0}) == [set()] * 3


def test_bots_wait_for_the_other_people() -> None:
    assert play([{0}, {0}, {0}, {0, 2}], {0, 2}) == [{0}, {0, 1, 3}, {0, 1, 3}, {0, 1, 2, 3}]


@pytest.mark.parametrize("late", [99, 1, 2])
def test_when_nobody_asks_any_more_the_bots_cease_too(late: int) -> None:
    asked = play([{0}, set(), set(), set(), set()], {0}, late)
    assert asked[3:] == [set(), set()]


def test_who_asks_again_is_heard_again() -> None:
    assert play([{0}, set(), set(), {0}, {0}], {0})[-2:] == [{0}, {0, 1, 2, 3}]
