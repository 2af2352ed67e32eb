"""``p2pcards play``: a seat for a person, on a full screen or line by line."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from p2pcards.commands import common, plainplay, replay
from p2pcards.commands.face import ascii_only, dress, forgive_output, has_screen
from p2pcards.commands.peer import default_name, settings_of
from p2pcards.commands.seating import Seatings
from p2pcards.games.options import OptionError
from p2pcards.net.errors import NetError
from p2pcards.net.peer import PeerSettings
from p2pcards.net.text import clean
from p2pcards.net.wish import Role, Wish
from p2pcards.protocol.limits import THINK
from p2pcards.protocol.table import RosterError
from p2pcards.ui import host
from p2pcards.ui import settings as ui_settings
from p2pcards.ui.i18n import _, why
from p2pcards.ui.signalled import Signalled

if TYPE_CHECKING:
    from p2pcards.commands.demo import Demo


PIPE_WAIT = 600.0
"""Seconds for four to meet when a pipe waits for them, which cannot see that nobody comes."""


def run(args: argparse.Namespace) -> int:
    """Play a match at the terminal; the exit status."""
    kept = dress(args)
    args.wait = args.wait or (float("inf") if plainplay.is_typed() else PIPE_WAIT)
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
        habits = ui_settings.load(common.data_dir(args))
        letters = args.ascii or ascii_only()
        if not direct and plainplay.is_typed():
            return plainplay.from_start(args, settings, letters)
        letters = letters or habits.suits == "letters"
        return plainplay.at_table(args, Seatings(settings, bots, ready), letters, habits)
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
        evening = Evening(args, settings, face, Seatings(settings, bots, ready) if direct else None)
        evening.status = status
        status = host.run(evening.run, face, evening.leave)
        if evening.detour is None:
            for line in evening.ending if direct else ():
                common.tell(line)
            return status
        looking.look(evening.detour, args, screen)
