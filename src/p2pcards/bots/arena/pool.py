"""Playing many pairs of matches on a pool of processes or a cluster, and going on later.

Pairs are numbered and depend on nothing but the seed and their number, and the figures take
them in the order of their numbers: where, in what order and in how many runs they were played
makes no difference to the result.
"""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from dataclasses import asdict
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from typing import Any

from p2pcards.bots.arena.duel import Duel, PairOfMatches, play_pair
from p2pcards.worded import Worded

FORMAT = "p2pcards arena 1"


class ArenaError(Exception):
    """The arena cannot run as asked; the text says why and what to do."""


def run_pairs(
    duel: Duel,
    deals: int,
    executor: Executor,
    width: int,
    store: Store,
    progress: Callable[[list[PairOfMatches]], None],
) -> list[PairOfMatches]:
    """The first pairs of matches that together have so many pairs of deals.

    Args:
        width: how many pairs to keep under way.
        store: what was played before; new results are added.
        progress: told, after each result, all pairs before the first one missing.
    """
    done = store.pairs
    running: dict[Future[PairOfMatches], int] = {}
    while True:
        ready = in_order(done)
        progress(ready)
        if sum(len(pair.deals()) for pair in ready) >= deals:
            break
        asked = {*done, *running.values()}
        number = 0
        while len(running) < width:
            while number in asked:
                number += 1
            asked.add(number)
            running[executor.submit(play_pair, duel, number)] = number
        finished, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in finished:
            del running[future]
            store.add(_result(future))
    for future in running:
        future.cancel()
    return ready


def _result(future: Future[PairOfMatches]) -> PairOfMatches:
    try:
        return future.result()
    except BrokenExecutor:
        text = (
            "a process that played was ended from outside; with fewer --jobs it takes less memory"
        )
        raise ArenaError(text) from None


def in_order(done: dict[int, PairOfMatches]) -> list[PairOfMatches]:
    """The pairs from number 0 up to the first one missing."""
    out: list[PairOfMatches] = []
    while len(out) in done:
        out.append(done[len(out)])
    return out


class Store:
    """Results by number, kept in a file with one JSON object a line if one is named."""

    def __init__(self, duel: Duel, path: Path | None = None) -> None:
        self.pairs: dict[int, PairOfMatches] = {}
        self._head = {"format": FORMAT, **json.loads(json.dumps(asdict(duel)))}
        self._path = path
        if path is not None:
            self._load(path)

    def add(self, pair: PairOfMatches) -> None:
        """Keep a result; it is on disk when this returns."""
        self.pairs[pair.number] = pair
        if self._path is not None:
            self._append(self._path, pair.as_json())

    def _load(self, path: Path) -> None:
        try:
            text = path.read_text(encoding="utf-8") if path.exists() else ""
        except (OSError, ValueError) as exc:
            raise ArenaError(Worded("--resume {path}: {why}", path=path, why=exc)) from None
        if not text:
            self._append(path, self._head)
            return
        lines = text.splitlines()
        try:
            head = json.loads(lines[0])
        except ValueError:
            raise ArenaError(
                Worded("--resume {path}: this is no file of an arena's results", path=path)
            ) from None
        if head != self._head:
            text = Worded(
                "it belongs to another arena (bots, game, options or seed): name another file"
            )
            raise ArenaError(Worded("--resume {path}: {why}", path=path, why=text))
        for line in lines[1:]:
            try:
                pair = PairOfMatches.from_json(json.loads(line))
            except (ValueError, KeyError, TypeError):
                continue  # a line cut short when the run was ended; that pair is played again
            self.pairs[pair.number] = pair
        if not text.endswith("\n"):
            self._write(path, "\n")  # or the next result would be lost with the line cut short

    def _append(self, path: Path, values: dict[str, Any]) -> None:
        self._write(path, json.dumps(values, separators=(",", ":")) + "\n")

    def _write(self, path: Path, text: str) -> None:
        try:
            with path.open("a", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
        except OSError as exc:
            raise ArenaError(Worded("--resume {path}: {why}", path=path, why=exc)) from None


@contextmanager
def processes(jobs: int) -> Iterator[Executor]:
    """A pool of processes on this machine; leaving it ends them, whatever they are doing."""
    executor = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_begin_work)
    try:
        yield executor
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        for child in active_children():
            child.terminate()
        executor.shutdown(wait=True)


def _begin_work() -> None:
    """Leave interrupts to the process that hands out the work, and do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """The workers of a Dask cluster, and how many threads they have together.

    Raises:
        ArenaError: the extra is not installed, or nobody answers.
    """
    try:
        from distributed import Client
    except ImportError:
        raise ArenaError(
            "--dask needs the package distributed; install the extra with: "
            "pip install 'p2pcards[dask]'"
        ) from None
    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError) as exc:
        raise ArenaError(
            Worded("--dask {address}: no scheduler answers there ({why})", address=address, why=exc)
        ) from None
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise ArenaError(
                Worded("--dask {address}: the cluster has no workers", address=address)
            )
        yield client.get_executor(pure=False), threads
