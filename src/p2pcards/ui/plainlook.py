"""What a player may look at line by line: hand, tricks, scores, seats, checks, log, rules."""

from __future__ import annotations

from collections.abc import Callable

from p2pcards.cards import Card
from p2pcards.games.base import Phase, Trick, following
from p2pcards.games.registry import GAMES
from p2pcards.games.rulestext import rules_text
from p2pcards.ui.cardtext import cards_text, grouped, suit_name
from p2pcards.ui.i18n import N_, _, n_
from p2pcards.ui.model import Table
from p2pcards.ui.words import STEPS

HELP = (
    N_("a card: 10c, kh, Q♠; a bid: take, pass, or a suit; or the number of a choice"),
    N_("{hand}, {trick}, {last}, {score}, {seats}, {checks}, {log}, {rules}: look at the table"),
    N_("{say} TEXT: talk to the others;  {hint}: ask a bot"),
    N_("{partner}: let another guest be your partner, at a table of yours with chosen partners"),
    N_("{bot}: bring a bot to a free seat;  {dismiss}: send it away again"),
    N_("{ready}: the game may begin;  {vote}, {wait}, {stop}: about a player who is gone"),
    N_("{end}: ask that the match end after this deal, or take it back;  {quit}: leave the table"),
)
WORDS = (
    N_("command help"),
    N_("command hand"),
    N_("command trick"),
    N_("command last"),
    N_("command score"),
    N_("command seats"),
    N_("command checks"),
    N_("command log"),
    N_("command rules"),
    N_("command say"),
    N_("command hint"),
    N_("command ready"),
    N_("command bot"),
    N_("command dismiss"),
    N_("command partner"),
    N_("command vote"),
    N_("command wait"),
    N_("command stop"),
    N_("command end"),
    N_("command quit"),
)
"""The words of plain mode, each behind the word "command"; they may be written in English, too."""


def words() -> dict[str, str]:
    """The words as they are written in the person's language, by the English ones."""
    return {word.split()[1]: _(word).rpartition(" ")[2] for word in WORDS}


class Look:
    """Writes down what a table shows."""

    def __init__(self, table: Table, write: Callable[[str], None]) -> None:
        self._table = table
        self._write = write

    def help(self) -> None:
        """What may be written."""
        own = words()
        for text in HELP:
            self._write("  " + _(text, **{key: own[key] for key in own if "{" + key in text}))

    def hand(self) -> None:
        """The own hand, and trump or the card turned up."""
        table, view = self._table, self._table.view
        if view is None:
            self._write(_("you hold no cards yet"))
            return
        order = grouped(view.hand, table.game, view.state.trump)
        self._write(_("your hand: {cards}", cards=self._cards(order)))
        trump, turned = view.state.trump, getattr(view.state, "turned", None)
        if trump is not None:
            taker = getattr(view.state, "taker", None)
            by = _(" ({name} took)", name=table.speaker.who(taker)) if taker is not None else ""
            sign = table.speaker.suit(trump)
            self._write(_("trump: {suit} {sign}", suit=suit_name(trump), sign=sign) + by)
        elif turned is not None:
            self._write(_("turned up: {card}", card=table.speaker.card(turned)))

    def _cards(self, cards: list[Card]) -> str:
        return cards_text(cards, self._table.speaker.ascii_only)

    def trick(self) -> None:
        """The trick that is being played."""
        state = self._table.state
        if state is None or state.phase is not Phase.PLAY:
            self._write(_("no trick is being played"))
        elif not state.trick.cards:
            who = self._table.speaker.who(state.turn)
            self._write(_("trick {n}: {name} leads", n=len(state.tricks) + 1, name=who))
        else:
            text = self._cards_by(state.trick)
            self._write(_("trick {n}: {cards}", n=len(state.tricks) + 1, cards=text))

    def _cards_by(self, trick: Trick) -> str:
        speaker = self._table.speaker
        return ", ".join(f"{speaker.who(s)} {speaker.card(c)}" for s, c in trick.by_seat())

    def last(self) -> None:
        """The last trick of this deal."""
        trick = self._table.last_trick()
        if trick is None or trick.winner is None:
            self._write(_("no trick was taken in this deal yet"))
            return
        name = self._table.speaker.who(trick.winner)
        self._write(_("last trick: {cards}; {name} took it", cards=self._cards_by(trick),
                      name=name))  # fmt: skip

    def score(self) -> None:
        """The score, and the sheet of the last deal."""
        state, speaker = self._table.state, self._table.speaker
        if state is None:
            self._write(_("the match has not begun"))
            return
        for team in (0, 1):
            self._write(f"{speaker.pair(team)}: {state.scores[team]}")
        for line in speaker.told_sheet(state.sheets[-1]) if state.sheets else ():
            self._write(line)

    def seats(self) -> None:
        """Who sits where, in the order of play, beginning with the dealer."""
        state, speaker, me = self._table.state, self._table.speaker, self._table.me
        if state is None:
            self._write(_("the match has not begun"))
            return
        for seat in (following(state.dealer, steps) for steps in range(4)):
            marks = [_("dealer")] if seat == state.dealer else []
            if me is not None and seat != me:
                marks.append(_("partner") if (seat + 2) % 4 == me else _("opponent"))
            if seat in self._table.bots:
                marks.append(_("a bot plays"))
            you = _("you") if seat == me else speaker.who(seat)
            self._write(", ".join([you, *marks]))

    def rules(self) -> None:
        """The rules with this table's options."""
        state, lobby = self._table.state, self._table.gathering
        if state is not None and self._table.game is not None:
            self._write(rules_text(self._table.game, state.options, _))
        elif lobby is not None and lobby.game in GAMES:
            changed = {key: value for key, value, _default in lobby.changed}
            game = GAMES[lobby.game]
            self._write(rules_text(game, game.parse_options(changed), _))
        else:
            self._write(_("no table yet"))

    def checks(self) -> None:
        """What was verified in this deal."""
        checks, speaker = self._table.checks, self._table.speaker
        for check in checks.steps:
            names = speaker.everyone(check.seats)
            what = _(STEPS.get(check.kind, check.kind))
            self._write(f"{check.when}  {what}: {names}")
        if checks.plays:
            self._write(n_("{n} card opened by its owner's key",
                           "{n} cards opened by their owners' keys", checks.plays))  # fmt: skip
            self._write(n_("{n} proof that no card had to be played instead",
                           "{n} proofs that no card had to be played instead",
                           checks.proofs))  # fmt: skip

    def log(self) -> None:
        """The last lines of what happened."""
        for line in list(self._table.log)[-20:]:
            self._write("  " + line.text)
