"""What one sits down with: a table found, opened, or set with bots for practice."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace

from p2pcards.net.lobby import parse_address
from p2pcards.net.peer import PeerSettings
from p2pcards.net.text import clean
from p2pcards.net.wish import Role, Wish
from p2pcards.ui.i18n import _
from p2pcards.ui.screen import Form, Seen


@dataclass(frozen=True, slots=True)
class Seatings:
    """A table to sit down at, and the bots to bring: their levels.

    ``alone`` plays under an identity made for this one game, as nobody else is there to know it.
    """

    settings: PeerSettings
    bots: tuple[str, ...] = ()
    ready: bool = False
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Choosing:
    """Makes of what a person called ``nick`` has chosen at a start what to sit down with."""

    settings: PeerSettings
    nick: str

    def joined(self, seen: Seen) -> Seatings:
        """At a table of the list; at one's own that was left to go on there."""
        wish = replace(self._wish(), role=Role.JOIN, game=seen.game, table=seen.name)
        return self._seating(wish, resume=seen.state == "mine")

    def connected(self, text: str) -> Seatings:
        """At the table of an address, whatever is played there; ValueError if it is none."""
        address = parse_address(text.strip())
        wish = replace(
            self._wish(), role=Role.JOIN, connect=(address,), table=None, only_there=True
        )
        return self._seating(wish)

    def opened(self, form: Form) -> Seatings:
        """At a table of one's own; raises OptionError or RosterError."""
        wish = replace(
            self._wish(), role=Role.OPEN, game=form.game, options=dict(form.options),
            table=clean(form.name, 32) or None, partners=form.partners, think=form.think,
        )  # fmt: skip
        return self._checked(self._seating(wish))

    def practised(self, form: Form) -> Seatings:
        """With three bots of this machine; raises OptionError or RosterError."""
        loopback = "127.0.0.1"
        wish = replace(
            self._wish(), role=Role.OPEN, game=form.game, options=dict(form.options),
            hosts=(loopback,), table=_("practice") + " " + secrets.token_hex(2), think=600,
        )  # fmt: skip
        settings = replace(
            self._seating(wish).settings, interface=loopback, port=0, unlisted=True, alone=True
        )
        return self._checked(Seatings(settings, (form.level,) * 3, ready=True, alone=True))

    def _wish(self) -> Wish:
        return replace(self.settings.wish, options={}, wait=float("inf"), partners=None, think=None)

    def _seating(self, wish: Wish, *, resume: bool = False) -> Seatings:
        return Seatings(replace(self.settings, name=self.nick, wish=wish, resume=resume))

    def _checked(self, seating: Seatings) -> Seatings:
        seating.settings.wish.terms(seating.settings.name)
        return seating
