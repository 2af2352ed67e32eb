"""Discovery by mDNS (zeroconf), which runs in threads of its own beside trio."""

from __future__ import annotations

import contextlib
import ipaddress
import logging
import socket
import threading
from collections.abc import AsyncIterator, Callable
from typing import TypeVar

import trio
import zeroconf

from p2pcards.net import interfaces
from p2pcards.net.discovery import (
    SERVICE,
    Announcement,
    Discovery,
    DiscoveryUnavailable,
    TableAd,
    Tables,
    from_txt,
    instance_name,
    to_txt,
)
from p2pcards.net.errors import explain
from p2pcards.worded import Worded

log = logging.getLogger(__name__)

INTERFACE_POLL_SECONDS = 5.0
_CLOSE_SECONDS = 2.0
_LOOK_UP_MS = 1500
_LOOK_UPS = 16
_MAX_PENDING = 256
_PAUSES = (0.2, 0.5, 1.0, 2.0, 4.0)
"""Seconds between the tries to learn what stands behind a name."""
_MDNS_PORT = 5353
_FAILURES = (OSError, RuntimeError, zeroconf.Error)

T = TypeVar("T")


@contextlib.asynccontextmanager
async def open_mdns(
    interface: str | None = None, *, poll: float = INTERFACE_POLL_SECONDS
) -> AsyncIterator[MdnsDiscovery]:
    """Discover on the address ``interface`` of this machine only, or on every interface.

    With every interface, they are looked at each ``poll`` seconds for addresses that come and
    go. Raises DiscoveryUnavailable with the reason in words. Closing takes at most two seconds.
    """
    responder = await _in_thread(lambda: _start(interface))
    try:
        async with trio.open_nursery() as nursery:
            discovery = MdnsDiscovery(responder, interface)
            if interface is None:
                nursery.start_soon(discovery.watch_interfaces, poll)
            yield discovery
            nursery.cancel_scope.cancel()
    finally:
        await _at_most(responder.close)


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
        inbox = _Inbox(trio.lowlevel.current_trio_token())
        browser = await _in_thread(
            lambda: zeroconf.ServiceBrowser(self._zeroconf, SERVICE, listener=inbox)
        )
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._follow, inbox, tables, nursery)
                yield tables
                nursery.cancel_scope.cancel()
        finally:
            await _at_most(browser.cancel)

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
            await _at_most(announced.withdraw)

    async def watch_interfaces(self, poll: float) -> None:
        """Follow addresses that come and go; a change must be seen twice to count."""
        known = await _in_thread(interfaces.usable)
        candidate = known
        while True:
            await trio.sleep(poll)
            now = await _in_thread(interfaces.usable)
            if now == known or now != candidate:
                candidate = now
                continue
            known = now
            try:
                await _in_thread(self._zeroconf.update_interfaces)
                for announced in list(self._announced):
                    await announced.refresh()
            except DiscoveryUnavailable as error:
                log.warning("after a change of addresses: %s", error)

    async def _follow(self, inbox: _Inbox, tables: Tables, nursery: trio.Nursery) -> None:
        current: dict[str, object] = {}
        limiter = trio.CapacityLimiter(_LOOK_UPS)
        while True:
            for name, is_gone in (await inbox.take()).items():
                if is_gone:
                    current.pop(name, None)
                    tables.remove(name)
                elif len(current) < _MAX_PENDING or name in current:
                    current[name] = token = object()
                    nursery.start_soon(self._look_up, name, token, current, tables, limiter)

    async def _look_up(
        self,
        name: str,
        token: object,
        current: dict[str, object],
        tables: Tables,
        limiter: trio.CapacityLimiter,
    ) -> None:
        ad: TableAd | None = None
        for pause in (*_PAUSES, None):
            try:
                ad = await trio.to_thread.run_sync(
                    self._resolve, name, limiter=limiter, abandon_on_cancel=True
                )
            except (*_FAILURES, ValueError) as error:
                log.debug("an announcement could not be read: %s", explain(error))
            # A name that went, or came again, while it was looked up has its own word.
            if ad is not None or current.get(name) is not token or pause is None:
                break
            # A lost packet must not hide a table for good: its name is told of only once.
            await trio.sleep(pause)
        if current.get(name) is token:
            del current[name]
            if ad is None:
                tables.remove(name)
            else:
                tables.put(name, ad)

    def _resolve(self, name: str) -> TableAd | None:
        info = zeroconf.ServiceInfo(SERVICE, name)
        if not info.load_from_cache(self._zeroconf) and not info.request(
            self._zeroconf, _LOOK_UP_MS
        ):
            return None
        hosts = sorted(filter(_is_reachable, info.parsed_scoped_addresses()), key=_preference)
        return from_txt(info.properties, hosts, info.port or 0)


