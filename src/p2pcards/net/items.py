"""What a session's one task takes in turn: the network, the clock, and what a person wants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from p2pcards.net.events import MeshEvent
from p2pcards.net.outcome import OnLoss
from p2pcards.protocol.choosing import Choice


@dataclass(frozen=True, slots=True)
class Tick:
    """A moment has passed."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was chosen for a step."""

    step: int
    choice: Choice


@dataclass(frozen=True, slots=True)
class Loss:
    """What is to become of a seat that is overdue."""

    seat: int
    verdict: OnLoss


@dataclass(frozen=True, slots=True)
class Say:
    """A line of talk to the table."""

    text: str


@dataclass(frozen=True, slots=True)
class Quit:
    """To leave the table, and why."""

    reason: str


Item: TypeAlias = MeshEvent | Tick | Chosen | Loss | Say | Quit
