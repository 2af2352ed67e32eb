"""Names that mDNS tells of, and the tables that stand behind them."""

from __future__ import annotations

import contextlib
import ipaddress
import logging
import threading

import trio
import zeroconf

from p2pcards.net.discovery import SERVICE, TableAd, Tables, from_txt
from p2pcards.net.errors import explain
from p2pcards.net.responder import FAILURES

log = logging.getLogger(__name__)

_LOOK_UP_MS = 1500
_LOOK_UPS = 16
_MAX_PENDING = 256
_PAUSES = (0.2, 0.5, 1.0, 2.0, 4.0)
"""Seconds between the tries to learn what stands behind a name."""


class Inbox(zeroconf.ServiceListener):
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


class LookUps:
    """Looks up every name that comes into an inbox, and keeps ``tables`` to what was found."""

    def __init__(self, responder: zeroconf.Zeroconf, inbox: Inbox, tables: Tables) -> None:
        self._zeroconf = responder
        self._inbox = inbox
        self._tables = tables
        self._current: dict[str, object] = {}
        self._limiter = trio.CapacityLimiter(_LOOK_UPS)

    async def run(self) -> None:
        """Look names up until cancelled."""
        async with trio.open_nursery() as nursery:
            while True:
                for name, is_gone in (await self._inbox.take()).items():
                    if is_gone:
                        self._current.pop(name, None)
                        self._tables.remove(name)
                    elif len(self._current) < _MAX_PENDING or name in self._current:
                        self._current[name] = token = object()
                        nursery.start_soon(self._look_up, name, token)

    async def _look_up(self, name: str, token: object) -> None:
        ad = await self._find(name, token)
        # A name that went, or came again, while it was looked up has its own word.
        if self._current.get(name) is token:
            del self._current[name]
            if ad is None:
                self._tables.remove(name)
            else:
                self._tables.put(name, ad)

    async def _find(self, name: str, token: object) -> TableAd | None:
        """What stands behind a name, tried more than once while it has this token."""
        ad: TableAd | None = None
        for pause in (*_PAUSES, None):
            try:
                ad = await trio.to_thread.run_sync(
                    self._resolve, name, limiter=self._limiter, abandon_on_cancel=True
                )
            except (*FAILURES, ValueError) as error:
                log.debug("an announcement could not be read: %s", explain(error))
            if ad is not None or self._current.get(name) is not token or pause is None:
                break
            # A lost packet must not hide a table for good: its name is told of only once.
            await trio.sleep(pause)
        return ad

    def _resolve(self, name: str) -> TableAd | None:
        info = zeroconf.ServiceInfo(SERVICE, name)
        if not info.load_from_cache(self._zeroconf) and not info.request(
            self._zeroconf, _LOOK_UP_MS
        ):
            return None
        hosts = sorted(filter(is_reachable, info.parsed_scoped_addresses()), key=preference)
        return from_txt(info.properties, hosts, info.port or 0)


def is_reachable(host: str) -> bool:
    """Whether an announced address can be dialled from here."""
    address = ipaddress.ip_address(host)
    if address.is_unspecified or address.is_multicast:
        return False
    return address.version == 4 or not address.is_link_local or "%" in host


def preference(host: str) -> tuple[bool, int, bool]:
    """What addresses are sorted by, the best first."""
    address = ipaddress.ip_address(host)
    return address.is_loopback, address.version, address.is_link_local
