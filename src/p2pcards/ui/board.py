"""The one window of the full screen: it takes its cells straight from a canvas.

prompt_toolkit's windows are made for text that is edited, wrapped and scrolled, and spend most
of a redraw on that. The canvas has laid everything out already. Its runs of equal style are
copied as they are, each as one wide character of prompt_toolkit's screen, so that what changed
is looked for and written run by run and not cell by cell.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from prompt_toolkit.layout import FormattedTextControl, Window
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType

from p2pcards.ui.canvas import Canvas
from p2pcards.ui.intents import Intent

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone

_run = lru_cache(maxsize=4096)(Char)
_EDGE = Char("", "")
"""What stands behind the last cell of a row: the row is in use up to its end."""


class Board(Window):
    """A window that shows what ``draw`` makes for its size, and tells ``click`` of clicks."""

    def __init__(
        self, draw: Callable[[int, int], Canvas], click: Callable[[Intent], object]
    ) -> None:
        super().__init__(FormattedTextControl(focusable=True), always_hide_cursor=True)
        self._draw = draw
        self._click = click

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,
        erase_bg: bool,
        z_index: int | None,
    ) -> None:
        """Copy the canvas to the screen; called by prompt_toolkit at each redraw."""
        left, top = write_position.xpos, write_position.ypos
        canvas = self._draw(write_position.width, write_position.height)
        for y, pieces in enumerate(canvas.lines(), top):
            row, x = screen.data_buffer[y], left
            for piece in pieces:
                row[x] = run = _run(piece.text, "class:felt " + piece.style)
                if piece.intent is not None:
                    handler = self._handler(piece.intent)
                    cells = dict.fromkeys(range(x, x + run.width), handler)
                    mouse_handlers.mouse_handlers[y].update(cells)
                x += run.width
            row[x] = _EDGE
        screen.width = max(screen.width, left + write_position.width)
        screen.height = max(screen.height, top + write_position.height)
        screen.visible_windows_to_write_positions[self] = write_position

    def _handler(self, intent: Intent) -> Callable[[MouseEvent], NotImplementedOrNone]:
        def on_mouse(event: MouseEvent) -> NotImplementedOrNone:
            is_up = event.event_type is MouseEventType.MOUSE_UP
            if is_up and event.button in (MouseButton.LEFT, MouseButton.UNKNOWN):
                self._click(intent)
                return None
            return NotImplemented

        return on_mouse
