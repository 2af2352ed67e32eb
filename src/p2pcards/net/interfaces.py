"""The addresses of this machine that a friend on the network could reach."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

import ifaddr

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class InterfaceAddress:
    """One address of one interface; IPv6 link-local ones are left out, they need a scope."""

    interface: str
    ip: str

    @property
    def version(self) -> int:
        """4 or 6."""
        return ipaddress.ip_address(self.ip).version


def usable(*, loopback: bool = False) -> tuple[InterfaceAddress, ...]:
    """List this machine's addresses, IPv4 first (blocking, some milliseconds).

    Loopback is left out unless asked for. Empty if there is no network.
    """
    found: list[InterfaceAddress] = []
    for adapter in ifaddr.get_adapters():
        for entry in adapter.ips:
            text = entry.ip if isinstance(entry.ip, str) else entry.ip[0]
            if _is_usable(text, loopback=loopback):
                found.append(InterfaceAddress(adapter.nice_name, text))
    return tuple(sorted(found, key=lambda one: (one.version, _is_makeshift(one.ip))))


def _is_usable(text: str, *, loopback: bool) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    if address.is_loopback:
        return loopback
    if address.is_unspecified or address.is_multicast:
        return False
    return address.version == 4 or not address.is_link_local


def _is_makeshift(text: str) -> bool:
    return ipaddress.ip_address(text).is_link_local
