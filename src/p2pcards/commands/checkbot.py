"""``p2pcards check-bot``: play another program through many positions and report."""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from p2pcards.bots.arena.table import Table
from p2pcards.bots.dialogue import choice_text
from p2pcards.bots.external import ExternalBot, ProgramError, check_command
from p2pcards.bots.levels import Bot, make_bot
from p2pcards.commands import common
from p2pcards.games.base import Action, Phase, View
from p2pcards.games.engine import Game
from p2pcards.games.registry import GAMES
from p2pcards.ui.i18n import _, n_, why
from p2pcards.worded import text_of

SEAT = 2
"""Where the program sits; three bots of the middle level sit around it."""


class EnoughError(Exception):
    """All positions have been played."""


@dataclass(slots=True)
class Watched:
    """A program that is asked a number of questions, and what was seen of it."""

    program: ExternalBot
    most: int
    asked: list[tuple[str, float]] = field(default_factory=list)
    last: str = ""

    def act(self, game: Game[Any], view: View, choices: tuple[Action, ...]) -> Action:
        """The program's choice; raises ProgramError or EnoughError."""
        if len(self.asked) >= self.most:
            raise EnoughError
        kind = "bid" if view.state.phase is Phase.BID else "play"
        hand = " ".join(card.ascii for card in sorted(view.hand))
        trick = " ".join(card.ascii for card in view.state.trick.cards)
        legal = ", ".join(choice_text(choice) for choice in choices)
        self.last = _("{game}, hand {hand}, trick {trick}, choices {choices}", game=game.name,
                      hand=hand, trick=trick or _("empty"), choices=legal)  # fmt: skip
        begin = time.monotonic()
        choice = self.program.act(game, view, choices)
        self.asked.append((kind, time.monotonic() - begin))
        return choice


@dataclass(frozen=True, slots=True)
class Report:
    """What a program did in one game."""

    game: str
    positions: int
    bids: int
    median: float
    most: float
    fault: str | None
    where: str

    def as_json(self) -> dict[str, Any]:
        """Stable keys for scripts."""
        return {
            "game": self.game, "good": self.fault is None, "positions": self.positions,
            "bids": self.bids, "median": round(self.median, 5), "most": round(self.most, 5),
            "fault": self.fault, "where": self.where or None,
        }  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Check and report; the exit status: 0 if all went well, 1 if not."""
    if not 1 <= args.positions <= 100_000 or not 0.1 <= args.seconds <= 3600:
        text = _("--positions: 1 to 100000; --seconds: 0.1 to 3600")
        return common.fail(common.USAGE, text)
    try:
        check_command(args.command_line)
    except ProgramError as exc:
        return common.fail(common.USAGE, f"COMMAND: {why(exc)}")
    names = tuple(GAMES) if args.game is None else (args.game,)
    status = common.DONE
    for i, name in enumerate(names):
        share = (args.positions + i) // len(names)
        if share == 0:
            continue
        report = check(args.command_line, name, share, args.seconds, args.seed)
        if args.json:
            common.out_json(report.as_json())
        else:
            common.out(_words(report))
        if report.fault is not None:
            status = common.UNTRUE
    return status


def check(command: str, name: str, positions: int, seconds: float, seed: str) -> Report:
    """Play a program through so many positions of a game, in match after match."""
    game, program = GAMES[name], ExternalBot(command, seconds)
    watched, fault, number = Watched(program, positions), None, 0
    try:
        while True:
            bots: list[Bot] = [make_bot("normal", b"") for _seat in range(4)]
            bots[SEAT] = watched
            state = game.start(game.parse_options({}), number % 4)
            Table(game, state, bots, f"{seed}/{number}").play()
            number += 1
    except EnoughError:
        pass
    except ProgramError as exc:
        fault = text_of(exc)
    finally:
        program.close()
    times = [taken for _kind, taken in watched.asked] or [0.0]
    bids = sum(kind == "bid" for kind, _taken in watched.asked)
    where = watched.last if fault else ""
    return Report(name, len(watched.asked), bids, median(times), max(times), fault, where)


def _words(report: Report) -> str:
    title = GAMES[report.game].title
    times = _("median {median} ms, longest {most} ms", median=f"{1000 * report.median:.1f}",
              most=f"{1000 * report.most:.1f}")  # fmt: skip
    positions = n_("{n} position", "{n} positions", report.positions)
    played = f"{positions} ({n_('{n} bid', '{n} bids', report.bids)})"
    if report.fault is None:
        return _("{game}: passed, {played}, {times}", game=title, played=played, times=times)
    failed = _("{game}: FAILED after {played}: {reason}", game=title, played=played,
               reason=_(report.fault))  # fmt: skip
    return failed + "\n  " + _("in {where}", where=report.where)
