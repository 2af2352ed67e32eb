"""The tables on the network at this moment, as a list to choose from."""

from __future__ import annotations

from dataclasses import dataclass

import trio

from p2pcards.commands import common
from p2pcards.commands.asking import Asking, Back, forget_typed
from p2pcards.commands.seen import watch_tables
from p2pcards.commands.signals import run_until_signal
from p2pcards.games.registry import title_of
from p2pcards.net.peer import PeerSettings
from p2pcards.ui import optionwords, plainlobby
from p2pcards.ui.act import act
from p2pcards.ui.i18n import _, n_
from p2pcards.ui.intents import Confirm
from p2pcards.ui.screen import Screen, Seen
from p2pcards.ui.signalled import Signalled

LOOK = 2.0
"""Seconds in which tables answer that are there."""


@dataclass(frozen=True, slots=True)
class Looked:
    """Where the tables are noted that are found."""

    screen: Screen

    def refresh(self) -> None:
        """Nothing is drawn."""


class Tables:
    """Looks for tables, and lets one be chosen."""

    def __init__(self, screen: Screen, settings: PeerSettings, asking: Asking) -> None:
        self._screen = screen
        self._settings = settings
        self._asking = asking

    def choose(self, *, playing: bool = False) -> Seen:
        """A table to sit down at or to watch; only those ``playing``. Raises Back."""
        while True:
            self._look()
            tables = [s for s in self._screen.seen if s.state == "playing" or not playing]
            head = _("Tables on this network") if tables else _("no table is here now")
            if playing and not tables:
                head = _("no table is played at now")
            texts = [*map(table_text, tables), _("back")]
            place = self._asking.pick(head, texts, _("an empty line looks again"))
            if place == len(tables):
                raise Back
            if place is not None and self._may_choose(tables[place]):
                return tables[place]

    def _may_choose(self, seen: Seen) -> bool:
        """Whether one can sit down there or watch; why not is told, as on the full screen."""
        screen = self._screen
        screen.place, screen.cursor = "start", screen.seen.index(seen)
        if act(screen, Confirm()) is not None:
            return True
        common.tell(screen.message)
        return False

    def _look(self) -> None:
        """Note the tables that are there now; what is in the way is told."""
        common.tell(_("looking for tables …"))
        screen = self._screen
        screen.seen, screen.notes = [], []
        try:
            run_until_signal(self._watch)
        except Signalled as exc:
            if exc.status != 130:
                raise
            raise Back from None
        forget_typed()  # it answers a list that nobody had heard yet
        for note in screen.notes:
            common.tell(note)

    async def _watch(self) -> None:
        with trio.move_on_after(LOOK):
            await watch_tables(Looked(self._screen), self._settings, ())


def table_text(seen: Seen) -> str:
    """A table in a sentence, with a warning below it where one is due."""
    seats = {"open": n_("{n} free seat", "{n} free seats", seen.free), "full": _("full"),
             "playing": _("playing")}.get(seen.state, seen.state)  # fmt: skip
    known = {"same": _("known"), "changed": _("OTHER KEY")}.get(seen.known, _("new here"))
    rules = _("the usual rules") if seen.usual else _("own rules, which you are told there")
    rules = "; ".join(optionwords.change(*changed) for changed in seen.changed) or rules
    if not seen.version_fits:
        rules = _("another version of the program")
    text = _("{table}: {game}, {seats}; opened by {name}, {known}; {rules}", table=seen.name,
             game=title_of(seen.game), seats=seats, name=seen.opener, known=known,
             rules=rules)  # fmt: skip
    if seen.guests:
        text += "; " + _("there, too: {names}", names=", ".join(seen.guests))
    if seen.known == "changed":
        text += "\n" + plainlobby.warning(seen.opener) + f" ({seen.fingerprint})"
    return text
