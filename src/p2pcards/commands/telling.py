"""Events and notices in words, and as JSON objects with stable keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from p2pcards.cards import show_cards
from p2pcards.games.base import TEAM_NAMES, Name, Pass, Sheet
from p2pcards.net import notices
from p2pcards.net.lobby import LobbyView
from p2pcards.protocol import events
from p2pcards.protocol.faults import Fault

STEP_WORDS = {
    "roster": "sign the table",
    "commit": "commit to the draw",
    "reveal": "open the draw",
    "key-commit": "commit to a deal key",
    "key": "show a deal key",
    "parts": "share out a deal key",
    "shuffle": "shuffle",
    "cut": "cut",
    "confirm": "confirm the deck",
    "shares": "deal",
    "bid": "bid",
    "redeal": "say whether a hand is weak",
    "announce": "say who holds the J♣",
    "play": "play a card",
    "result": "sign the score",
    "end": "sign the end",
    "part": "give a key part of the lost seat",
}


def bid_words(bid: Any) -> str:
    """A bid in words."""
    if isinstance(bid, Pass):
        return "passes"
    return f"names {bid.suit.symbol}" if isinstance(bid, Name) else "takes the turned suit"


def sheet_lines(sheet: Sheet) -> list[str]:
    """A score sheet as lines of text with the points of both sides."""
    width = max([44, *(len(str(line)) for line in sheet.lines if line.points is not None)])
    lines = [f"{f'Deal {sheet.deal}':<{width + 2}}{'NS':>6}{'EW':>6}"]
    for line in sheet.lines:
        points = "" if line.points is None else f"{line.points[0]:>6}{line.points[1]:>6}"
        lines.append(f"  {line!s:<{width}}{points}" if points else f"  {line}")
    lines.append(f"  {'score':<{width}}{sheet.scores[0]:>6}{sheet.scores[1]:>6}")
    return lines


def final_lines(sheets: Sequence[Sheet]) -> list[str]:
    """The final sheet of a match: every deal with what it added, the score, and the games won."""
    lines = [f"Final sheet{'NS':>7}{'EW':>7}     score"] if sheets else []
    games = 0
    for sheet in sheets:
        added = "".join(f"{points:>+7}" for points in sheet.added)
        score = f"{sheet.scores[0]}:{sheet.scores[1]}"
        games += sheet.won is not None
        won = "" if sheet.won is None else f"  {TEAM_NAMES[sheet.won]} wins game {games}"
        lines.append(f"  deal {sheet.deal:<4}{added}{score:>10}{won}")
    return lines


class Teller:
    """Puts what a session reports into words, with the players' names once they are seated."""

    def __init__(self) -> None:
        self.names: list[str] = ["", "", "", ""]
        self._deal = 0
        self._tricks = 0
        self._bots: dict[int, str] = {}

    def seat(self, players: Sequence[str]) -> None:
        """The players' names by seat."""
        self.names = list(players)

    def who(self, seat: int) -> str:
        """A seat with its player's name."""
        return f"{self.names[seat]} (seat {seat})" if self.names[seat] else f"seat {seat}"

    def words(self, event: object) -> list[str]:
        """Lines for a person; none for what only machines care about."""
        self._note(event)
        match event:
            case LobbyView():
                here = ", ".join(g.name for g in event.guests)
                terms = event.terms
                return [f"table {terms.name} ({terms.game}): {len(event.guests)} of 4: {here}"]
            case events.DealBegun(deal, dealer):
                return [f"deal {deal}: {self.who(dealer)} deals; the deck is shuffled by all"]
            case events.PacketDealt(turned) if turned is not None:
                return [f"turned up: {turned}"]
            case events.BidMade(bid, by_bot):
                return [f"{self.who(bid.seat)}{_bot(by_bot)} {bid_words(bid)}"]
            case events.HandShown(seat, cards):
                return [f"{self.who(seat)} shows a weak hand: {show_cards(cards)}"]
            case events.HolderKnown(holder, card, trump):
                suit = f"; trump is {trump.symbol}" if trump is not None else ""
                return [f"{self.who(holder)} holds {card}{suit}"]
            case events.CardPlayed(seat, card, proved, by_bot):
                proof = f"  ({proved} proofs)" if proved else ""
                return [f"{self.who(seat)}{_bot(by_bot)} plays {card}{proof}"]
            case events.TrickTaken(seat, cards, points):
                return [f"{self.who(seat)} takes {show_cards(cards)} ({points})"]
            case events.DealScored(sheet):
                return sheet_lines(sheet) + self._bot_lines()
            case events.MatchEnded(winner, sheets, games):
                name = "nobody" if winner is None else TEAM_NAMES[winner]
                text = f"the match is over: {name} wins, {games[0]}:{games[1]} in games"
                return [*final_lines(sheets), *self._bot_lines(), text]
        return self._table_words(event)

    def _note(self, event: object) -> None:
        """Keep what a later line needs: where the match stands, and since when a bot plays."""
        match event:
            case events.DealBegun(deal, _):
                self._deal, self._tricks = deal, 0
            case events.TrickTaken():
                self._tricks += 1
            case events.SeatLost(seat, redeal):
                where = f"deal {self._deal}, trick {1 if redeal else self._tricks + 1}"
                self._bots[seat] = f"from {where} on"
            case events.SeatBack(seat) if seat in self._bots:
                self._bots[seat] += f" to deal {self._deal}"

    def _bot_lines(self) -> list[str]:
        bots = sorted(self._bots.items())
        return [f"  {self.who(seat)}: the public bot played {when}" for seat, when in bots]

    def _table_words(self, event: object) -> list[str]:
        match event:
            case events.StopWished(seats):
                return [f"asking that the match end: {', '.join(map(self.who, seats))}"]
            case events.VoteCast(voter, seat):
                return [f"{self.who(voter)} votes to let the bot play for {self.who(seat)}"]
            case events.SeatLost(seat, redeal):
                again = "; this deal is made anew" if redeal else ""
                return [f"{self.who(seat)} is lost: the public bot plays on{again}"]
            case events.SeatBack(seat):
                return [f"{self.who(seat)} is back"]
            case events.Diverged(seat, step):
                return [f"{self.who(seat)} has another history before step {step}; comparing"]
            case Fault():
                return [str(event).replace(f"seat {event.seat}", self.who(event.seat), 1)]
            case notices.Waiting(seats, kind, _, elapsed, left):
                whom = ", ".join(self.who(seat) for seat in seats)
                what = STEP_WORDS.get(kind, kind)
                return [f"waiting for {whom} to {what} ({elapsed:.0f} s, {left:.0f} s left)"]
            case notices.Linked(seat, up, reason):
                state = "is connected" if up else f"lost connection: {reason}"
                return [f"{self.who(seat)} {state}"]
            case notices.Parted(seat, reason):
                return [f"{self.who(seat)} leaves: {reason}"]
            case notices.ChatLine(seat, text):
                return [f"<{self.who(seat)}> {text}"]
            case notices.LobbyLine(name, text):
                return [f"<{name}> {text}"]
            case notices.Watched(seat, name, up):
                verb = "watches" if up else "no longer watches"
                return [f"{name} {verb}, linked to {self.who(seat)}"]
            case notices.Trouble(text):
                return [text]
        return []


def _bot(by_bot: bool) -> str:
    return " [bot]" if by_bot else ""


def as_json(event: object) -> dict[str, Any] | None:
    """The JSON object of an event; None for those a program has no use for."""
    match event:
        case LobbyView():
            players = [g.name for g in event.guests]
            return {"event": "lobby", "table": event.terms.name, "players": players}
        case events.SeatsDrawn(players, dealer):
            return {"event": "seats", "players": list(players), "dealer": dealer}
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
            deals = [{"deal": s.deal, "added": s.added, "scores": s.scores, "won": s.won}
                     for s in sheets]  # fmt: skip
            return {"event": "match", "winner": winner, "games": games, "deals": deals}
        case events.DealScored(sheet):
            lines = [{"text": str(line), "points": line.points} for line in sheet.lines]
            scores = {"added": sheet.added, "scores": sheet.scores}
            return {"event": "score", "deal": sheet.deal, **scores, "lines": lines}
    return _table_json(event)


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
            return {"event": "lobby-chat", "player": name, "text": text}
        case notices.Watched(seat, name, up):
            return {"event": "watched", "seat": seat, "name": name, "up": up}
        case notices.Trouble(text):
            return {"event": "trouble", "text": text}
    return None
