"""Folders for as long as a program runs; those of a program that was killed go at the next start.

Whoever makes a folder locks a file in it, and the system lets go of the lock when the process
ends in whatever way. A folder is swept only when nobody holds that lock, nor that of an identity
in it: a bot may play on when the program that started it is gone.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from p2pcards.net import lock

OWNER = "owner"
"""The file that is locked by whoever made the folder."""


@contextlib.contextmanager
def scratch(kind: str) -> Iterator[Path]:
    """A new folder, gone afterwards; ``kind`` is in its name, and only its like are swept."""
    prefix = f"p2pcards-{kind}-"
    sweep(prefix)
    folder, handle = _made(prefix)
    try:
        yield folder
    finally:
        os.close(handle)
        shutil.rmtree(folder, ignore_errors=True)


def _made(prefix: str) -> tuple[Path, int]:
    """A folder and the handle of its lock. One that was swept before it was locked is no good."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix))
        with contextlib.ExitStack() as opened, contextlib.suppress(FileNotFoundError):
            path = folder / OWNER
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
            opened.callback(os.close, handle)
            if lock.take(handle) and os.path.samestat(os.fstat(handle), path.stat()):
                opened.pop_all()
                return folder, handle


def sweep(prefix: str) -> None:
    """Take away what killed programs of this user left in the folder for temporary files."""
    if os.name != "posix":
        return  # an open file cannot be taken away there, so nothing would tell old from new
    with contextlib.suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.startswith(prefix):
                with contextlib.suppress(OSError):
                    _sweep(entry)


def _sweep(entry: os.DirEntry[str]) -> None:
    status = entry.stat(follow_symlinks=False)
    is_ours = status.st_uid == os.getuid() and not status.st_mode & 0o077
    if not stat.S_ISDIR(status.st_mode) or not is_ours:
        return
    folder = Path(entry.path)
    if not (folder / OWNER).exists():
        folder.rmdir()  # only if it is empty: its program was killed before it did anything
        return
    with contextlib.ExitStack() as held:
        files = [folder / OWNER, folder / lock.FILE, *folder.glob(f"*/{lock.FILE}")]
        if all(_is_free(path, held) for path in files):
            shutil.rmtree(folder, ignore_errors=True)


def _is_free(path: Path, held: contextlib.ExitStack) -> bool:
    """Whether nobody has this lock; then it is held here, so that nobody takes it meanwhile."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return True
    held.callback(os.close, handle)
    return lock.take(handle)
