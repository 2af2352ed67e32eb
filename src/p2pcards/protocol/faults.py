"""The closed list of faults, and how one is reported.

A fault is an event about a seat, with the signed envelopes that show it. It is never raised to
a caller: :class:`BadEnvelopeError` travels only from a check to the one place in the observer
that turns it into a :class:`Fault`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from p2pcards.worded import Worded


class FaultKind(Enum):
    """What a seat did against the protocol; the values are stable names."""

    EQUIVOCATION = "equivocation"
    OUT_OF_TURN = "out-of-turn"
    WRONG_KIND = "wrong-kind"
    MALFORMED = "malformed"
    BAD_ROSTER = "bad-roster"
    BAD_REVEAL = "bad-reveal"
    BAD_KEY = "bad-key"
    BAD_PARTS = "bad-parts"
    BAD_PART = "bad-part"
    FALSE_COMPLAINT = "false-complaint"
    BAD_SHUFFLE = "bad-shuffle"
    BAD_SHARES = "bad-shares"
    BAD_OPENING = "bad-opening"
    NOT_YOUR_SLOT = "not-your-slot"
    ILLEGAL_ACTION = "illegal-action"
    REVOKE = "revoke"
    UNPROVED_PLAY = "unproved-play"
    BAD_ANNOUNCE = "bad-announce"
    BAD_RESULT = "bad-result"
    BAD_VOTE = "bad-vote"
    DIVERGED = "diverged"


NOT_PROVABLE = frozenset({FaultKind.DIVERGED})
"""Faults that those at the table see, but that their envelopes alone do not show to others."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A seat broke the protocol; ``evidence`` are the signed envelopes that show it."""

    seat: int
    kind: FaultKind
    step: int
    text: str
    evidence: tuple[bytes, ...]

    def __str__(self) -> str:
        return str(self.sentence())

    def sentence(self) -> Worded:
        """Who did what, and when."""
        return Worded(
            "{who} broke the protocol at step {step}: {text}",
            who=seat_words(self.seat), step=self.step, text=self.text,
        )  # fmt: skip


def seat_words(seat: int) -> Worded:
    """A seat where no name is known; a sentence about a player can put the name in its place."""
    return Worded("seat {n}", n=seat)


class BadEnvelopeError(Exception):
    """A check failed. ``seat`` is the seat to blame when it is not the envelope's sender."""

    def __init__(self, kind: FaultKind, text: str, seat: int | None = None) -> None:
        super().__init__(text)
        self.kind = kind
        self.text = text
        self.seat = seat
