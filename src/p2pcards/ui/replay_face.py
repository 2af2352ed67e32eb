"""A replay in a terminal: keys in, the drawn table out."""

from __future__ import annotations

import trio
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import Output

from p2pcards.ui.fullscreen import FullScreen
from p2pcards.ui.replay_view import ReplayView, render_replay

REDRAW = 0.04
"""Seconds between two drawings: a spectator that catches up must not spend its time on them."""


class ReplayFace(FullScreen):
    """Shows one view until the person ends it."""

    def __init__(
        self, view: ReplayView, terminal_in: Input | None = None,
        terminal_out: Output | None = None,
    ) -> None:  # fmt: skip
        self.view = view
        self.ended = trio.Event()
        self._has_more = False
        control = FormattedTextControl(self._fragments, focusable=True, show_cursor=False)
        super().__init__(
            Layout(Window(control, style="class:felt", always_hide_cursor=True)),
            lambda: self.view.screen.settings, self.press, terminal_in, terminal_out, redraw=REDRAW,
        )  # fmt: skip

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
