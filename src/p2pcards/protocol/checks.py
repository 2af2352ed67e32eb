"""What one envelope may say in its step; each check raises BadEnvelopeError.

Nothing is changed by a check, and none of them looks at the envelope's own signature.
"""

from __future__ import annotations

from p2pcards.protocol.envelope import Envelope, Payload, body_of, unseal
from p2pcards.protocol.faults import FaultKind
from p2pcards.protocol.messages import Body, Object, Vote, WireError
from p2pcards.protocol.stage import Done, Next, refuse
from p2pcards.protocol.step import ABOUT_SEATS, Step
from p2pcards.protocol.table import Table
from p2pcards.worded import Worded, text_of


def check_body(envelope: Envelope) -> Body:
    """The decoded body; a bad one is its signer's fault, who could have known."""
    try:
        return body_of(envelope.payload)
    except WireError as exc:
        raise refuse(FaultKind.MALFORMED, text_of(exc)) from None


def check_turn(step: Step, payload: Payload) -> None:
    """Raise unless the sender owes an answer in this step, or speaks about another seat."""
    if payload.kind not in ABOUT_SEATS and payload.sender not in step.due:
        raise refuse(FaultKind.OUT_OF_TURN, Worded("sent {kind!r} out of turn", kind=payload.kind))


def check_answer(table: Table, stage: Next, envelope: Envelope, body: Body) -> object:
    """What an answer says, verified against the table as it stood."""
    payload = envelope.payload
    if isinstance(stage, Done) or payload.kind != stage.kind:
        due = "nothing" if isinstance(stage, Done) else stage.kind
        text = Worded("sent {kind!r} where {due!r} is due", kind=payload.kind, due=due)
        raise refuse(FaultKind.WRONG_KIND, text)
    return stage.check(table, table.context(payload.step, payload.sender, payload.prev), body)


def check_vote(step: Step, voter: int, vote: Vote) -> None:
    """Raise unless this seat may vote so in this step."""
    if not step.votable:
        raise refuse(FaultKind.BAD_VOTE, "voted where no vote is possible")
    if vote.seat == voter:
        raise refuse(FaultKind.BAD_VOTE, "voted about itself")
    if vote.seat not in step.due:
        raise refuse(
            FaultKind.BAD_VOTE,
            Worded("voted about seat {seat}, which owes nothing", seat=vote.seat),
        )


def check_objection(step: Step, payload: Payload, body: Object) -> Envelope:
    """The envelope that an objection shows; it must be one of that seat's for this step and
    history.
    """
    if body.seat == payload.sender:
        raise refuse(FaultKind.BAD_VOTE, "objected about itself")
    try:
        held = unseal(body.envelope)
    except WireError as exc:
        raise refuse(
            FaultKind.BAD_VOTE, Worded("objected with no envelope: {why}", why=exc)
        ) from None
    shown = held.payload
    fits = (shown.session, shown.step, shown.sender, shown.prev) == (
        payload.session,
        step.number,
        body.seat,
        step.prev,
    )
    if not fits or shown.kind in ABOUT_SEATS:
        raise refuse(FaultKind.BAD_VOTE, "objected with an envelope that does not fit")
    return held
