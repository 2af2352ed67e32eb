"""What every full screen is to prompt_toolkit: an application, its keys, its beginning and end."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from prompt_toolkit.application import Application
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.key_binding.bindings.mouse import load_mouse_bindings, typical_mouse_events
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout
from prompt_toolkit.output import Output
from prompt_toolkit.styles import DynamicStyle, Style

from p2pcards.ui import styles
from p2pcards.ui.keys import SPECIAL
from p2pcards.ui.settings import Settings
from p2pcards.ui.suspend import suspend

_NAMES = {"c-m": "enter", "c-j": "enter", "c-i": "tab", "c-h": "backspace"}


class FullScreen:
    """One full screen, shown by :meth:`run`: the asyncio side of ``host.run``.

    Args:
        layout: what is drawn.
        settings: the settings as they are now; they choose the colours.
        press: takes a key: a character, a pasted text, or the name of a special key.
        redraw: seconds between two drawings, at least.
    """

    def __init__(
        self, layout: Layout, settings: Callable[[], Settings], press: Callable[[str], None],
        terminal_in: Input | None, terminal_out: Output | None,
        *, mouse: bool = False, redraw: float | None = None,
    ) -> None:  # fmt: skip
        self.app: Application[None] = Application(
            layout=layout,
            key_bindings=_bindings(press, self.suspend),
            style=DynamicStyle(lambda: self._style(settings())),
            full_screen=True,
            mouse_support=mouse,
            min_redraw_interval=redraw,
            input=terminal_in,
            output=terminal_out,
        )
        self.app.ttimeoutlen = 0.05

    def _style(self, settings: Settings) -> Style:
        return styles.style(self.app.color_depth, settings.deck, settings.felt)

    async def run(self) -> None:
        """Show the screen until :meth:`stop`."""
        try:
            await self.app.run_async(handle_sigint=False, set_exception_handler=False)
        finally:
            with suppress(OSError):
                self.app.output.clear_title()
                self.app.output.flush()

    def stop(self) -> None:
        """Leave the full screen."""
        if self.app.is_running and self.app.future is not None and not self.app.future.done():
            self.app.exit()

    def suspend(self) -> None:
        """Stop until the shell continues us."""
        suspend(self.app)


def _bindings(press: Callable[[str], None], suspend: Callable[[], None]) -> KeyBindings:
    bindings = KeyBindings()

    def on_key(event: KeyPressEvent) -> None:
        pressed = event.key_sequence[0]
        key = pressed.key.value if isinstance(pressed.key, Keys) else pressed.key
        key = _NAMES.get(key, key)
        if key == Keys.BracketedPaste.value:
            press(pressed.data)
        elif key in SPECIAL or not isinstance(pressed.key, Keys):
            press(key)  # the names of other keys are no text

    for name in SPECIAL:
        bindings.add(name, eager=True)(on_key)
    bindings.add("c-z", eager=True)(lambda _event: suspend())
    bindings.add(Keys.BracketedPaste)(on_key)
    bindings.add(Keys.Any)(on_key)
    bindings.add(Keys.Vt100MouseEvent)(_on_mouse)
    return bindings


_STANDARD = load_mouse_bindings().get_bindings_for_keys((Keys.Vt100MouseEvent,))[0].handler


def _on_mouse(event: KeyPressEvent) -> object:
    """What the mouse does, as the library reads it; it fails at old codes that it does not know."""
    if event.data[2] == "M" and ord(event.data[3]) not in typical_mouse_events:
        return NotImplemented
    return _STANDARD(event)
