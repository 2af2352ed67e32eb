"""What happens at the table, in words: the log of the screen and the lines of plain mode."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from p2pcards.cards import Card, Suit
from p2pcards.games.base import (
    TEAM_NAMES,
    Action,
    Bid,
    IllegalActionError,
    Name,
    Pass,
    Play,
    Rule,
    Sheet,
    SheetLine,
    Take,
    View,
)
from p2pcards.protocol import events
from p2pcards.protocol.choosing import Question
from p2pcards.protocol.faults import Fault, seat_words
from p2pcards.ui import happenings as hap
from p2pcards.ui.canvas import pad, width_of, wrap
from p2pcards.ui.cardtext import card_text, cards_text, suit_name, suit_text
from p2pcards.ui.i18n import N_, _, n_
from p2pcards.worded import Worded

STEPS = {
    "roster": N_("sign the table"),
    "commit": N_("commit to the draw"),
    "reveal": N_("open the draw"),
    "key-commit": N_("commit to a deal key"),
    "key": N_("show a deal key"),
    "parts": N_("share out a deal key"),
    "shuffle": N_("shuffle"),
    "cut": N_("cut"),
    "confirm": N_("confirm the deck"),
    "shares": N_("deal"),
    "bid": N_("bid"),
    "redeal": N_("say whether a hand is weak"),
    "announce": N_("say who holds the J♣"),
    "play": N_("play a card"),
    "result": N_("sign the score"),
    "end": N_("sign the end"),
}


KEPT = N_(
    "the game is kept, and goes on when all come back to this table: it is the first in the list "
    "of p2pcards play"
)


@dataclass(frozen=True, slots=True)
class Speaker:
    """Puts things into words with the names of the players, and with ASCII suits if need be."""

    names: tuple[str, ...] = ("", "", "", "")
    me: int | None = None
    ascii_only: bool = False

    def seated(self, names: tuple[str, ...], me: int | None) -> Speaker:
        """The same speaker at a table where these sit."""
        return replace(self, names=names, me=me)

    def who(self, seat: int) -> str:
        """A seat's player."""
        return self.names[seat] or _(seat_words(seat))

    def everyone(self, seats: tuple[int, ...]) -> str:
        """Several players."""
        return ", ".join(self.who(seat) for seat in seats)

    def pair(self, team: int) -> str:
        """Both players of a team."""
        if not self.names[team]:
            return TEAM_NAMES[team]
        return _("{one} & {two}", one=self.names[team], two=self.names[team + 2])

    def side(self, team: int) -> str:
        """A team as this player sees it: we, they; for a spectator the names."""
        if self.me is None:
            return self.pair(team)
        return _("We") if self.me % 2 == team else _("They")

    def card(self, card: Card) -> str:
        """A card."""
        return card_text(card, self.ascii_only)

    def suit(self, suit: Suit) -> str:
        """A suit's sign."""
        return suit_text(suit, self.ascii_only)

    # -- actions and reasons -------------------------------------------------------------------

    def choice(self, action: Action, view: View) -> str:
        """A choice as an entry of a menu."""
        match action:
            case Play(_, card):
                return self.card(card)
            case Take():
                turned = getattr(view.state, "turned", None)
                if turned is not None:
                    return _("take {suit}", suit=self.suit(turned.suit))
                return _("take")
            case Name(_, suit):
                return _("name {suit}", suit=self.suit(suit))
            case Pass():
                return _("pass")
        return type(action).__name__.lower()

    def bid(self, bid: Bid, by_bot: bool = False, view: View | None = None) -> str:
        """What a bid says."""
        name = self.who(bid.seat) + (" " + _("[bot]") if by_bot else "")
        match bid:
            case Pass():
                return _("{name} passes", name=name)
            case Take():
                turned = getattr(view.state, "turned", None) if view else None
                if turned is None:
                    return _("{name} takes", name=name)
                return _("{name} takes {suit} as trump", name=name, suit=self.suit(turned.suit))
            case Name(_, suit):
                return _("{name} names {suit} as trump", name=name, suit=self.suit(suit))

    def reason(self, error: IllegalActionError, question: Question | None) -> str:
        """Why a card or bid is refused, and what may be played instead."""
        due = ": " + cards_text(error.cards, self.ascii_only) if error.cards else ""
        match error.rule:
            case Rule.MUST_FOLLOW:
                led = _led_suit(question)
                if led is None or question is None:
                    return _("you must follow suit") + due
                if led == question.view.state.trump:
                    return _("trump was led, and you must follow it") + due
                return _("you must follow {suit}", suit=suit_name(led)) + due
            case Rule.MUST_TRUMP:
                return _("you cannot follow suit, so you must trump") + due
            case Rule.MUST_OVERTRUMP:
                return _("you must play a higher trump") + due
            case Rule.MUST_UNDERTRUMP:
                return _("you cannot beat that trump, but must play a lower one") + due
            case Rule.MUST_NOT_UNDERTRUMP:
                text = _("your partner's trump holds the trick: trump higher or play another suit")
                return text + due
            case Rule.ACE_HELD:
                return _("that ace must be held back now") + due
            case Rule.NOT_IN_HAND:
                return _("you do not hold that card")
            case Rule.NOT_YOUR_TURN:
                return _("it is not your turn")
            case Rule.WRONG_PHASE:
                return _("that cannot be done now")
            case Rule.NOT_WEAK:
                return _("your hand gives no right to a new deal")
            case _:
                return _("that is not a choice now")

    # -- what happens --------------------------------------------------------------------------

    def lines(self, item: object) -> list[str]:
        """Lines about one happening; none for what needs no words."""
        match item:
            case hap.Happened(event, view, _at):
                return self.event(event, view)
            case hap.Gathering(table=table, title=title, people=people):
                names = ", ".join(p.name + ("" if p.ready else " …") for p in people)
                here = n_("{n} of 4 is here", "{n} of 4 are here", len(people))
                return [_("table {table} ({game}): {here}: {names}", table=table, game=title,
                          here=here, names=names)]  # fmt: skip
            case hap.Formed(table, _names, True):
                return [_("back at table {table}; catching up", table=table)]
            case hap.Formed(table, names, False):
                players = ", ".join(names)
                return [_("table {table} is full: {names}", table=table, names=players)]
            case hap.Seated(_game, names, me):
                mate = _("your partner is {name}", name=names[(me + 2) % 4])
                return [_("the seats are taken: {we} against {they}", we=self.pair(me % 2),
                          they=self.pair(1 - me % 2)) + "; " + mate]  # fmt: skip
            case hap.Linked(seat, True, _r):
                return [_("{name} is connected", name=self.who(seat))]
            case hap.Linked(seat, False, reason):
                return [
                    _("{name} lost connection: {reason}", name=self.who(seat), reason=_(reason))
                ]
            case hap.Waits():
                return [self.waits(item)]
            case hap.Said(seat, text):
                return [f"<{self.who(seat)}> {text}"]
            case hap.LobbySaid(name, text, _mine):
                return [f"<{name}> {text}"]
            case hap.Absent(seats):
                return [_("not here yet: {names}", names=self.everyone(seats))]
            case hap.Left(seat, "has left"):
                return [_("{name} leaves the table", name=self.who(seat))]
            case hap.Left(seat, reason):
                why = named(reason, range(4), self.who)
                return [_("{name} leaves: {reason}", name=self.who(seat), reason=why)]
            case hap.Watched(seat, name, True):
                return [_("{name} watches the table, linked to {player}", name=name,
                          player=self.who(seat))]  # fmt: skip
            case hap.Watched(_seat, name, False):
                return [_("{name} no longer watches the table", name=name)]
            case hap.Trouble(text):
                return [_(text)]
            case hap.Over():
                return self.over(item)
        return []

    def waits(self, item: hap.Waits) -> str:
        """For whom a step waits."""
        return _("waiting for {names} to {what} ({elapsed} s; {left} s left)",
                 names=self.everyone(item.seats), what=_(STEPS.get(item.kind, item.kind)),
                 elapsed=int(item.elapsed), left=max(0, int(item.left)))  # fmt: skip

    def event(self, event: object, view: View | None) -> list[str]:
        """Lines about a verified event."""
        match event:
            case events.DealBegun(deal, dealer):
                return [_("deal {n}: {name} deals; all four shuffle", n=deal,
                          name=self.who(dealer))]  # fmt: skip
            case events.DeckConfirmed():
                return [_("all four have signed the shuffled deck")]
            case events.PacketDealt(turned) if turned is not None:
                return [_("turned up: {card}", card=self.card(turned))]
            case events.BidMade(bid, by_bot):
                return [self.bid(bid, by_bot, view)]
            case events.HandShown(seat, cards):
                shown = cards_text(cards, self.ascii_only)
                return [_("{name} shows a weak hand: {cards}", name=self.who(seat), cards=shown)]
            case events.HolderKnown(holder, card):
                return [_("{name} holds {card}", name=self.who(holder), card=self.card(card))]
            case events.CardPlayed(seat, card, _proved, by_bot):
                name = self.who(seat) + (" " + _("[bot]") if by_bot else "")
                called = self._belote(view, seat, card)
                return [_("{name} plays {card}", name=name, card=self.card(card)) + called]
            case events.TrickTaken(seat, cards, points):
                return [_("{name} takes {cards} ({points})", name=self.who(seat),
                          cards=cards_text(cards, self.ascii_only), points=points)]  # fmt: skip
            case events.DealScored(sheet):
                return self.told_sheet(sheet)
            case events.MatchEnded(winner):
                return [self.won(winner)]
        return self._troubles(event)

    def _troubles(self, event: object) -> list[str]:
        match event:
            case events.StopWished(seats):
                return [_("asking that the match end: {names}", names=self.everyone(seats))]
            case events.VoteCast(voter, seat):
                return [_("{voter} votes to let the bot play for {name}", voter=self.who(voter),
                          name=self.who(seat))]  # fmt: skip
            case events.SeatLost(seat, redeal):
                again = "; " + _("this deal is made anew") if redeal else ""
                if seat == self.me:
                    return [_("a bot plays your hand; it is yours again in the next deal") + again]
                return [_("{name} is lost: the public bot plays on", name=self.who(seat)) + again]
            case events.SeatBack(seat):
                return [_("{name} is back from the next deal on", name=self.who(seat))]
            case events.Diverged(seat, step):
                return [_("{name} was told another history before step {step}; comparing",
                          name=self.who(seat), step=step)]  # fmt: skip
            case Fault(seat, kind, step, text, _evidence):
                told = _("{name} broke the protocol at step {step} ({kind}): {text}",
                         name=self.who(seat), step=step, kind=kind.value, text=text)  # fmt: skip
                return [told + self._who_is_who(text)]
        return []

    def _who_is_who(self, text: str) -> str:
        """Whose the seats are that a text names by number, for a place behind it."""
        values = text.values if isinstance(text, Worded) else {}
        seats = [seat for key in ("seat", "sender") if isinstance(seat := values.get(key), int)]
        named = [f"{_(seat_words(seat))}: {self.names[seat]}" for seat in seats if self.names[seat]]
        return f" ({', '.join(named)})" if named else ""

    def _belote(self, view: View | None, seat: int, card: Card) -> str:
        """What is said with the king or queen of trump: at the second, or when calling counts."""
        royals: tuple[Play, ...] = getattr(view.state, "royals", ()) if view else ()
        if not royals or royals[-1].card != card or view is None:
            return ""
        manual = getattr(view.state.options, "belote_call", "auto") == "manual"
        if len(royals) == 2 and royals[0].seat == seat and (royals[1].call or not manual):
            return ": " + _("belote!")
        return ": " + _("belote?") if manual and royals[-1].call else ""

    def won(self, winner: int | None, scores: tuple[int, int] | None = None) -> str:
        """Who won the match, and how it stands in the end."""
        text = _("the match is over, with no winner")
        if winner is not None:
            text = _("{names} win the match", names=self.pair(winner))
        return text if scores is None else f"{text} ({scores[0]}:{scores[1]})"

    def over(self, item: hap.Over) -> list[str]:
        """How an evening ended."""
        record = [_("the record of this game: {path}", path=item.record)] if item.record else []
        if item.ending == "complete":
            ours = self.me % 2 if self.me is not None else 0
            scores = item.scores[ours], item.scores[1 - ours]
            return [self.won(item.winner, scores), *record]
        text = named(item.text, item.seats, self.who)
        if item.ending == "lost" and item.seats:
            text = _("{names} did not answer in time", names=self.everyone(item.seats))
        left = _("you have left the table; run p2pcards play again to come back")
        if not item.is_kept:
            left = _("you have left the table")
        elif item.ending == "lost":
            record = [_(KEPT), *record]
        head = {
            "lost": _("the game stops: {text}", text=text),
            "fault": _("the game stops: {text}", text=text),
            "left": left,
        }
        return [head.get(item.ending, text), *record]

    # -- score sheets --------------------------------------------------------------------------

    def sheet_line(self, line: SheetLine) -> str:
        """One line of a sheet, with the players' names for the teams."""
        values = {
            key: self.pair(TEAM_NAMES.index(value)) if value in TEAM_NAMES else value
            for key, value in line.values
        }
        text = re.sub(r"\b(NS|EW)\b", r"{\1}", _(line.template))
        return text.format(**values, NS=self.pair(0), EW=self.pair(1))

    def scored(self, sheet: Sheet) -> str:
        """What a deal has added, and the score after it, in one line; our own side first."""
        first, second = self._order()
        (a, b), (c, d) = ((pair[first], pair[second]) for pair in (sheet.added, sheet.scores))
        return _("deal {n}: {a} to {b}; the score is {c}:{d}", n=sheet.deal, a=a, b=b, c=c, d=d)

    def told_sheet(self, sheet: Sheet) -> list[str]:
        """A score sheet in sentences, each with whose points it tells."""
        out = [_("Deal {n}", n=sheet.deal)]
        for line in sheet.lines:
            text = self.sheet_line(line)
            out.append(text if line.points is None else f"{text}: {self._both(line.points)}")
        return [*out, f"{_('Score')}: {self._both(sheet.scores)}"]

    def _both(self, points: tuple[int, int]) -> str:
        name = self.pair if self.me is None else self.side
        return ", ".join(f"{name(team)} {points[team]}" for team in self._order())

    def _order(self) -> tuple[int, int]:
        """The teams, our own first."""
        first = self.me % 2 if self.me is not None else 0
        return first, 1 - first

    def sheet(self, sheet: Sheet, width: int = 72) -> list[str]:
        """A score sheet as lines, the points of both teams at the right."""
        first, second = order = self._order()
        room = width - 18
        heads = f"  {self.side(first):>7} {self.side(second):>7}"
        if self.me is None:
            heads = f"  {self.pair(0)} : {self.pair(1)}"
        out = [pad(_("Deal {n}", n=sheet.deal), max(8, width - 1 - width_of(heads))) + heads]
        for line in sheet.lines:
            *above, last = wrap(self.sheet_line(line), room) or [""]
            out += above
            if line.points is None:
                out.append(last)
            else:
                one, two = (line.points[t] for t in order)
                out.append(f"{pad(last, room)}  {one:>7} {two:>7}")
        one, two = (sheet.scores[t] for t in order)
        out.append(f"{pad(_('Score'), room)}  {one:>7} {two:>7}")
        return out


def named(text: str, seats: Iterable[int], who: Callable[[int], str]) -> str:
    """A sentence about seats, in the person's language and with the players' names."""
    told = _(text)
    for seat in seats:
        told = told.replace(_(seat_words(seat)), who(seat), 1)
    return told


def _led_suit(question: Question | None) -> Suit | None:
    """The suit that was led; trump when the card led counts as one."""
    if question is None or not question.view.state.trick.cards:
        return None
    state = question.view.state
    led = state.trick.cards[0]
    return led.suit if state.trump is None else question.game.suit_of(led, state.trump)
