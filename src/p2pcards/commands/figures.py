"""What ``p2pcards bench`` measures, and how it is printed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from p2pcards.commands import common
from p2pcards.ui.canvas import pad, width_of
from p2pcards.ui.i18n import N_, _, n_

WORDS = {
    "shuffle": N_("shuffle 32 cards"),
    "prove": N_("prove that shuffle"),
    "verify": N_("verify that proof"),
    "proof_size": N_("size of that proof"),
    "open_card": N_("open a card among four"),
    "prove_legal": N_("prove a play of the worst hand"),
    "verify_legal": N_("verify that play"),
    "playouts": N_("deals played out by chance"),
    "policy_playouts": N_("deals played out as bots do"),
    "deal_in_process": N_("a deal in one process"),
    "deal_four_processes": N_("a deal of four processes"),
    "peer_memory": N_("memory of one of them"),
    "key-to-redraw": N_("from a key to the others' screens"),
    "key-to-redraw-proved": N_("the same with a proof"),
    "screen-held-up": N_("a screen held up"),
    "screen-held-up-99.9%": N_("the same, 99.9% below"),
}
"""The figures by name, in words."""
UNITS = {"ms": N_("ms"), "s": N_("s"), "B": N_("B"), "MB": N_("MB"), "/s": N_("/s")}


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure: its median and range over ``n`` runs."""

    name: str
    median: float
    min: float
    max: float
    unit: str
    n: int


def figure(name: str, values: Sequence[float], unit: str) -> Figure:
    """A figure from its runs, to four digits."""
    ordered = sorted(float(f"{value:.4g}") for value in values)
    return Figure(name, ordered[len(ordered) // 2], ordered[0], ordered[-1], unit, len(ordered))


def timed(name: str, rounds: int, work: Callable[[], object]) -> Figure:
    """A figure in milliseconds; one run before it does not count."""
    work()
    times: list[float] = []
    for _round in range(rounds):
        begin = time.perf_counter()
        work()
        times.append((time.perf_counter() - begin) * 1000)
    return figure(name, times, "ms")


def show(figure: Figure, as_json: bool) -> None:
    """Print one figure."""
    if as_json:
        keys = ("median", "min", "max", "unit", "n")
        common.out_json({"figure": figure.name, **{key: getattr(figure, key) for key in keys}})
    else:
        common.out(line_of(figure))


def line_of(figure: Figure) -> str:
    """A figure in words, in columns that are the same for all figures."""
    name = pad(_(WORDS[figure.name]), max(width_of(_(text)) for text in WORDS.values()))
    unit = pad(_(UNITS[figure.unit]), max(width_of(_(text)) for text in UNITS.values()))
    runs = n_("{n} run", "{n} runs", figure.n)
    least, most = (f"{value:g}" for value in (figure.min, figure.max))
    spread = _("{least} to {most}", least=least, most=most)
    return f"{name} {figure.median:>9g} {unit}  ({spread}; {runs})"
