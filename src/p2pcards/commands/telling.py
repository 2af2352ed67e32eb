"""What a headless peer prints for people: the interface's own sentences, and a little more."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.commands.heard import heard
from p2pcards.games.base import Sheet
from p2pcards.net.lobby import LobbyView
from p2pcards.protocol import events
from p2pcards.ui import narration
from p2pcards.ui.canvas import pad, width_of
from p2pcards.ui.i18n import _, n_
from p2pcards.ui.words import Speaker


class Numbered(Speaker):
    """Names every player with the seat, which is what logs and records go by."""

    def who(self, seat: int) -> str:
        """A seat with its player's name."""
        name = super().who(seat)
        return _("{name} (seat {n})", name=name, n=seat) if self.names[seat] else name


def final_lines(speaker: Speaker, sheets: Sequence[Sheet]) -> list[str]:
    """The final sheet of a match: every deal with what it added, the score, and the games won."""
    rows: list[tuple[str, str]] = []
    games = 0
    for sheet in sheets:
        added = "".join(f"{points:>+7}" for points in sheet.added)
        score = f"{f'{sheet.scores[0]}:{sheet.scores[1]}':>10}"
        games += sheet.won is not None
        if sheet.won is not None:
            score += "  " + _("{team} wins game {n}", team=speaker.pair(sheet.won), n=games)
        rows.append((f"  {_('deal {n}', n=sheet.deal)}", f"{added}{score}"))
    head = _("Final sheet")
    width = max([width_of(head), *(width_of(deal) for deal, _rest in rows)])
    heads = [f"{head}: {speaker.pair(0)} : {speaker.pair(1)}"] if rows else []
    return [*heads, *(pad(deal, width) + rest for deal, rest in rows)]


class Teller:
    """Puts what a session reports into words, with the players' names once they are seated."""

    def __init__(self) -> None:
        self.speaker: Speaker = Numbered()
        self._deal = 0
        self._tricks = 0
        self._bots: dict[int, tuple[int, int, int | None]] = {}

    def seat(self, players: Sequence[str]) -> None:
        """The players' names by seat."""
        self.speaker = self.speaker.seated(tuple(players), None)

    def words(self, event: object) -> list[str]:
        """Lines for a person; none for what only machines care about."""
        self._note(event)
        lines = narration.lines(self.speaker, heard(event))
        match event:
            case LobbyView():
                here = ", ".join(g.name for g in event.guests)
                terms = event.terms
                return [_("table {table} ({game}): {n} of 4: {names}", table=terms.name,
                          game=terms.game, n=len(event.guests), names=here)]  # fmt: skip
            case events.HolderKnown(trump=trump) if trump is not None:
                return [f"{lines[0]}; " + _("trump is {suit}", suit=self.speaker.suit(trump))]
            case events.CardPlayed(proved=proved) if proved:
                return [f"{lines[0]}  ({n_('{n} proof', '{n} proofs', proved)})"]
            case events.DealScored():
                return lines + self._bot_lines()
            case events.MatchEnded(_, sheets, games):
                won = f"{lines[0]} ({games[0]}:{games[1]})"
                return [*final_lines(self.speaker, sheets), *self._bot_lines(), won]
        return lines

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
                     who=self.speaker.who(seat), deal=deal, trick=trick)  # fmt: skip
            if until is not None:
                text = _("{who}: the public bot played from deal {deal}, trick {trick} on to deal "
                         "{until}", who=self.speaker.who(seat), deal=deal, trick=trick,
                         until=until)  # fmt: skip
            lines.append(f"  {text}")
        return lines
