"""How a seat makes the body of each kind of envelope from its secrets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from p2pcards.cards import Card
from p2pcards.crypto.errors import ProofError
from p2pcards.crypto.group import Point
from p2pcards.crypto.inequality import prove_absent
from p2pcards.crypto.keys import claim_key, commit_key
from p2pcards.crypto.parts import complain, encode_part, open_part, split_key
from p2pcards.crypto.shares import prove_shares
from p2pcards.crypto.shuffle import shuffle
from p2pcards.crypto.transcript import Context
from p2pcards.games.base import Action, IllegalActionError, Name, Pass, Play, Rule, Take
from p2pcards.protocol import bidding, closing, dealing, draw, making, opening, playing, recovery
from p2pcards.protocol.messages import (
    Announce,
    BidBody,
    Body,
    Commit,
    Complaint,
    Confirm,
    Cut,
    End,
    Key,
    KeyCommit,
    Part,
    Parts,
    PlayBody,
    RedealBody,
    Result,
    Reveal,
    Shares,
    Shuffle,
)
from p2pcards.protocol.stage import Stage

if TYPE_CHECKING:
    from p2pcards.protocol.player import Player


def answer(me: Player, stage: Stage, choice: Action | None) -> Body:
    """The body this seat owes in a stage; ``choice`` where it may choose."""
    table = me.observer.table
    match stage:
        case opening.RosterStage():
            return table.roster
        case opening.CommitStage():
            return Commit(draw.commitment(table.session, me.place, _number(me)))
        case opening.RevealStage():
            return Reveal(_number(me))
        case bidding.BidStage():
            return _bid(stage, choice)
        case playing.PlayStage():
            return _play(me, choice)
        case dealing.RedealStage():
            return _redeal(me, choice)
        case closing.ResultStage():
            back = tuple(sorted(me.back & stage.lost))
            return Result(table.the_state().scores, me.stop, back)
        case closing.EndStage():
            return End()
    return _automatic(me, stage)


def _automatic(me: Player, stage: Stage) -> Body:
    table, ctx = me.observer.table, context(me)
    match stage:
        case making.KeyCommitStage():
            return KeyCommit(commit_key(ctx, _claim(me, ctx)))
        case making.KeyStage():
            return Key(_claim(me, table.the_deal().commitments[me.seat][0]))
        case making.PartsStage():
            boxes = {s: table.the_deal().keys[s].box for s in making.others(me.seat)}
            return Parts(split_key(ctx, me.secret, boxes, _entropy(me, ctx)))
        case making.ShuffleStage():
            deal = table.the_deal()
            return Shuffle(shuffle(ctx, deal.joint_point(), deal.deck, _entropy(me, ctx)))
        case making.CutStage():
            return Cut(draw.below(_entropy(me, ctx), b"cut", 31) + 1)
        case making.ConfirmStage():
            return _confirm(me, ctx)
        case dealing.SharesStage():
            bases = table.the_deal().bases(stage.packet, me.seat)
            return Shares(_shares(me, ctx, bases))
        case recovery.RecoverStage():
            return Part(part_of(me, stage.seat))
        case dealing.AnnounceStage():
            return _announce(me, ctx, stage.card)
    raise RuntimeError(f"no answer is known for {stage.kind!r}")


def context(me: Player) -> Context:
    """The context of this seat's proofs in the present step."""
    step = me.observer.step
    return me.observer.table.context(step.number, me.seat, step.prev)


def part_of(me: Player, seat: int) -> bytes:
    """This seat's part of another seat's deal key, opened and checked; raises ProofError."""
    deal = me.observer.table.the_deal()
    ctx, parts = deal.parts[seat]
    return encode_part(open_part(ctx, parts, me.seat, me.secret, deal.keys[seat].box))


def _entropy(me: Player, ctx: Context) -> bytes:
    return me.entropy(b"step", ctx.step.to_bytes(4, "big"), ctx.prev)


def _number(me: Player) -> bytes:
    return me.entropy(b"draw")[:32]


def _claim(me: Player, ctx: Context) -> bytes:
    return claim_key(ctx, me.secret, _entropy(me, ctx))


def _confirm(me: Player, ctx: Context) -> Confirm:
    deal = me.observer.table.the_deal()
    for seat in sorted(deal.parts):
        if seat == me.seat:
            continue
        try:
            part_of(me, seat)
        except ProofError:
            box = deal.keys[seat].box
            data = complain(ctx, me.secret, box, _entropy(me, ctx))
            return Confirm(Complaint(seat, data))
    return Confirm(None)


def _shares(me: Player, ctx: Context, bases: Sequence[Point]) -> bytes:
    public = me.observer.table.the_deal().keys[me.seat].public
    return prove_shares(ctx, me.secret.x, public, bases, _entropy(me, ctx))


def _open(me: Player, ctx: Context, slots: Sequence[int]) -> bytes:
    masked = me.observer.table.the_deal().masked
    return _shares(me, ctx, tuple(masked[pos].a for pos in slots))


def _announce(me: Player, ctx: Context, card: Card) -> Announce:
    deal = me.observer.table.the_deal()
    pos = me.positions().get(card)
    if pos is not None:
        return Announce(pos, _open(me, ctx, (pos,)))
    claims = deal.claims(deal.hidden(me.seat), [card])
    public = deal.keys[me.seat].public
    return Announce(None, prove_absent(ctx, me.secret.x, public, claims, _entropy(me, ctx)))


def _bid(stage: bidding.BidStage, choice: Action | None) -> BidBody:
    if not isinstance(choice, Pass | Take | Name) or choice not in stage.choices:
        raise IllegalActionError(Rule.NOT_A_CHOICE, f"choose one of the {len(stage.choices)} bids")
    return BidBody(bidding.write_bid(choice))


def _redeal(me: Player, choice: Action | None) -> RedealBody:
    if choice is None:
        return RedealBody(None)
    if not me.observer.table.game.is_weak(frozenset(me.positions())):
        raise IllegalActionError(Rule.NOT_WEAK, "your hand gives no right to a new deal")
    slots = me.observer.table.the_deal().hidden(me.seat)
    return RedealBody(_open(me, context(me), slots))


def _play(me: Player, choice: Action | None) -> PlayBody:
    table, ctx = me.observer.table, context(me)
    if not isinstance(choice, Play):
        raise IllegalActionError(Rule.NOT_A_CHOICE, "choose a card to play")
    positions, card = me.positions(), choice.card
    refusal = table.game.why_illegal(table.the_state(), frozenset(positions), card)
    if refusal is not None:
        raise refusal
    deal, pos = table.the_deal(), positions[card]
    opening = b"" if pos in deal.face_up else _open(me, ctx, (pos,))
    slots = [p for p in deal.hidden(me.seat) if p != pos]
    claims = deal.claims(slots, table.game.to_prove(table.the_state(), card))
    proof = b""
    if claims:
        public = deal.keys[me.seat].public
        proof = prove_absent(ctx, me.secret.x, public, claims, _entropy(me, ctx))
    return PlayBody(pos, opening, proof, choice.call)
