"""Making a deck together: deal keys, the shuffle chain, the cut, parts of keys, the confirmation.

Nothing secret that depends on the deck leaves a peer before the confirmation of all.
"""

from __future__ import annotations

from collections.abc import Mapping

from p2pcards.crypto.deck import Deck, card_points, initial_deck
from p2pcards.crypto.errors import CryptoError
from p2pcards.crypto.keys import DealKey, joint_key, public_key, verify_key
from p2pcards.crypto.parts import Parts as VerifiedParts
from p2pcards.crypto.parts import judge_complaint, verify_parts
from p2pcards.crypto.shuffle import verify_shuffle
from p2pcards.crypto.transcript import Context
from p2pcards.games.awaited import AwaitDeck
from p2pcards.games.base import DeckReady
from p2pcards.protocol import draw
from p2pcards.protocol.deal import NAMES
from p2pcards.protocol.events import DeckConfirmed
from p2pcards.protocol.faults import BadEnvelopeError, FaultKind
from p2pcards.protocol.flow import next_stage
from p2pcards.protocol.messages import Complaint, Confirm, Cut, Key, KeyCommit, Parts, Shuffle
from p2pcards.protocol.stage import Next, Outcome, Stage, refuse
from p2pcards.protocol.table import Table
from p2pcards.worded import Worded


class KeyCommitStage(Stage):
    """Each live seat commits to its key for this deal."""

    kind = "key-commit"

    def senders(self, table: Table) -> frozenset[int]:
        return table.live

    def check(self, table: Table, ctx: Context, body: KeyCommit) -> tuple[Context, bytes]:
        return ctx, body.commitment

    def complete(
        self, table: Table, values: Mapping[int, tuple[Context, bytes]], after: bytes
    ) -> Outcome:
        table.the_deal().commitments = dict(values)
        return KeyStage(), []


class KeyStage(Stage):
    """Each opens its key with proofs that it knows the secrets; then the first deck is known."""

    kind = "key"

    def senders(self, table: Table) -> frozenset[int]:
        return table.live

    def check(self, table: Table, ctx: Context, body: Key) -> DealKey:
        bound, commitment = table.the_deal().commitments[ctx.seat]
        try:
            key = verify_key(bound, body.claim, commitment)
        except CryptoError as exc:
            raise refuse(
                FaultKind.BAD_KEY, Worded("its deal key does not verify: {why}", why=exc)
            ) from None
        if key.public == key.box:
            raise refuse(FaultKind.BAD_KEY, "its deal key and its box key are the same")
        return key

    def complete(self, table: Table, values: Mapping[int, DealKey], after: bytes) -> Outcome:
        deal = table.the_deal()
        for seat, secret in deal.secrets.items():
            deal.keys[seat] = public_key(secret)
        taken = {point for key in deal.keys.values() for point in (key.public, key.box)}
        for seat, key in values.items():
            if taken & {key.public, key.box}:
                # No seat knows another's key, so whoever shares one gave it away or took it.
                text = Worded("has a key that another seat has too")
                raise BadEnvelopeError(FaultKind.BAD_KEY, text, seat=seat)
            taken |= {key.public, key.box}
        deal.keys.update(values)
        try:
            deal.joint = joint_key([deal.keys[s] for s in sorted(deal.keys)])
        except CryptoError:
            # Only seats that made their keys together can bring this about.
            text = Worded("has a key that cancels out the others'")
            raise BadEnvelopeError(FaultKind.BAD_KEY, text, seat=max(values)) from None
        deal.deck = initial_deck(card_points(NAMES), deal.joint)
        return _shuffle_from(table, 0, after), []


class ShuffleStage(Stage):
    """One seat shuffles and re-masks the deck and proves it."""

    kind = "shuffle"

    def __init__(self, turn: int, seat: int) -> None:
        self.turn = turn
        self.seat = seat

    def senders(self, table: Table) -> frozenset[int]:
        return frozenset({self.seat})

    def check(self, table: Table, ctx: Context, body: Shuffle) -> Deck:
        deal = table.the_deal()
        try:
            return verify_shuffle(ctx, deal.joint_point(), deal.deck, body.data)
        except CryptoError as exc:
            raise refuse(
                FaultKind.BAD_SHUFFLE, Worded("its shuffle does not verify: {why}", why=exc)
            ) from None

    def complete(self, table: Table, values: Mapping[int, Deck], after: bytes) -> Outcome:
        table.the_deal().deck = values[self.seat]
        return _shuffle_from(table, self.turn + 1, after), []


