"""The first three steps: the roster signed by four, and the joint draw of seats and dealer."""

from __future__ import annotations

from collections.abc import Mapping

from p2pcards.crypto.transcript import Context
from p2pcards.protocol import draw
from p2pcards.protocol.events import SeatsDrawn
from p2pcards.protocol.faults import FaultKind
from p2pcards.protocol.flow import next_stage
from p2pcards.protocol.limits import SEATS_ALL
from p2pcards.protocol.messages import Commit, Reveal, Roster
from p2pcards.protocol.stage import Outcome, Stage, refuse, same
from p2pcards.protocol.table import Table


class RosterStage(Stage):
    """Step 0: all four sign the same roster."""

    kind = "roster"
    votable = False

    def senders(self, table: Table) -> frozenset[int]:
        return SEATS_ALL

    def check(self, table: Table, ctx: Context, body: Roster) -> Roster:
        same(table.roster, body, FaultKind.BAD_ROSTER, "signed another roster for this session")
        return body

    def complete(self, table: Table, values: Mapping[int, Roster], after: bytes) -> Outcome:
        return CommitStage(), []


class CommitStage(Stage):
    """Step 1: each commits to its number for the draw."""

    kind = "commit"
    votable = False

    def senders(self, table: Table) -> frozenset[int]:
        return SEATS_ALL

    def check(self, table: Table, ctx: Context, body: Commit) -> bytes:
        return body.commitment

    def complete(self, table: Table, values: Mapping[int, bytes], after: bytes) -> Outcome:
        table.commitments = tuple(values[place] for place in range(4))
        return RevealStage(), []


class RevealStage(Stage):
    """Step 2: each opens its number; seats and first dealer are drawn from all four."""

    kind = "reveal"
    votable = False

    def senders(self, table: Table) -> frozenset[int]:
        return SEATS_ALL

    def check(self, table: Table, ctx: Context, body: Reveal) -> bytes:
        expected = table.commitments[ctx.seat]
        if draw.commitment(table.session, ctx.seat, body.number) != expected:
            raise refuse(FaultKind.BAD_REVEAL, "the number does not open the commitment")
        return body.number

    def complete(self, table: Table, values: Mapping[int, bytes], after: bytes) -> Outcome:
        seed = draw.joint_number(table.session, [values[place] for place in range(4)])
        if table.roster.terms.partners == "drawn":
            table.places = draw.seating(seed)
        a, b, c, d = (table.roster.players[place] for place in table.places)
        table.players = (a, b, c, d)
        dealer = draw.first_dealer(seed)
        options = table.game.parse_options(dict(table.roster.terms.options))
        table.state = table.game.start(options, dealer)
        stage, events = next_stage(table, after)
        return stage, [SeatsDrawn(table.places, dealer), *events]
