"""One process for one identity: two would sign different moves for one seat."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from p2pcards.net.errors import explain
from p2pcards.net.identity import IdentityError, make_private_dir
from p2pcards.worded import Worded

FILE = "lock"
_BUSY = frozenset({errno.EACCES, errno.EAGAIN, errno.EDEADLK})


class IdentityInUse(IdentityError):
    """Another process holds this identity."""


@contextlib.contextmanager
def hold(data_dir: Path) -> Iterator[None]:
    """Hold the identity in ``data_dir`` for this process alone.

    The system lets go of it when the process ends in whatever way. Raises IdentityInUse at once
    if another process has it.
    """
    make_private_dir(data_dir)
    path = data_dir / FILE
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise IdentityError(
            Worded("cannot open {path}: {why}", path=path, why=explain(error))
        ) from error
    try:
        _lock(handle, path)
        yield
    finally:
        os.close(handle)


def _lock(handle: int, path: Path) -> None:
    try:
        if take(handle):
            return
    except OSError as error:
        raise IdentityError(
            Worded("cannot lock {path}: {why}", path=path, why=explain(error))
        ) from error
    raise IdentityInUse(
        Worded(
            "another p2pcards already plays with the identity in {folder}; end it first, "
            "or name another directory with --data-dir",
            folder=path.parent,
        )
    )


def take(handle: int) -> bool:
    """Lock an open file until it is closed; False if another has it. Raises OSError."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in _BUSY:
            raise
        return False
    return True
