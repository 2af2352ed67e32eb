"""Discovery by mDNS: tables announced and looked for on the LAN."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncIterator

import trio
import zeroconf

from p2pcards.net import interfaces
from p2pcards.net.browsing import Inbox, LookUps
from p2pcards.net.discovery import (
    SERVICE,
    Announcement,
    Discovery,
    DiscoveryUnavailable,
    TableAd,
    Tables,
    instance_name,
    to_txt,
)
from p2pcards.net.responder import at_most, in_thread, start

log = logging.getLogger(__name__)

INTERFACE_POLL_SECONDS = 5.0
"""Seconds between two looks at this machine's addresses."""


@contextlib.asynccontextmanager
async def open_mdns(
    interface: str | None = None, *, poll: float = INTERFACE_POLL_SECONDS
) -> AsyncIterator[MdnsDiscovery]:
    """Discover on the address ``interface`` of this machine only, or on every interface.

    With every interface, they are looked at each ``poll`` seconds for addresses that come and
    go. Raises DiscoveryUnavailable with the reason in words. Closing takes at most two seconds.
    """
    responder = await in_thread(lambda: start(interface))
    try:
        async with trio.open_nursery() as nursery:
            discovery = MdnsDiscovery(responder, interface)
            if interface is None:
                nursery.start_soon(discovery.watch_interfaces, poll)
            yield discovery
            nursery.cancel_scope.cancel()
    finally:
        await at_most(responder.close)


class MdnsDiscovery(Discovery):
    """Tables on the LAN, as Avahi and Bonjour see them too; made by ``open_mdns``."""

    def __init__(self, responder: zeroconf.Zeroconf, interface: str | None) -> None:
        self._zeroconf = responder
        self._interface = interface
        self._announced: set[_Announced] = set()

    @contextlib.asynccontextmanager
    async def browse(self) -> AsyncIterator[Tables]:
        """Look for tables during the block; our own is seen as well."""
        tables = Tables()
        inbox = Inbox(trio.lowlevel.current_trio_token())
        browser = await in_thread(
            lambda: zeroconf.ServiceBrowser(self._zeroconf, SERVICE, listener=inbox)
        )
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(LookUps(self._zeroconf, inbox, tables).run)
                yield tables
                nursery.cancel_scope.cancel()
        finally:
            await at_most(browser.cancel)

    @contextlib.asynccontextmanager
    async def announce(self, ad: TableAd) -> AsyncIterator[Announcement]:
        """Announce a table during the block; raises DiscoveryUnavailable."""
        announced = _Announced(self._zeroconf, self._interface, ad)
        await announced.register()
        self._announced.add(announced)
        try:
            yield announced
        finally:
            self._announced.discard(announced)
            await at_most(announced.withdraw)

    async def watch_interfaces(self, poll: float) -> None:
        """Follow addresses that come and go; a change must be seen twice to count."""
        known = await in_thread(interfaces.usable)
        candidate = known
        while True:
            await trio.sleep(poll)
            now = await in_thread(interfaces.usable)
            if now == known or now != candidate:
                candidate = now
                continue
            known = now
            try:
                await in_thread(self._zeroconf.update_interfaces)
                for announced in list(self._announced):
                    await announced.refresh()
            except DiscoveryUnavailable as error:
                log.warning("after a change of addresses: %s", error)


class _Announced(Announcement):
    """A registered service."""

    def __init__(self, responder: zeroconf.Zeroconf, interface: str | None, ad: TableAd) -> None:
        self._zeroconf = responder
        self._interface = interface
        self._ad = ad
        # Host and instance are unique to this peer and table, so no probing for conflicts.
        self._name = f"{instance_name(ad)}.{SERVICE}"
        self._server = f"p2pcards-{ad.peer[:16]}.local."
        self._lock = trio.Lock()

    async def register(self) -> None:
        """Tell of it; takes half a second, others see it at once."""
        async with self._lock:
            await in_thread(
                lambda: self._zeroconf.register_service(self._info(), cooperating_responders=True)
            )

    async def update(self, ad: TableAd) -> None:
        """See Announcement."""
        self._ad = ad
        await self.refresh()

    async def refresh(self) -> None:
        """Tell of it again, with this machine's present addresses."""
        async with self._lock:
            await in_thread(lambda: self._zeroconf.update_service(self._info()))

    def withdraw(self) -> None:
        """Say goodbye (blocking)."""
        self._zeroconf.unregister_service(self._info())

    def _info(self) -> zeroconf.ServiceInfo:
        hosts = self._ad.addresses or ((self._interface,) if self._interface else _own_addresses())
        return zeroconf.ServiceInfo(
            SERVICE,
            self._name,
            port=self._ad.port,
            properties=to_txt(self._ad),
            server=self._server,
            parsed_addresses=list(hosts),
        )


def _own_addresses() -> tuple[str, ...]:
    return tuple(one.ip for one in interfaces.usable()) or (interfaces.LOOPBACK,)
