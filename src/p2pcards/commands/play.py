"""``p2pcards play``: a seat for a person, on a full screen or line by line."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import trio

from p2pcards.commands import common, replay
from p2pcards.commands.crew import Crew
from p2pcards.commands.face import ascii_only, dress, forgive_output, has_screen
from p2pcards.commands.peer import default_name, settings_of
from p2pcards.commands.sitting import Sitting
from p2pcards.games.options import OptionError
from p2pcards.net.errors import NetError
from p2pcards.net.peer import PeerSettings
from p2pcards.net.text import clean
from p2pcards.net.wish import Role, Wish
from p2pcards.protocol.limits import THINK
from p2pcards.protocol.table import RosterError
from p2pcards.ui import host
from p2pcards.ui import settings as ui_settings
from p2pcards.ui.i18n import N_, _, why
from p2pcards.ui.lines import PipeLines
from p2pcards.ui.plain import Plain
from p2pcards.ui.plainlook import words
from p2pcards.ui.signalled import Signalled

if TYPE_CHECKING:
    from p2pcards.commands.demo import Demo
    from p2pcards.commands.seating import Seatings


def run(args: argparse.Namespace) -> int:
    """Play a match at the terminal; the exit status."""
    kept = dress(args)
    args.wait = args.wait or float("inf")
    direct = bool(args.open or args.join or args.connect or args.table or args.option)
    try:
        settings = settings_of(args)
    except (common.UsageError, OptionError, RosterError) as exc:
        return common.fail(common.USAGE, why(exc))
    if not args.name and kept.nick:
        settings = replace(settings, name=clean(kept.nick, 32) or settings.name)
    settings = replace(settings, record=replay.folder_of(settings))
    return sit(args, settings, (), direct=direct, ready=args.ready)


def play_with_bots(args: argparse.Namespace, demo: Demo) -> int:
    """The person opens the demonstration's table, and three bots join as their own processes."""
    kept = dress(args)
    name = clean(args.name or kept.nick or default_name(), 32) or "player"
    wish = Wish(
        args.game, demo.options, demo.table, Role.OPEN, "drawn", args.deadline, 5 * THINK, 60.0,
        ("127.0.0.1",), (),
    )  # fmt: skip
    settings = PeerSettings(
        demo.folder / "you", name, wish, "127.0.0.1", 0,
        Path(args.record) if args.record else None,
        args.seed.encode() if args.seed else None, unlisted=True, alone=True,
    )  # fmt: skip
    if args.on_loss == "stop":
        args = argparse.Namespace(**{**vars(args), "on_loss": "ask"})
    return sit(args, settings, tuple(demo.levels), direct=True, ready=True)


def sit(
    args: argparse.Namespace, settings: PeerSettings, bots: tuple[str, ...],
    *, direct: bool, ready: bool,
) -> int:  # fmt: skip
    """Seat the person at the face that suits the terminal; the exit status.

    ``direct`` skips the start screen, ``bots`` are the levels of those to bring along.
    """
    if settings.seed:
        common.say("p2pcards: " + _("--seed is for tests: this game is not secret"))
    forgive_output()
    try:
        if not args.plain and has_screen():
            return _full(args, settings, bots, direct, ready)
        if not direct and _is_typed():
            chosen = _chosen_plainly(args, settings)
            return common.DONE if chosen is None else _plain(args, chosen, bots, ready)
        return _plain(args, settings, bots, ready)
    except (NetError, Signalled, OSError, BaseExceptionGroup) as exc:
        return _failed(exc)


def _failed(error: BaseException) -> int:
    """Say why it ended early; the exit status. What is our own bug is raised again."""
    cause = common.first(error)
    match cause:
        case Signalled():
            return cause.status
        case NetError():
            return common.fail(common.NETWORK, why(cause))
    raise error


# -- the full screen --------------------------------------------------------------------------


def _full(
    args: argparse.Namespace, settings: PeerSettings, bots: tuple[str, ...], direct: bool,
    ready: bool,
) -> int:  # fmt: skip
    from p2pcards.commands import looking
    from p2pcards.commands.evening import Evening
    from p2pcards.ui.full import Full
    from p2pcards.ui.screen import Screen

    folder = common.data_dir(args)
    kept = ui_settings.load(folder)
    if args.name:
        kept = ui_settings.with_nick(kept, settings.name)
    letters = args.ascii or kept.suits == "letters" or ascii_only()
    screen, status = Screen(kept, ascii_only=letters), 0
    while True:
        face = Full(screen, lambda now: ui_settings.save(folder, now))
        evening = Evening(args, settings, face, _first(settings, bots, ready) if direct else None)
        evening.status = status
        status = host.run(evening.run, face, evening.leave)
        if evening.detour is None:
            return status
        looking.look(evening.detour, args, screen)


def _first(settings: PeerSettings, bots: tuple[str, ...], ready: bool) -> Seatings:
    from p2pcards.commands.seating import Seatings

    return Seatings(settings, bots, ready)


# -- line by line -----------------------------------------------------------------------------


def _is_typed() -> bool:
    """Whether somebody sits at both ends, and no pipe."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _chosen_plainly(args: argparse.Namespace, settings: PeerSettings) -> PeerSettings | None:
    """What the person sits down with after looking around, or None to end."""
    from p2pcards.commands.plainstart import PlainStart

    return PlainStart(args, settings, args.ascii or ascii_only()).run()


def _plain(
    args: argparse.Namespace, settings: PeerSettings, bots: tuple[str, ...], ready: bool
) -> int:
    sitting = Sitting(settings, args.on_loss, args.ascii or ascii_only())
    if not _is_typed():
        plain = Plain(PipeLines(), common.out, sitting, ready=True, ascii_only=sitting.letters)
        return trio.run(_evening, sitting, plain, bots, True)
    from p2pcards.ui.prompt import PromptLines

    def leave() -> None:
        sitting.leave(N_("has left"))

    lines = PromptLines(lambda: [*plain.words(), *words().values()], leave)
    plain = Plain(lines, common.out, sitting, ready=ready, ascii_only=sitting.letters)

    async def main() -> int:
        return await _evening(sitting, plain, bots, False)

    return host.run(main, lines, leave)


async def _evening(sitting: Sitting, plain: Plain, bots: tuple[str, ...], signals: bool) -> int:
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
