"""Playing: every card opened with a proof, every play shown to be legal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from p2pcards.cards import Card
from p2pcards.crypto.errors import CryptoError
from p2pcards.crypto.inequality import Absence, verify_absent
from p2pcards.crypto.transcript import Context
from p2pcards.games.base import IllegalActionError, Play, Rule
from p2pcards.protocol.events import CardPlayed, Event
from p2pcards.protocol.faults import FaultKind
from p2pcards.protocol.flow import advance, next_stage
from p2pcards.protocol.messages import PlayBody
from p2pcards.protocol.slots import open_slots
from p2pcards.protocol.stage import Outcome, Stage, refuse
from p2pcards.protocol.table import Table
from p2pcards.worded import Worded


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
