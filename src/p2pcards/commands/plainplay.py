"""A seat for a person line by line: at one table, or from the start list again and again."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from dataclasses import replace

import trio

from p2pcards.commands import common
from p2pcards.commands.crew import Crew
from p2pcards.commands.seating import Seatings
from p2pcards.commands.sitting import Sitting
from p2pcards.net.errors import NetError
from p2pcards.net.peer import PeerSettings
from p2pcards.net.scratch import scratch
from p2pcards.ui import host
from p2pcards.ui.i18n import N_, why
from p2pcards.ui.lines import PipeLines
from p2pcards.ui.plain import Plain
from p2pcards.ui.plainwords import words
from p2pcards.ui.settings import Settings
from p2pcards.ui.signalled import Signalled


def is_typed() -> bool:
    """Whether somebody sits at both ends, and no pipe."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def from_start(args: argparse.Namespace, settings: PeerSettings, letters: bool) -> int:
    """Let the person look around and sit down, until enough; the exit status of the last table."""
    from p2pcards.commands.plainstart import PlainStart

    start, status = PlainStart(args, settings, letters), common.DONE
    while (seating := start.run()) is not None:
        try:
            status = at_table(args, seating, start.letters, start.screen.settings)
        except (NetError, BaseExceptionGroup) as exc:
            cause = common.first(exc)
            if not isinstance(cause, NetError):
                raise
            common.tell(why(cause))
        common.out("")
    return status


def at_table(args: argparse.Namespace, seating: Seatings, letters: bool, habits: Settings) -> int:
    """Sit at one table to its end; the exit status. Raises NetError and Signalled."""
    if seating.alone:
        with scratch("practice") as folder:
            settings = replace(seating.settings, data_dir=folder)
            return at_table(args, replace(seating, settings=settings, alone=False), letters, habits)
    sitting = Sitting(seating.settings, args.on_loss, letters)
    alone = seating.settings.alone
    if not is_typed():
        plain = Plain(PipeLines(), common.out, sitting, ready=True, ascii_only=letters, alone=alone)
        return trio.run(_sit, sitting, plain, seating.bots, True)
    from p2pcards.ui.prompt import PromptLines

    lines = PromptLines(lambda: [*plain.words(), *words().values()], lambda: plain.leave())
    plain = Plain(
        lines, common.tell, sitting, ready=seating.ready, ascii_only=letters, alone=alone,
        auto=habits.auto, ring=lines.ring if habits.bell else lambda: None, columns=common.columns,
    )  # fmt: skip

    async def main() -> int:
        return await _sit(sitting, plain, seating.bots, False)

    return host.run(main, lines, lambda: sitting.leave(N_("has left")))


async def _sit(sitting: Sitting, plain: Plain, bots: tuple[str, ...], signals: bool) -> int:
    """Play one match line by line; the exit status."""
    async with trio.open_nursery() as nursery:
        if signals:
            nursery.start_soon(_watch_signals, sitting)
        nursery.start_soon(plain.read)
        nursery.start_soon(_bring, sitting, bots, nursery, plain)
        status = await sitting.run(plain)
        nursery.cancel_scope.cancel()
    if sitting.signal:
        raise Signalled(sitting.signal)
    return status


async def _bring(
    sitting: Sitting, levels: tuple[str, ...], nursery: trio.Nursery, plain: Plain
) -> None:
    """Start the bots that come along, once the table is open."""
    crew = sitting.crew = Crew(sitting, nursery, plain.tell, alone=sitting.settings.alone)
    await sitting.lobby_known.wait()
    for level in levels:
        crew.add(level)


async def _watch_signals(sitting: Sitting) -> None:
    numbers = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if os.name == "posix" else [])]
    with trio.open_signal_receiver(*numbers) as received:
        async for number in received:
            if sitting.signal:
                raise Signalled(number)
            sitting.signal = number
            sitting.leave(N_("has left"))
