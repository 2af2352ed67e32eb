"""Reading small files of our own that somebody else may have put something odd in place of."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

from p2pcards.worded import Worded


def open_plain(path: Path) -> BinaryIO:
    """Open a file to be read; a pipe, which could keep us waiting for ever, is refused.

    Raises:
        OSError: there is none, it may not be read, or it is no plain file.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, Worded("it is not a plain file"), str(path))
    return os.fdopen(handle, "rb")


def read_plain(path: Path, most: int) -> bytes:
    """The bytes of a plain file of at most ``most`` bytes; raises OSError as ``open_plain``."""
    with open_plain(path) as file:
        return read_whole(file, most)


def read_whole(file: BinaryIO, most: int) -> bytes:
    """All there is to read, of at most ``most`` bytes; raises OSError if there is more."""
    data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, Worded("it is too long"))
    return data
