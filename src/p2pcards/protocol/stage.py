"""What a step is: which kind of envelope, from whom, how it is checked, and what follows.

A stage checks each envelope alone, without changing anything, and acts once all are in. The
envelopes of one step may arrive in any order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from p2pcards.crypto.transcript import Context
from p2pcards.protocol.events import Event
from p2pcards.protocol.faults import BadEnvelopeError, FaultKind
from p2pcards.protocol.messages import Body
from p2pcards.protocol.table import Table
from p2pcards.worded import worded


class Stage(ABC):
    """One step of the session.

    ``kind`` is the kind of envelope expected, ``decides`` whether a person may have to think
    about it, ``votable`` whether a seat that stays silent can be given to the public bot.
    """

    kind: ClassVar[str]
    decides: ClassVar[bool] = False
    votable: ClassVar[bool] = True

    @abstractmethod
    def senders(self, table: Table) -> frozenset[int]:
        """The seats that owe an envelope."""

    @abstractmethod
    def check(self, table: Table, ctx: Context, body: Any) -> object:
        """The verified value of one body from seat ``ctx.seat``.

        Raises:
            BadEnvelopeError: the body is not what this seat owes.
        """

    @abstractmethod
    def complete(self, table: Table, values: Mapping[int, Any], after: bytes) -> Outcome:
        """Act on the values of all senders; ``after`` is the transcript hash after this step."""


@dataclass(frozen=True, slots=True)
class Done:
    """There is no further step."""


Next: TypeAlias = Stage | Done
Outcome: TypeAlias = tuple[Next, list[Event]]


def refuse(kind: FaultKind, text: str) -> BadEnvelopeError:
    """The error for a body that is not what its sender owes."""
    return BadEnvelopeError(kind, worded(text))


def same(ours: Body, theirs: Body, kind: FaultKind, text: str) -> None:
    """Raise unless two bodies are equal."""
    if ours != theirs:
        raise refuse(kind, text)
