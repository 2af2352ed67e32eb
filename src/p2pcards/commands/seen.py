"""The tables of the LAN for the start screen, as they come and go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from p2pcards.commands.unfinished import Unfinished
from p2pcards.games.registry import GAMES
from p2pcards.net.discovery import TableAd
from p2pcards.net.errors import NetError
from p2pcards.net.identity import groups, load_or_create
from p2pcards.net.known import KnownPeers
from p2pcards.net.peer import PeerSettings
from p2pcards.protocol.limits import VERSION
from p2pcards.protocol.terms import read_rules
from p2pcards.ui.i18n import why
from p2pcards.ui.screen import Screen, Seen


class Shows(Protocol):
    """Whatever shows a start screen."""

    @property
    def screen(self) -> Screen:
        """The screen that the tables are noted on."""
        ...

    def refresh(self) -> None:
        """Show what was noted."""


async def watch_tables(face: Shows, settings: PeerSettings, mine: Sequence[Unfinished]) -> None:
    """Keep the start screen's list of tables up to date; troubles are shown there too.

    ``mine`` are this player's unfinished games; they come first.
    """
    from p2pcards.net.mdns import open_mdns

    known = KnownPeers(settings.data_dir)
    me = load_or_create(settings.data_dir).fingerprint
    _show(face, listed([], mine, known))
    try:
        async with open_mdns(settings.interface) as discovery, discovery.browse() as tables:
            while True:
                ads = [ad for ad in tables.snapshot() if ad.peer != me]
                _show(face, listed(ads, mine, known))
                await tables.changed()
    except NetError as exc:
        face.screen.notes.append(why(exc))
        face.refresh()


def listed(ads: Sequence[TableAd], mine: Sequence[Unfinished], known: KnownPeers) -> list[Seen]:
    """One line for each table: those of one's own, then the others that are announced."""
    tables = {ad.table_id: ad for ad in reversed(ads)}
    own = [left(game, tables.pop(game.table_id, None) is not None) for game in mine]
    return [*own, *(seen(ad, known) for ad in tables.values())]


def seen(ad: TableAd, known: KnownPeers) -> Seen:
    """An announcement as the start screen shows it."""
    changed = read_rules(ad.game, ad.rules, ad.options)
    return Seen(
        ad.table_id, ad.table, ad.game, ad.nick, groups(ad.peer), ad.free, ad.state,
        changed == (), known.check_fingerprint(ad.nick, ad.peer).status.value,
        ad.version == VERSION and ad.game in GAMES, changed=changed or (),
        guests=ad.guests,
    )  # fmt: skip


def left(game: Unfinished, is_running: bool = False) -> Seen:
    """An unfinished game as the start screen shows it; others may be playing it now."""
    others = ", ".join(game.players)
    return Seen(
        str(game.path), game.table, game.game, others, "", 0, "mine", True, "same",
        is_running=is_running,
    )  # fmt: skip


def _show(face: Shows, tables: list[Seen]) -> None:
    """Show these tables, open ones first; what is selected stays selected."""
    screen = face.screen
    order = {"mine": 0, "open": 1}
    # Unfinished games stay in their order, the newest first.
    names = {table.key: "" if table.state == "mine" else table.name for table in tables}
    tables.sort(key=lambda table: (order.get(table.state, 2), names[table.key]))
    selected = None
    if screen.place == "start" and 0 <= screen.cursor < len(screen.seen):
        selected = screen.seen[screen.cursor].key
    was_empty, below = not screen.seen, screen.cursor - len(screen.seen)
    screen.seen = tables
    keys = [table.key for table in tables]
    if screen.place == "start":
        if selected in keys:
            screen.cursor = keys.index(selected)
        elif selected is not None or (was_empty and below == 0):
            screen.cursor = 0
        else:
            screen.cursor = len(tables) + below
    face.refresh()
