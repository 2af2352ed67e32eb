"""``p2pcards tables``: the tables that announce themselves on the LAN."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

import trio

from p2pcards.commands import common
from p2pcards.net.discovery import TableAd
from p2pcards.net.errors import NetError
from p2pcards.protocol.terms import read_rules
from p2pcards.ui.i18n import _, why


def run(args: argparse.Namespace) -> int:
    """List the tables seen within a few seconds."""
    try:
        ads = trio.run(_look, args.interface, args.wait)
    except (NetError, BaseExceptionGroup) as exc:
        cause = common.first(exc)
        if isinstance(cause, NetError):
            return common.fail(common.NETWORK, why(cause))
        raise
    for ad in ads:
        if args.json:
            common.out_json(_as_json(ad))
        else:
            seats = _("{n} free", n=ad.free) if ad.state == "open" else _(ad.state)
            where = ", ".join(f"{host}:{ad.port}" for host in ad.addresses)
            people = ", ".join((f"{ad.nick} ({ad.peer[:8]})", *ad.guests))
            who = f"{people} {where} {ad.rules}".rstrip()
            common.out(f"{ad.table:<32} {ad.game:<8} {seats:<8} {who}")
    if not ads and not args.json:
        common.say(_("no tables here; open one with p2pcards play, or see p2pcards doctor"))
    return common.DONE


def _as_json(ad: TableAd) -> dict[str, Any]:
    """An announcement, with the keys that mean the same everywhere."""
    values = asdict(ad)
    changed = read_rules(ad.game, ad.rules, ad.options)
    values["rules"] = None if changed is None else {key: value for key, value, _usual in changed}
    renamed = {"nick": "name", "peer": "fingerprint", "options": "options_hash"}
    return {renamed.get(key, key): value for key, value in values.items()}


async def _look(interface: str | None, seconds: float) -> list[TableAd]:
    from p2pcards.net.mdns import open_mdns

    async with open_mdns(interface) as discovery, discovery.browse() as tables:
        await trio.sleep(seconds)
        seen = {ad.table_id: ad for ad in reversed(tables.snapshot())}
    return sorted(seen.values(), key=lambda ad: (ad.state != "open", ad.table, ad.table_id))
