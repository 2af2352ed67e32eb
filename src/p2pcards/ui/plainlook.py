"""What a player may look at line by line: hand, tricks, scores, seats, checks, log, rules."""

from __future__ import annotations

from collections.abc import Callable

from p2pcards.cards import Card
from p2pcards.games.base import Phase, State, Trick, following
from p2pcards.protocol.choosing import Question
from p2pcards.ui import choices, narration, plainlobby, sheets
from p2pcards.ui.cardtext import cards_text, grouped, suit_name
from p2pcards.ui.happenings import Over
from p2pcards.ui.i18n import _, n_
from p2pcards.ui.model import Table
from p2pcards.ui.plainwords import HELP, with_words
from p2pcards.ui.rulespage import rules_in, rules_of
from p2pcards.ui.words import STEPS


class Look:
    """Writes down what a table shows, tables of rules for so many ``columns`` (0: any)."""

    def __init__(
        self, table: Table, write: Callable[[str], None], columns: Callable[[], int]
    ) -> None:
        self._table = table
        self._write = write
        self._columns = columns

    def help(self) -> None:
        """What may be written."""
        for text in HELP:
            self._write("  " + with_words(text))

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
        """The score, the course of the match, and the sheet of the last deal."""
        state, speaker = self._table.state, self._table.speaker
        if state is None:
            self._write(_("the match has not begun"))
            return
        for team in (0, 1):
            self._write(f"{speaker.pair(team)}: {state.scores[team]}")
        if len(state.sheets) > 1:
            self.course(_("The match so far"))
        for line in sheets.told(speaker, state.sheets[-1]) if state.sheets else ():
            self._write(line)

    def course(self, head: str) -> None:
        """What every deal has added, in a line each."""
        self._write(head)
        for sheet in self._table.state.sheets if self._table.state else ():
            self._write("  " + sheets.scored(self._table.speaker, sheet))

    def seats(self) -> None:
        """Who sits where, in the order of play, beginning with the dealer; or in the lobby."""
        state, lobby = self._table.state, self._table.gathering
        if state is not None:
            for seat in (following(state.dealer, steps) for steps in range(4)):
                self._seat(seat, [_("dealer")] if seat == state.dealer else [])
        elif lobby is not None:
            for line in (*plainlobby.people(lobby), *plainlobby.terms(lobby)):
                self._write(line)
        elif self._table.me is not None:
            for seat in range(4):
                self._seat(seat, [])
        else:
            self._write(_("nobody is here yet: the table is being looked for"))

    def _seat(self, seat: int, marks: list[str]) -> None:
        table, me = self._table, self._table.me
        if me is not None and seat != me:
            marks.append(_("partner") if (seat + 2) % 4 == me else _("opponent"))
        if seat in table.bots:
            marks.append(_("a bot plays"))
        if seat in table.down:
            marks.append(_("not connected"))
        if table.state is not None and _is_due(table.state, seat):
            marks.append(_("to move"))
        self._write(", ".join([_("you") if seat == me else table.speaker.who(seat), *marks]))
        if seat in table.asked_losses:
            self._write("  " + _("{name} does not answer", name=table.speaker.who(seat)))
        if voted := table.speaker.everyone(tuple(sorted(table.votes.get(seat, ())))):
            self._write("  " + _("votes for the bot: {names}", names=voted))

    def time(self, left: Callable[[int], float | None]) -> None:
        """How long everybody has who must do something now."""
        rest = {seat: seconds for seat in range(4) if (seconds := left(seat)) is not None}
        table, state = self._table, self._table.state
        due = table.waits.seats if table.waits is not None else ()
        if table.question is not None and table.me is not None:
            due = (table.me,)
        elif state is not None and _is_due(state, state.turn):
            due = (state.turn,)
        for seat in due:
            who = _("you") if seat == self._table.me else self._table.speaker.who(seat)
            n = max(0, int(rest.get(seat, 0)))
            self._write(n_("{who}: {n} second left", "{who}: {n} seconds left", n, who=who))
        if not due:
            # Before the match there are no clocks: only who is waited for.
            self._write(_("nobody is waited for now")) if state is not None else self.seats()

    def rules(self) -> None:
        """The rules with this table's options."""
        found = rules_of(self._table)
        if found is None:
            self._write(_("no table yet"))
        else:
            self._write(rules_in(self._columns(), *found).rstrip())

    def checks(self) -> None:
        """What was verified in this deal."""
        checks, speaker = self._table.checks, self._table.speaker
        if not checks.deal:
            self._write(_("no deck has been made yet"))
            return
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
        self._write(_("Everything above came signed, and this program checked it itself."))

    def log(self) -> None:
        """The last lines of what happened."""
        for line in list(self._table.log)[-20:]:
            self._write("  " + line.text)
        if not self._table.log:
            self._write(_("nothing yet"))

    # -- what is asked, and the end ------------------------------------------------------------

    def question(self, question: Question) -> None:
        """What is asked, with all one needs to answer it."""
        self._write("")
        self.hand()
        if question.kind == "play":
            self.trick()
        self.menu(question)

    def menu(self, question: Question) -> None:
        """The choices there are."""
        entries = choices.menu(question, self._table.speaker)
        listed = "   ".join(f"{i} {entry.label}" for i, entry in enumerate(entries, 1))
        heads = {"play": _("your card:"), "bid": _("your bid:")}
        self._write(f"{heads.get(question.kind, _('your choice:'))} {listed}")
        for card in sorted(choices.callable_cards(question)):
            name = self._table.speaker.card(card)
            self._write(_("{card}! plays {card} and calls belote", card=name))

    def match(self, over: Over) -> None:
        """What there is to know of a whole match before who has won it."""
        if over.ending == "complete":
            if self._table.state is not None and self._table.state.sheets:
                self.course(_("Final sheet"))
            self._write(narration.signed(over.transcript))

    def kept(self, over: Over) -> None:
        """What there is to know after the end: whether one can come back, and what was kept."""
        if over.ending == "lost" and over.is_kept:
            self._write(_("the game is kept: p2pcards play comes back to it"))
        if self._table.fault is not None:
            count = len(self._table.fault.evidence)
            self._write(n_("{n} signed envelope is the evidence",
                           "{n} signed envelopes are the evidence", count))  # fmt: skip


def _is_due(state: State, seat: int) -> bool:
    """Whether a seat has to bid or to play a card now."""
    return state.phase in (Phase.BID, Phase.PLAY) and state.turn == seat
