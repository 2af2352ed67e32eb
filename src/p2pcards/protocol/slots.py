"""Slots that their owner opens to all, with its own shares and the proof that they are right."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.cards import Card
from p2pcards.crypto.deck import open_masked
from p2pcards.crypto.errors import CryptoError
from p2pcards.crypto.shares import verify_shares
from p2pcards.crypto.transcript import Context
from p2pcards.protocol.deal import card_of
from p2pcards.protocol.faults import FaultKind
from p2pcards.protocol.stage import refuse
from p2pcards.protocol.table import Table
from p2pcards.worded import Worded


def open_slots(table: Table, ctx: Context, slots: Sequence[int], data: bytes) -> dict[int, Card]:
    """The cards in some of a seat's hidden slots, from its own shares with their proof.

    Raises:
        BadEnvelopeError: the shares do not verify.
    """
    deal = table.the_deal()
    bases = tuple(deal.masked[pos].a for pos in slots)
    try:
        shares = verify_shares(ctx, deal.keys[ctx.seat].public, bases, data)
    except CryptoError as exc:
        raise refuse(
            FaultKind.BAD_OPENING, Worded("its opening does not verify: {why}", why=exc)
        ) from None
    return {
        pos: card_of(open_masked(deal.masked[pos], (share,)))
        for pos, share in zip(slots, shares, strict=True)
    }
