"""What a session reports as JSON objects with stable keys, for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from p2pcards.games.base import TEAM_NAMES, Name
from p2pcards.net import notices
from p2pcards.net.lobby import LobbyView
from p2pcards.protocol import events
from p2pcards.protocol.faults import Fault


def as_json(event: object) -> dict[str, Any] | None:
    """The JSON object of an event; None for those a program has no use for."""
    match event:
        case LobbyView():
            players = [g.name for g in event.guests]
            ready = [g.ready for g in event.guests]
            terms = {"table": event.terms.name, "game": event.terms.game}
            return {"event": "lobby", **terms, "players": players, "ready": ready}
        case events.SeatsDrawn(players, dealer):
            return {"event": "seats", "places": list(players), "dealer": dealer}
        case events.DealBegun(deal, dealer):
            return {"event": "deal", "deal": deal, "dealer": dealer}
        case events.PacketDealt(turned):
            return {"event": "dealt", "turned": turned.ascii if turned else None}
        case events.BidMade(bid, by_bot):
            suit = bid.suit.letter if isinstance(bid, Name) else None
            name = type(bid).__name__.lower()
            return {"event": "bid", "seat": bid.seat, "bid": name, "suit": suit, "bot": by_bot}
        case events.HolderKnown(holder, card, trump):
            suit = None if trump is None else trump.letter
            return {"event": "announce", "seat": holder, "card": card.ascii, "trump": suit}
        case events.HandShown(seat, cards):
            return {"event": "shown", "seat": seat, "cards": [c.ascii for c in cards]}
        case events.CardPlayed(seat, card, proved, by_bot):
            values = {"seat": seat, "card": card.ascii, "proved": proved, "bot": by_bot}
            return {"event": "play", **values}
        case events.TrickTaken(seat, cards, points):
            return {"event": "trick", "seat": seat, "points": points}
        case events.MatchEnded(winner, sheets, games):
            deals = [{"deal": s.deal, "added": s.added, "scores": s.scores,
                      "won": None if s.won is None else TEAM_NAMES[s.won]}
                     for s in sheets]  # fmt: skip
            won = None if winner is None else TEAM_NAMES[winner]
            return {"event": "match", "winner": won, "games": games, "deals": deals}
        case events.DealScored(sheet):
            lines = [{"text": str(line), "points": line.points} for line in sheet.lines]
            scores = {"added": sheet.added, "scores": sheet.scores}
            return {"event": "score", "deal": sheet.deal, **scores, "lines": lines}
    return _table_json(event)


def with_names(row: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The object, with the players' names by seat where it tells who sits where."""
    return {**row, "names": list(names)} if row["event"] == "seats" else row


def _table_json(event: object) -> dict[str, Any] | None:
    match event:
        case events.StopWished(seats):
            return {"event": "stop-wished", "seats": list(seats)}
        case events.VoteCast(voter, seat):
            return {"event": "vote", "seat": seat, "voter": voter}
        case events.SeatLost(seat, redeal):
            return {"event": "lost", "seat": seat, "redeal": redeal}
        case events.SeatBack(seat):
            return {"event": "back", "seat": seat}
        case Fault(seat, kind, step, text, _):
            return {"event": "fault", "seat": seat, "kind": kind.value, "step": step, "text": text}
        case notices.Waiting(seats, kind, _, elapsed, left):
            times = {"elapsed": round(elapsed, 1), "left": round(left, 1)}
            return {"event": "waiting", "seats": list(seats), "kind": kind, **times}
        case notices.Linked(seat, up, reason):
            return {"event": "link", "seat": seat, "up": up, "reason": reason}
        case notices.ChatLine(seat, text):
            return {"event": "chat", "seat": seat, "text": text}
        case notices.LobbyLine(name, text):
            return {"event": "lobby-chat", "name": name, "text": text}
        case notices.Watched(seat, name, up):
            return {"event": "watched", "seat": seat, "name": name, "up": up}
        case notices.Trouble(text):
            return {"event": "trouble", "text": text}
    return None
