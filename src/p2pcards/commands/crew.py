"""Bots that sit at a person's table, each a process of its own on this machine."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import trio

from p2pcards.commands.quarters import Bot, Room, at_table, move_in, sweep
from p2pcards.commands.sitting import Sitting
from p2pcards.net.errors import NetError
from p2pcards.net.peer import PeerSettings
from p2pcards.net.text import BOT_MARK, likeness
from p2pcards.protocol.messages import Terms
from p2pcards.ui import happenings as hap
from p2pcards.ui.i18n import _, why

NAMES = ("Ainur", "Bogdan", "Dana", "Erzhan", "Ioana", "Marat", "Saule", "Vlad")
_KEPT = 2000
"""Bytes of a bot's last words that are kept."""


def command_for(
    settings: PeerSettings, terms: Terms, addresses: Sequence[str], room: Room
) -> list[str]:
    """The command line of a bot that joins a table which is open now, or comes back to one."""
    command = [
        sys.executable, "-m", "p2pcards", "peer", "--join", "--bot", room.bot.level,
        "--name", room.bot.name, "--table", terms.name, "--game", terms.game,
        "--data-dir", str(room.path), "--wait", "0",
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

    def __post_init__(self) -> None:
        sweep(self.sitting.settings.data_dir)

    def add(self, level: str) -> None:
        """Bring one more bot, if the table has a seat for it."""
        lobby = self.sitting.lobby
        if lobby is None or len(lobby.guests) >= 4 or len(self._scopes) > 2:
            self.tell(hap.Denied(_("no seat is free for a bot")))
            return
        taken = [self.sitting.settings.name, *self._scopes, *(g.name for g in lobby.guests)]
        bot = Bot(free_name(taken, "" if self.alone else BOT_MARK), level)
        try:
            room = move_in(self.sitting.settings.data_dir, lobby.terms.table, bot)
        except (NetError, OSError) as exc:
            self._failed(f"{bot.name}: {why(exc)}")
            return
        self._start(room, lobby.terms, lobby.guests[0].addresses)

    def come_back(self, terms: Terms) -> None:
        """Bring the bots again that were brought to a table to which the person comes back."""
        for room in at_table(self.sitting.settings.data_dir, terms.table):
            if room.bot.name not in self._scopes:
                self._start(room, terms, ())

    def dismiss(self) -> None:
        """Send the bot away that was brought last; told when there is none."""
        if self._scopes:
            self._scopes[next(reversed(self._scopes))].cancel()
        else:
            self.tell(hap.Denied(_("you have brought no bot")))

    def _start(self, room: Room, terms: Terms, addresses: Sequence[str]) -> None:
        self._scopes[room.bot.name] = trio.CancelScope()
        self._tell_names()
        command = command_for(self.sitting.settings, terms, addresses, room)
        self.nursery.start_soon(self._keep, room, command)

    async def _keep(self, room: Room, command: list[str]) -> None:
        name = room.bot.name
        try:
            with self._scopes[name]:
                await keep(name, command, self._failed)
        finally:
            room.leave()
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


async def keep(name: str, command: list[str], failed: Callable[[str], None]) -> None:
    """Run a bot's process to its end, and end it when this task is cancelled.

    ``failed`` is told when it ends badly.
    """
    process = await trio.lowlevel.open_process(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
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
                with trio.CancelScope(shield=True):
                    await process.wait()
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
