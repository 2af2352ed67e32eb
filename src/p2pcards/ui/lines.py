"""Lines from a pipe or file, read without taking anything away from the parent's terminal."""

from __future__ import annotations

import os

import trio

_CHUNK = 4096
_LINE = 500
"""Characters of a line that are looked at."""


class PipeLines:
    """The lines of standard input when nobody sits at it."""

    is_live = False

    def __init__(self, handle: int = 0) -> None:
        self._handle = handle
        self._rest = b""
        self._ended = False

    async def next(self) -> str | None:
        """The next line, or None at the end.

        The read waits in a thread on the bare handle: a buffered reader would hold a lock that
        the interpreter needs when it ends.
        """
        while b"\n" not in self._rest and not self._ended:
            chunk = await trio.to_thread.run_sync(self._read, abandon_on_cancel=True)
            self._ended = not chunk
            self._rest += chunk
            if len(self._rest) > _CHUNK and b"\n" not in self._rest:
                self._rest = self._rest[:_CHUNK]
        if not self._rest:
            return None
        line, _newline, self._rest = self._rest.partition(b"\n")
        return line[:_LINE].decode(errors="replace")

    def _read(self) -> bytes:
        try:
            return os.read(self._handle, _CHUNK)
        except OSError:
            return b""
