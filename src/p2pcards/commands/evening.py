"""An evening at the full screen: the start screen, a table, its end, and back to the start."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace

import trio

from p2pcards.bots.levels import LEVELS
from p2pcards.commands import common, looking, replay
from p2pcards.commands.crew import Crew
from p2pcards.commands.seating import Choosing, Seatings
from p2pcards.commands.seen import watch_tables
from p2pcards.commands.sitting import Sitting
from p2pcards.commands.unfinished import Unfinished, forget, unfinished
from p2pcards.net.errors import NetError
from p2pcards.net.identity import groups, load_or_create
from p2pcards.net.peer import PeerSettings
from p2pcards.net.scratch import scratch
from p2pcards.net.text import clean
from p2pcards.protocol.table import RosterError
from p2pcards.ui import narration
from p2pcards.ui.editing import open_line
from p2pcards.ui.full import Full
from p2pcards.ui.i18n import N_, _, why
from p2pcards.ui.intents import Command, Effect, Typed
from p2pcards.ui.settings import with_nick
from p2pcards.worded import WordedError


class Evening:
    """One person's evening; ``first`` skips the start screen, and then the evening is one table.

    When :meth:`run` ends with a ``detour``, that is to be looked at, and another evening follows.
    ``ending`` tells in words how the last table ended.
    """

    def __init__(
        self, args: argparse.Namespace, settings: PeerSettings, face: Full,
        first: Seatings | None,
    ) -> None:  # fmt: skip
        self.face = face
        self.status = 0
        self.detour: looking.Detour | None = None
        self.ending: list[str] = []
        self._args = args
        self._settings = settings
        self._first = first
        self._sitting: Sitting | None = None
        self._scope = trio.CancelScope()
        self._left = False
        self._mine: list[Unfinished] = []
        self._serving = trio.CancelScope()
        self._page: trio.CancelScope | None = None

    def leave(self) -> None:
        """Take leave of the table in order, and of the evening."""
        self._left = True
        if self._page is not None:
            self._page.cancel()
        elif self._sitting is not None and self._sitting.peer.session is not None:
            self._sitting.leave(N_("has left"))
        else:
            self._scope.cancel()

    async def run(self) -> int:
        """The whole evening; the exit status of its last table. Raises NetError."""
        screen = self.face.screen
        identity = load_or_create(self._settings.data_dir)
        screen.fingerprint = groups(identity.fingerprint)
        screen.levels = LEVELS
        with self._scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self.face.show)
                nursery.start_soon(self._tick)
                await self._tables()
                nursery.cancel_scope.cancel()
        return self.status

    async def _tables(self) -> None:
        if self._first is not None:
            await self._sit(self._first)
            return
        while not self._left:
            seating = await self._at_start()
            if seating is None:
                return
            try:
                await self._sit(seating)
            except* NetError as group:
                self._say_at_start(why(common.first(group)))

    def _say_at_start(self, text: str) -> None:
        self.face.screen.enter("start")
        self.face.screen.say(text, is_bad=True)

    # -- at the start --------------------------------------------------------------------------

    async def _at_start(self) -> Seatings | None:
        """Let the person look around; the table to sit down at, or None to end or look."""
        screen = self.face.screen
        if screen.place not in ("start", "saved"):
            screen.enter("start")
        screen.cursor = max(0, screen.cursor)
        if not screen.settings.nick:
            open_line(screen, "nick", self._settings.name)
        await self._look_for_mine()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch_tables, self.face, self._settings, self._mine)
            effect: Effect = Command(screen.place)
            while True:
                if effect == Command("saved"):
                    folder = replay.folder_of(self._settings)
                    nursery.start_soon(looking.verify_saved, self.face, folder, self._mine)
                self.face.refresh()
                effect = await self.face.effect()
                self.detour = await looking.meant(self.face, effect)
                if effect == Command("quit") or self.detour is not None:
                    nursery.cancel_scope.cancel()
                    return None
                seating = self._chosen(effect)
                if seating is not None or self._forgotten(effect):
                    nursery.cancel_scope.cancel()
                    break
        return seating if seating is not None else await self._at_start()

    async def _look_for_mine(self) -> None:
        """Find the games left in the middle, and say what is wrong with those that are broken."""
        wrong: list[NetError] = []
        folder = self._settings.data_dir
        self._mine = await trio.to_thread.run_sync(unfinished, folder, wrong.append)
        if wrong:
            self.face.screen.say(why(wrong[0]), is_bad=True)

    def _forgotten(self, effect: Effect) -> bool:
        """Forget an unfinished game, if the effect says so."""
        match effect:
            case Command("forget", place) if place < len(self.face.screen.seen):
                for game in self._mine:
                    if str(game.path) == self.face.screen.seen[place].key:
                        forget(self._settings.data_dir, game)
                        return True
        return False

    def _chosen(self, effect: Effect) -> Seatings | None:
        """The table that an effect of the start screen means, if it means one."""
        screen = self.face.screen
        match effect:
            case Typed("nick", text):
                nick = clean(text, 32)
                if nick:
                    screen.settings = with_nick(screen.settings, nick)
                    self.face.keep_settings()
            case Typed("connect", text):
                return self._checked(lambda: self._choosing().connected(text))
            case Command("join", place) if place < len(screen.seen):
                return self._choosing().joined(screen.seen[place])
            case Command("open"):
                return self._checked(lambda: self._choosing().opened(screen.form))
            case Command("practise"):
                return self._checked(lambda: self._choosing().practised(screen.form))
        return None

    def _choosing(self) -> Choosing:
        return Choosing(self._settings, self.face.screen.settings.nick or self._settings.name)

    def _checked(self, chosen: Callable[[], Seatings]) -> Seatings | None:
        try:
            return chosen()
        except (RosterError, WordedError) as exc:
            self.face.screen.say(why(exc), is_bad=True)
            return None

    # -- at a table ----------------------------------------------------------------------------

    async def _sit(self, seating: Seatings) -> None:
        """Sit at one table to its end, and look at the end until a key is pressed."""
        if seating.alone:
            with scratch("practice") as folder:
                settings = replace(seating.settings, data_dir=folder)
                await self._sit(replace(seating, settings=settings, alone=False))
            return
        letters, on_loss = self.face.screen.ascii_only, self._args.on_loss
        stay = None if seating.settings.alone else self._look
        sitting = Sitting(seating.settings, on_loss, letters, stay)
        self._sitting, self._page, self._serving = sitting, None, trio.CancelScope()
        self.face.begin(ready=seating.ready, alone=seating.settings.alone)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._serve, sitting, nursery, list(seating.bots))
                self.status = await sitting.run(self.face)
                self._note_end()
                if self._page is None:
                    await self._look()
                nursery.cancel_scope.cancel()
        finally:
            self._sitting = self._page = None

    def _note_end(self) -> None:
        """Keep in words how a table ended, for a terminal on which nothing of it is left."""
        table = self.face.screen.table
        self.ending = narration.over(table.speaker, table.over) if table.over is not None else []

    async def _look(self) -> None:
        """Let the person look at the end, and talk with who does, too, until a key is pressed."""
        self._serving.cancel()
        if self._left or self.face.screen.place != "table":
            return
        with trio.CancelScope() as self._page:
            await self.face.shown()
            self.face.effects.clear()
            over = self.face.screen.table.over
            while over is not None and over.ending != "left":
                match await self.face.effect():
                    case Typed("chat", text) if self._sitting is not None:
                        self._sitting.say(text)
                    case Command("on") | Command("leave") | Command("quit"):
                        return

    async def _serve(self, sitting: Sitting, nursery: trio.Nursery, bots: list[str]) -> None:
        """Carry out what the person wants while a table is formed and played."""
        crew = sitting.crew = Crew(sitting, nursery, self.face.tell, alone=sitting.settings.alone)
        if bots:
            await sitting.lobby_known.wait()
        for level in bots:
            crew.add(level)
        with self._serving:
            while True:
                self._carry_out(await self.face.effect(), sitting)

    def _carry_out(self, effect: Effect, sitting: Sitting) -> None:
        match effect:
            case Typed("chat", text):
                sitting.say(text)
            case Command("leave") | Command("quit"):
                sitting.leave(N_("has left"))
            case Command("hint"):
                self._hint(sitting)
            case Command("end", wish):
                sitting.ask_end(bool(wish))
            case Command("partner"):
                sitting.change_partner()
            case Command("bot"):
                sitting.bring()
            case Command("no bot"):
                sitting.dismiss()

    def _hint(self, sitting: Sitting) -> None:
        question = self.face.screen.table.question
        hint = sitting.hint(question) if question else None
        text = _("a bot would choose {choice}", choice=hint) if hint else _("no hint now")
        self.face.screen.say(text)
        self.face.refresh()

    async def _tick(self) -> None:
        """Twice a second, note how long everybody still has."""
        while True:
            await trio.sleep(0.5)
            sitting, screen = self._sitting, self.face.screen
            if sitting is None or screen.place != "table" or screen.table.over:
                continue
            left = {s: left for s in range(4) if (left := sitting.left(s)) is not None}
            shown = {s: int(left[s]) for s in left}
            if shown != {s: int(screen.left[s]) for s in screen.left}:
                self.face.note_time(left)
