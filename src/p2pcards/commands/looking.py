"""What one does from the start screen besides playing: watch a table, look at saved games.

Both have a full screen of their own. The start screen ends for them, and begins again after.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

import trio

from p2pcards.commands import common, replay, verify
from p2pcards.commands.replay import Tape
from p2pcards.commands.unfinished import Unfinished
from p2pcards.commands.watch import Watch
from p2pcards.games.registry import GAMES, title_of
from p2pcards.net.errors import NetError
from p2pcards.net.spectator import CannotWatch, WatchWish
from p2pcards.ui.full import Full
from p2pcards.ui.i18n import _, why
from p2pcards.ui.intents import Command, Effect
from p2pcards.ui.screen import Saved, Screen

LOOK = 30.0
"""Seconds to find the players of a table that was announced."""


@dataclass(frozen=True, slots=True)
class Watching:
    """A table to watch, by its name; None: any."""

    table: str | None


Detour: TypeAlias = Tape | Watching
"""Something to look at before the start screen is shown again."""


def look(detour: Detour, args: argparse.Namespace, screen: Screen) -> None:
    """Look at it until the person has seen enough; why it failed is said on the start screen.

    Raises:
        Signalled: a signal came, and the program must end.
    """
    if isinstance(detour, Tape):
        seat = detour.seat_of(common.data_dir(args), screen.settings.nick)
        replay.on_screen(detour, screen.settings, screen.ascii_only, seat)
        return
    watch = watch_of(detour.table, args, screen.settings.nick, screen.ascii_only)
    try:
        watch.on_screen(screen.settings)
    except (NetError, BaseExceptionGroup) as exc:
        screen.enter("start")
        screen.say(why_not(exc, detour.table), is_bad=True)


def why_not(error: BaseException, table: str | None) -> str:
    """Why nothing was watched; what is no network error is raised again."""
    match common.first(error):
        case CannotWatch() if table is None:
            return _("no table is played at now")
        case CannotWatch():
            return _("{table} cannot be watched now: it was not found, or lets nobody in",
                     table=table)  # fmt: skip
        case NetError() as cause:
            return why(cause)
    raise error


def watch_of(table: str | None, args: argparse.Namespace, nick: str, letters: bool) -> Watch:
    """The watch that ``p2pcards watch --table NAME`` would be."""
    words = {"connect": [], "record": None, "json": False, "interface": args.interface}
    return Watch(argparse.Namespace(**words), WatchWish(nick, table, (), LOOK), letters)


async def meant(face: Full, effect: Effect) -> Detour | None:
    """What an effect of the start screen means to look at, if it means that."""
    screen = face.screen
    match effect:
        case Command("watch", place) if place < len(screen.seen):
            return Watching(screen.seen[place].name)
        case Command("replay", place) if place < len(screen.saved):
            return await _opened(face, screen.saved[place])
    return None


# -- saved games ------------------------------------------------------------------------------


def listed(folder: Path, mine: Sequence[Unfinished], known: Sequence[Saved]) -> list[Saved]:
    """The games to come back to, then the saved ones, newest first.

    What is ``known`` of a file that has not changed since it was verified is kept.
    """
    before = {(saved.key, saved.at): saved for saved in known}
    out = []
    for game in mine:
        title = title_of(game.game)
        at = game.path.stat().st_mtime if game.path.exists() else 0.0
        who = ", ".join(game.players)
        out.append(Saved(str(game.path), at, "mine", title, who, text=game.table))
    for at, path in replay.files(folder):
        new = Saved(str(path), at, "checking", text=str(path))
        out.append(before.get((new.key, at), new))
    return out


def verified(saved: Saved) -> Saved:
    """What the file of a saved game shows when it is verified now."""
    values = verify.check_file(Path(saved.key))
    if "names" not in values:
        return replace(saved, state="bad", text=f"{values['text']}\n{saved.key}")
    state = "bad" if not values["good"] else "good" if values["complete"] else "part"
    game, score = GAMES[values["game"]].title, "{}:{}".format(*values["scores"])
    return replace(saved, state=state, game=game, sides=replay.sides(values), score=score)


async def verify_saved(face: Full, folder: Path, mine: Sequence[Unfinished]) -> None:
    """List the saved games on the screen, and verify one after the other."""
    screen = face.screen
    try:
        games = screen.saved = listed(folder, mine, screen.saved)
    except OSError as exc:
        screen.say(replay.unreadable(folder, exc), is_bad=True)
        return
    face.refresh()
    for place, saved in enumerate(games):
        if screen.saved is not games:
            return  # the person has come here again since, and another task has taken over
        if saved.state == "checking":
            work = partial(verified, saved)
            games[place] = await trio.to_thread.run_sync(work, abandon_on_cancel=True)
            face.refresh()


async def _opened(face: Full, saved: Saved) -> Tape | None:
    """Read a saved game for a replay; None, with a word about it, if there is nothing to see."""
    screen = face.screen
    screen.say(_("verifying …"))
    face.refresh()
    work = partial(replay.read, Path(saved.key), ascii_only=screen.ascii_only)
    tape = await trio.to_thread.run_sync(work, abandon_on_cancel=True)
    if tape.reel.stops:
        screen.message = ""
        return tape
    screen.say(str(tape.values["text"]), is_bad=True)
    return None
