"""The pace at which happenings are shown: one that the eye can follow.

A finished trick lies a moment before the next card, and cards of bots do not come all at once.
The game itself never waits for the screen.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

import trio

from p2pcards.protocol import events
from p2pcards.ui import happenings as hap
from p2pcards.ui.screen import Screen
from p2pcards.ui.settings import CARD_APART, TRICK_LIES

QUEUE = 9
"""Cards that may wait to be shown; beyond, as after coming back, all is shown at once."""


class Pace:
    """The happenings that wait to be shown, and how long each does.

    ``show`` puts one on the screen, ``refresh`` has the screen drawn anew.
    """

    def __init__(
        self, screen: Screen, show: Callable[[hap.Happening], None], refresh: Callable[[], None]
    ) -> None:
        self._screen = screen
        self._show = show
        self._refresh = refresh
        self._queue: deque[hap.Happening] = deque()
        self._arrived = trio.Event()
        self._drained = trio.Event()
        self._skip = trio.Event()
        self._last_card = 0.0
        self._is_behind = False

    def tell(self, item: hap.Happening) -> None:
        """Take a happening; it is shown when its time has come."""
        self._queue.append(item)
        self._arrived.set()

    def skip(self) -> None:
        """End the pause there is now."""
        self._skip.set()

    def forget(self) -> None:
        """Show nothing of what still waits."""
        self._queue.clear()

    def holds(self, kind: type[hap.Happening]) -> bool:
        """Whether a happening of this kind still waits."""
        return any(isinstance(waiting, kind) for waiting in self._queue)

    async def shown(self) -> None:
        """Wait until everything that was told is on the screen."""
        while self._queue or self._screen.held:
            await self._drained.wait()
            await trio.lowlevel.checkpoint()

    async def run(self) -> None:
        """Show happenings one after the other, at the pace set; runs as a task."""
        while True:
            while self._queue:
                item = self._queue.popleft()
                await self._wait_for(item)
                self._show(item)
                self._refresh()
                await self._lie(item)
            self._is_behind = False
            self._drained.set()
            self._arrived = trio.Event()
            await self._arrived.wait()
            self._drained = trio.Event()

    async def _wait_for(self, item: hap.Happening) -> None:
        """Keep two cards that come one right after the other apart."""
        self._is_behind |= sum(map(_is_card, self._queue)) > QUEUE
        if not _is_card(item) or self._is_behind:
            return
        apart = CARD_APART[self._screen.settings.pace]
        wait = self._last_card + apart - time.monotonic()
        if wait > 0 and not self._is_mine(item):
            await self._pause(wait)
        self._last_card = time.monotonic()

    async def _lie(self, item: hap.Happening) -> None:
        """Leave a finished trick on the table for a moment, or until a key is pressed."""
        is_trick = isinstance(item, hap.Happened) and isinstance(item.event, events.TrickTaken)
        if is_trick and not self._is_behind:
            self._screen.held = True
            await self._pause(TRICK_LIES[self._screen.settings.pace])
            self._screen.held = False
            self._refresh()

    async def _pause(self, seconds: float) -> None:
        if seconds <= 0:
            return
        self._skip = trio.Event()
        with trio.move_on_after(seconds):
            await self._skip.wait()

    def _is_mine(self, item: hap.Happening) -> bool:
        return (
            isinstance(item, hap.Happened)
            and isinstance(item.event, events.CardPlayed)
            and item.event.seat == self._screen.table.me
        )


def _is_card(item: hap.Happening) -> bool:
    return isinstance(item, hap.Happened) and isinstance(item.event, events.CardPlayed)
