"""Dealing, bidding and playing: every card opened with a proof, every play shown to be legal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from p2pcards.cards import Card, Suit
from p2pcards.crypto.deck import open_masked
from p2pcards.crypto.errors import CryptoError
from p2pcards.crypto.group import Point
from p2pcards.crypto.inequality import Absence, verify_absent
from p2pcards.crypto.shares import verify_shares
from p2pcards.crypto.transcript import Context
from p2pcards.games.base import (
    Announced,
    AwaitBid,
    AwaitPacket,
    Bid,
    Dealt,
    IllegalActionError,
    Name,
    Pass,
    Play,
    Redeal,
    Rule,
    Signed,
    Take,
)
from p2pcards.protocol.deal import card_of
from p2pcards.protocol.events import (
    BidMade,
    CardPlayed,
    Closed,
    Event,
    HandShown,
    HolderKnown,
    PacketDealt,
    SeatBack,
    StopWished,
)
from p2pcards.protocol.faults import FaultKind
from p2pcards.protocol.flow import advance, next_stage
from p2pcards.protocol.messages import (
    Announce,
    BidBody,
    End,
    PlayBody,
    RedealBody,
    Result,
    Shares,
)
from p2pcards.protocol.stage import Done, Outcome, Stage, refuse
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


@dataclass(frozen=True, slots=True)
class CheckedPlay:
    """A play whose card was opened and whose legality was shown."""

    play: Play
    slot: int
    proved: int


class PlayStage(Stage):
    """One seat opens one of its slots and proves that it may play that card."""

    kind = "play"
    decides = True

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def senders(self, table: Table) -> frozenset[int]:
        return table.live & {self.seat}

    def check(self, table: Table, ctx: Context, body: PlayBody) -> CheckedPlay:
        deal, state = table.the_deal(), table.the_state()
        if body.slot not in deal.slots(self.seat):
            raise refuse(
                FaultKind.NOT_YOUR_SLOT,
                Worded("slot {slot} is not a card of its hand", slot=body.slot),
            )
        card = self._card(table, ctx, body)
        play = Play(self.seat, card, body.call)
        try:
            table.game.check_play(state, play)
        except IllegalActionError as exc:
            revoke = exc.rule is Rule.REVOKE
            kind = FaultKind.REVOKE if revoke else FaultKind.ILLEGAL_ACTION
            raise refuse(kind, Worded("played {card}: {why}", card=card, why=exc)) from None
        slots = [pos for pos in deal.hidden(self.seat) if pos != body.slot]
        claims = deal.claims(slots, table.game.to_prove(state, card))
        self._prove(table, ctx, card, body.proof, claims)
        return CheckedPlay(play, body.slot, len(claims))

    def complete(self, table: Table, values: Mapping[int, CheckedPlay], after: bytes) -> Outcome:
        checked = values[self.seat]
        deal, card = table.the_deal(), checked.play.card
        deal.face_up[checked.slot] = card
        deal.gone.add(checked.slot)
        events: list[Event] = [CardPlayed(self.seat, card, checked.proved)]
        events += advance(table, checked.play)
        stage, more = next_stage(table, after)
        return stage, events + more

    def _card(self, table: Table, ctx: Context, body: PlayBody) -> Card:
        known = table.the_deal().face_up.get(body.slot)
        if known is None:
            return open_slots(table, ctx, (body.slot,), body.opening)[body.slot]
        if body.opening:
            raise refuse(FaultKind.BAD_OPENING, "opened a card that already lies open")
        return known

    def _prove(self, table: Table, ctx: Context, card: Card, proof: bytes, claims: Absence) -> None:
        if not claims:
            if proof:
                raise refuse(FaultKind.UNPROVED_PLAY, "sent a proof where none is due")
            return
        public = table.the_deal().keys[self.seat].public
        try:
            verify_absent(ctx, public, claims, proof)
        except CryptoError as exc:
            text = Worded("did not prove that it may play {card}: {why}", card=card, why=exc)
            raise refuse(FaultKind.UNPROVED_PLAY, text) from None


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