class CutStage(Stage):
    """The seat that the game names cuts the deck."""

    kind = "cut"

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def senders(self, table: Table) -> frozenset[int]:
        return frozenset({self.seat})

    def check(self, table: Table, ctx: Context, body: Cut) -> int:
        return body.at

    def complete(self, table: Table, values: Mapping[int, int], after: bytes) -> Outcome:
        return _cut(table, values[self.seat]), []


class PartsStage(Stage):
    """Each splits its deal key among the other three, in case it is lost.

    Not before the cut: three that hold all parts of the fourth's key can read every deck, and
    while they still shuffle they could put its cards in an order of their choice.
    """

    kind = "parts"

    def senders(self, table: Table) -> frozenset[int]:
        return table.live

    def check(self, table: Table, ctx: Context, body: Parts) -> tuple[Context, VerifiedParts]:
        public = table.the_deal().keys[ctx.seat].public
        try:
            return ctx, verify_parts(ctx, public, others(ctx.seat), body.data)
        except CryptoError as exc:
            raise refuse(
                FaultKind.BAD_PARTS, Worded("its key parts do not verify: {why}", why=exc)
            ) from None

    def complete(
        self, table: Table, values: Mapping[int, tuple[Context, VerifiedParts]], after: bytes
    ) -> Outcome:
        table.the_deal().parts = dict(values)
        return ConfirmStage(), []


class ConfirmStage(Stage):
    """Each live seat signs the deck's history, or complains about a part it was given."""

    kind = "confirm"

    def senders(self, table: Table) -> frozenset[int]:
        return table.live

    def check(self, table: Table, ctx: Context, body: Confirm) -> None:
        if body.complaint is not None:
            raise self._judge(table, ctx, body.complaint)

    def complete(self, table: Table, values: Mapping[int, None], after: bytes) -> Outcome:
        table.apply(DeckReady())
        stage, events = next_stage(table, after)
        return stage, [DeckConfirmed(table.the_state().deal), *events]

    def _judge(self, table: Table, ctx: Context, complaint: Complaint) -> BadEnvelopeError:
        deal, against = table.the_deal(), complaint.against
        given = deal.parts.get(against)
        if given is None or against == ctx.seat:
            return refuse(FaultKind.FALSE_COMPLAINT, "complained about a part it was not given")
        boxes = deal.keys[ctx.seat].box, deal.keys[against].box
        try:
            justified = judge_complaint(given[0], ctx, given[1], ctx.seat, *boxes, complaint.data)
        except CryptoError as exc:
            return refuse(
                FaultKind.FALSE_COMPLAINT, Worded("its complaint does not verify: {why}", why=exc)
            )
        if not justified:
            text = Worded("complained about seat {seat}'s part, which is good", seat=against)
            return refuse(FaultKind.FALSE_COMPLAINT, text)
        text = Worded("gave seat {seat} a part of its key that does not fit", seat=ctx.seat)
        return BadEnvelopeError(FaultKind.BAD_PART, text, seat=against)


def others(seat: int) -> tuple[int, int, int]:
    """The three other seats, ascending."""
    a, b, c = (s for s in range(4) if s != seat)
    return (a, b, c)


def _shuffle_from(table: Table, turn: int, after: bytes) -> Next:
    """The next live seat's shuffle from this place in the order on; after the last, the cut."""
    awaited = table.game.awaited(table.the_state())
    if not isinstance(awaited, AwaitDeck):
        raise RuntimeError("a deck is made only when one is awaited")
    for i in range(turn, len(awaited.order)):
        if awaited.order[i] in table.live:
            return ShuffleStage(i, awaited.order[i])
    if awaited.cutter in table.live:
        return CutStage(awaited.cutter)
    return _cut(table, draw.bot_cut(after))


def _cut(table: Table, at: int) -> Stage:
    """Cut the deck; what comes next, no parts where a seat's key is public already."""
    deal = table.the_deal()
    deal.deck = deal.deck[at:] + deal.deck[:at]
    return ConfirmStage() if table.bots else PartsStage()
