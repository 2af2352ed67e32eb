"""Finding tables: what an announcement says, and the ways to learn of one.

Nothing in an announcement is trusted. It is a hint where to dial; who is there is proven by TLS,
and whether anybody still is by the link's own heartbeat.
"""

from __future__ import annotations

import contextlib
import re
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

import trio

from p2pcards.net.dial import Address
from p2pcards.net.errors import NetError
from p2pcards.net.text import NAME_LIMIT, clean, cut

SERVICE = "_p2pcards._tcp.local."
TXT_VERSION = "1"
MAX_TABLES = 128
MAX_OF_ADDRESS = 32
MAX_ADDRESSES = 8

_NAME_BYTES = 64
_INSTANCE_BYTES = 63
_RULES_BYTES = 240
_BETWEEN = "\n"
"""Between names, none of which can hold it."""
_FINGERPRINT = re.compile(r"[0-9a-f]{32}")
_TABLE = re.compile(r"[0-9a-f]{32}")
_OPTIONS = re.compile(r"[0-9a-f]{0,64}")
_RULES = re.compile(rf"[a-z0-9_=,-]{{0,{_RULES_BYTES}}}")
_GAME = re.compile(r"[a-z0-9]{1,16}")
_NUMBER = re.compile(r"[0-9]{1,5}")
_STATES = frozenset({"open", "full", "playing"})


class DiscoveryUnavailable(NetError):
    """Tables cannot be found or announced automatically; addresses still work."""


@dataclass(frozen=True, slots=True)
class TableAd:
    """What a peer says of its table.

    ``table``: its name; ``table_id``, ``options`` (a hash) and ``peer`` (the announcer's
    fingerprint): lower-case hexadecimal; ``free``: seats left; ``version``: of the protocol;
    ``state``: open, full or playing; ``addresses``: hosts, best first (left empty in an ad of
    our own: every address of this machine). ``peer`` is empty for a bare address that nobody
    has announced. ``rules``: the options that differ from the defaults, if told;
    ``guests``: the others who have taken seats.
    """

    table: str
    table_id: str
    game: str
    options: str
    free: int
    version: int
    nick: str
    peer: str
    port: int
    addresses: tuple[str, ...] = ()
    state: str = "open"
    rules: str = ""
    guests: tuple[str, ...] = ()

    @property
    def dial(self) -> tuple[Address, ...]:
        """The addresses to dial."""
        return tuple((host, self.port) for host in self.addresses)


def to_txt(ad: TableAd) -> dict[str, str]:
    """The TXT record of an ad, ``txtvers`` first; at most about 880 bytes."""
    txt = {
        "txtvers": TXT_VERSION,
        "pv": str(ad.version),
        "id": ad.peer,
        "nick": clean(ad.nick, NAME_LIMIT, _NAME_BYTES),
        "g": ad.game,
        "tbl": ad.table_id,
        "name": clean(ad.table, NAME_LIMIT, _NAME_BYTES),
        "opt": ad.options,
        "st": ad.state,
        "free": str(ad.free),
    }
    if 0 < len(ad.rules) <= _RULES_BYTES:
        txt["rules"] = ad.rules
    if ad.guests:
        names = [clean(name, NAME_LIMIT, _NAME_BYTES) for name in ad.guests[:3]]
        txt["with"] = _BETWEEN.join(names)
    return txt


def from_txt(
    txt: Mapping[bytes, bytes | None], addresses: Sequence[str], port: int
) -> TableAd | None:
    """Read a TXT record, cleaning every text; None if it is not the ad of a table."""

    def value(key: str, pattern: re.Pattern[str]) -> str:
        text = (txt.get(key.encode()) or b"").decode("ascii", "replace")
        if not pattern.fullmatch(text):
            raise ValueError(key)
        return text

    def names(key: str, most: int) -> tuple[str, ...]:
        raw = (txt.get(key.encode()) or b"")[:255].decode(errors="replace")
        return tuple(clean(text, NAME_LIMIT, _NAME_BYTES) for text in raw.split(_BETWEEN, most - 1))

    try:
        ad = TableAd(
            table=names("name", 1)[0],
            table_id=value("tbl", _TABLE),
            game=value("g", _GAME),
            options=value("opt", _OPTIONS),
            free=int(value("free", _NUMBER)),
            version=int(value("pv", _NUMBER)),
            nick=names("nick", 1)[0],
            peer=value("id", _FINGERPRINT),
            port=port,
            addresses=tuple(addresses[:MAX_ADDRESSES]),
            state=(txt.get(b"st") or b"").decode("ascii", "replace"),
            rules=value("rules", _RULES),
            guests=tuple(filter(None, names("with", 3))),
        )
    except ValueError:
        return None
    known = txt.get(b"txtvers") == TXT_VERSION.encode() and ad.state in _STATES
    known = known and bool(ad.table and ad.addresses)
    return ad if known and ad.free < 4 and ad.version < 65536 and 0 < port < 65536 else None


