"""From what the game awaits to the next step, with the public bot acting for lost seats."""

from __future__ import annotations

from p2pcards.crypto.keys import DealSecret, public_secret
from p2pcards.games.awaited import (
    AwaitAnnounce,
    AwaitBid,
    AwaitDeck,
    Awaited,
    AwaitPacket,
    AwaitPlay,
    AwaitRedeal,
    AwaitSigned,
    MatchOver,
)
from p2pcards.games.base import Action, Phase, Play, View
from p2pcards.protocol.events import (
    BidMade,
    CardPlayed,
    DealBegun,
    DealScored,
    Event,
    MatchEnded,
    TrickTaken,
)
from p2pcards.protocol.stage import Next, Outcome
from p2pcards.protocol.table import Table


def next_stage(table: Table, after: bytes) -> Outcome:
    """The next step once the game has moved on; ``after`` is the transcript hash so far."""
    events: list[Event] = []
    while True:
        awaited = table.game.awaited(table.the_state())
        if isinstance(awaited, AwaitBid | AwaitPlay) and awaited.seat in table.bots:
            events += _bot_acts(table, awaited.seat)
            continue
        if isinstance(awaited, AwaitDeck):
            events += begin_deal(table, after)
        if isinstance(awaited, MatchOver):
            state = table.the_state()
            events.append(MatchEnded(awaited.winner, state.sheets, state.games_won))
        return _stage_for(awaited, table), events


def begin_deal(table: Table, after: bytes) -> list[Event]:
    """Start a deal, and report it; lost seats get secrets that everybody can derive."""

    def secret(seat: int) -> DealSecret:
        number = table.deals_begun
        return public_secret(table.session, number.to_bytes(4, "big"), bytes([seat]), after)

    table.begin_deal(secret)
    return [DealBegun(table.the_state().deal, table.the_state().dealer)]


def advance(table: Table, action: Action) -> list[Event]:
    """Apply a checked bid or play and say what it brought about."""
    before = table.the_state()
    state = table.apply(action)
    events: list[Event] = []
    if len(state.tricks) > len(before.tricks):
        trick = state.tricks[-1]
        trump = state.trump
        if trick.winner is None or trump is None:
            raise RuntimeError("a complete trick has a winner and a trump suit")
        points = sum(table.game.points(card, trump) for card in trick.cards)
        events.append(TrickTaken(trick.winner, trick.cards, points))
    if state.phase is Phase.SCORED:
        events.append(DealScored(state.sheets[-1]))
    return events


def _bot_acts(table: Table, seat: int) -> list[Event]:
    deal = table.the_deal()
    state = table.the_state()
    hand = deal.hand(seat, deal.secrets[seat])
    action = table.game.public_bot(View(state, seat, frozenset(hand)))
    if not isinstance(action, Play):
        return [BidMade(action, by_bot=True), *advance(table, action)]
    pos = hand[action.card]
    deal.face_up[pos] = action.card
    deal.gone.add(pos)
    events = advance(table, action)
    return [CardPlayed(seat, action.card, 0, by_bot=True), *events]


def _stage_for(awaited: Awaited, table: Table) -> Next:
    from p2pcards.protocol import bidding, closing, dealing, making, playing

    match awaited:
        case AwaitDeck():
            return making.KeyCommitStage()
        case AwaitPacket():
            return dealing.SharesStage(awaited)
        case AwaitBid():
            return bidding.BidStage(awaited)
        case AwaitRedeal():
            return dealing.RedealStage()
        case AwaitAnnounce():
            return dealing.AnnounceStage(awaited.card)
        case AwaitPlay():
            return playing.PlayStage(awaited.seat)
        case AwaitSigned():
            return closing.ResultStage(table.bots)
        case MatchOver():
            return closing.EndStage()
