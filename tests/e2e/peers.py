"""Real ``p2pcards`` processes for whole games, on loopback or each in a namespace of its own."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

PROGRAM = (sys.executable, "-m", "p2pcards")
LIMIT = 120.0
"""Seconds after which a process that should have ended counts as hanging."""
Event = dict[str, Any]
Wrap = Callable[[Sequence[str]], list[str]]


def command(*words: str, home: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run one command to its end."""
    return subprocess.run(
        [*PROGRAM, *words], capture_output=True, text=True, timeout=LIMIT, env=environment(home),
        stdin=subprocess.DEVNULL,
    )  # fmt: skip


def environment(home: Path | None = None) -> dict[str, str]:
    """This environment, with another home if one is given."""
    env = {key: value for key, value in os.environ.items() if not key.startswith("XDG_")}
    env["PYTHONUNBUFFERED"] = "1"
    return {**env, "HOME": str(home)} if home else env


class Peer:
    """One running seat: its events as they come, and its words at the end."""

    def __init__(self, name: str, words: Sequence[str], wrap: Wrap = list) -> None:
        self.name = name
        self.process = subprocess.Popen(
            wrap([*PROGRAM, "peer", "--json", "--name", name, *words]),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=environment(), start_new_session=True,
        )  # fmt: skip
        self.events: list[Event] = []
        self.words = ""
        self._new = threading.Condition()
        self._threads = [threading.Thread(target=self._listen), threading.Thread(target=self._hear)]
        for thread in self._threads:
            thread.start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._new:
                self.events.append(json.loads(line))
                self._new.notify_all()
        with self._new:
            self.events.append({"event": "eof"})
            self._new.notify_all()

    def _hear(self) -> None:
        assert self.process.stderr is not None
        self.words = self.process.stderr.read()

    def until(self, condition: Callable[[list[Event]], bool]) -> None:
        """Wait until the events so far meet a condition; fail if the process ends before."""
        with self._new:
            met = self._new.wait_for(lambda: condition(self.events) or self._over(), LIMIT)
        assert met, f"{self.name} hangs: {self.events[-3:]}"
        assert condition(self.events), f"{self.name} ended: {self.events[-3:]} {self.words}"

    def seen(self, kind: str, count: int = 1) -> None:
        """Wait until so many events of a kind have come."""
        self.until(lambda events: sum(1 for e in events if e["event"] == kind) >= count)

    def last(self, kind: str) -> Event:
        """The last event of a kind."""
        return [e for e in self.events if e["event"] == kind][-1]

    def all(self, kind: str) -> list[Event]:
        """All events of a kind."""
        return [e for e in self.events if e["event"] == kind]

    def kill(self) -> None:
        """End it with SIGKILL, and whatever wraps it."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.end()

    def end(self) -> int:
        """Wait for its end; the exit status."""
        status = self.process.wait(LIMIT)
        for thread in self._threads:
            thread.join(10)
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        return status

    def _over(self) -> bool:
        return bool(self.events) and self.events[-1]["event"] == "eof"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.end()


@dataclass(slots=True)
class Party:
    """Four seats of one table, and how each is started (again)."""

    folder: Path
    extra: tuple[str, ...] = ()
    interface: tuple[str, ...] = ("127.0.0.1",) * 4
    wraps: tuple[Wrap, ...] = (list,) * 4
    table: str = field(default_factory=lambda: f"t{secrets.token_hex(4)}")
    seats: list[Peer] = field(default_factory=list)

    @property
    def records(self) -> Path:
        """Where all four write their records."""
        return self.folder / "R"

    def start(self, number: int) -> Peer:
        """Start a seat's process."""
        words = (
            "--table", self.table, "--interface", self.interface[number], "--wait", "30",
            "--data-dir", str(self.folder / f"home{number}"), "--record", str(self.records),
            *self.extra,
        )  # fmt: skip
        return Peer(f"P{number}", words, self.wraps[number])

    @contextmanager
    def playing(self) -> Iterator[list[Peer]]:
        """All four, ended at the end of the block."""
        with ExitStack() as stack:
            for number in range(4):
                self.seats.append(stack.enter_context(self.start(number)))
            yield self.seats


def verify(*files: Path, json_lines: bool = False) -> tuple[int, list[Any]]:
    """Exit status and lines of ``p2pcards verify``."""
    words = ["verify", *(["--json"] if json_lines else []), *map(str, files)]
    done = command(*words)
    assert not done.stderr, done.stderr
    lines = done.stdout.splitlines()
    return done.returncode, [json.loads(line) for line in lines] if json_lines else lines


def agree(seats: Sequence[Peer], records: Path) -> Event:
    """Assert that these seats ended with one result, and that their records verify."""
    statuses = [seat.end() for seat in seats]
    assert statuses == [0] * len(seats), [(s.name, s.words) for s in seats]
    results = [seat.last("result") for seat in seats]
    for key in ("winner", "scores", "transcript", "game"):
        assert len({json.dumps(result[key]) for result in results}) == 1, results
    status, verdicts = verify(*sorted(records.iterdir()), json_lines=True)
    assert (status, len(verdicts)) == (0, len(seats)), verdicts
    return results[0]
