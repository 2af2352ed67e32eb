"""What the bots that a person brings are called."""

from __future__ import annotations

from p2pcards.commands.crew import NAMES, free_name
from p2pcards.net.text import BOT_MARK


def test_a_bot_is_called_like_nobody_at_the_table() -> None:
    assert free_name([]) == NAMES[0]
    assert free_name(["Ana", NAMES[0].upper()]) == NAMES[1]
    # Neither with the mark beside a person without it, nor the other way round.
    assert free_name([NAMES[0]], BOT_MARK) == NAMES[1] + BOT_MARK
    assert free_name([NAMES[0] + BOT_MARK, NAMES[1]], BOT_MARK) == NAMES[2] + BOT_MARK
    assert free_name(NAMES, BOT_MARK) == "Bot 1" + BOT_MARK
