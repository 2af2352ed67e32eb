"""``p2pcards bench --ui``: from a key press to the redraw on another peer, and held-up screens."""

from __future__ import annotations

import argparse
import json
import secrets
import statistics
import subprocess
import sys
from typing import Any

from p2pcards.commands import common
from p2pcards.commands.figures import Figure, figure, show
from p2pcards.net.scratch import scratch
from p2pcards.ui.i18n import _, why

NAMES = ("Ana", "Bogdan", "Dana", "Erzhan")


def run_ui(args: argparse.Namespace) -> int:
    """Measure and print; the exit status."""
    try:
        measured = bench_ui(args)
    except common.UsageError as exc:
        return common.fail(common.NETWORK, why(exc))
    for one in measured:
        show(one, args.json)
    return common.DONE


def bench_ui(args: argparse.Namespace) -> list[Figure]:
    """Four whole programs on this machine, each with a screen, play some deals by keys."""
    with scratch("bench") as folder:
        table = f"bench-{secrets.token_hex(3)}"
        seats = [
            subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-m", "p2pcards.commands.bench_seat", str(folder), table, name,
                 "open" if name == NAMES[0] else "join", str(150 * max(1, args.rounds // 5))],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            )
            for name in NAMES
        ]  # fmt: skip
        for name, seat in zip(NAMES, seats, strict=True):
            words = seat.communicate()[1].decode(errors="replace").strip()
            if seat.returncode:
                common.say(f"{name}: {words[-500:]}")
                raise common.UsageError(_("the table that was measured ended early"))
        notes = {name: json.loads((folder / f"{name}.json").read_text()) for name in NAMES}
    return figures(notes)


def figures(notes: dict[str, dict[str, Any]]) -> list[Figure]:
    """The figures, in milliseconds, from what the four seats noted.

    Plays whose legality was proved and plays that needed no proof are told apart; for each the
    redraw of every other seat is one run.
    """
    plain: list[float] = []
    proved: list[float] = []
    for name, mine in notes.items():
        for card, at in mine["pressed"].items():
            for other in NAMES:
                drawn = notes[other]["drawn"].get(card)
                if other != name and drawn is not None and drawn > at:
                    is_proved = notes[other]["proved"].get(card, 0) > 0
                    (proved if is_proved else plain).append(1000 * (drawn - at))
    gaps = [1000 * gap for mine in notes.values() for gap in mine["gaps"]]
    late = statistics.quantiles(gaps, n=1000)[-1] if len(gaps) > 1 else 0.0
    return [
        *([figure("key-to-redraw", plain, "ms")] if plain else []),
        *([figure("key-to-redraw-proved", proved, "ms")] if proved else []),
        figure("screen-held-up", gaps, "ms"),
        figure("screen-held-up-99.9%", [late], "ms"),
    ]
