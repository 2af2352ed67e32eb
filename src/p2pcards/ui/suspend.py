"""Stopping in the background, as `fg` and `bg` of a shell know it, with the terminal in order."""

from __future__ import annotations

import os
import signal
from typing import Any

from prompt_toolkit.application import Application, run_in_terminal
from prompt_toolkit.application.current import set_app


def suspend(app: Application[Any]) -> None:
    """Leave the terminal to the shell and stop; once continued, take it again and draw.

    SIGSTOP and not SIGTSTP, which is what has just been caught.
    """
    if app.is_running:
        with set_app(app):
            run_in_terminal(lambda: os.kill(os.getpid(), signal.SIGSTOP))
