"""The start line by line: what one may do, by number, until one sits down at a table."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace

from p2pcards.commands import common, looking, replay, verify
from p2pcards.commands.signals import run_until_signal
from p2pcards.commands.unfinished import Unfinished, unfinished
from p2pcards.games.registry import title_of
from p2pcards.net.errors import NetError
from p2pcards.net.peer import PeerSettings
from p2pcards.net.text import clean
from p2pcards.net.wish import Role
from p2pcards.ui.i18n import _, why
from p2pcards.ui.signalled import Signalled

INTERRUPTED = 130
"""The exit status of what Ctrl-C has ended."""


class PlainStart:
    """Asks what to do, and does it, until the answer is a table to sit down at."""

    def __init__(
        self, args: argparse.Namespace, settings: PeerSettings, letters: bool,
        ask: Callable[[str], str] = input,
    ) -> None:  # fmt: skip
        self._args = args
        self._settings = settings
        self._letters = letters
        self._ask_line = ask

    def run(self) -> PeerSettings | None:
        """What to sit down with, or None to end. Raises Signalled."""
        while True:
            mine = unfinished(self._settings.data_dir, lambda exc: common.out(why(exc)))
            texts = [*map(_back_text, mine), _("sit down at a table, or open one"),
                     _("watch a table that is played at"), _("saved games"), _("quit")]  # fmt: skip
            for number, text in enumerate(texts, 1):
                common.out(f"{number}  {text}")
            place = self._number(len(texts), default=0)
            if place is None or place == len(texts) - 1:
                return None
            if place < len(mine):
                return self._coming_back(mine[place])
            if place == len(mine):
                return replace(self._settings, resume=False)
            (self._watch if place == len(mine) + 1 else self._saved)()

    # -- answers -------------------------------------------------------------------------------

    def _ask(self, prompt: str = "") -> str | None:
        """A line; None when the person wants to leave."""
        try:
            return self._ask_line(f"{prompt}> ").strip()
        except (EOFError, KeyboardInterrupt):
            common.out("")
            return None

    def _number(self, count: int, default: int | None) -> int | None:
        """The place that a number means, the default for an empty line, None to leave."""
        while True:
            line = self._ask()
            if line is None:
                return None
            if not line:
                return default
            if line.isdecimal() and 1 <= int(line) <= count:
                return int(line) - 1
            common.out(_("a number from 1 to {n}", n=count))

    # -- what can be done ----------------------------------------------------------------------

    def _coming_back(self, game: Unfinished) -> PeerSettings:
        wish = replace(self._settings.wish, role=Role.JOIN, game=game.game, table=game.table)
        return replace(self._settings, wish=wish, resume=True)

    def _watch(self) -> None:
        """Watch a table to its end, or until Ctrl-C."""
        name = self._ask(_("name of the table, or nothing for any"))
        if name is None:
            return
        common.out(_("Ctrl-C ends watching"))
        table = clean(name, 32) or None
        watch = looking.watch_of(table, self._args, self._settings.name, self._letters)
        try:
            run_until_signal(watch.run)
        except Signalled as exc:
            if exc.status != INTERRUPTED:
                raise
        except (NetError, BaseExceptionGroup) as exc:
            common.out(looking.why_not(exc, table))

    def _saved(self) -> None:
        """List the saved games, each verified now, and play one again."""
        folder = replay.folder_of(self._settings)
        try:
            found = replay.files(folder)
        except OSError as exc:
            common.out(replay.unreadable(folder, exc))
            return
        for number, (at, path) in enumerate(found, 1):
            common.out(f"{number}  {replay.row(at, verify.check_file(path))}")
        if not found:
            common.out(_("none yet; every game that you play is kept here"))
            return
        common.out(_("the number of a game plays it again; an empty line goes back"))
        place = self._number(len(found), default=None)
        if place is not None:
            tape = replay.read(found[place][1], ascii_only=self._letters)
            if tape.reel.stops:
                replay.in_lines(tape)
            else:
                common.out(str(tape.values["text"]))


def _back_text(game: Unfinished) -> str:
    names = ", ".join(game.players)
    return _("come back to {table} ({game}: {names})", table=game.table,
             game=title_of(game.game), names=names)  # fmt: skip
