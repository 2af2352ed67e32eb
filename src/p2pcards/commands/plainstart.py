"""The start line by line: what one may do, by number, until one sits down at a table."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from p2pcards.bots.levels import LEVELS
from p2pcards.commands import common, looking, replay, verify
from p2pcards.commands.asking import Asking, Back, Enough
from p2pcards.commands.plainform import FormLines, SettingsLines
from p2pcards.commands.plaintables import Tables
from p2pcards.commands.seating import Choosing, Seatings
from p2pcards.commands.seen import left
from p2pcards.commands.signals import run_until_signal
from p2pcards.commands.unfinished import Unfinished, forget, unfinished
from p2pcards.games.registry import GAMES, title_of
from p2pcards.net.errors import NetError
from p2pcards.net.peer import PeerSettings
from p2pcards.net.text import NAME_LIMIT, clean
from p2pcards.protocol.table import RosterError
from p2pcards.ui import settings as ui_settings
from p2pcards.ui.i18n import _, why
from p2pcards.ui.rows import new_form
from p2pcards.ui.rulespage import rules_in
from p2pcards.ui.screen import Form, Screen, Seen
from p2pcards.ui.signalled import Signalled
from p2pcards.ui.start import ENTRIES
from p2pcards.worded import WordedError

INTERRUPTED = 130
"""The exit status of what Ctrl-C has ended."""


class PlainStart:
    """Asks what to do, and does it, until the answer is a table to sit down at.

    ``letters`` when suits must be letters, whatever is set.
    """

    def __init__(
        self, args: argparse.Namespace, settings: PeerSettings, letters: bool,
        ask: Callable[[str], str] = input,
    ) -> None:  # fmt: skip
        kept = ui_settings.load(settings.data_dir)
        nick = settings.name if getattr(args, "name", None) else clean(kept.nick, NAME_LIMIT)
        self.screen = Screen(ui_settings.with_nick(kept, nick), levels=LEVELS)
        self._args = args
        self._settings = settings
        self._must_letters = letters
        self._asking = Asking(ask)
        self._changing = SettingsLines(self.screen, self._asking, settings.data_dir)

    @property
    def letters(self) -> bool:
        """Whether suits are written as letters."""
        return self._must_letters or self.screen.settings.suits == "letters"

    def run(self) -> Seatings | None:
        """What to sit down with, or None to end. Raises Signalled."""
        try:
            self._name()
            while True:
                seating = self._choose()
                if seating is not None:
                    return seating
        except (Back, Enough):
            return None

    def _name(self) -> None:
        """Ask for a nickname, if there is none yet."""
        if not self.screen.settings.nick:
            name = self._settings.name
            self._changing.nick(_("your name at the table; an empty line takes {name}", name=name))
            if not self.screen.settings.nick:
                self.screen.settings = ui_settings.with_nick(self.screen.settings, name)
            self._changing.keep()

    def _choose(self) -> Seatings | None:
        """Let something be chosen, and do it; what to sit down with, if that comes of it."""
        mine = unfinished(self._settings.data_dir, lambda exc: common.tell(why(exc)))
        entries = self._entries(mine)
        place = self._asking.pick(_("p2pcards. Write the number of what you want to do."),
                                  [text for text, _do in entries])  # fmt: skip
        if place is None:
            return None
        try:
            return entries[place][1]()
        except (Back, KeyboardInterrupt):  # Ctrl-C in the middle of a long list, say
            return None
        except (NetError, RosterError, WordedError) as exc:
            common.tell(why(exc))
            return None

    def _entries(self, mine: list[Unfinished]) -> list[tuple[str, Callable[[], Seatings | None]]]:
        """What can be done: its text, and what does it."""
        does: dict[str, Callable[[], Seatings | None]] = {
            "open": self._open, "practise": self._practise, "connect": self._connect,
            "watch": self._watch, "saved": self._saved, "rules": self._rules,
            "settings": self._changing_settings, "quit": self._quit,
        }  # fmt: skip
        entries: list[tuple[str, Callable[[], Seatings | None]]] = []
        entries += [(_back_text(game), self._coming_back(game)) for game in mine]
        entries.append((_("tables on this network"), self._join))
        entries += [(_(text), does[what]) for what, _key, text in ENTRIES]
        if mine:
            entries.insert(-1, (_("forget an unfinished game"), lambda: self._forget(mine)))
        return entries

    # -- to sit down ---------------------------------------------------------------------------

    def _choosing(self) -> Choosing:
        return Choosing(self._settings, self.screen.settings.nick)

    def _coming_back(self, game: Unfinished) -> Callable[[], Seatings]:
        return lambda: self._choosing().joined(left(game))

    def _join(self) -> Seatings | None:
        """One of the tables there are now: to sit down, or to watch."""
        seen = self._tables().choose()
        if seen.state == "playing":
            self._watch_table(seen)
            return None
        return self._choosing().joined(seen)

    def _tables(self) -> Tables:
        return Tables(self.screen, self._settings, self._asking)

    def _open(self) -> Seatings:
        return self._choosing().opened(self._filled(practise=False))

    def _practise(self) -> Seatings:
        return self._choosing().practised(self._filled(practise=True))

    def _filled(self, *, practise: bool) -> Form:
        screen = self.screen
        screen.form = new_form(screen, practise=practise)
        FormLines(screen, self._asking).fill()
        return screen.form

    def _connect(self) -> Seatings:
        """At the address of a player whose table is not in the list."""
        while True:
            text = self._asking.text(_("the address of who has opened the table, as HOST:PORT; an "
                                       "empty line goes back"))  # fmt: skip
            if not text:
                raise Back
            try:
                return self._choosing().connected(text)
            except WordedError as exc:
                common.tell(why(exc))

    def _game(self, head: str) -> str:
        names = list(GAMES)
        return names[self._asking.one_of(head, [GAMES[name].title for name in names])]

    # -- to look around ------------------------------------------------------------------------

    def _watch(self) -> None:
        """Watch one of the tables that are played at."""
        self._watch_table(self._tables().choose(playing=True))

    def _watch_table(self, seen: Seen) -> None:
        """Watch a table to its end, or until Ctrl-C."""
        common.tell(_("Ctrl-C ends watching"))
        watch = looking.watch_of(seen.name, self._args, self.screen.settings.nick, self.letters)
        try:
            run_until_signal(watch.run)
        except Signalled as exc:
            if exc.status != INTERRUPTED:
                raise
        except (NetError, BaseExceptionGroup) as exc:
            common.tell(looking.why_not(exc, seen.name))

    def _saved(self) -> None:
        """List the saved games, each verified now, and play one again."""
        folder = replay.folder_of(self._settings)
        try:
            found = replay.files(folder)
        except OSError as exc:
            common.tell(replay.unreadable(folder, exc))
            return
        if not found:
            common.tell(_("none yet; every game that you play is kept here"))
            return
        rows = [replay.row(at, verify.check_file(path)) for at, path in found]
        about = _("the number of a game plays it again; an empty line goes back")
        place = self._asking.pick(_("saved games"), rows, about)
        if place is not None:
            tape = replay.read(found[place][1], ascii_only=self.letters)
            if tape.reel.stops:
                replay.in_lines(tape)
            else:
                common.tell(str(tape.values["text"]))

    def _rules(self) -> None:
        game = GAMES[self._game(_("the rules of which game?"))]
        common.tell(rules_in(common.columns(), game, game.parse_options({})).rstrip())

    def _changing_settings(self) -> None:
        self._changing.change()

    def _forget(self, mine: list[Unfinished]) -> None:
        """Never offer one of the unfinished games again."""
        head = _("which one? What is forgotten cannot be played on.")
        game = mine[self._asking.one_of(head, [_game_text(game) for game in mine])]
        forget(self._settings.data_dir, game)
        common.tell(_("{table} is forgotten", table=game.table))

    def _quit(self) -> None:
        raise Enough


def _game_text(game: Unfinished) -> str:
    return f"{game.table} ({title_of(game.game)}: {', '.join(game.players)})"


def _back_text(game: Unfinished) -> str:
    names = ", ".join(game.players)
    return _("come back to {table} ({game}: {names})", table=game.table,
             game=title_of(game.game), names=names)  # fmt: skip
