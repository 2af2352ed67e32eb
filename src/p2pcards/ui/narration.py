"""What happens at a table, told in lines: for the log, plain mode and what a peer prints."""

from __future__ import annotations

from p2pcards.cards import Card
from p2pcards.games.base import Play, View
from p2pcards.protocol import events
from p2pcards.protocol.faults import Fault, seat_words
from p2pcards.ui import happenings as hap
from p2pcards.ui import sheets
from p2pcards.ui.cardtext import cards_text
from p2pcards.ui.i18n import N_, _, n_
from p2pcards.ui.words import STEPS, Speaker, named
from p2pcards.worded import Worded

KEPT = N_(
    "the game is kept, and goes on when all come back to this table: it is the first in the list "
    "of p2pcards play"
)


def lines(speaker: Speaker, item: object) -> list[str]:
    """Lines about one happening; none for what needs no words."""
    match item:
        case hap.Happened(event, view, _at):
            return event_lines(speaker, event, view)
        case hap.Gathering(table=table, title=title, people=people):
            names = ", ".join(
                p.name if p.ready else _("{name} (not ready)", name=p.name) for p in people
            )
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
            return [_("the seats are taken: {we} against {they}", we=speaker.pair(me % 2),
                      they=speaker.pair(1 - me % 2)) + "; " + mate]  # fmt: skip
        case hap.Linked(seat, True, _r):
            return [_("{name} is connected", name=speaker.who(seat))]
        case hap.Linked(seat, False, reason):
            return [_("{name} lost connection: {reason}", name=speaker.who(seat), reason=_(reason))]
        case hap.Waits():
            return [_waits(speaker, item)]
        case hap.Said(seat, text):
            return [f"<{speaker.who(seat)}> {text}"]
        case hap.LobbySaid(name, text, _mine):
            return [f"<{name}> {text}"]
        case hap.Absent(seats):
            return [_("not here yet: {names}", names=speaker.everyone(seats))]
        case hap.Left(seat, "has left"):
            return [_("{name} leaves the table", name=speaker.who(seat))]
        case hap.Left(seat, reason):
            why = named(reason, range(4), speaker.who)
            return [_("{name} leaves: {reason}", name=speaker.who(seat), reason=why)]
        case hap.Watched(seat, name, True):
            return [_("{name} watches the table, linked to {player}", name=name,
                      player=speaker.who(seat))]  # fmt: skip
        case hap.Watched(_seat, name, False):
            return [_("{name} no longer watches the table", name=name)]
        case hap.Trouble(text):
            return [_(text)]
        case hap.Over():
            return over(speaker, item)
    return []


def _waits(speaker: Speaker, item: hap.Waits) -> str:
    """For whom a step waits."""
    if item.seats == (speaker.me,):
        return _("you are waited for: in {left} s the others may go on without you",
                 left=max(0, int(item.left)))  # fmt: skip
    return _("waiting for {names} to {what} ({elapsed} s; {left} s left)",
             names=speaker.everyone(item.seats), what=_(STEPS.get(item.kind, item.kind)),
             elapsed=int(item.elapsed), left=max(0, int(item.left)))  # fmt: skip


def event_lines(speaker: Speaker, event: object, view: View | None) -> list[str]:
    """Lines about a verified event."""
    match event:
        case events.DealBegun(deal, dealer):
            return [_("deal {n}: {name} deals; everybody shuffles", n=deal,
                      name=speaker.who(dealer))]  # fmt: skip
        case events.DeckConfirmed():
            return [_("everybody has signed the shuffled deck")]
        case events.PacketDealt(turned) if turned is not None:
            return [_("turned up: {card}", card=speaker.card(turned))]
        case events.BidMade(bid, by_bot):
            return [speaker.bid(bid, by_bot, view)]
        case events.HandShown(seat, cards):
            shown = cards_text(cards, speaker.ascii_only)
            return [_("{name} shows a weak hand: {cards}", name=speaker.who(seat), cards=shown)]
        case events.HolderKnown(holder, card):
            return [_("{name} holds {card}", name=speaker.who(holder), card=speaker.card(card))]
        case events.CardPlayed(seat, card, _proved, by_bot):
            name = speaker.who(seat) + (" " + _("[bot]") if by_bot else "")
            called = _belote(speaker, view, seat, card)
            return [_("{name} plays {card}", name=name, card=speaker.card(card)) + called]
        case events.TrickTaken(seat, cards, points):
            return [_("{name} takes {cards} ({points})", name=speaker.who(seat),
                      cards=cards_text(cards, speaker.ascii_only), points=points)]  # fmt: skip
        case events.DealScored(sheet):
            return sheets.told(speaker, sheet)
        case events.MatchEnded(winner):
            return [speaker.won(winner)]
    return _troubles(speaker, event)


def _troubles(speaker: Speaker, event: object) -> list[str]:
    match event:
        case events.StopWished(seats):
            return [_("asking that the match end: {names}", names=speaker.everyone(seats))]
        case events.VoteCast(voter, seat):
            return [_("{voter} votes to let the bot play for {name}", voter=speaker.who(voter),
                      name=speaker.who(seat))]  # fmt: skip
        case events.SeatLost(seat, redeal):
            again = "; " + _("this deal is made anew") if redeal else ""
            if seat == speaker.me:
                return [_("a bot plays your hand; it is yours again in the next deal") + again]
            return [_("{name} is lost: the public bot plays on", name=speaker.who(seat)) + again]
        case events.SeatBack(seat):
            return [_("{name} is back from the next deal on", name=speaker.who(seat))]
        case events.Diverged(seat, step):
            return [_("{name} was told another history before step {step}; comparing",
                      name=speaker.who(seat), step=step)]  # fmt: skip
        case Fault(seat, kind, step, text, _evidence):
            told = _("{name} broke the protocol at step {step} ({kind}): {text}",
                     name=speaker.who(seat), step=step, kind=kind.value, text=text)  # fmt: skip
            return [told + _who_is_who(speaker, text)]
    return []


def _who_is_who(speaker: Speaker, text: str) -> str:
    """Whose the seats are that a text names by number, for a place behind it."""
    values = text.values if isinstance(text, Worded) else {}
    seats = [seat for key in ("seat", "sender") if isinstance(seat := values.get(key), int)]
    named = [
        f"{_(seat_words(seat))}: {speaker.names[seat]}" for seat in seats if speaker.names[seat]
    ]
    return f" ({', '.join(named)})" if named else ""


def _belote(speaker: Speaker, view: View | None, seat: int, card: Card) -> str:
    """What is said with the king or queen of trump: at the second, or when calling counts."""
    royals: tuple[Play, ...] = getattr(view.state, "royals", ()) if view else ()
    if not royals or royals[-1].card != card or view is None:
        return ""
    manual = getattr(view.state.options, "belote_call", "auto") == "manual"
    if len(royals) == 2 and royals[0].seat == seat and (royals[1].call or not manual):
        return ": " + _("belote!")
    return ": " + _("belote?") if manual and royals[-1].call else ""


def signed(transcript: str) -> str:
    """That a match was signed at its end; of the transcript's hash enough to compare by eye."""
    return _("transcript {hash}, signed by all who played to the end", hash=transcript[:16])


def over(speaker: Speaker, item: hap.Over) -> list[str]:
    """How an evening ended."""
    record = [_("the record of this game: {path}", path=item.record)] if item.record else []
    if item.ending == "complete":
        return [speaker.won(item.winner, item.scores), *record]
    text = named(item.text, item.seats, speaker.who)
    if item.ending == "lost" and item.seats:
        text = _("{names} did not answer in time", names=speaker.everyone(item.seats))
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
