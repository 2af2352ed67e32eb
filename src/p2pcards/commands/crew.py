"""Bots that sit at a person's table, each a process of its own on this machine."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import trio

from p2pcards.commands.sitting import Sitting
from p2pcards.net.peer import PeerSettings
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
        "--table", terms.name, "--game", terms.game, "--data-dir", folder, "--wait", "60",
        "--on-loss", "vote",
    ]  # fmt: skip
    if settings.interface:
        command += ["--interface", settings.interface]
    for address in addresses[:3]:
        command += ["--connect", address]
    if settings.seed is not None:
        command += ["--seed", settings.seed.decode()]
    return command


def free_name(taken: Sequence[str]) -> str:
    """A name for one more bot."""
    used = {name.casefold() for name in taken}
    spare = [*NAMES, *(f"Bot {n}" for n in range(1, 20))]
    return next(name for name in spare if name.casefold() not in used)


def starter(
    sitting: Sitting, taken: list[str], level: str, tell: Callable[[hap.Happening], None]
) -> Callable[[], Awaitable[None]] | None:
    """A task that runs one more bot at the table in the lobby, or None when it is full.

    ``taken`` are the names of this person and the bots brought so far; the new one is added.
    """
    lobby = sitting.lobby
    if lobby is None or len(lobby.guests) >= 4 or len(taken) > 3:
        return None
    name = free_name([*taken, *(guest.name for guest in lobby.guests)])
    taken.append(name)
    addresses, terms = lobby.guests[0].addresses, lobby.terms

    def command(folder: str) -> list[str]:
        return command_for(sitting.settings, terms, addresses, name, level, folder)

    def failed(text: str) -> None:
        taken.remove(name)
        tell(hap.Trouble(_("a bot has ended: {text}", text=text)))

    return partial(keep, name, command, failed)


async def keep(
    name: str, command: Callable[[str], list[str]], failed: Callable[[str], None]
) -> None:
    """Run a bot's process to its end, and end it when this task is cancelled.

    ``command`` makes its command line from a folder that is its own for as long as it runs;
    ``failed`` is told when it ends badly.
    """
    with tempfile.TemporaryDirectory(prefix="p2pcards-bot-") as folder:
        process = await trio.lowlevel.open_process(
            command(folder), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
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
