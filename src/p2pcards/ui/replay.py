"""A match as a row of stops: what the table looked like after each event, forwards and backwards.

A reel is filled by the verified events of a record, or of a game that is being watched. It holds
public knowledge only; the hands in it are those that were played out later in the same deal.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from p2pcards.cards import DECK, Card
from p2pcards.games.base import Sheet, State, View
from p2pcards.games.engine import Game
from p2pcards.protocol import events
from p2pcards.protocol.faults import Fault
from p2pcards.ui import happenings as hap
from p2pcards.ui.i18n import N_, _
from p2pcards.ui.model import LOG_LINES, Checks, LogLine, Table
from p2pcards.ui.words import Speaker

KINDS: dict[type, str] = {
    events.DealBegun: "deal",
    events.DeckConfirmed: "deck",
    events.PacketDealt: "dealt",
    events.BidMade: "bid",
    events.HandShown: "shown",
    events.HolderKnown: "holder",
    events.CardPlayed: "play",
    events.DealScored: "score",
    events.SeatLost: "lost",
    events.SeatBack: "back",
    events.MatchEnded: "end",
    Fault: "fault",
}
"""The events at which one stops, and what such a stop is called."""
HIDDEN = N_("This deal was not played out, so its hands stay hidden.")
"""Why no hand is shown: a record holds no secrets, and only playing a card shows it."""


@dataclass(frozen=True, slots=True)
class Stop:
    """The table after one event.

    ``section`` counts the decks begun (a deal may be made anew), ``trick`` the tricks complete;
    ``has_trick`` says that this card completed one. ``lines`` tell of the event; ``logged`` lines
    of the reel's log go up to here.
    """

    kind: str
    event: object
    table: Table
    section: int
    trick: int
    has_trick: bool
    lines: tuple[str, ...]
    logged: int


class Reel:
    """The stops of one match; it only grows."""

    def __init__(self, *, ascii_only: bool = False) -> None:
        self.stops: list[Stop] = []
        self.log: list[LogLine] = []
        self.names: tuple[str, ...] = ("", "", "", "")
        self.game: Game[Any] | None = None
        self.title = ""
        self.plays = 0
        self.proofs = 0
        self.sections = 0
        self._table = Table(Speaker(ascii_only=ascii_only))

    @property
    def speaker(self) -> Speaker:
        """Puts things into words with the players' names."""
        return self._table.speaker

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """The score sheets so far."""
        state = self._table.state
        return state.sheets if state else ()

    @property
    def state(self) -> State | None:
        """The public state of the match after the last stop."""
        return self._table.state

    def seat(self, title: str, game: Game[Any], names: tuple[str, ...]) -> None:
        """Note who sits where (cleaned names by seat), at which table."""
        self.names, self.game, self.title = names, game, title
        self._table.name, self._table.game = title, game
        self._table.speaker = self._table.speaker.seated(names, None)

    def take(self, event: events.Event, state: State | None, at: float = 0.0) -> list[str]:
        """Take a verified event with the state after it; the lines that tell of it."""
        view = None
        if state is not None and not isinstance(event, events.Arrived):
            view = View(state, 0, frozenset())
        if isinstance(event, events.DealBegun):
            self.sections += 1
        if isinstance(event, events.CardPlayed):
            self.plays += 1
            self.proofs += event.proved
        return self.tell(hap.Happened(event, view, at))

    def tell(self, item: hap.Happening) -> list[str]:
        """Take any happening; only verified events make stops."""
        lines = self._table.take(item)
        self.log += self._table.log
        self._table.log.clear()
        if not isinstance(item, hap.Happened):
            return lines
        kind = KINDS.get(type(item.event))
        if kind is not None:
            self.stops.append(self._stop(kind, item.event, tuple(lines)))
        elif isinstance(item.event, events.TrickTaken) and self.stops:
            last = self.stops[-1]
            told = (*last.lines, *lines)
            self.stops[-1] = replace(last, has_trick=True, lines=told, logged=len(self.log))
        return lines

    def _stop(self, kind: str, event: object, lines: tuple[str, ...]) -> Stop:
        state = self._table.state
        tricks = len(state.tricks) if state else 0
        table = copy_of(self._table)
        return Stop(kind, event, table, self.sections, tricks, False, lines, len(self.log))

    # -- looking at a stop ---------------------------------------------------------------------

    def table_at(self, at: int, seat: int) -> Table:
        """The table at a stop as seen from a seat, with the cards that seat was to play."""
        if not self.stops:
            return replace(self._table, me=seat)
        stop = self.stops[at]
        # The newest stop goes on to change a little: while a deck is made, say.
        is_last = at == len(self.stops) - 1
        table = replace(copy_of(self._table) if is_last else stop.table, me=seat)
        logged = len(self.log) if is_last else stop.logged
        table.log = deque(self.log[max(0, logged - LOG_LINES) : logged])
        if stop.table.view is not None:
            table.view = View(stop.table.view.state, seat, self.hand(at, seat))
        return table

    def hand(self, at: int, seat: int) -> frozenset[Card]:
        """The hand of a seat at a stop if the deal was played out later, else nothing."""
        state = self.stops[at].table.state
        section = self.stops[at].section
        cards: set[Card] = set()
        for stop in self.stops[at + 1 :]:
            if stop.section != section:
                break
            if isinstance(stop.event, events.CardPlayed) and stop.event.seat == seat:
                cards.add(stop.event.card)
        if state is None or len(cards) != state.hand_sizes[seat]:
            return frozenset()
        return frozenset(cards)

    def is_played_out(self, section: int) -> bool:
        """Whether a deal was played to its last card, which shows all hands."""
        plays = (stop for stop in self.stops if stop.section == section and stop.kind == "play")
        return sum(1 for _stop in plays) == len(DECK)

    def is_hidden(self, at: int, seat: int) -> bool:
        """Whether a seat holds cards at a stop that nothing in the reel will show."""
        stop = self.stops[at]
        holds = stop.table.state is not None and stop.table.state.hand_sizes[seat] > 0
        return holds and not self.is_played_out(stop.section)

    # -- moving --------------------------------------------------------------------------------

    def step(self, at: int, steps: int) -> int:
        """So many stops on (or back)."""
        return max(0, min(len(self.stops) - 1, at + steps))

    def by_trick(self, at: int, way: int) -> int:
        """The next (or, with -1, the last) complete trick, beginning of a deal, or score."""
        return self._find(at, way, lambda stop: stop.has_trick or stop.kind in _PARTS)

    def by_deal(self, at: int, way: int) -> int:
        """The beginning of the next deal, or of this one, or of the one before."""
        return self._find(at, way, lambda stop: stop.kind == "deal")

    def _find(self, at: int, way: int, wanted: Callable[[Stop], bool]) -> int:
        here = at + way
        while 0 <= here < len(self.stops):
            if wanted(self.stops[here]):
                return here
            here += way
        return self.step(here, 0)

    def sections_of_stops(self) -> list[list[int]]:
        """The places of the stops of each deck begun, in order."""
        out: list[list[int]] = [[] for _ in range(self.sections)]
        for at, stop in enumerate(self.stops):
            if stop.section:
                out[stop.section - 1].append(at)
        return out


_PARTS = ("deal", "score", "end", "fault")


def copy_of(table: Table) -> Table:
    """A copy that does not change when the table moves on; its log is left out."""
    checks = table.checks
    kept = Checks(
        checks.deal, checks.began, list(checks.steps), checks.plays, checks.proofs,
        checks.is_deck_signed,
    )  # fmt: skip
    votes = {seat: set(voters) for seat, voters in table.votes.items()}
    return replace(
        table, checks=kept, bots=set(table.bots), down=dict(table.down), bids=dict(table.bids),
        asked_losses=[], votes=votes, log=deque(),
    )  # fmt: skip


def curve_lines(reel: Reel) -> list[str]:
    """The course of the match as lines of numbers: both sides' scores after each deal."""
    pair = reel.speaker.pair
    out = [_("The match: {one} against {two}", one=pair(0), two=pair(1))] if reel.sheets else []
    for sheet in reel.sheets:
        one, two = sheet.scores
        out.append(_("after deal {n}: {one} to {two}", n=sheet.deal, one=one, two=two))
    return out
