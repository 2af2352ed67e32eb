"""Events and notices in words, and as JSON objects with stable keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from p2pcards.cards import show_cards
from p2pcards.games.base import TEAM_NAMES, Bid, Name, Pass, Sheet
from p2pcards.net import notices
from p2pcards.net.lobby import LobbyView
from p2pcards.protocol import events
from p2pcards.protocol.faults import Fault
from p2pcards.ui.i18n import N_, _, n_
from p2pcards.ui.words import STEPS, Speaker

STEP_WORDS = {**STEPS, "part": N_("give a key part of the lost seat")}


def sheet_lines(sheet: Sheet) -> list[str]:
    """A score sheet as lines of text with the points of both sides."""
    said = [(Speaker().sheet_line(line), line.points) for line in sheet.lines]
    width = max([44, *(len(text) for text, points in said if points is not None)])
    lines = [f"{_('Deal {n}', n=sheet.deal):<{width + 2}}{'NS':>6}{'EW':>6}"]
    for text, points in said:
        both = "" if points is None else f"{points[0]:>6}{points[1]:>6}"
        lines.append(f"  {text:<{width}}{both}" if both else f"  {text}")
    lines.append(f"  {_('score'):<{width}}{sheet.scores[0]:>6}{sheet.scores[1]:>6}")
    return lines


def final_lines(sheets: Sequence[Sheet]) -> list[str]:
    """The final sheet of a match: every deal with what it added, the score, and the games won."""
    rows: list[tuple[str, str]] = []
    games = 0
    for sheet in sheets:
        added = "".join(f"{points:>+7}" for points in sheet.added)
        score = f"{f'{sheet.scores[0]}:{sheet.scores[1]}':>10}"
        games += sheet.won is not None
        if sheet.won is not None:
            score += "  " + _("{team} wins game {n}", team=TEAM_NAMES[sheet.won], n=games)
        rows.append((f"  {_('deal {n}', n=sheet.deal)}", f"{added}{score}"))
    head = _("Final sheet")
    width = max([len(head), *(len(deal) for deal, _rest in rows)])
    heads = [f"{head:<{width}}{'NS':>7}{'EW':>7}     {_('score')}"] if rows else []
    return [*heads, *(f"{deal:<{width}}{rest}" for deal, rest in rows)]


class Teller:
    """Puts what a session reports into words, with the players' names once they are seated."""

    def __init__(self) -> None:
        self.names: list[str] = ["", "", "", ""]
        self._deal = 0
        self._tricks = 0
        self._bots: dict[int, tuple[int, int, int | None]] = {}

    def seat(self, players: Sequence[str]) -> None:
        """The players' names by seat."""
        self.names = list(players)

    def who(self, seat: int) -> str:
        """A seat with its player's name."""
        name = self.names[seat]
        return _("{name} (seat {n})", name=name, n=seat) if name else _("seat {n}", n=seat)

    def _player(self, seat: int, by_bot: bool) -> str:
        return f"{self.who(seat)} {_('[bot]')}" if by_bot else self.who(seat)

    def _bid(self, bid: Bid, by_bot: bool) -> str:
        name = self._player(bid.seat, by_bot)
        match bid:
            case Pass():
                return _("{name} passes", name=name)
            case Name():
                return _("{name} names {suit} as trump", name=name, suit=bid.suit.symbol)
        return _("{name} takes the turned suit", name=name)

    def words(self, event: object) -> list[str]:
        """Lines for a person; none for what only machines care about."""
        self._note(event)
        match event:
            case LobbyView():
                here = ", ".join(g.name for g in event.guests)
                terms = event.terms
                return [_("table {table} ({game}): {n} of 4: {names}", table=terms.name,
                          game=terms.game, n=len(event.guests), names=here)]  # fmt: skip
            case events.DealBegun(deal, dealer):
                return [_("deal {n}: {name} deals; all four shuffle", n=deal,
                          name=self.who(dealer))]  # fmt: skip
            case events.PacketDealt(turned) if turned is not None:
                return [_("turned up: {card}", card=turned)]
            case events.BidMade(bid, by_bot):
                return [self._bid(bid, by_bot)]
            case events.HandShown(seat, cards):
                return [_("{name} shows a weak hand: {cards}", name=self.who(seat),
                          cards=show_cards(cards))]  # fmt: skip
            case events.HolderKnown(holder, card, trump):
                held = _("{name} holds {card}", name=self.who(holder), card=card)
                if trump is not None:
                    held += "; " + _("trump is {suit}", suit=trump.symbol)
                return [held]
            case events.CardPlayed(seat, card, proved, by_bot):
                played = _("{name} plays {card}", name=self._player(seat, by_bot), card=card)
                proofs = n_("{n} proof", "{n} proofs", proved)
                return [f"{played}  ({proofs})" if proved else played]
            case events.TrickTaken(seat, cards, points):
                return [_("{name} takes {cards} ({points})", name=self.who(seat),
                          cards=show_cards(cards), points=points)]  # fmt: skip
            case events.DealScored(sheet):
                return sheet_lines(sheet) + self._bot_lines()
            case events.MatchEnded(winner, sheets, games):
                text = _("the match is over, with no winner")
                if winner is not None:
                    text = _("the match is over: {team} wins, {a}:{b} in games",
                             team=TEAM_NAMES[winner], a=games[0], b=games[1])  # fmt: skip
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
                trick = 1 if redeal else self._tricks + 1
                self._bots[seat] = (self._deal, trick, None)
            case events.SeatBack(seat) if seat in self._bots:
                self._bots[seat] = (*self._bots[seat][:2], self._deal)

    def _bot_lines(self) -> list[str]:
        lines = []
        for seat, (deal, trick, until) in sorted(self._bots.items()):
            text = _("{who}: the public bot played from deal {deal}, trick {trick} on",
                     who=self.who(seat), deal=deal, trick=trick)  # fmt: skip
            if until is not None:
                text = _("{who}: the public bot played from deal {deal}, trick {trick} on to deal "
                         "{until}", who=self.who(seat), deal=deal, trick=trick,
                         until=until)  # fmt: skip
            lines.append(f"  {text}")
        return lines

    def _table_words(self, event: object) -> list[str]:
        match event:
            case events.StopWished(seats):
                names = ", ".join(map(self.who, seats))
                return [_("asking that the match end: {names}", names=names)]
            case events.VoteCast(voter, seat):
                return [_("{voter} votes to let the bot play for {name}", voter=self.who(voter),
                          name=self.who(seat))]  # fmt: skip
            case events.SeatLost(seat, redeal):
                again = "; " + _("this deal is made anew") if redeal else ""
                return [_("{name} is lost: the public bot plays on", name=self.who(seat)) + again]
            case events.SeatBack(seat):
                return [_("{name} is back from the next deal on", name=self.who(seat))]
            case events.Diverged(seat, step):
                return [_("{name} was told another history before step {step}; comparing",
                          name=self.who(seat), step=step)]  # fmt: skip
            case Fault(seat, kind, step, text):
                return [_("{name} broke the protocol at step {step} ({kind}): {text}",
                          name=self.who(seat), step=step, kind=kind.value, text=text)]  # fmt: skip
            case notices.Waiting(seats, kind, _, elapsed, left):
                whom = ", ".join(self.who(seat) for seat in seats)
                return [_("waiting for {names} to {what} ({elapsed} s; {left} s left)", names=whom,
                          what=_(STEP_WORDS.get(kind, kind)), elapsed=int(elapsed),
                          left=max(0, int(left)))]  # fmt: skip
            case notices.Linked(seat, up, reason):
                if up:
                    return [_("{name} is connected", name=self.who(seat))]
                return [_("{name} lost connection: {reason}", name=self.who(seat),
                          reason=_(reason))]  # fmt: skip
            case notices.Parted(seat, reason):
                return [_("{name} leaves: {reason}", name=self.who(seat), reason=_(reason))]
            case notices.ChatLine(seat, text):
                return [f"<{self.who(seat)}> {text}"]
            case notices.LobbyLine(name, text):
                return [f"<{name}> {text}"]
            case notices.Watched(seat, name, up):
                if up:
                    return [_("{name} watches, linked to {who}", name=name, who=self.who(seat))]
                return [_("{name} no longer watches, linked to {who}", name=name,
                          who=self.who(seat))]  # fmt: skip
            case notices.Trouble(text):
                return [_(text)]
        return []


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
