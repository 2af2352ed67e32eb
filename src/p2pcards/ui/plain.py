"""The table line by line: for screen readers, pipes and slow lines.

Lines only ever come after one another; nothing is redrawn and no clock ticks. What comes from a
pipe is read one line at a time, and a line that answers waits until something is asked, so that
a list of lines plays the same game however fast the others are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import trio

from p2pcards.cards import Card
from p2pcards.games.base import IllegalActionError, Phase, Trick, following
from p2pcards.games.registry import GAMES
from p2pcards.games.rulestext import rules_text
from p2pcards.protocol.choosing import Choice, Question
from p2pcards.ui import choices, optionwords
from p2pcards.ui import happenings as hap
from p2pcards.ui.cardtext import cards_text, grouped, suit_name
from p2pcards.ui.i18n import N_, _, n_
from p2pcards.ui.model import Table
from p2pcards.ui.words import STEPS, Speaker

LONG, SOON = 5.0, 20.0
"""Seconds after which a wait is spoken of, and before its end from which it is urgent."""


class LineSource(Protocol):
    """Where a person's lines come from."""

    @property
    def is_live(self) -> bool:
        """Whether somebody types: then a line out of turn is answered, not kept."""
        ...

    async def next(self) -> str | None:
        """The next line, or None at the end of the input."""


class Actions(Protocol):
    """What a player can do besides choosing."""

    def say(self, text: str) -> None:
        """Send a line of talk."""

    def leave(self, reason: str) -> None:
        """Leave the table."""

    def change_partner(self) -> None:
        """Let another guest sit opposite."""

    def bring(self) -> None:
        """Bring a bot to the lobby."""

    def dismiss(self) -> None:
        """Send the bot away that was brought last."""

    def ask_end(self, wish: bool) -> None:
        """Ask that the match end after this deal, or no longer."""

    def hint(self, question: Question) -> str | None:
        """What a bot would do, or None when there is none to ask."""


HELP = (
    N_("a card: 10c, kh, Q♠; a bid: take, pass, or a suit; or the number of a choice"),
    N_("hand, trick, last, score, seats, checks, log, rules: look at the table"),
    N_("say TEXT: talk to the others;  hint: ask a bot"),
    N_("partner: let another guest be your partner, at a table of yours with chosen partners"),
    N_("bot: bring a bot to a free seat;  dismiss: send it away again"),
    N_("ready: the game may begin;  vote, wait, stop: about a player who is gone"),
    N_("end: ask that the match end after this deal, or take it back;  quit: leave the table"),
)

COMMANDS = ("help", "hand", "trick", "last", "score", "checks", "log", "hint", "say ", "ready",
            "seats", "rules", "bot", "dismiss", "partner", "vote", "wait", "stop", "end",
            "quit")  # fmt: skip


