"""What ends the program from outside, and the one word for it, for screens and commands alike."""

from __future__ import annotations

import signal


def signals(*names: str) -> tuple[signal.Signals, ...]:
    """Those of the signals that this system has."""
    return tuple(signal.Signals[name] for name in names if name in signal.Signals.__members__)


ENDING = signals("SIGINT", "SIGTERM", "SIGHUP")
"""Signals at which everything ends in order."""


class Signalled(Exception):
    """A signal ended the program; ``status`` is the exit status."""

    def __init__(self, number: int) -> None:
        super().__init__(f"ended by signal {number}")
        self.status = 128 + number
