"""Votes about a seat that stays silent, and what three of them bring about.

A vote says "I have no envelope of this seat for this step"; an objection says "I have one, here
it is". Both fill the same place in the transcript, so a seat that signs both has equivocated,
and three votes prove that nobody can hold the missing envelope.

Only after three votes does anybody give a part of the lost seat's key away: were the parts in
the votes, two votes that do not carry would give the third seat the whole key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from p2pcards.crypto.errors import CryptoError, ProofError
from p2pcards.crypto.parts import rebuild_secret, verify_part
from p2pcards.crypto.transcript import Context
from p2pcards.protocol.events import Event, SeatLost
from p2pcards.protocol.faults import FaultKind
from p2pcards.protocol.flow import begin_deal, next_stage
from p2pcards.protocol.making import KeyCommitStage
from p2pcards.protocol.messages import Part
from p2pcards.protocol.stage import Outcome, Stage, refuse
from p2pcards.protocol.table import Table
from p2pcards.worded import Worded


class RecoverStage(Stage):
    """The three that voted give their parts of the lost seat's deal key.

    ``interrupted`` is the step in which the seat was lost, complete but for acting on its
    ``values``, which this step does.
    """

    kind = "part"
    votable = False

    def __init__(self, seat: int, interrupted: Stage, values: Mapping[int, Any]) -> None:
        self.seat = seat
        self._interrupted = interrupted
        self._values = values

    def senders(self, table: Table) -> frozenset[int]:
        return table.live

    def check(self, table: Table, ctx: Context, body: Part) -> int:
        try:
            return verify_part(table.the_deal().parts[self.seat][1], ctx.seat, body.scalar)
        except CryptoError as exc:
            raise refuse(
                FaultKind.BAD_PART, Worded("gave a wrong part of the key: {why}", why=exc)
            ) from None

    def complete(self, table: Table, values: Mapping[int, int], after: bytes) -> Outcome:
        deal = table.the_deal()
        public, parts = deal.keys[self.seat].public, deal.parts[self.seat][1]
        try:
            deal.secrets[self.seat] = rebuild_secret(public, values, parts)
        except ProofError as exc:
            raise RuntimeError("parts that verified one by one do not add up") from exc
        if self._values:
            return self._interrupted.complete(table, self._values, after)
        return next_stage(table, after)


def deck_in_use(table: Table) -> bool:
    """Whether cards of the present deck may have been dealt, so that its keys are needed."""
    return table.deal is not None and table.the_state().phase.value != "deck"


def carry_out(table: Table, seat: int, after: bytes) -> tuple[bool, list[Event]]:
    """Give a seat to the public bot; whether the deck must be made anew, and the events."""
    table.bots |= {seat}
    if table.deal is None or deck_in_use(table):
        return False, [SeatLost(seat, redeal=False)]
    return True, [SeatLost(seat, redeal=True), *begin_deal(table, after)]


def missing_key(table: Table, stage: Stage, values: Mapping[int, Any]) -> RecoverStage | None:
    """The step that must come before ``stage`` acts: the bot cannot play without its key."""
    if isinstance(stage, RecoverStage) or not deck_in_use(table):
        return None
    unknown = table.bots - frozenset(table.the_deal().secrets)
    return RecoverStage(min(unknown), stage, values) if unknown else None


def restart() -> Stage:
    """The step after a seat was lost while the deck was being made."""
    return KeyCommitStage()
