"""``p2pcards demo``: a whole table on this machine, each seat a process of its own."""

from __future__ import annotations

import argparse
import json
import random
import secrets
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import trio

from p2pcards.bots.levels import LEVELS, USUAL
from p2pcards.commands import common
from p2pcards.commands.signals import run_until_signal
from p2pcards.commands.verify import check_file
from p2pcards.games.base import TEAM_NAMES
from p2pcards.games.options import OptionError
from p2pcards.games.registry import GAMES
from p2pcards.net.scratch import scratch
from p2pcards.ui.i18n import _, n_, why
from p2pcards.ui.signalled import Signalled
from p2pcards.ui.words import Speaker

NAMES = ("Ainur", "Bogdan", "Dana", "Erzhan")
KILLS = 5
"""How often ``--chaos`` kills and restarts a seat in one match, at least."""


def run(args: argparse.Namespace) -> int:
    """Play a demonstration match; the exit status."""
    try:
        options = common.read_options(args.option)
        if args.points is not None:
            options["target"] = str(args.points)
        GAMES[args.game].parse_options(options)
        levels = _levels(args)
        if not args.headless and (args.json or args.chaos is not None):
            raise common.UsageError(_("--json and --chaos are for --headless"))
    except (common.UsageError, OptionError) as exc:
        return common.fail(common.USAGE, why(exc))
    with scratch("demo") as folder:
        demo = Demo(args, options, levels, folder)
        if args.headless:
            try:
                return run_until_signal(demo.headless)
            except Signalled as exc:
                return exc.status
        from p2pcards.commands.play import play_with_bots

        return play_with_bots(args, demo)


def _levels(args: argparse.Namespace) -> list[str]:
    count = 4 if args.headless else 3
    levels = args.seats.split(",") if args.seats else [USUAL] * count
    if len(levels) != count or not set(levels) <= set(LEVELS):
        text = f"--seats: {count} levels separated by commas, each of {', '.join(LEVELS)}"
        raise common.UsageError(text)
    return levels


@dataclass(slots=True)
class Seat:
    """One seat's process, as often as it was started, and what it last reported."""

    name: str
    command: list[str]
    process: trio.Process | None = None
    pid: int = 0
    kills: int = 0
    result: dict[str, Any] | None = None
    errors: list[str] = field(default_factory=list)


