"""Everything the full screen shows, as one value: where one is, what is selected, what lies on top.

The screen is drawn from this value alone (see ``render``), and keys change nothing but it (see
``act``), so that both can be tested without a terminal.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from p2pcards.cards import Card
from p2pcards.games.base import Play
from p2pcards.games.registry import GAMES
from p2pcards.protocol.choosing import Question
from p2pcards.ui import choices
from p2pcards.ui.cardtext import grouped
from p2pcards.ui.model import Table
from p2pcards.ui.settings import Settings

SMALLEST = (40, 12)
"""Columns and rows of the smallest table."""
STANDARD = (80, 24)
"""Columns and rows from which cards are drawn as boxes."""


def is_too_small(width: int, height: int) -> bool:
    """Whether no table can be shown in so many columns and rows."""
    return width < SMALLEST[0] or height < SMALLEST[1]


@dataclass(frozen=True, slots=True)
class Seen:
    """A table that announces itself on the network.

    ``known`` tells of its opener: ``new``, ``same`` or ``changed``; ``usual`` whether it plays by
    the default options, ``changed`` those that differ, if that was told: option, value, default;
    ``guests`` who sits there beside the opener;
    ``is_running`` whether a game of one's own is being played right now.
    """

    key: str
    name: str
    game: str
    opener: str
    fingerprint: str
    free: int
    state: str
    usual: bool
    known: str
    version_fits: bool = True
    is_running: bool = False
    changed: tuple[tuple[str, str, str], ...] = ()
    guests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Saved:
    """A game in a file, or (``mine``) one left in the middle to come back to.

    ``state`` is ``mine``, ``checking`` (not verified yet), ``good``, ``part`` (verified, but
    without an end) or ``bad``; ``at`` is when it was saved, in seconds since 1970.
    """

    key: str
    at: float
    state: str
    game: str = ""
    sides: str = ""
    score: str = ""
    text: str = ""


@dataclass(slots=True)
class Line:
    """An input line being written.

    A text that is only ``is_offered`` goes when something else is typed.
    """

    kind: str
    text: str = ""
    at: int = 0
    limit: int = 200
    is_offered: bool = False


@dataclass(slots=True)
class Form:
    """The form for a new table: which game, and its options by key; ``row`` is the cursor."""

    game: str = "belota"
    name: str = ""
    partners: str = "drawn"
    think: int = 120
    options: dict[str, str] = field(default_factory=dict)
    row: int = 0
    practise: bool = False
    level: str = ""

    def put(self, key: str, value: str) -> None:
        """Set a row of the form to a value; another game begins with its usual options."""
        match key:
            case "game":
                self.game, self.options = value, {}
            case "think":
                self.think = int(value)
            case "name" | "partners" | "level":
                setattr(self, key, value)
            case _:
                self.options[key] = value


@dataclass(slots=True)
class Screen:
    """The whole state of the full screen.

    ``place`` is ``start``, ``form``, ``settings``, ``saved``, ``lobby`` or ``table``; ``cursor``
    the card, bid or row selected (-1: none); ``typed`` a card's name being typed; ``overlay`` what
    lies on top; ``left`` the seconds a seat still has, by seat; ``calls`` whether belote is called
    with the next card; ``wish_end`` whether this player asks that the match end after the deal;
    ``talk`` the last line said by others, ``unread`` how many they said since the chat was open;
    ``alone`` whether all others are bots brought for practice.
    """

    settings: Settings = field(default_factory=Settings)
    place: str = "start"
    table: Table = field(default_factory=Table)
    seen: list[Seen] = field(default_factory=list)
    saved: list[Saved] = field(default_factory=list)
    levels: tuple[str, ...] = ("easy",)
    form: Form = field(default_factory=Form)
    fingerprint: str = ""
    cursor: int = -1
    typed: str = ""
    overlay: str = ""
    scroll: int = 0
    line: Line | None = None
    message: str = ""
    is_bad: bool = False
    is_ready: bool = False
    left: dict[int, float] = field(default_factory=dict)
    calls: bool = False
    wish_end: bool = False
    ascii_only: bool = False
    notes: list[str] = field(default_factory=list)
    held: bool = False
    unread: int = 0
    talk: str = ""
    alone: bool = False

    # -- what is on the table, in the order shown ----------------------------------------------

    def hand(self) -> list[Card]:
        """The own hand as it is held."""
        view = self.table.view
        if view is None:
            return []
        return grouped(view.hand, self.table.game, view.state.trump)

    def legal(self) -> frozenset[Card]:
        """The cards that may be played now; all of the hand while nothing is asked."""
        question = self.table.question
        if question is None or question.kind != "play":
            return frozenset(self.hand())
        return frozenset(a.card for a in question.choices if isinstance(a, Play))

    def bids(self) -> list[choices.Entry]:
        """The choices of a question that is not about a card."""
        question = self.table.question
        if question is None or question.kind == "play":
            return []
        return choices.menu(question, self.table.speaker)

    def ask(self, question: Question | None) -> None:
        """Begin (or end) asking; a single legal card is selected from the start."""
        self.table.question = question
        self.typed, self.cursor, self.calls = "", -1, False
        self.say("")
        if question is not None:
            self.table.view, self.left = question.view, {}
            legal = self.legal()
            if question.kind == "play" and len(legal) == 1:
                self.cursor = self.hand().index(next(iter(legal)))

    def can_talk(self) -> bool:
        """Whether anybody hears what is said: after a match, who still looks at its end."""
        over = self.table.over
        return over is None or (over.ending == "complete" and not self.alone)

    def say(self, message: str, is_bad: bool = False) -> None:
        """Show one line of message until the next key."""
        self.message, self.is_bad = message, is_bad

    def enter(self, place: str) -> None:
        """Go to another place; nothing stays on top."""
        self.place, self.overlay, self.line, self.scroll = place, "", None, 0
        self.cursor = 0 if place in ("start", "form", "settings", "saved") else -1
        self.message = ""


def games() -> tuple[str, ...]:
    """The games there are, by name."""
    return tuple(GAMES)
