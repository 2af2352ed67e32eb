"""What a player asks of a table: to open one like that, or to join none that is otherwise."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from p2pcards.net.dial import Address
from p2pcards.protocol.messages import Terms
from p2pcards.protocol.terms import make_terms
from p2pcards.worded import Worded


class Role(Enum):
    """Whether to open a table, to join one, or whichever is possible."""

    AUTO = "auto"
    OPEN = "open"
    JOIN = "join"


@dataclass(frozen=True, slots=True)
class Wish:
    """What kind of table is looked for or opened.

    ``options``, ``partners``, ``deadline`` and ``think`` (seconds) are those asked for
    explicitly: a table opened has the usual ones for the others, and a joiner takes any.
    ``table`` is a name; None joins any, and opens one named after its opener. ``only_there``
    takes the table that is at one of the addresses, whatever is played at it, and no other.
    """

    game: str
    options: Mapping[str, str]
    table: str | None
    role: Role
    partners: str | None
    deadline: int | None
    think: int | None
    wait: float
    hosts: tuple[str, ...]
    connect: tuple[Address, ...]
    only_there: bool = False

    def terms(self, nick: str) -> Terms:
        """The terms of a table that we open; raises OptionError or RosterError."""
        return make_terms(
            secrets.token_bytes(16),
            self.table or f"{nick}'s table"[:32],
            self.game,
            self.options,
            self.partners,
            self.deadline,
            self.think,
        )

    def items(self) -> tuple[tuple[str, str], ...]:
        """All options, in canonical form, as asked for; none if any rules will do."""
        return self.terms("").options if self.options else ()

    def against(self, terms: Terms) -> Worded | None:
        """Why a table with these terms is not what was asked for, or None."""
        if terms.game != self.game and not self.only_there:
            return Worded("that table plays {game}, not {other}", game=terms.game, other=self.game)
        if self.table not in (None, terms.name):
            return Worded("that table is {table}, not {other}", table=terms.name, other=self.table)
        if self.options and terms.options != self.items():
            return Worded("that table plays by other rules than you asked for")
        if self.partners not in (None, terms.partners):
            if terms.partners == "drawn":
                return Worded("partners are drawn at that table, and you asked for chosen ones")
            return Worded("partners are chosen at that table, and you asked for drawn ones")
        return self._against_times(terms)

    def _against_times(self, terms: Terms) -> Worded | None:
        step, choice = Worded("a step without thought"), Worded("a bid or a card")
        for what, given, asked in (
            (step, terms.deadline, self.deadline), (choice, terms.think, self.think),
        ):  # fmt: skip
            if asked not in (None, given):
                return Worded(
                    "that table gives {given} s for {what}, and you asked for {asked}",
                    given=given, what=what, asked=asked,
                )  # fmt: skip
        return None
