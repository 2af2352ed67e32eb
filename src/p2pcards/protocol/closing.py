"""Closing: all sign the score of a deal, and at last the whole transcript."""

from __future__ import annotations

from collections.abc import Mapping

from p2pcards.crypto.transcript import Context
from p2pcards.games.base import Signed
from p2pcards.protocol.events import Closed, SeatBack, StopWished
from p2pcards.protocol.faults import FaultKind
from p2pcards.protocol.flow import next_stage
from p2pcards.protocol.messages import End, Result
from p2pcards.protocol.stage import Done, Outcome, Stage, refuse
from p2pcards.protocol.table import Table


class ResultStage(Stage):
    """All sign the score; they may agree to stop, and to let a lost player return.

    ``lost`` are the seats lost before this step. One lost during it cannot return with it: who
    has not seen the votes yet could not tell such an answer from a false one.
    """

    kind = "result"

    def __init__(self, lost: frozenset[int]) -> None:
        self.lost = lost

    def senders(self, table: Table) -> frozenset[int]:
        return table.live

    def check(self, table: Table, ctx: Context, body: Result) -> Result:
        if body.scores != table.the_state().scores:
            raise refuse(FaultKind.BAD_RESULT, "signed a score that does not follow from the play")
        if not set(body.back) <= self.lost or list(body.back) != sorted(set(body.back)):
            raise refuse(FaultKind.BAD_RESULT, "wants a seat back that is not lost")
        return body

    def complete(self, table: Table, values: Mapping[int, Result], after: bytes) -> Outcome:
        wished = tuple(sorted(seat for seat, body in values.items() if body.stop))
        back = self.lost.intersection(*(body.back for body in values.values()))
        table.bots -= back
        table.deal = None
        table.apply(Signed(stop=len(wished) == len(values)))
        stage, events = next_stage(table, after)
        told = [StopWished(wished)] if wished else []
        return stage, [*told, *(SeatBack(seat) for seat in sorted(back)), *events]


class EndStage(Stage):
    """All sign the final transcript hash."""

    kind = "end"

    def senders(self, table: Table) -> frozenset[int]:
        return table.live

    def check(self, table: Table, ctx: Context, body: End) -> None:
        return None

    def complete(self, table: Table, values: Mapping[int, None], after: bytes) -> Outcome:
        return Done(), [Closed(after)]
