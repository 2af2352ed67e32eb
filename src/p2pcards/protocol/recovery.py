"""Votes about a seat that stays silent, and what three of them bring about.

A vote says "I have no envelope of this seat for this step"; an objection says "I have one, here
it is". Both fill the same place in the transcript, so a seat that signs both has equivocated,
and three votes prove that nobody can hold the missing envelope.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from p2pcards.crypto.errors import CryptoError, ProofError
from p2pcards.crypto.parts import rebuild_secret, verify_part
from p2pcards.crypto.transcript import Context
from p2pcards.protocol.events import Event, SeatLost
from p2pcards.protocol.faults import FaultKind
from p2pcards.protocol.flow import begin_deal
from p2pcards.protocol.making import KeyCommitStage
from p2pcards.protocol.messages import Vote
from p2pcards.protocol.stage import Stage, refuse
from p2pcards.protocol.table import Table


@dataclass(slots=True)
class Ballot:
    """The votes of one step about one seat: the voter's part and envelope."""

    parts: dict[int, bytes] = field(default_factory=dict)
    wires: dict[int, bytes] = field(default_factory=dict)


def deck_in_use(table: Table) -> bool:
    """Whether cards of the present deck may have been dealt, so that its keys are needed."""
    return table.deal is not None and table.the_state().phase.value != "deck"


def check_vote(table: Table, stage: Stage, ctx: Context, vote: Vote) -> None:
    """Raise BadEnvelopeError unless this seat may vote so now."""
    if not stage.votable or table.bots:
        raise refuse(FaultKind.BAD_VOTE, "voted where no vote is possible")
    if vote.seat == ctx.seat:
        raise refuse(FaultKind.BAD_VOTE, "voted about itself")
    if vote.seat not in stage.senders(table):
        raise refuse(FaultKind.BAD_VOTE, f"voted about seat {vote.seat}, which owes nothing")
    if not deck_in_use(table):
        if vote.part:
            raise refuse(FaultKind.BAD_VOTE, "gave away a key part that is not needed")
        return
    try:
        verify_part(table.the_deal().parts[vote.seat][1], ctx.seat, vote.part)
    except CryptoError as exc:
        raise refuse(FaultKind.BAD_VOTE, f"gave a wrong part of the key: {exc}") from None


def carry_out(table: Table, seat: int, ballot: Ballot, after: bytes) -> tuple[bool, list[Event]]:
    """Give a seat to the public bot; whether the deck must be made anew, and the events."""
    table.bots |= {seat}
    if deck_in_use(table):
        deal = table.the_deal()
        scalars = {voter: int.from_bytes(part, "big") for voter, part in ballot.parts.items()}
        try:
            deal.secrets[seat] = rebuild_secret(
                deal.keys[seat].public, scalars, deal.parts[seat][1]
            )
        except ProofError as exc:
            raise RuntimeError("parts that verified one by one do not add up") from exc
        return False, [SeatLost(seat, redeal=False)]
    if table.deal is None:
        return False, [SeatLost(seat, redeal=False)]
    return True, [SeatLost(seat, redeal=True), *begin_deal(table, after)]


def restart() -> Stage:
    """The step after a seat was lost while the deck was being made."""
    return KeyCommitStage()
