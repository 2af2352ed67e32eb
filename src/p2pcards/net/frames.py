"""Frames on a byte stream: four bytes of length, big-endian, then that many bytes.

Sans-IO: bytes go in, whole frames come out, however the stream was cut.
"""

from __future__ import annotations

from p2pcards.net.errors import NetError
from p2pcards.worded import Worded

LIMIT = 64 * 1024
"""The longest frame, in bytes, without its length prefix."""

PREFIX = 4


class FrameError(NetError):
    """The stream holds no frames, or one beyond the limit; it cannot be read any further."""


def encode(frame: bytes, limit: int = LIMIT) -> bytes:
    """Put the length before ``frame``; raises ValueError if it is empty or beyond the limit."""
    if not 0 < len(frame) <= limit:
        raise ValueError(f"a frame has 1 to {limit} bytes, not {len(frame)}")
    return len(frame).to_bytes(PREFIX, "big") + frame


class FrameDecoder:
    """Cut a stream of bytes into frames.

    Holds at most what was fed last and one unfinished frame. An announced length of nothing,
    or beyond ``limit``, raises FrameError before any of that frame is kept; so does every later
    call.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._buffer = bytearray()
        self._broken = False

    def feed(self, data: bytes | bytearray) -> None:
        """Add what came from the stream."""
        if not self._broken:
            self._buffer += data

    def next_frame(self) -> bytes | None:
        """Take the next whole frame, or None if it is not here yet. Raises FrameError."""
        if self._broken:
            raise FrameError("this stream sent a bad frame before")
        if len(self._buffer) < PREFIX:
            return None
        length = int.from_bytes(self._buffer[:PREFIX], "big")
        if not 0 < length <= self._limit:
            self._broken = True
            self._buffer.clear()
            raise FrameError(
                Worded(
                    "it announced a frame of {length} bytes, 1 to {limit} are allowed",
                    length=length,
                    limit=self._limit,
                )
            )
        end = PREFIX + length
        if len(self._buffer) < end:
            return None
        frame = bytes(self._buffer[PREFIX:end])
        del self._buffer[:end]
        return frame

    @property
    def is_partial(self) -> bool:
        """Whether a frame has begun and is not whole."""
        return bool(self._buffer)
