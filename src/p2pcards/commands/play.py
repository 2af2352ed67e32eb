"""``p2pcards play``: a seat for a person, on a full screen or line by line."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import trio

from p2pcards.commands import common
from p2pcards.commands.peer import default_name, settings_of
from p2pcards.commands.sitting import Sitting
from p2pcards.games.options import OptionError
from p2pcards.net.errors import NetError
from p2pcards.net.forming import Role, Wish
from p2pcards.net.peer import PeerSettings
from p2pcards.net.text import clean
from p2pcards.protocol.table import RosterError
from p2pcards.protocol.terms import THINK
from p2pcards.ui import i18n
from p2pcards.ui.host import Signalled
from p2pcards.ui.i18n import _
from p2pcards.ui.lines import PipeLines
from p2pcards.ui.plain import Plain

if TYPE_CHECKING:
    from p2pcards.commands.demo import Demo

Beside = Callable[[trio.Nursery], None]
"""Starts what runs beside the person's seat, the bots' processes say."""


def run(args: argparse.Namespace) -> int:
    """Play a match at the terminal; the exit status."""
    i18n.choose(args.lang)
    args.wait = args.wait or float("inf")
    try:
        settings = settings_of(args)
    except (common.UsageError, OptionError, RosterError) as exc:
        return common.fail(common.USAGE, str(exc))
    return sit(args, Sitting(settings, args.on_loss), lambda nursery: None, ready=args.ready)


def play_with_bots(args: argparse.Namespace, demo: Demo) -> int:
    """The person opens the demonstration's table, and three bots join as their own processes."""
    from p2pcards.commands.demo import NAMES, Seat

    i18n.choose(getattr(args, "lang", None))
    name = clean(args.name or default_name(), 32) or "player"
    wish = Wish(
        args.game, demo.options, demo.table, Role.OPEN, "drawn", args.deadline, THINK, 60.0,
        ("127.0.0.1",), (),
    )  # fmt: skip
    settings = PeerSettings(
        demo.folder / "you", name, wish, "127.0.0.1", 0,
        Path(args.record) if args.record else None,
        args.seed.encode() if args.seed else None,
    )  # fmt: skip
    names = [other for other in NAMES if other.casefold() != name.casefold()][:3]
    statuses: list[int] = []

    def start_bots(nursery: trio.Nursery) -> None:
        for bot, level in zip(names, demo.levels, strict=True):
            seat = Seat(bot, demo.peer_command(bot, level, "--join"))
            demo.seats.append(seat)
            nursery.start_soon(demo.keep, seat, False, statuses)

    return sit(args, Sitting(settings), start_bots, ready=True)


def sit(args: argparse.Namespace, sitting: Sitting, beside: Beside, *, ready: bool) -> int:
    """Seat the person at the face that suits the terminal; the exit status."""
    if sitting.settings.seed:
        common.say("p2pcards: --seed is for tests: this game is not secret")
    try:
        return _plain_pipe(sitting, beside, args.ascii or ascii_only())
    except (NetError, Signalled, BaseExceptionGroup) as exc:
        cause = common.first(exc)
        if isinstance(cause, Signalled):
            return cause.status
        if isinstance(cause, NetError):
            return common.fail(common.NETWORK, str(cause))
        raise


def ascii_only(stream: object = None) -> bool:
    """Whether the output cannot show suit signs."""
    encoding = getattr(stream or sys.stdout, "encoding", None) or "ascii"
    try:
        "♣♦♥♠│╭".encode(encoding)
    except (UnicodeError, LookupError):
        return True
    return False


def _plain_pipe(sitting: Sitting, beside: Beside, letters: bool) -> int:
    plain = Plain(PipeLines(), common.out, sitting, ready=True, ascii_only=letters)
    return trio.run(_evening, sitting, plain, beside)


async def _evening(sitting: Sitting, plain: Plain, beside: Beside) -> int:
    """Play one match line by line, under trio alone."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_watch_signals, sitting)
        nursery.start_soon(plain.read)
        beside(nursery)
        status = await sitting.run(plain)
        nursery.cancel_scope.cancel()
    if sitting.signal:
        raise Signalled(sitting.signal)
    return status


async def _watch_signals(sitting: Sitting) -> None:
    numbers = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if os.name == "posix" else [])]
    with trio.open_signal_receiver(*numbers) as received:
        async for number in received:
            if sitting.signal:
                raise Signalled(number)
            sitting.signal = number
            sitting.leave(_("has left"))
