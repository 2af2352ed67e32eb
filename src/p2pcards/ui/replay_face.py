"""A replay in a terminal: keys in, the drawn table out."""

from __future__ import annotations

from contextlib import suppress

import trio
from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import Output
from prompt_toolkit.styles import DynamicStyle, Style

from p2pcards.ui import styles
from p2pcards.ui.keys import SPECIAL
from p2pcards.ui.replay_view import ReplayView, render_replay

REDRAW = 0.04
"""Seconds between two drawings: a spectator that catches up must not spend its time on them."""
_NAMES = {"c-m": "enter", "c-j": "enter", "c-i": "tab", "c-h": "backspace"}


class ReplayFace:
    """Shows one view until the person ends it; the asyncio side of ``host.run``."""

    def __init__(
        self, view: ReplayView, terminal_in: Input | None = None,
        terminal_out: Output | None = None,
    ) -> None:  # fmt: skip
        self.view = view
        self.ended = trio.Event()
        self._has_more = False
        control = FormattedTextControl(self._fragments, focusable=True, show_cursor=False)
        self.app: Application[None] = Application(
            layout=Layout(Window(control, style="class:felt", always_hide_cursor=True)),
            key_bindings=self._bindings(),
            style=DynamicStyle(self._style),
            full_screen=True,
            min_redraw_interval=REDRAW,
            input=terminal_in,
            output=terminal_out,
        )
        self.app.ttimeoutlen = 0.05

    async def run(self) -> None:
        """Show the screen until :meth:`stop`."""
        try:
            await self.app.run_async(handle_sigint=False, set_exception_handler=False)
        finally:
            with suppress(OSError):
                self.app.output.flush()

    def stop(self) -> None:
        """Leave the full screen."""
        if self.app.is_running and self.app.future is not None and not self.app.future.done():
            self.app.exit()

    def leave(self) -> None:
        """End as if the person had asked for it."""
        self.ended.set()

    def more(self) -> None:
        """The reel has grown."""
        self._has_more = True
        self.app.invalidate()

    def press(self, key: str) -> None:
        """Take a key: a character, or the name of a special key."""
        if self.view.press(key):
            self.app.invalidate()
        else:
            self.ended.set()

    def _style(self) -> Style:
        settings = self.view.screen.settings
        return styles.style(self.app.color_depth, settings.deck, settings.felt)

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()

        def on_key(event: KeyPressEvent) -> None:
            pressed = event.key_sequence[0].key
            key = pressed.value if isinstance(pressed, Keys) else pressed
            self.press(_NAMES.get(key, key))

        for name in SPECIAL:
            bindings.add(name, eager=True)(on_key)
        bindings.add(Keys.Any)(on_key)
        return bindings

    def _fragments(self) -> StyleAndTextTuples:
        if self._has_more:
            self._has_more = False
            self.view.more()
        size = self.app.output.get_size()
        out: StyleAndTextTuples = []
        for i, pieces in enumerate(render_replay(self.view, size.columns, size.rows).lines()):
            out += [("", "\n")] if i else []
            out += [(piece.style, piece.text) for piece in pieces]
        return out
