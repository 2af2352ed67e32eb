"""What a user interface is told besides verified events: its own words for what the net reports.

The screen knows no sockets; whoever runs the session turns the network's notices into these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from p2pcards.games.base import View
from p2pcards.games.engine import Game
from p2pcards.protocol.course import Bar
from p2pcards.protocol.events import Event


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a lobby. ``known`` is ``new``, ``same``, ``changed`` (another key
    than before) or ``bot``.

    ``fingerprint`` is shortened for reading aloud.
    """

    name: str
    fingerprint: str
    ready: bool
    known: str = "new"
    is_me: bool = False


@dataclass(frozen=True, slots=True)
class Gathering:
    """The lobby as it stands; ``changed`` are options that differ: key, value, default."""

    table: str
    game: str
    title: str
    people: tuple[Person, ...]
    changed: tuple[tuple[str, str, str], ...]
    partners: str
    think: int
    is_opener: bool

    def partner(self) -> Person | None:
        """Who will sit opposite as the table stands; None where that is drawn, or nobody yet."""
        mine = next((place for place, person in enumerate(self.people) if person.is_me), None)
        if self.partners != "chosen" or mine is None:
            return None
        return self.people[(mine + 2) % 4] if (mine + 2) % 4 < len(self.people) else None

    def parts_us(self, before: Gathering | None) -> bool:
        """Whether another is to sit opposite than somebody before, and not by our own doing."""
        had_one = before is not None and before.partner() is not None
        return had_one and not self.is_opener and self.pairs_us(before)

    def pairs_us(self, before: Gathering | None) -> bool:
        """Whether somebody sits opposite now who did not before."""
        old, new = before.partner() if before else None, self.partner()
        return new is not None and _key(old) != _key(new)

    @property
    def closes_for_others(self) -> bool:
        """Whether there are people who lose their table if this player leaves."""
        people = (person for person in self.people if not person.is_me)
        return self.is_opener and any(person.known != "bot" for person in people)

    @property
    def can_change_partner(self) -> bool:
        """Whether this player may say who sits opposite."""
        return self.is_opener and self.partners == "chosen" and len(self.people) > 2


def _key(person: Person | None) -> str:
    return person.fingerprint if person else ""


@dataclass(frozen=True, slots=True)
class Formed:
    """Four are about to sign a table; ``resumed`` when this player comes back to it."""

    table: str
    names: tuple[str, ...]
    resumed: bool


@dataclass(frozen=True, slots=True)
class Seated:
    """Where everybody sits: the names by seat, and our own seat."""

    game: Game[Any]
    names: tuple[str, ...]
    me: int


@dataclass(frozen=True, slots=True)
class Happened:
    """A verified event, with what this seat knows after it (None before the first deal)."""

    event: Event
    view: View | None
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Past:
    """What had happened before this player came back, and what this seat knows now."""

    events: tuple[Event, ...]
    view: View | None


@dataclass(frozen=True, slots=True)
class Absent:
    """Seats that cannot be reached yet, as this player comes back."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Linked:
    """The connection to a seat came up or went down."""

    seat: int
    up: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Waits:
    """The step waits for these seats; ``left`` seconds remain before one counts as lost."""

    seats: tuple[int, ...]
    kind: str
    elapsed: float
    left: float


@dataclass(frozen=True, slots=True)
class Said:
    """A line of talk."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class LobbySaid:
    """A line of talk in the lobby, where nobody has a seat yet."""

    name: str
    text: str
    is_mine: bool


@dataclass(frozen=True, slots=True)
class Left:
    """A player said that it leaves."""

    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class Brought:
    """The bots that this player has brought and that are still there, by name."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Watched:
    """Somebody began, or ceased, to watch the table through the peer of this seat."""

    seat: int
    name: str
    up: bool


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something to know and perhaps to act on, in words."""

    text: str


@dataclass(frozen=True, slots=True)
class Denied(Trouble):
    """What this person wants is not done: told, and not in the log, since nothing happened."""


@dataclass(frozen=True, slots=True)
class BrokenUp(Trouble):
    """The lobby that one was in is no more."""


@dataclass(frozen=True, slots=True)
class LossAsked:
    """A seat is overdue, and this player must say what to do about it.

    ``bar`` tells why the public bot cannot take the seat over now, if it cannot.
    """

    seat: int
    bar: Bar | None = None


@dataclass(frozen=True, slots=True)
class Over:
    """The evening ended: ``ending`` is ``complete``, ``lost``, ``fault`` or ``left``.

    ``record`` says where the game's record (the evidence, after a fault) lies; ``is_kept``
    whether one can come back to a game that was left.
    """

    ending: str
    text: str
    seats: tuple[int, ...]
    winner: int | None
    scores: tuple[int, int]
    transcript: str
    record: str
    is_kept: bool = True


Happening: TypeAlias = (
    Gathering
    | Formed
    | Seated
    | Happened
    | Past
    | Absent
    | Brought
    | Linked
    | Waits
    | Said
    | LobbySaid
    | Left
    | Watched
    | Trouble
    | LossAsked
    | Over
)
