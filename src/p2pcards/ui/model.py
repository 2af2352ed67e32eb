"""What a player sees of the table: one value that every happening moves on.

The screen and the plain lines are functions of it. It holds no rule and no copy of the state:
hands, tricks and scores are read from the verified view that came with the last event.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from p2pcards.games.base import Bid, Phase, State, Trick, View
from p2pcards.games.engine import Game
from p2pcards.protocol import events
from p2pcards.protocol.choosing import Question
from p2pcards.protocol.course import Bar
from p2pcards.protocol.faults import Fault
from p2pcards.ui import happenings as hap
from p2pcards.ui import narration, sheets
from p2pcards.ui.words import Speaker

LOG_LINES = 400
EPILOGUE = 4
"""Lines that stand on the page of the end, of what was said after it and who went."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log: ``kind`` is ``game``, ``talk``, ``net`` or ``bad``."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Check:
    """Envelopes of one kind that were verified in this deal, and when the last one was.

    ``seats`` are those whose envelopes came, ``at`` seconds since the deal began; None when
    this player was away then.
    """

    kind: str
    seats: tuple[int, ...]
    at: float | None

    @property
    def when(self) -> str:
        """When it was, eight columns wide."""
        return f"{self.at:6.2f} s" if self.at is not None else "      — "


@dataclass(slots=True)
class Checks:
    """What was verified of the deal in progress."""

    deal: int = 0
    began: float | None = 0.0
    steps: list[Check] = field(default_factory=list)
    plays: int = 0
    proofs: int = 0
    is_deck_signed: bool = False

    def arrived(self, kind: str, seat: int, at: float | None) -> None:
        """Note one verified envelope."""
        is_timed = at is not None and self.began is not None
        since = max(0.0, (at or 0.0) - (self.began or 0.0)) if is_timed else None
        if self.steps and self.steps[-1].kind == kind and kind not in ("play", "bid"):
            self.steps[-1] = Check(kind, (*self.steps[-1].seats, seat), since)
        elif kind not in ("play", "bid") and len(self.steps) < 64:
            self.steps.append(Check(kind, (seat,), since))


