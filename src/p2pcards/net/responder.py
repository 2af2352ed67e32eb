"""The mDNS responder (zeroconf), which runs in threads of its own: started, asked and closed."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from typing import TypeVar

import trio
import zeroconf

from p2pcards.net import interfaces
from p2pcards.net.discovery import DiscoveryUnavailable
from p2pcards.net.errors import explain
from p2pcards.worded import Worded

log = logging.getLogger(__name__)

FAILURES = (OSError, RuntimeError, zeroconf.Error)
"""What the library raises where the network will not have it."""
_CLOSE_SECONDS = 2.0
_MDNS_PORT = 5353

T = TypeVar("T")


async def in_thread(work: Callable[[], T]) -> T:
    """Run work that blocks in a thread; raises DiscoveryUnavailable with the reason in words."""
    try:
        return await trio.to_thread.run_sync(work)
    except FAILURES as error:
        raise DiscoveryUnavailable(
            Worded(
                "tables cannot be found by themselves here: {why}; give a friend's address with "
                "--connect HOST:PORT",
                why=explain(error),
            )
        ) from error


async def at_most(work: Callable[[], object]) -> None:
    """Run a goodbye in a thread even if cancelled, and wait for it two seconds at most."""
    with trio.move_on_after(_CLOSE_SECONDS, shield=True):
        try:
            await trio.to_thread.run_sync(work, abandon_on_cancel=True)
        except FAILURES as error:
            log.debug("discovery did not close cleanly: %s", explain(error))


def start(interface: str | None) -> zeroconf.Zeroconf:
    """A responder on one address, or on all that can do multicast (blocking)."""
    _try_port()
    if interface is not None:
        return _start_on([interface])
    try:
        return zeroconf.Zeroconf(interfaces=zeroconf.InterfaceChoice.All, use_asyncio=False)
    except (OSError, RuntimeError):
        # One interface that cannot do multicast must not take the others along.
        return _start_on([one.ip for one in interfaces.usable(loopback=True) if one.version == 4])


def _try_port() -> None:
    """Raise OSError if the port of mDNS cannot be shared; the library would leak its socket."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "SO_REUSEPORT"):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        probe.bind(("", _MDNS_PORT))


def _start_on(addresses: list[str]) -> zeroconf.Zeroconf:
    failed: OSError | None = None
    able: list[str | int | tuple[tuple[str, int, int], int]] = []
    for address in addresses:
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
                probe.bind((address, 0))
            able.append(address)
        except OSError as error:
            failed = error
    if not able:
        raise failed or RuntimeError("this machine has no network")
    return zeroconf.Zeroconf(interfaces=able, use_asyncio=False)
