"""Dealing: packets reach their owners, a weak hand is shown, a holder is found.

Cards are opened, or shown not to be held, with a proof.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from p2pcards.cards import Card
from p2pcards.crypto.errors import CryptoError
from p2pcards.crypto.group import Point
from p2pcards.crypto.inequality import verify_absent
from p2pcards.crypto.shares import verify_shares
from p2pcards.crypto.transcript import Context
from p2pcards.games.awaited import AwaitPacket
from p2pcards.games.base import Announced, Dealt, Redeal
from p2pcards.protocol.events import Event, HandShown, HolderKnown, PacketDealt
from p2pcards.protocol.faults import FaultKind
from p2pcards.protocol.flow import next_stage
from p2pcards.protocol.messages import Announce, RedealBody, Shares
from p2pcards.protocol.slots import open_slots
from p2pcards.protocol.stage import Outcome, Stage, refuse
from p2pcards.protocol.table import Table
from p2pcards.worded import Worded


class SharesStage(Stage):
    """Each gives its decryption shares for the cards of a packet that are not its own."""

    kind = "shares"

    def __init__(self, packet: AwaitPacket) -> None:
        self.packet = packet

    def senders(self, table: Table) -> frozenset[int]:
        return table.live

    def check(self, table: Table, ctx: Context, body: Shares) -> tuple[Point, ...]:
        deal = table.the_deal()
        bases = deal.bases(self.packet, ctx.seat)
        try:
            return verify_shares(ctx, deal.keys[ctx.seat].public, bases, body.data)
        except CryptoError as exc:
            raise refuse(
                FaultKind.BAD_SHARES, Worded("its shares do not verify: {why}", why=exc)
            ) from None

    def complete(
        self, table: Table, values: Mapping[int, Sequence[Point]], after: bytes
    ) -> Outcome:
        deal = table.the_deal()
        shares = dict(values)
        for seat in table.bots:
            shares[seat] = deal.public_shares(self.packet, seat)
        turned = deal.deal_packet(self.packet, shares)
        table.apply(Dealt(turned))
        stage, events = next_stage(table, after)
        return stage, [PacketDealt(turned), *events]


class RedealStage(Stage):
    """Each plays on, or opens a weak hand and so asks for a new deal."""

    kind = "redeal"
    decides = True

    def senders(self, table: Table) -> frozenset[int]:
        return table.live

    def check(self, table: Table, ctx: Context, body: RedealBody) -> dict[int, Card] | None:
        if body.opening is None:
            return None
        shown = open_slots(table, ctx, table.the_deal().hidden(ctx.seat), body.opening)
        if not table.game.is_weak(frozenset(shown.values())):
            text = Worded("showed a hand that gives no right to a new deal")
            raise refuse(FaultKind.ILLEGAL_ACTION, text)
        return shown

    def complete(
        self, table: Table, values: Mapping[int, dict[int, Card] | None], after: bytes
    ) -> Outcome:
        events: list[Event] = []
        hands: list[frozenset[Card] | None] = [None] * 4
        for seat, shown in sorted(values.items()):
            if shown is not None:
                hands[seat] = frozenset(shown.values())
                events.append(HandShown(seat, tuple(sorted(shown.values()))))
        table.apply(Redeal(tuple(hands)))
        stage, more = next_stage(table, after)
        return stage, events + more


class AnnounceStage(Stage):
    """Each opens the slot that holds a certain card, or proves that none of its slots does."""

    kind = "announce"

    def __init__(self, card: Card) -> None:
        self.card = card

    def senders(self, table: Table) -> frozenset[int]:
        return table.live

    def check(self, table: Table, ctx: Context, body: Announce) -> int | None:
        deal = table.the_deal()
        hidden = deal.hidden(ctx.seat)
        if body.slot is None:
            claims = deal.claims(hidden, [self.card])
            try:
                verify_absent(ctx, deal.keys[ctx.seat].public, claims, body.data)
            except CryptoError as exc:
                text = Worded(
                    "did not prove that it does not hold {card}: {why}", card=self.card, why=exc
                )
                raise refuse(FaultKind.BAD_ANNOUNCE, text) from None
            return None
        if body.slot not in hidden:
            raise refuse(
                FaultKind.NOT_YOUR_SLOT,
                Worded("slot {slot} is not a hidden card of its", slot=body.slot),
            )
        if open_slots(table, ctx, (body.slot,), body.data)[body.slot] != self.card:
            raise refuse(
                FaultKind.BAD_ANNOUNCE, Worded("the card it opened is not {card}", card=self.card)
            )
        return body.slot

    def complete(self, table: Table, values: Mapping[int, int | None], after: bytes) -> Outcome:
        deal = table.the_deal()
        found = {seat: pos for seat, pos in values.items() if pos is not None}
        for seat in table.bots:
            hand = deal.hand(seat, deal.secrets[seat])
            if self.card in hand:
                found[seat] = hand[self.card]
        if len(found) != 1:
            raise RuntimeError("a card of a proved deck has exactly one holder")
        ((holder, pos),) = found.items()
        deal.face_up[pos] = self.card
        trump = table.apply(Announced(holder)).trump
        stage, events = next_stage(table, after)
        return stage, [HolderKnown(holder, self.card, trump), *events]
