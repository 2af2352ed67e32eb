"""Lines that are read before their time has come: those of a pipe are written all at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Container
from typing import Protocol

import trio

from p2pcards.ui.plainwords import english

AHEAD = 1000
"""Lines that are read ahead; more stay in the pipe."""


class LineSource(Protocol):
    """Where a person's lines come from."""

    @property
    def is_live(self) -> bool:
        """Whether somebody types: then a line out of turn is answered, not kept."""
        ...

    async def next(self) -> str | None:
        """The next line, or None at the end of the input."""


class Backlog:
    """The lines in their order, of which a command may be taken out before its turn."""

    def __init__(self, source: LineSource) -> None:
        self.has_ended = False
        self._source = source
        self._lines: deque[str] = deque()
        self._stirred = trio.Event()

    async def fill(self) -> None:
        """Read to the end of the input; runs as a task."""
        while (line := await self._source.next()) is not None:
            self._lines.append(line.strip())
            self.stir()
            while len(self._lines) >= AHEAD:
                await self.stirred()
        self.has_ended = True
        self.stir()

    async def next(self) -> str | None:
        """The next line, or None at the end."""
        while not self._lines:
            if self.has_ended:
                return None
            await self.stirred()
        self.stir()
        return self._lines.popleft()

    def take(self, commands: Container[str]) -> str | None:
        """The first line that is one of these commands, wherever it stands; None if none is."""
        for line in self._lines:
            if english(line) in commands:
                self._lines.remove(line)
                self.stir()
                return english(line)
        return None

    def stir(self) -> None:
        """Let whoever waits for a change look again."""
        self._stirred.set()
        self._stirred = trio.Event()

    async def stirred(self) -> None:
        """Wait until a line has come or gone, or something else has changed."""
        await self._stirred.wait()
