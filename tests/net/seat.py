"""A process for the namespace tests: announces a table, finds others', links to their peers.

Usage: python -m tests.net.seat DATA_DIR TABLE_ID. Prints a line of JSON for each thing that
happens and runs until it is ended.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
from pathlib import Path

import trio

from p2pcards.net.discovery import Discovery, TableAd, Tables
from p2pcards.net.errors import NetError
from p2pcards.net.events import LinkDown, LinkUp
from p2pcards.net.identity import load_or_create
from p2pcards.net.mdns import open_mdns
from p2pcards.net.mesh import Mesh, open_mesh


def say(what: str, **more: object) -> None:
    """Print one event."""
    line = {"what": what, "at": time.monotonic(), **more}
    print(json.dumps(line), flush=True)  # noqa: T201


async def look(tables: Tables, table_id: str, own: str) -> None:
    """Say whom the announcements show, each time that changes."""
    while True:
        found = [ad for ad in tables.snapshot() if ad.table_id == table_id and ad.peer != own]
        say("tables", peers={ad.peer: list(ad.dial) for ad in found})
        await tables.changed()


async def links(mesh: Mesh) -> None:
    """Say which links come and go."""
    async for event in mesh.events:
        if isinstance(event, LinkUp):
            say("up", peer=event.name)
        elif isinstance(event, LinkDown):
            say("down", peer=event.peer.hex(), kind=event.kind.value)


async def main(data_dir: Path, table_id: str) -> None:
    """Announce, browse and link."""
    identity = load_or_create(data_dir)
    own = identity.fingerprint
    async with (
        open_mesh(identity, data_dir.name, [("0.0.0.0", 0)]) as mesh,  # noqa: S104
        open_mdns() as discovery,
        trio.open_nursery() as nursery,
    ):
        ad = TableAd("test", table_id, "belka", "", 3, 1, data_dir.name, own, mesh.port)
        nursery.start_soon(links, mesh)
        nursery.start_soon(announce, discovery, ad)
        async with discovery.browse() as tables:
            nursery.start_soon(look, tables, table_id, own)
            await dial_everyone(mesh, tables, table_id, own)


async def announce(discovery: Discovery, ad: TableAd) -> None:
    """Announce for ever."""
    async with discovery.announce(ad):
        say("announced", peer=ad.peer)
        await trio.sleep_forever()


async def dial_everyone(mesh: Mesh, tables: Tables, table_id: str, own: str) -> None:
    """Keep a link to each peer that was ever seen at the table."""
    met: dict[str, bytes] = {}
    wanted: dict[bytes, list[tuple[str, int]]] = {}
    while True:
        for ad in tables.snapshot():
            if ad.table_id != table_id or ad.peer in (own, *met):
                continue
            with contextlib.suppress(NetError):
                met[ad.peer] = (await mesh.dial(ad.dial)).peer
                wanted[met[ad.peer]] = list(ad.dial)
        mesh.upkeep.maintain(wanted)
        with trio.move_on_after(0.5):
            await tables.changed()


if __name__ == "__main__":
    trio.run(main, Path(sys.argv[1]), sys.argv[2])