class Plain:
    """One player's table as lines of text."""

    def __init__(
        self, source: LineSource, write: Callable[[str], None], actions: Actions,
        *, ready: bool, ascii_only: bool = False,
    ) -> None:  # fmt: skip
        self.table = Table(Speaker(ascii_only=ascii_only))
        self.is_ready = ready
        self._source = source
        self._write = write
        self._actions = actions
        self._answer: Choice = None
        self._wish_end = False
        self._waited: tuple[tuple[int, ...], str, bool] | None = None
        self._asked = trio.Event()
        self._answered = trio.Event()
        self._verdict: dict[int, tuple[trio.Event, list[str]]] = {}

    # -- what the session asks and tells -------------------------------------------------------

    def tell(self, item: hap.Happening) -> None:
        """Write down what happened."""
        if isinstance(item, hap.Waits) and not self._is_worth_telling(item):
            self.table.take(item)
            return
        if isinstance(item, hap.Formed):
            self._wish_end = False  # a session that begins anew knows of no wish
        before = self.table.gathering
        lines = self.table.take(item)
        if not isinstance(item, hap.Gathering) or _came(item) != (before and _came(before)):
            for line in lines:
                self._write(line)
        if isinstance(item, hap.Gathering):
            self._greet(item, before)
        self._close_verdicts("wait", set(self._verdict) - set(self.table.asked_losses))

    def _is_worth_telling(self, wait: hap.Waits) -> bool:
        """Whether to speak of a wait: once when it is long, and once when its time runs out."""
        stage = (wait.seats, wait.kind, wait.left < SOON)
        mine = wait.seats == (self.table.me,)
        if stage == self._waited or (mine and wait.left >= SOON) or wait.elapsed < LONG:
            return False
        self._waited = stage
        return True

    async def choose(self, question: Question) -> Choice:
        """Ask until there is a choice."""
        if not choices.is_asked(question):
            return None
        self.table.question, self.table.view = question, question.view
        self._answered = trio.Event()
        self._ask(question)
        self._asked.set()
        await self._answered.wait()
        return self._answer

    async def refused(self, refusal: IllegalActionError) -> None:
        """The choice was against the rules; it is asked for again."""
        self._write(_("not now: {reason}", reason=self.table.speaker.reason(refusal, None)))

    async def decide_loss(self, seat: int) -> str:
        """``vote``, ``wait`` or ``stop``; a pipe cannot be asked and votes."""
        self.tell(hap.LossAsked(seat))
        name = self.table.speaker.who(seat)
        self._write(_("{name} does not answer within the time", name=name))
        if not self._source.is_live:
            return "vote"
        self._write(_("vote: the public bot plays that hand; wait: wait on; stop: end the game"))
        event, answer = trio.Event(), list[str]()
        self._verdict[seat] = (event, answer)
        await event.wait()
        return answer[0]

    def words(self) -> list[str]:
        """The choices open now, as they can be written."""
        question = self.table.question
        return [e.label for e in choices.menu(question, self.table.speaker)] if question else []

    # -- lines in ------------------------------------------------------------------------------

    async def read(self) -> None:
        """Take lines until they end; then, once more is needed, leave the table."""
        while (line := await self._source.next()) is not None:
            await self._line(line.strip())
        await self._until_asked()
        self._write(_("the input has ended; leaving the table"))
        self._actions.leave(N_("has left"))

    async def _line(self, line: str) -> None:
        if line.startswith("#"):
            return
        if not line:
            if self.table.question:
                self._ask(self.table.question)
            return
        if self._command(line):
            return
        if not self._source.is_live:
            await self._until_asked()
        question = self.table.question
        if question is None:
            self._write(_("nothing is asked of you now; ? for help"))
            return
        try:
            self._give(choices.read(question, line, self.table.speaker))
        except choices.NotUnderstoodError:
            self._write(_("{text} is not a choice or a command; ? for help", text=line[:40]))
            self._menu(question)
        except IllegalActionError as exc:
            self._write(_("not now: {reason}", reason=self.table.speaker.reason(exc, question)))
            self._menu(question)

    def _give(self, choice: Choice) -> None:
        self._answer = choice
        self.table.question = None
        self._asked = trio.Event()
        self._answered.set()

    async def _until_asked(self) -> None:
        while self.table.question is None:
            self._asked = trio.Event() if self._asked.is_set() else self._asked
            await self._asked.wait()

    def _command(self, line: str) -> bool:
        word, _space, rest = line.partition(" ")
        word = word.lower()
        shows = {
            "?": self._help, "help": self._help, "hand": self._hand, "trick": self._trick,
            "last": self._last, "score": self._score, "checks": self._checks, "log": self._log,
            "hint": self._hint, "end": self._end, "seats": self._seats, "rules": self._rules,
            "partner": self._partner, "bot": self._actions.bring, "dismiss": self._actions.dismiss,
            "ready": self._ready,
        }  # fmt: skip
        if word in shows and not rest:
            shows[word]()
        elif word == "say":
            self._actions.say(rest)
        elif word in ("vote", "wait", "stop") and not rest:
            self._judge(word)
        elif word in ("quit", "exit") and not rest:
            self._actions.leave(N_("has left"))
        else:
            return False
        return True

    def _ready(self) -> None:
        if self.table.state is not None:
            self._write(_("the match has begun already"))
        self.is_ready = True

    def _judge(self, word: str) -> None:
        """Say what becomes of a seat that is gone; to wait leaves the question open."""
        if self.table.has_voted():
            self._write(_("you have voted already"))
        elif not self._verdict:
            self._write(
                _("there is nothing to vote about; you are asked when somebody's time is up")
            )
        elif word == "wait":
            self._write(_("you wait; vote and stop are possible as long as nobody answers"))
        else:
            self._close_verdicts(word, set(self._verdict))

    def _close_verdicts(self, word: str, seats: set[int]) -> None:
        for seat in seats:
            event, answer = self._verdict.pop(seat)
            answer.append(word)
            event.set()

    # -- lines out -----------------------------------------------------------------------------

    def _greet(self, now: hap.Gathering, before: hap.Gathering | None) -> None:
        for key, value, default in now.changed if before is None else ():
            self._write(_("rule: {option}", option=optionwords.change(key, value, default)))
        old = {p.name: p.ready for p in before.people} if before else {}
        for person in now.people:
            if person.ready != old.get(person.name, False):
                self._write(_readiness(person))
            if person.name in old or person.is_me:
                continue
            self._write(f"  {person.name}: {person.fingerprint}")
            if person.known == "changed":
                self._write(_("WARNING: {name} comes with another key than before. Compare the "
                              "fingerprints aloud before you play.", name=person.name))  # fmt: skip
        partner = now.partner()
        if partner is not None and now.pairs_us(before):
            self._write(_("your partner is {name}", name=partner.name))
        if now.parts_us(before) and self.is_ready and self._source.is_live:
            self.is_ready = False
            self._write(_("your partner has changed; write ready if you agree"))
        if before is None and not self.is_ready:
            self._write(_("write ready when you want to play"))

    def _help(self) -> None:
        for text in HELP:
            self._write("  " + _(text))

    def _ask(self, question: Question) -> None:
        self._write("")
        self._hand()
        if question.kind == "play":
            self._trick()
        self._menu(question)

    def _menu(self, question: Question) -> None:
        entries = choices.menu(question, self.table.speaker)
        listed = "   ".join(f"{i} {entry.label}" for i, entry in enumerate(entries, 1))
        head = _("your card:") if question.kind == "play" else _("your bid:")
        self._write(f"{head} {listed}")
        for card in sorted(choices.callable_cards(question)):
            name = self.table.speaker.card(card)
            self._write(_("{card}! plays {card} and calls belote", card=name))

    def _hand(self) -> None:
        table, view = self.table, self.table.view
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
        return cards_text(cards, self.table.speaker.ascii_only)

    def _trick(self) -> None:
        state = self.table.state
        if state is None or state.phase is not Phase.PLAY:
            self._write(_("no trick is being played"))
        elif not state.trick.cards:
            who = self.table.speaker.who(state.turn)
            self._write(_("trick {n}: {name} leads", n=len(state.tricks) + 1, name=who))
        else:
            text = self._cards_by(state.trick)
            self._write(_("trick {n}: {cards}", n=len(state.tricks) + 1, cards=text))

    def _cards_by(self, trick: Trick) -> str:
        speaker = self.table.speaker
        return ", ".join(f"{speaker.who(s)} {speaker.card(c)}" for s, c in trick.by_seat())

    def _last(self) -> None:
        trick = self.table.last_trick()
        if trick is None or trick.winner is None:
            self._write(_("no trick was taken in this deal yet"))
            return
        name = self.table.speaker.who(trick.winner)
        self._write(_("last trick: {cards}; {name} took it", cards=self._cards_by(trick),
                      name=name))  # fmt: skip

    def _score(self) -> None:
        state, speaker = self.table.state, self.table.speaker
        if state is None:
            self._write(_("the match has not begun"))
            return
        for team in (0, 1):
            self._write(f"{speaker.pair(team)}: {state.scores[team]}")
        for line in speaker.told_sheet(state.sheets[-1]) if state.sheets else ():
            self._write(line)

    def _seats(self) -> None:
        """Who sits where, in the order of play, beginning with the dealer."""
        state, speaker, me = self.table.state, self.table.speaker, self.table.me
        if state is None:
            self._write(_("the match has not begun"))
            return
        for seat in (following(state.dealer, steps) for steps in range(4)):
            marks = [_("dealer")] if seat == state.dealer else []
            if me is not None and seat != me:
                marks.append(_("partner") if (seat + 2) % 4 == me else _("opponent"))
            if seat in self.table.bots:
                marks.append(_("a bot plays"))
            you = _("you") if seat == me else speaker.who(seat)
            self._write(", ".join([you, *marks]))

    def _rules(self) -> None:
        state, lobby = self.table.state, self.table.gathering
        if state is not None and self.table.game is not None:
            self._write(rules_text(self.table.game, state.options, _))
        elif lobby is not None and lobby.game in GAMES:
            changed = {key: value for key, value, _default in lobby.changed}
            game = GAMES[lobby.game]
            self._write(rules_text(game, game.parse_options(changed), _))
        else:
            self._write(_("no table yet"))

    def _checks(self) -> None:
        checks, speaker = self.table.checks, self.table.speaker
        for check in checks.steps:
            names = speaker.everyone(check.seats)
            what = _(STEPS.get(check.kind, check.kind))
            self._write(f"{check.at:7.2f} s  {what}: {names}")
        if checks.plays:
            self._write(n_("{n} card opened by its owner's key",
                           "{n} cards opened by their owners' keys", checks.plays))  # fmt: skip
            self._write(n_("{n} proof that no card had to be played instead",
                           "{n} proofs that no card had to be played instead",
                           checks.proofs))  # fmt: skip

    def _log(self) -> None:
        for line in list(self.table.log)[-20:]:
            self._write("  " + line.text)

    def _partner(self) -> None:
        lobby = self.table.gathering
        if lobby is not None and lobby.can_change_partner:
            self._actions.change_partner()
        else:
            self._write(_("only who opened a table with chosen partners can change them, before "
                          "the game, with two guests or more"))  # fmt: skip

    def _end(self) -> None:
        if self.table.state is None:
            self._write(_("the match has not begun"))
            return
        self._wish_end = not self._wish_end
        self._actions.ask_end(self._wish_end)
        if self._wish_end:
            self._write(_("the match ends after a deal if all four ask for it; end takes it back"))
            self._write(_("a bot joins those who ask, one deal later"))
        else:
            self._write(_("you no longer ask that the match end"))

    def _hint(self) -> None:
        question = self.table.question
        hint = self._actions.hint(question) if question else None
        self._write(_("a bot would choose {choice}", choice=hint) if hint else _("no hint now"))


def _readiness(person: hap.Person) -> str:
    if person.is_me:
        return _("you are ready") if person.ready else _("you are not ready any more")
    text = N_("{name} is ready") if person.ready else N_("{name} is not ready any more")
    return _(text, name=person.name)


def _came(lobby: hap.Gathering) -> tuple[tuple[str, ...], bool]:
    """What of a lobby is worth a line: who is there, and whether all are ready."""
    people = lobby.people
    return tuple(p.name for p in people), len(people) == 4 and all(p.ready for p in people)
