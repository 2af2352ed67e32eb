"""``p2pcards watch``: a spectator at a table, who verifies everything and sees no hidden card."""

from __future__ import annotations

import argparse
import contextlib
import time
from collections.abc import Callable
from pathlib import Path

import trio

from p2pcards.commands import common
from p2pcards.commands.eventjson import as_json, with_names
from p2pcards.commands.face import ascii_only, dress, forgive_output, has_screen
from p2pcards.commands.peer import default_name
from p2pcards.commands.replay import seat_players
from p2pcards.commands.signals import run_until_signal
from p2pcards.games.base import TEAM_NAMES
from p2pcards.net.errors import NetError
from p2pcards.net.lobby import parse_address
from p2pcards.net.notices import Trouble
from p2pcards.net.spectator import Spectator, TableLeft, WatchWish
from p2pcards.net.store import save_record
from p2pcards.net.text import clean
from p2pcards.protocol.events import Event, SeatsDrawn
from p2pcards.protocol.faults import Fault
from p2pcards.protocol.observer import Observer
from p2pcards.ui import happenings as hap
from p2pcards.ui import host, narration
from p2pcards.ui import settings as ui_settings
from p2pcards.ui.i18n import _, why
from p2pcards.ui.replay import Reel, curve_lines
from p2pcards.ui.signalled import Signalled


def run(args: argparse.Namespace) -> int:
    """Watch one match; the exit status."""
    kept = dress(args)
    forgive_output()
    try:
        connect = tuple(parse_address(text) for text in args.connect)
    except ValueError as exc:
        return common.fail(common.USAGE, f"--connect: {why(exc)}")
    nick = clean(args.name or kept.nick or default_name(), 32) or "spectator"
    name = clean(args.table, 32) if args.table else None
    watch = Watch(args, WatchWish(nick, name, connect, args.wait), ascii_only() or args.ascii)
    try:
        if not args.json and not args.plain and has_screen():
            return watch.on_screen(kept)
        run_until_signal(watch.run)
    except Signalled as exc:
        return exc.status
    except (NetError, BaseExceptionGroup) as exc:
        return _failed(exc)
    return watch.status


def _failed(error: BaseException) -> int:
    """Say why it ended early; the exit status. What is our own bug is raised again."""
    match common.first(error):
        case Signalled() as cause:
            return cause.status
        case TableLeft() as cause:
            return common.fail(common.LOST, why(cause))
        case NetError() as cause:
            return common.fail(common.NETWORK, why(cause))
    raise error


class Watch:
    """One watch: the spectator on one side, lines, JSON or a screen on the other."""

    def __init__(self, args: argparse.Namespace, wish: WatchWish, letters: bool) -> None:
        self.reel = Reel(ascii_only=letters)
        self.status = common.NETWORK
        self._args = args
        self._letters = letters
        self._began = False
        self._more: Callable[[], None] = lambda: None
        self._on_screen = False
        self._spectator = Spectator(wish, self._event, self._trouble)

    async def run(self) -> None:
        """Watch to the end. Raises NetError."""
        tables = None
        async with contextlib.AsyncExitStack() as stack:
            if not self._args.connect:
                from p2pcards.net.mdns import open_mdns

                mdns = await stack.enter_async_context(open_mdns(self._args.interface))
                tables = await stack.enter_async_context(mdns.browse())
            try:
                self._end(await self._spectator.run(tables))
            finally:
                self._save()

    # -- what comes ----------------------------------------------------------------------------

    def _event(self, observer: Observer, event: Event) -> None:
        terms = observer.table.roster.terms
        if not self._began:
            self._began = True
            names = [clean(p.name, 32) or "?" for p in observer.table.roster.players]
            if self._args.json:
                values = {"table": terms.name, "game": terms.game, "players": names}
                common.out_json({"event": "watching", **values})
            self._lines([_("watching the table {table}: {names}", table=clean(terms.name, 32),
                           names=", ".join(names))])  # fmt: skip
        if isinstance(event, SeatsDrawn):
            seat_players(self.reel, observer)
        if self._args.json:
            row = as_json(event)
            if row is not None:
                common.out_json(with_names(row, self.reel.names))
        self._lines(self.reel.take(event, observer.table.state, time.monotonic()))
        self._more()

    def _trouble(self, trouble: Trouble) -> None:
        if self._on_screen:
            self.reel.tell(hap.Trouble(trouble.text))
            self._more()
        elif self._args.json:
            common.out_json({"event": "trouble", "text": trouble.text})
        else:
            common.say(trouble.text)

    def _lines(self, lines: list[str]) -> None:
        if not self._on_screen and not self._args.json:
            for line in lines:
                common.tell(line)

    def _end(self, observer: Observer) -> None:
        """Tell how it ended."""
        fault: Fault | None = observer.fault
        self.status = common.FAULT if fault is not None else common.DONE
        if fault is not None:
            return
        state = observer.table.the_state()
        winner = None if state.winner is None else TEAM_NAMES[state.winner]
        if self._args.json:
            common.out_json({
                "event": "result", "game": observer.table.game.name, "winner": winner,
                "scores": list(state.scores), "names": list(self.reel.names),
                "transcript": observer.transcript.hex(),
            })  # fmt: skip
        lines = [narration.signed(observer.transcript.hex())]
        self._lines([*curve_lines(self.reel), *lines])

    def _save(self) -> None:
        """Write the record that was seen, if it was asked for."""
        observer = self._spectator.observer
        if self._args.record and observer is not None and observer.record():
            name = f"{observer.session.hex()[:12]}-watched.p2prec"
            path = save_record(Path(self._args.record), name, observer.record())
            text = _("the record of this game: {path}", path=path)
            if self._on_screen:
                self._trouble(Trouble(text))
            else:
                common.say(text)

    def _verified(self) -> str:
        """What was verified so far, in a line."""
        text = _("verified here: {plays} plays, {proofs} proofs", plays=self.reel.plays,
                 proofs=self.reel.proofs)  # fmt: skip
        observer = self._spectator.observer
        if observer is not None and observer.fault is not None:
            text = "; ".join(self.reel.stops[-1].lines[:1]) if self.reel.stops else text
        elif observer is not None and observer.done:
            text = narration.signed(observer.transcript.hex())
        return text

    # -- the full screen -----------------------------------------------------------------------

    def on_screen(self, kept: ui_settings.Settings) -> int:
        """Watch on the full screen, until the person leaves; the exit status."""
        from p2pcards.ui.replay_face import ReplayFace
        from p2pcards.ui.replay_view import ReplayView
        from p2pcards.ui.screen import Screen

        self._on_screen = True
        letters = self._letters or kept.suits == "letters"
        view = ReplayView(self.reel, Screen(kept, ascii_only=letters), live=True, follows=True)
        view.verdict = _("looking for the table")
        face = ReplayFace(view)

        def more() -> None:
            view.verdict = self._verified()
            face.more()

        async def watch() -> None:
            try:
                await self.run()
                view.verdict = self._verified()
            except NetError as exc:
                if not self.reel.stops:
                    raise
                self.status, view.verdict = common.LOST, why(exc)
            view.live = False
            face.app.invalidate()

        async def main() -> int:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(watch)
                await face.ended.wait()
                nursery.cancel_scope.cancel()
            return common.DONE if self.status == common.NETWORK else self.status

        self._more = more

        return host.run(main, face, face.leave)
