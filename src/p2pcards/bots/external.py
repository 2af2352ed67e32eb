"""A bot that is another program: started once, asked line by line, and never trusted.

Two threads stand between it and us, so that a program that does not read or does not write
can delay nothing but its own answer. The dialogue is in :mod:`p2pcards.bots.dialogue`.
"""

from __future__ import annotations

import os
import queue
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import IO, Any

from p2pcards.bots.dialogue import (
    LONGEST,
    DialogueError,
    hello,
    question,
    read_answer,
    read_hello,
    write,
)
from p2pcards.games.base import Action, View
from p2pcards.games.engine import Game
from p2pcards.worded import Worded, text_of

STARTING = 10.0
"""Seconds a program has to say hello."""

LEAVING = 2.0
"""Seconds a program has to end by itself once its input is closed."""

AHEAD = 16
"""Lines a program may write before they are read."""


class ProgramError(Exception):
    """The program cannot play on; the text says what it did."""


def check_command(command: str) -> None:
    """Whether a command names a program at all; nothing is started.

    Raises:
        ProgramError: it does not; the text says why.
    """
    words = _words(command)
    if shutil.which(words[0]) is None:
        raise ProgramError(Worded("there is no program {name}", name=words[0]))


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as exc:
        raise ProgramError(Worded("could not be split into words: {why}", why=exc)) from None
    if not words:
        raise ProgramError("no program is named")
    return words


class ExternalBot:
    """Asks a program. Once it has failed, every further question fails at once.

    Args:
        command: the program and its arguments, split as a shell would; no shell is run.
        seconds: how long it may think about one question.
    """

    def __init__(self, command: str, seconds: float = 30.0) -> None:
        self.command, self.seconds = command, seconds
        self.name = ""
        self.failed: str | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._out: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._in: queue.Queue[bytes] = queue.Queue(AHEAD)
        self._number = 0
        self._lock = threading.Lock()

    def act(self, game: Game[Any], view: View, choices: tuple[Action, ...]) -> Action:
        """The program's choice.

        Raises:
            ProgramError: it could not be started, was too slow, ended, or answered against the
                dialogue or the rules.
        """
        with self._lock:
            try:
                if self.failed is not None:
                    raise ProgramError(self.failed)
                if self._process is None:
                    self._start(game, view)
                self._number += 1
                self._out.put(write(question(view, choices, self._number)))
                line = self._line(self.seconds, Worded("question {number}", number=self._number))
                return read_answer(line, self._number, choices)
            except (DialogueError, ProgramError) as exc:
                self.failed = text_of(exc)
                self.close()
                raise ProgramError(self.failed) from None

    def close(self) -> None:
        """End the program: ask it to leave, and end it if it does not."""
        process, self._process = self._process, None
        if process is None:
            return
        patience = 0.0
        if self.failed is None:
            self.failed, patience = Worded("it has been told to leave"), LEAVING
            self._out.put(write({"type": "bye"}))
        self._out.put(None)
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            process.kill()
        _end_group(process)
        process.wait()

    def _start(self, game: Game[Any], view: View) -> None:
        words = _words(self.command)
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user names the program
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
                start_new_session=True,
            )  # fmt: skip
        except (OSError, ValueError) as exc:
            raise ProgramError(Worded("it could not be started: {why}", why=exc)) from None
        process = self._process
        for work, pipe in ((self._feed, process.stdin), (self._listen, process.stdout)):
            threading.Thread(target=work, args=(pipe,), daemon=True).start()
        self._out.put(write(hello(game, view, self.seconds)))
        self.name = read_hello(self._line(STARTING, Worded("our hello")))

    def _line(self, seconds: float, due: str) -> bytes:
        """The next line of the program; an empty one means that it wrote no more."""
        try:
            line = self._in.get(timeout=seconds)
        except queue.Empty:
            if self._process is not None and self._process.poll() is not None:
                line = b""  # it has ended, but what it started holds its output open
            else:
                text = Worded(
                    "it did not answer {due} within {seconds:g} seconds", due=due, seconds=seconds
                )
                raise ProgramError(text) from None
        if line and not line.endswith(b"\n"):
            if len(line) >= LONGEST:
                raise ProgramError(
                    Worded("it wrote a line of more than {limit} bytes", limit=LONGEST)
                )
            raise ProgramError("it ended in the middle of a line")
        if not line:
            ended = self._ended()
            raise ProgramError(Worded("{ended} where an answer to {due} was due", ended=ended,
                                      due=due))  # fmt: skip
        return line

    def _ended(self) -> Worded:
        if self._process is None:
            return Worded("it ended")
        try:
            code = self._process.wait(LEAVING)
        except subprocess.TimeoutExpired:
            return Worded("it ended its output")
        if code < 0:
            return Worded("it ended by signal {number}", number=-code)
        return Worded("it ended with exit status {status}", status=code)

    def _feed(self, pipe: IO[bytes]) -> None:
        """Write what is queued, until None comes or the program is gone."""
        try:
            while (line := self._out.get()) is not None:
                pipe.write(line)
        except (OSError, ValueError):
            return
        finally:
            _quietly_close(pipe)

    def _listen(self, pipe: IO[bytes]) -> None:
        """Queue the program's lines; too many, or one too long, end the listening."""
        try:
            for line in _lines(pipe):
                self._in.put_nowait(line)
        except queue.Full:
            return
        finally:
            _quietly_close(pipe)


def _lines(pipe: IO[bytes]) -> Iterator[bytes]:
    """Whole lines; then what is left without an end, if anything, and an empty one at the end."""
    buffered = b""
    while len(buffered) < LONGEST:
        try:
            part = pipe.read(8192)
        except (OSError, ValueError):
            part = b""
        if not part:
            break
        *lines, buffered = (buffered + part).split(b"\n")
        for line in lines:
            if len(line) >= LONGEST:
                yield line
                return
            yield line + b"\n"
    if buffered:
        yield buffered
    yield b""


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End what the program started and left behind: it leads a process group of its own."""
    if sys.platform == "win32":
        return
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _quietly_close(pipe: IO[bytes]) -> None:
    try:
        pipe.close()
    except OSError:
        return
