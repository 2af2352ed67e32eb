"""Bots that sit at a person's table, each a process of its own on this machine."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import trio

from p2pcards.commands.sitting import Sitting
from p2pcards.net.peer import PeerSettings
from p2pcards.net.scratch import scratch
from p2pcards.net.text import BOT_MARK, likeness
from p2pcards.protocol.messages import Terms
from p2pcards.ui import happenings as hap
from p2pcards.ui.i18n import _

NAMES = ("Ainur", "Bogdan", "Dana", "Erzhan", "Ioana", "Marat", "Saule", "Vlad")
_KEPT = 2000
"""Bytes of a bot's last words that are kept."""


def command_for(
    settings: PeerSettings, terms: Terms, addresses: Sequence[str], name: str, level: str,
    folder: str,
) -> list[str]:  # fmt: skip
    """The command line of a bot that joins a table which is open now."""
    command = [
        sys.executable, "-m", "p2pcards", "peer", "--join", "--bot", level, "--name", name,
        "--table", terms.name, "--game", terms.game, "--data-dir", folder, "--wait", "0",
        "--on-loss", "stay",
    ]  # fmt: skip
    if settings.interface:
        command += ["--interface", settings.interface]
    for address in addresses[:3]:
        command += ["--connect", address]
    if settings.unlisted:
        command += ["--unlisted"]
    if settings.seed is not None:
        command += ["--seed", settings.seed.decode()]
    return command


def free_name(taken: Sequence[str], mark: str = "") -> str:
    """A name for one more bot, with a mark behind it if people sit at the table, too."""
    used = {likeness(name.removesuffix(BOT_MARK)) for name in taken}
    spare = (*NAMES, *(f"Bot {n}" for n in range(1, 20)))
    return next(name for name in spare if likeness(name) not in used) + mark


@dataclass(slots=True)
class Crew:
    """The bots that one person brings to the table in the lobby.

    ``alone`` when nobody else will sit there, so that no bot must be told from a person.
    """

    sitting: Sitting
    nursery: trio.Nursery
    tell: Callable[[hap.Happening], None]
    alone: bool = False
    _scopes: dict[str, trio.CancelScope] = field(default_factory=dict)

    def add(self, level: str) -> None:
        """Bring one more bot, if the table has a seat for it."""
        lobby = self.sitting.lobby
        if lobby is None or len(lobby.guests) >= 4 or len(self._scopes) > 2:
            self.tell(hap.Trouble(_("no seat is free for a bot")))
            return
        taken = [self.sitting.settings.name, *self._scopes, *(g.name for g in lobby.guests)]
        name = free_name(taken, "" if self.alone else BOT_MARK)
        self._scopes[name] = trio.CancelScope()
        self._tell_names()
        make = partial(
            command_for, self.sitting.settings, lobby.terms, lobby.guests[0].addresses, name, level
        )
        self.nursery.start_soon(self._keep, name, make)

    def dismiss(self) -> None:
        """Send the bot away that was brought last; told when there is none."""
        if self._scopes:
            self._scopes[next(reversed(self._scopes))].cancel()
        else:
            self.tell(hap.Trouble(_("you have brought no bot")))

    async def _keep(self, name: str, make: Callable[[str], list[str]]) -> None:
        try:
            with self._scopes[name]:
                await keep(name, make, self._failed)
        finally:
            del self._scopes[name]
            self._tell_names()

    def _tell_names(self) -> None:
        self.tell(hap.Brought(self.names))

    @property
    def names(self) -> tuple[str, ...]:
        """The bots that are here."""
        return tuple(self._scopes)

    def _failed(self, text: str) -> None:
        self.tell(hap.Trouble(_("a bot has ended: {text}", text=text)))


async def keep(
    name: str, command: Callable[[str], list[str]], failed: Callable[[str], None]
) -> None:
    """Run a bot's process to its end, and end it when this task is cancelled.

    ``command`` makes its command line from a folder that is its own for as long as it runs;
    ``failed`` is told when it ends badly.
    """
    with scratch("bot") as folder:
        process = await trio.lowlevel.open_process(
            command(str(folder)), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        words = b""
        try:
            if process.stderr is not None:
                async for chunk in process.stderr:
                    words = (words + chunk)[-_KEPT:]
            status = await process.wait()
        finally:
            if process.returncode is None:
                process.terminate()
                with trio.move_on_after(3, shield=True):
                    await process.wait()
                if process.returncode is None:
                    process.kill()
    if status:
        failed(f"{name}: {_last_words(words, status)}")


def _last_words(words: bytes, status: int) -> str:
    """Why a bot's process ended: what it said itself, or its exit status."""
    said = [line for line in words.decode(errors="replace").splitlines() if line[:9] == "p2pcards:"]
    if said:
        return said[-1][9:].strip()
    if status < 0:
        return _("ended by signal {n}", n=-status)
    return _("ended with status {n}", n=status)
