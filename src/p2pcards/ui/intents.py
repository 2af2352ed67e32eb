"""What a key press or a click means. Keys become intents; intents move the screen or the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from p2pcards.protocol.choosing import Choice


@dataclass(frozen=True, slots=True)
class Move:
    """Move the cursor: among cards, bids, tables, or a form's rows."""

    steps: int


@dataclass(frozen=True, slots=True)
class Point:
    """Select this place (a click or a number key); ``again`` may then confirm it."""

    place: int
    is_click: bool = False


@dataclass(frozen=True, slots=True)
class Confirm:
    """Do what is selected."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Change the value of the form's row: to the next or the one before."""

    steps: int


@dataclass(frozen=True, slots=True)
class Letter:
    """One more character of a card's name being typed."""

    char: str


@dataclass(frozen=True, slots=True)
class Show:
    """Open this overlay, or close it if it is open."""

    overlay: str


@dataclass(frozen=True, slots=True)
class Close:
    """Close what lies on top: overlay, input line, selection."""


@dataclass(frozen=True, slots=True)
class Scroll:
    """Scroll the overlay by this many lines."""

    lines: int


@dataclass(frozen=True, slots=True)
class Write:
    """Open an input line: ``chat``, ``nick``, ``connect`` or ``name`` (of a table)."""

    kind: str


@dataclass(frozen=True, slots=True)
class Edit:
    """A key for the open input line: a printable text, or the name of an editing key."""

    key: str
    is_text: bool


@dataclass(frozen=True, slots=True)
class Do:
    """A command by name: ``ready``, ``bot``, ``vote``, ``stop``, ``hint``, ``leave``, ..."""

    what: str


Intent: TypeAlias = (
    Move | Point | Confirm | Turn | Letter | Show | Close | Scroll | Write | Edit | Do
)


# -- what leaves the screen -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chosen:
    """The person has decided a question."""

    choice: Choice


@dataclass(frozen=True, slots=True)
class Typed:
    """A finished input line."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """Something for whoever runs the session; ``about`` is a seat or a place in a list."""

    what: str
    about: int = -1


Effect: TypeAlias = Chosen | Typed | Command
