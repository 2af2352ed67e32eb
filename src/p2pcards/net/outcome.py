"""How a session ends, and what is to be done about a seat that stays silent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from p2pcards.protocol.faults import Fault, seat_words
from p2pcards.worded import Worded


class OnLoss(Enum):
    """What to do about a seat that stays silent past its deadline.

    To stay is to vote, and to wait on, whatever the others do, while any of them is there.
    """

    WAIT = "wait"
    VOTE = "vote"
    STAY = "stay"
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


def late(seat: int) -> Worded:
    """Why a session ends that does not wait for a seat any longer."""
    return Worded("{who} did not answer within the deadline", who=seat_words(seat))


def unvoted(voter: int, about: int) -> Worded:
    """Why a session ends in which a vote is waited for in vain."""
    who, other = seat_words(voter), seat_words(about)
    return Worded("{who} did not vote about {other} in time", who=who, other=other)


def known_reason(text: str) -> str:
    """A peer's reason to leave: the sentences above can be shown in any language."""
    pairs = [(a, b) for a in range(4) for b in range(4) if a != b]
    own = (*map(late, range(4)), *(unvoted(a, b) for a, b in pairs))
    return next((sentence for sentence in own if sentence == text), text)


LossDecider: TypeAlias = Callable[[int], Awaitable[OnLoss]]
"""Asked once a step for each seat that is overdue."""


def always(verdict: OnLoss) -> LossDecider:
    """A decider that gives every lost seat the same verdict."""

    async def decide(seat: int) -> OnLoss:
        return verdict

    return decide