@dataclass(slots=True)
class Table:
    """The table one sits at, as far as this peer has verified it.

    ``wish_end`` are the seats that signed with the last score that they wish the match to end;
    ``down`` why those are not connected who are not, ``parted`` why those left who said so,
    ``barred`` why the bot could not take over an overdue seat when it was asked about,
    ``brought`` our bots' names, ``epilogue`` what was said, and who came and went, after the end.
    """

    speaker: Speaker = field(default_factory=Speaker)
    name: str = ""
    game: Game[Any] | None = None
    me: int | None = None
    view: View | None = None
    question: Question | None = None
    gathering: hap.Gathering | None = None
    waits: hap.Waits | None = None
    over: hap.Over | None = None
    fault: Fault | None = None
    bots: set[int] = field(default_factory=set)
    down: dict[int, str] = field(default_factory=dict)
    bids: dict[int, Bid] = field(default_factory=dict)
    parted: dict[int, str] = field(default_factory=dict)
    brought: tuple[str, ...] = ()
    asked_losses: list[int] = field(default_factory=list)
    barred: dict[int, Bar | None] = field(default_factory=dict)
    votes: dict[int, set[int]] = field(default_factory=dict)
    wish_end: tuple[int, ...] = ()
    checks: Checks = field(default_factory=Checks)
    epilogue: list[str] = field(default_factory=list)
    log: deque[LogLine] = field(default_factory=lambda: deque(maxlen=LOG_LINES))

    @property
    def state(self) -> State | None:
        """The public state of the match, once it has begun."""
        return self.view.state if self.view else None

    def last_trick(self) -> Trick | None:
        """The last trick that somebody took in this deal."""
        state = self.state
        return state.tricks[-1] if state and state.tricks else None

    def is_my_turn(self) -> bool:
        """Whether this player has something to decide."""
        return self.question is not None

    def take(self, item: hap.Happening) -> list[str]:
        """Move on by one happening; the lines that tell of it, which are in the log too."""
        if isinstance(item, hap.Formed):
            self.speaker = self.speaker.seated(item.names, None)
            self.name = item.table
        if isinstance(item, hap.Seated):
            self.game, self.me = item.game, item.me
            self.speaker = self.speaker.seated(item.names, item.me)
        lines = narration.lines(self.speaker, item) if self._is_news(item) else []
        kind = _kind(item)
        if isinstance(item, hap.Happened) and isinstance(item.event, events.DealScored):
            self.log.append(LogLine(kind, sheets.scored(self.speaker, item.event.sheet)))
        elif not isinstance(item, hap.Gathering | hap.Waits | hap.Denied):
            self.log.extend(LogLine(kind, line) for line in lines)
        if self.over is not None and kind in ("talk", "net"):
            self.epilogue = [*self.epilogue, *lines][-EPILOGUE:]
        self._note(item)
        return lines

    def _is_news(self, item: hap.Happening) -> bool:
        """Whether a happening is worth words: that a link went down is not, of who said goodbye."""
        return not isinstance(item, hap.Linked) or item.up or item.seat not in self.parted

    def _recall(self, past: hap.Past) -> None:
        """Move on by all that happened before; the log tells of it, and nothing else does."""
        for event in past.events:
            kind = _kind(hap.Happened(event, past.view))
            told = narration.event_lines(self.speaker, event, past.view)
            if isinstance(event, events.DealScored):
                told = [sheets.scored(self.speaker, event.sheet)]
            self.log.extend(LogLine(kind, line) for line in told)
            self._event(event, None)
        self.view = past.view or self.view

    def _note(self, item: hap.Happening) -> None:
        match item:
            case hap.Gathering():
                self.gathering = item
            case hap.Formed() | hap.BrokenUp():
                self.gathering = None
            case hap.Happened(event, view, at):
                if view is not None:
                    self.view = view
                self._event(event, at)
            case hap.Past():
                self._recall(item)
            case hap.Absent(seats):
                self.down.update(dict.fromkeys(seats, ""))
            case hap.Brought(names):
                self.brought = names
            case hap.Left(seat, reason):
                self.parted[seat] = reason
            case hap.Linked(seat, up, reason):
                self.down.pop(seat, None)
                if not up:
                    self.down[seat] = reason
                    return
                self.parted.pop(seat, None)
                if seat in self.asked_losses:
                    self.asked_losses.remove(seat)
            case hap.Waits():
                self.waits = item
            case hap.LossAsked(seat, bar):
                self.barred[seat] = bar
                if seat not in self.asked_losses:
                    self.asked_losses.append(seat)
            case hap.Over():
                self.over, self.question, self.waits = item, None, None
                self.asked_losses = []

    def _event(self, event: object, at: float | None) -> None:
        match event:
            case events.Arrived(_step, seat, kind, _waiting):
                self.checks.arrived(kind, seat, at)
                self.waits = None
                self.votes.pop(seat, None)  # it has answered
                if seat in self.asked_losses:
                    self.asked_losses.remove(seat)
            case events.DealBegun(deal, _dealer):
                self.checks = Checks(deal, at)
                self.bids, self.question = {}, None
            case events.DeckConfirmed():
                self.checks.is_deck_signed = True
            case events.BidMade(bid, _by_bot):
                self.bids[bid.seat] = bid
            case events.CardPlayed(_seat, _card, proved, _by_bot):
                self.checks.plays += 1
                self.checks.proofs += proved
            case events.DealScored():
                self.wish_end = ()
            case events.StopWished(seats):
                self.wish_end = seats
            case events.VoteCast(voter, seat):
                self.votes.setdefault(seat, set()).add(voter)
            case events.SeatLost(seat, redeal):
                self.bots.add(seat)
                self.votes.pop(seat, None)
                self.asked_losses = [s for s in self.asked_losses if s != seat]
                if redeal or seat == self.me:
                    self.question = None
            case events.SeatBack(seat):
                self.bots.discard(seat)
            case Fault():
                self.fault = event

    def away(self) -> tuple[int, ...]:
        """The seats of players who are not connected."""
        return tuple(seat for seat in sorted(self.down) if seat not in self.bots)

    def is_alone(self) -> bool:
        """Whether none of the others who play can be reached."""
        others = {seat for seat in range(4) if seat != self.me and seat not in self.bots}
        return self.me is not None and others <= self.parted.keys() | self.down.keys()

    def is_left(self) -> bool:
        """Whether none of the others is here any more, and somebody said so when leaving."""
        return self.is_alone() and bool(self.parted)

    def voters_away(self) -> tuple[int, ...]:
        """Who has still to vote about the seat that is asked about, and is not connected."""
        about = self.asked_losses[0] if self.asked_losses else None
        voted = self.votes.get(about, set()) if about is not None else set()
        return tuple(seat for seat in self.away() if seat != about and seat not in voted)

    def can_vote(self) -> bool:
        """Whether this player may vote now that the bot take over the seat asked about."""
        asked = bool(self.asked_losses) and self.bar(self.asked_losses[0]) is None
        return asked and not self.has_voted()

    def bar(self, seat: int) -> Bar | None:
        """Why the bot cannot take over a seat that is asked about: as it was told, or since."""
        return Bar.BOT if self.bots else self.barred.get(seat)

    def has_voted(self) -> bool:
        """Whether this player has voted about the seat that is asked about."""
        return bool(self.asked_losses) and self.me in self.votes.get(self.asked_losses[0], ())

    @property
    def is_playing(self) -> bool:
        """Whether cards are on the table: bidding, play, or a deal just scored."""
        state = self.state
        return state is not None and state.phase not in (Phase.DECK, Phase.OVER)


def _kind(item: hap.Happening) -> str:
    match item:
        case hap.Said() | hap.LobbySaid():
            return "talk"
        case hap.Linked() | hap.Left() | hap.Trouble() | hap.Watched() | hap.Absent():
            return "net"
        case hap.Happened(event=Fault()) | hap.Happened(event=events.Diverged()):
            return "bad"
    return "game"
