"""Whole matches on a network of four hosts: real multicast, a blocked path, a pulled cable."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

import pytest

from tests.e2e.peers import Party, agree
from tests.net.netns import network

pytestmark = pytest.mark.netns


def test_a_match_among_four_hosts_with_a_blocked_path_and_a_cut_cable(tmp_path: Path) -> None:
    extra = ("--option", "target=301", "--deadline", "40")
    with network(4) as net:
        party = Party(
            tmp_path, extra, net.addresses, tuple(partial(net.command, n) for n in range(4))
        )
        with party.playing() as seats:
            seats[0].seen("play", 2)
            with net.blocked(0, 1):
                seats[0].seen("play", 8)
                with net.cut(2):
                    # The others wait for the host that is cut off, and go on once it is back.
                    seats[3].until(lambda events: any(e["event"] == "waiting" for e in events))
                    time.sleep(5)
                assert agree(seats, party.records)["game"] == "belota"


def test_a_match_among_four_hosts_that_find_each_other(tmp_path: Path) -> None:
    with network(4) as net:
        wraps = tuple(partial(net.command, n) for n in range(4))
        party = Party(tmp_path, ("--option", "target=101"), net.addresses, wraps)
        with party.playing() as seats:
            agree(seats, party.records)
