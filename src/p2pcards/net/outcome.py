"""How a session ends, and what is to be done about a seat that stays silent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from p2pcards.protocol.faults import Fault


class OnLoss(Enum):
    """What to do about a seat that stays silent past its deadline."""

    WAIT = "wait"
    VOTE = "vote"
    STOP = "stop"


class Ending(Enum):
    """How a session ended for this peer."""

    COMPLETE = "complete"
    LOST = "lost"
    FAULT = "fault"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How it ended; ``seats`` are those lost or at fault, ``text`` says it in words."""

    ending: Ending
    text: str = ""
    seats: tuple[int, ...] = ()
    fault: Fault | None = None


LossDecider: TypeAlias = Callable[[int], Awaitable[OnLoss]]
"""Asked once a step for each seat that is overdue."""


def always(verdict: OnLoss) -> LossDecider:
    """A decider that gives every lost seat the same verdict."""

    async def decide(seat: int) -> OnLoss:
        return verdict

    return decide
