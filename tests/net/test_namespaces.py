"""Four peers on a network of their own: real multicast, a pulled cable, a blocked pair."""

from __future__ import annotations

import contextlib
import json
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.net.netns import Network, network

pytestmark = pytest.mark.netns
ROOT = Path(__file__).parents[2]


class Seat:
    """One running process and what it has said so far."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.events: list[dict[str, object]] = []
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.events.append(json.loads(line))

    def finish(self) -> None:
        """Wait for the last word of an ended process."""
        self._thread.join(5)

    def said(self, what: str) -> list[dict[str, object]]:
        """Its events of a kind."""
        return [event for event in list(self.events) if event["what"] == what]

    def found(self) -> dict[str, list[list[object]]]:
        """The peers it sees announced, and where."""
        last = self.said("tables")[-1:]
        return last[0]["peers"] if last else {}  # type: ignore[return-value]


@contextlib.contextmanager
def seats(net: Network, folder: Path) -> Iterator[list[Seat]]:
    """A seat in each namespace."""
    table = secrets.token_hex(16)
    with contextlib.ExitStack() as stack:
        running: list[Seat] = []
        for number in range(len(net.names)):
            command = [sys.executable, "-m", "tests.net.seat", str(folder / f"s{number}"), table]
            command = ["env", "-C", str(ROOT), *command]
            process = stack.enter_context(net.popen(number, command, stdout=subprocess.PIPE))
            running.append(Seat(process))
        yield running
        for seat in running:
            seat.process.terminate()
    for seat in running:
        seat.finish()


def until(condition: Callable[[], bool], seconds: float, seats: list[Seat]) -> None:
    """Wait for a condition, or fail with what was said."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, [seat.events for seat in seats]
        time.sleep(0.02)


def test_four_peers_find_each_other_and_survive_a_pulled_cable(tmp_path: Path) -> None:
    with network(4) as net, seats(net, tmp_path) as all_seats:
        until(lambda: all(len(seat.found()) == 3 for seat in all_seats), 10, all_seats)
        hosts = {str(dial[0][0]) for dial in all_seats[0].found().values()}
        assert hosts == set(net.addresses[1:])
        until(lambda: all(len(names) == 3 for names in met(all_seats)), 30, all_seats)

        before = [len(seat.events) for seat in all_seats]
        with net.cut(3):
            until(lambda: len(parted(all_seats[3], before[3])) == 3, 30, all_seats)
            # Each of the others loses one peer, the same for all three.
            until(lambda: all(map(parted, all_seats[:3], before)), 30, all_seats)
        gone = [parted(seat, begin) for seat, begin in zip(all_seats[:3], before, strict=False)]
        assert gone[0] == gone[1] == gone[2]
        assert len(gone[0]) == 1
        kinds = {e["kind"] for e in all_seats[3].events[before[3] :] if e["what"] == "down"}
        assert kinds <= {"silent", "slow"}
        until(lambda: linked_again(all_seats[3], before[3]) == {"s0", "s1", "s2"}, 30, all_seats)


def parted(seat: Seat, begin: int) -> set[object]:
    """The peers to which a seat has lost its link from an event on."""
    return {event["peer"] for event in seat.events[begin:] if event["what"] == "down"}


def linked_again(seat: Seat, begin: int) -> set[object]:
    """The names to which a seat got a link from an event on."""
    return {event["peer"] for event in seat.events[begin:] if event["what"] == "up"}


def test_a_blocked_pair_blocks_no_other_and_comes_back(tmp_path: Path) -> None:
    with network(3) as net, contextlib.ExitStack() as stack:
        block = stack.enter_context(contextlib.ExitStack())
        block.enter_context(net.blocked(0, 1))
        all_seats = stack.enter_context(seats(net, tmp_path))
        until(lambda: met(all_seats) == [{"s2"}, {"s2"}, {"s0", "s1"}], 10, all_seats)
        time.sleep(0.5)
        assert met(all_seats) == [{"s2"}, {"s2"}, {"s0", "s1"}]
        block.close()
        until(lambda: met(all_seats) == [{"s1", "s2"}, {"s0", "s2"}, {"s0", "s1"}], 10, all_seats)
        assert not any(seat.said("down") for seat in all_seats)


def met(all_seats: list[Seat]) -> list[set[object]]:
    """The names each seat had a link to."""
    return [{event["peer"] for event in seat.said("up")} for seat in all_seats]


def test_nothing_is_left_behind() -> None:
    with network(1) as net:
        made = {net.hub, *net.names}
        assert made <= set(_namespaces())
    assert not made & set(_namespaces())


def _namespaces() -> list[str]:
    listing = subprocess.run(["ip", "netns", "list"], check=True, capture_output=True, text=True)
    return [line.split()[0] for line in listing.stdout.splitlines() if line.strip()]
