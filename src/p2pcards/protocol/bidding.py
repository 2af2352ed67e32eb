"""Bidding: one seat bids at a time."""

from __future__ import annotations

from collections.abc import Mapping

from p2pcards.cards import Suit
from p2pcards.crypto.transcript import Context
from p2pcards.games.awaited import AwaitBid
from p2pcards.games.base import Bid, Name, Pass, Take
from p2pcards.protocol.events import BidMade, Event
from p2pcards.protocol.faults import FaultKind
from p2pcards.protocol.flow import advance, next_stage
from p2pcards.protocol.messages import BidBody
from p2pcards.protocol.stage import Outcome, Stage, refuse
from p2pcards.protocol.table import Table
from p2pcards.worded import Worded


class BidStage(Stage):
    """One seat bids."""

    kind = "bid"
    decides = True

    def __init__(self, awaited: AwaitBid) -> None:
        self.seat = awaited.seat
        self.choices = awaited.choices

    def senders(self, table: Table) -> frozenset[int]:
        return table.live & {self.seat}

    def check(self, table: Table, ctx: Context, body: BidBody) -> Bid:
        bid = read_bid(self.seat, body.bid)
        if bid not in self.choices:
            raise refuse(
                FaultKind.ILLEGAL_ACTION, Worded("bid {bid!r}, which is not open now", bid=body.bid)
            )
        return bid

    def complete(self, table: Table, values: Mapping[int, Bid], after: bytes) -> Outcome:
        bid = values[self.seat]
        events: list[Event] = [BidMade(bid), *advance(table, bid)]
        stage, more = next_stage(table, after)
        return stage, events + more


def read_bid(seat: int, text: str) -> Bid:
    """The bid that a body's text says."""
    if text == "pass":
        return Pass(seat)
    return Take(seat) if text == "take" else Name(seat, Suit.parse(text))


def write_bid(bid: Bid) -> str:
    """The text by which a body says this bid."""
    match bid:
        case Pass():
            return "pass"
        case Take():
            return "take"
        case Name(_, suit):
            return suit.letter