class _Inbox(zeroconf.ServiceListener):
    """Names that came, changed or went: noted in zeroconf's thread, taken in trio's."""

    def __init__(self, token: trio.lowlevel.TrioToken) -> None:
        self._token = token
        self._lock = threading.Lock()
        self._names: dict[str, bool] = {}
        self._event = trio.Event()

    async def take(self) -> dict[str, bool]:
        """Wait for names; maps each to whether it is gone."""
        await self._event.wait()
        self._event = trio.Event()
        with self._lock:
            names, self._names = self._names, {}
        return names

    def add_service(self, zc: zeroconf.Zeroconf, type_: str, name: str) -> None:
        """See ServiceListener."""
        self._note(name, is_gone=False)

    def update_service(self, zc: zeroconf.Zeroconf, type_: str, name: str) -> None:
        """See ServiceListener."""
        self._note(name, is_gone=False)

    def remove_service(self, zc: zeroconf.Zeroconf, type_: str, name: str) -> None:
        """See ServiceListener."""
        self._note(name, is_gone=True)

    def _note(self, name: str, *, is_gone: bool) -> None:
        with self._lock:
            if len(self._names) >= _MAX_PENDING and name not in self._names:
                return
            self._names[name] = is_gone
        with contextlib.suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self._wake, idempotent=True)

    def _wake(self) -> None:
        self._event.set()


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
            await _in_thread(
                lambda: self._zeroconf.register_service(self._info(), cooperating_responders=True)
            )

    async def update(self, ad: TableAd) -> None:
        """See Announcement."""
        self._ad = ad
        await self.refresh()

    async def refresh(self) -> None:
        """Tell of it again, with this machine's present addresses."""
        async with self._lock:
            await _in_thread(lambda: self._zeroconf.update_service(self._info()))

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


async def _in_thread(work: Callable[[], T]) -> T:
    try:
        return await trio.to_thread.run_sync(work)
    except _FAILURES as error:
        raise DiscoveryUnavailable(
            Worded(
                "tables cannot be found by themselves here: {why}; give a friend's address with "
                "--connect HOST:PORT",
                why=explain(error),
            )
        ) from error


async def _at_most(work: Callable[[], object]) -> None:
    """Run a goodbye in a thread even if cancelled, and wait for it two seconds at most."""
    with trio.move_on_after(_CLOSE_SECONDS, shield=True):
        try:
            await trio.to_thread.run_sync(work, abandon_on_cancel=True)
        except _FAILURES as error:
            log.debug("discovery did not close cleanly: %s", explain(error))


def _start(interface: str | None) -> zeroconf.Zeroconf:
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


def _own_addresses() -> tuple[str, ...]:
    return tuple(one.ip for one in interfaces.usable()) or (interfaces.LOOPBACK,)


def _is_reachable(host: str) -> bool:
    address = ipaddress.ip_address(host)
    if address.is_unspecified or address.is_multicast:
        return False
    return address.version == 4 or not address.is_link_local or "%" in host


def _preference(host: str) -> tuple[bool, int, bool]:
    address = ipaddress.ip_address(host)
    return address.is_loopback, address.version, address.is_link_local
