"""One seat of ``bench --ui``: the whole program over a pipe and a screen that nobody sees.

Run as ``python -m p2pcards.commands.bench_seat FOLDER TABLE NAME open|join TARGET``; writes
``FOLDER/NAME.json`` with the times of its key presses, of its redraws and of its event loop.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import sys
import time
from pathlib import Path
from typing import Any

import trio
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from p2pcards.commands.evening import Evening
from p2pcards.commands.seating import Seatings
from p2pcards.games.base import Play
from p2pcards.net.peer import PeerSettings
from p2pcards.net.wish import Role, Wish
from p2pcards.protocol import events
from p2pcards.ui import happenings as hap
from p2pcards.ui import host
from p2pcards.ui.full import Full
from p2pcards.ui.screen import Screen
from p2pcards.ui.settings import Settings

THOUGHT = 0.05
"""Seconds between a question and the key that answers it."""
BEAT = 0.002
"""Seconds between two beats of the loop when nothing holds it up."""


class Watched:
    """A face whose keys, redraws and loop are timed; times are of the system's one clock."""

    def __init__(self, face: Full, pipe: PipeInput) -> None:
        self.face = face
        self.pipe = pipe
        self.pressed: dict[str, float] = {}
        self.drawn: dict[str, float] = {}
        self.proved: dict[str, int] = {}
        self.gaps: list[float] = []
        self._tell = face.tell
        face.tell = self.tell  # type: ignore[method-assign]
        face.app.after_render += lambda app: self.note_redraw()

    def tell(self, item: hap.Happening) -> None:
        """Note how many proofs came with a card."""
        if isinstance(item, hap.Happened) and isinstance(item.event, events.CardPlayed):
            self.proved[self._key(str(item.event.card))] = item.event.proved
        self._tell(item)

    def note_redraw(self) -> None:
        """Note which cards the screen shows for the first time."""
        state = self.face.screen.table.state
        for card in state.played if state else ():
            self.drawn.setdefault(self._key(str(card)), time.monotonic())

    def _key(self, card: str) -> str:
        state = self.face.screen.table.state
        return f"{state.deal if state else 0} {card}"

    async def play(self) -> None:
        """Answer every question by keys, a moment after it was asked; end by a key."""
        screen = self.face.screen
        asked = None
        while True:
            await trio.sleep(0.01)
            question = screen.table.question
            if screen.table.over is not None:
                self.pipe.send_text("\r")
            elif screen.overlay:
                self.pipe.send_text("s")
            elif question is not None and question is not asked:
                asked = question
                await trio.sleep(THOUGHT)
                self._press(question.choices)

    def _press(self, choices: tuple[object, ...]) -> None:
        plays = [choice.card for choice in choices if isinstance(choice, Play)]
        if not plays:
            self.pipe.send_text("1\r")
            return
        place = self.face.screen.hand().index(plays[0])
        if self.face.screen.cursor != place:
            self.pipe.send_text(str(place + 1))
        self.pressed[self._key(str(plays[0]))] = time.monotonic()
        self.pipe.send_text("\r")

    def beat(self) -> None:
        """Measure how late the loop is, again and again."""
        loop, due = asyncio.get_running_loop(), time.monotonic() + BEAT

        def on_time() -> None:
            if self.face.screen.place == "table" and self.face.screen.table.over is None:
                self.gaps.append(max(0.0, time.monotonic() - due))
            self.beat()

        loop.call_later(BEAT, on_time)

    def figures(self) -> dict[str, Any]:
        """Everything noted."""
        return {"pressed": self.pressed, "drawn": self.drawn, "proved": self.proved,
                "gaps": self.gaps}  # fmt: skip


def main(argv: list[str]) -> int:
    """Play one match and write down the times; the exit status."""
    folder, table, name, role, target = argv
    wish = Wish("belota", {"target": target}, table, Role(role), "drawn", 20, 120, 60.0,
                ("127.0.0.1",), ())  # fmt: skip
    settings = PeerSettings(Path(folder) / name, name, wish, "127.0.0.1")
    screen = Screen(Settings(nick=name, pace="fast", bell=False))
    with create_pipe_input() as pipe:
        output = Vt100_Output(io.StringIO(), lambda: Size(24, 80), term="xterm-256color")
        face = Full(screen, lambda now: True, pipe, output)
        watched = Watched(face, pipe)
        args = argparse.Namespace(on_loss="stop")
        evening = Evening(args, settings, face, Seatings(settings, (), True))

        async def guest() -> int:
            watched.beat()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(watched.play)
                status = await evening.run()
                nursery.cancel_scope.cancel()
            return status

        status = host.run(guest, face, evening.leave)
    (Path(folder) / f"{name}.json").write_text(json.dumps(watched.figures()))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