class Demo:
    """A table of peer processes that meet by mDNS on the loopback address."""

    def __init__(
        self, args: argparse.Namespace, options: dict[str, str], levels: list[str], folder: Path
    ) -> None:
        self.args = args
        self.options = options
        self.levels = levels
        self.folder = folder
        self.table = f"demo-{secrets.token_hex(3)}"
        self.records = Path(args.record) if args.record else folder / "records"
        self.seats: list[Seat] = []
        self._events = 0
        self._seated = trio.Event()
        self._stirred = trio.Event()

    def peer_command(self, name: str, level: str, role: str) -> list[str]:
        """The command line of one bot's process."""
        command = [
            sys.executable, "-m", "p2pcards", "peer", "--json", role, "--bot", level,
            "--name", name, "--table", self.table, "--game", self.args.game,
            "--interface", "127.0.0.1", "--data-dir", str(self.folder / name),
            "--record", str(self.records), "--deadline", str(self.args.deadline),
            "--on-loss", self.args.on_loss, "--wait", "30",
        ]  # fmt: skip
        for key, value in self.options.items():
            command += ["--option", f"{key}={value}"]
        if self.args.seed:
            command += ["--seed", self.args.seed]
        return command

    async def headless(self) -> int:
        """Four bots; the exit status."""
        roles = ["--open", "--join", "--join", "--join"]
        for name, level, role in zip(NAMES, self.levels, roles, strict=True):
            self.seats.append(Seat(name, self.peer_command(name, level, role)))
        statuses: list[int] = []
        async with trio.open_nursery() as nursery:
            async with trio.open_nursery() as seats:
                for i, seat in enumerate(self.seats):
                    seats.start_soon(self.keep, seat, i == 0, statuses)
                if self.args.chaos is not None:
                    nursery.start_soon(self._chaos)
            nursery.cancel_scope.cancel()
        return self._conclude(statuses)

    async def keep(self, seat: Seat, speaks: bool, statuses: list[int]) -> None:
        """Run a seat's process to its end; one that chaos killed is started again."""
        kills = 0
        while True:
            status = await self._run(seat, speaks)
            if seat.kills == kills:
                break
            kills = seat.kills
        if status:
            for line in seat.errors[-3:]:
                common.say(f"{seat.name}: {line}")
        statuses.append(status)

    async def _run(self, seat: Seat, speaks: bool) -> int:
        process = await trio.lowlevel.open_process(
            seat.command, stdout=trio_pipe(), stderr=trio_pipe()
        )
        seat.process, seat.pid = process, process.pid
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._listen, seat, process, speaks)
                nursery.start_soon(self._collect, seat, process)
            return await process.wait()
        finally:
            if process.returncode is None:
                process.terminate()
                with trio.move_on_after(3, shield=True):
                    await process.wait()

    async def _listen(self, seat: Seat, process: trio.Process, speaks: bool) -> None:
        async for line in lines_of(process.stdout):
            event = json.loads(line)
            self._events += 1
            self._stirred.set()
            if event["event"] == "seats":
                self._seated.set()
            if event["event"] == "result":
                seat.result = event
            elif speaks and self.args.json:
                common.out(line)
            elif speaks:
                self._tell(event)

    async def _collect(self, seat: Seat, process: trio.Process) -> None:
        async for line in lines_of(process.stderr):
            seat.errors = [*seat.errors[-20:], line]

    def _tell(self, event: dict[str, Any]) -> None:
        match event["event"]:
            case "lobby":
                players = event["players"]
                here = n_("{n} of 4 is here", "{n} of 4 are here", len(players))
                common.say(f"{here}: {', '.join(players)}")
            case "seats":
                common.say(_("the seats are drawn; the deck is shuffled by all four"))
            case "score":
                added, scores = event["added"], event["scores"]
                text = f"NS +{added[0]}, EW +{added[1]}; {scores[0]}:{scores[1]}"
                common.say(_("deal {n}", n=event["deal"]) + f": {text}")
            case "waiting" if event["elapsed"] > 4:
                seats = ", ".join(_("seat {n}", n=seat) for seat in event["seats"])
                common.say(_("waiting for {names}", names=seats))

    async def _chaos(self) -> None:
        """Kill a random seat again and again, at moments that only the seed decides."""
        rng = random.Random(self.args.chaos)  # noqa: S311 - a test's order, no secret
        await self._seated.wait()
        while True:
            after = self._events + rng.randint(10, 60)
            while self._events < after:
                self._stirred = trio.Event()
                await self._stirred.wait()
            await trio.sleep(rng.random() * 0.3)
            seat = self.seats[rng.randrange(4)]
            process = seat.process
            ended = any(s.result is not None for s in self.seats)
            if ended or process is None or process.returncode is not None:
                continue
            seat.kills += 1
            process.kill()
            kills = sum(s.kills for s in self.seats)
            common.say(_("chaos: killed {name} ({n} so far)", name=seat.name, n=kills))

    def _conclude(self, statuses: list[int]) -> int:
        results = [seat.result for seat in self.seats if seat.result is not None]
        if any(statuses) or len(results) < 4:
            status = max([s if s > 0 else 1 for s in statuses if s] or [1])
            return common.fail(status, _("a seat has ended early"))
        transcripts = {result["transcript"] for result in results}
        checks = [check_file(path) for path in sorted(self.records.glob("*.p2prec"))]
        good = len(transcripts) == 1 and all(c["good"] for c in checks) and len(checks) >= 4
        first = results[0]
        values = {key: first[key] for key in ("game", "winner", "scores", "names", "transcript")}
        if self.args.json:
            pids = [seat.pid for seat in self.seats]
            common.out_json({"event": "result", **values, "pids": pids})
        else:
            self._show(results)
        if self.args.chaos is not None:
            kills = sum(s.kills for s in self.seats)
            common.say(_("chaos: kills: {n}; records: {records}", n=kills, records=len(checks)))
        return common.DONE if good else common.fail(common.UNTRUE, _("the peers do not agree"))

    def _show(self, results: list[dict[str, Any]]) -> None:
        for seat, result in zip(self.seats, results, strict=True):
            score = f"{result['scores'][0]}:{result['scores'][1]}"
            common.out(f"{seat.name:<8} pid {seat.pid:<7} {score:<9} {result['transcript']}")
        winner, players = results[0]["winner"], tuple(results[0]["names"])
        won = Speaker(players).won(None if winner is None else TEAM_NAMES.index(winner))
        common.out(_("{won}; four peers, one transcript", won=won))


def trio_pipe() -> int:
    """What asks for a pipe from a subprocess."""
    import subprocess

    return subprocess.PIPE


async def lines_of(stream: trio.abc.ReceiveStream | None) -> Any:
    """The lines of a stream as they come."""
    if stream is None:
        raise RuntimeError("the process was started without a pipe")
    rest = b""
    async for chunk in stream:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.decode(errors="replace")
