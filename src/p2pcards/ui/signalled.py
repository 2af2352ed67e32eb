"""The one word for "a signal ended the program", for screens and commands alike."""

from __future__ import annotations


class Signalled(Exception):
    """A signal ended the program; ``status`` is the exit status."""

    def __init__(self, number: int) -> None:
        super().__init__(f"ended by signal {number}")
        self.status = 128 + number