def instance_name(ad: TableAd) -> str:
    """The service instance of an ad: nickname and short ids, at most 63 bytes of UTF-8."""
    tail = f" {ad.peer[:6]}-{ad.table_id[:6]}"
    nick = clean(ad.nick, NAME_LIMIT).replace(".", " ")
    return cut(nick or "player", _INSTANCE_BYTES - len(tail)).strip() + tail


class Tables:
    """The tables known right now, at most MAX_TABLES."""

    def __init__(self) -> None:
        self._ads: dict[str, TableAd] = {}
        self._event = trio.Event()

    def snapshot(self) -> tuple[TableAd, ...]:
        """All of them, longest known first; our own is among them."""
        return tuple(self._ads.values())

    async def changed(self) -> None:
        """Wait until a table comes, changes or goes."""
        await self._event.wait()

    def put(self, key: str, ad: TableAd) -> None:
        """Note what is announced under ``key``.

        One address may announce MAX_OF_ADDRESS tables. Beyond the limit of all, a table with free
        seats takes the place of one without; others are not taken.
        """
        if self._ads.get(key) == ad or (key not in self._ads and not self._has_room(ad)):
            return
        self._ads[key] = ad
        self._notify()

    def _has_room(self, ad: TableAd) -> bool:
        same = sum(known.addresses[:1] == ad.addresses[:1] for known in self._ads.values())
        if same >= MAX_OF_ADDRESS:
            return False
        if len(self._ads) < MAX_TABLES:
            return True
        taken = [key for key, known in self._ads.items() if known.state != "open"]
        if ad.state != "open" or not taken:
            return False
        del self._ads[taken[-1]]
        return True

    def remove(self, key: str) -> None:
        """Note that ``key`` is announced no more."""
        if self._ads.pop(key, None) is not None:
            self._notify()

    def _notify(self) -> None:
        self._event.set()
        self._event = trio.Event()


class Announcement(ABC):
    """Our own table, while it is announced."""

    @abstractmethod
    async def update(self, ad: TableAd) -> None:
        """Announce what has changed; the table's and peer's ids must stay.

        Raises DiscoveryUnavailable.
        """


class Discovery(ABC):
    """A way to learn of tables and to tell of one."""

    @abstractmethod
    def browse(self) -> AbstractAsyncContextManager[Tables]:
        """Look for tables during the block."""

    @abstractmethod
    def announce(self, ad: TableAd) -> AbstractAsyncContextManager[Announcement]:
        """Announce a table during the block, and withdraw it at the end."""


class StaticDiscovery(Discovery):
    """Addresses given by hand: each is a table of which only the address is known."""

    def __init__(self, addresses: Iterable[Address]) -> None:
        self._addresses = tuple(addresses)

    @contextlib.asynccontextmanager
    async def browse(self) -> AsyncIterator[Tables]:
        """Give the addresses as ads with no ``peer``; they never change."""
        tables = Tables()
        for host, port in self._addresses:
            ad = TableAd("", "", "", "", 0, 0, "", "", port, (host,))
            tables.put(f"{host}:{port}", ad)
        yield tables

    @contextlib.asynccontextmanager
    async def announce(self, ad: TableAd) -> AsyncIterator[Announcement]:
        """Tell nobody: friends need the address from us."""
        yield _Unannounced()


class _Unannounced(Announcement):
    async def update(self, ad: TableAd) -> None:
        """Nobody was told, so nothing is to be changed."""
