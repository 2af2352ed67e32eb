"""Lines typed at a terminal in plain mode: editing, history and completion by prompt_toolkit."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable

import trio
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output
from prompt_toolkit.patch_stdout import patch_stdout

from p2pcards.ui.suspend import suspend


class Words(Completer):
    """Completes whatever may be written now: choices and commands."""

    def __init__(self, words: Callable[[], list[str]]) -> None:
        self._words = words

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """The words that begin as the line does."""
        start = document.text_before_cursor.lower()
        for word in self._words():
            if word.lower().startswith(start) and start:
                yield Completion(word, start_position=-len(start))


class PromptLines:
    """The lines somebody types; what is written meanwhile appears above the prompt.

    ``gone`` is called when the person presses Ctrl-C or Ctrl-D; False from it asks once more.
    """

    is_live = True

    def __init__(
        self, words: Callable[[], list[str]], gone: Callable[[], bool],
        source: Input | None = None, output: Output | None = None,
    ) -> None:  # fmt: skip
        # Where the cursor stands is not worth a question that a screen reader may read out.
        os.environ.setdefault("PROMPT_TOOLKIT_NO_CPR", "1")
        self._session: PromptSession[str] = PromptSession(
            completer=Words(words), complete_while_typing=False, input=source, output=output
        )
        self._gone = gone
        self._lines: deque[str] = deque()
        self._stirred = trio.Event()
        self._stopped = False

    async def run(self) -> None:
        """Read lines until :meth:`stop`, or until the person wants to leave."""
        with patch_stdout():
            while not self._stopped:
                try:
                    line = await self._session.prompt_async(
                        "> ", handle_sigint=False, set_exception_handler=False
                    )
                except (EOFError, KeyboardInterrupt):
                    if self._stopped or self._gone():
                        break
                    continue
                self._lines.append(line)
                self._stirred.set()

    def ring(self) -> None:
        """Draw attention by the terminal's bell."""
        self._session.output.bell()

    def stop(self) -> None:
        """End the prompt."""
        self._stopped = True
        app = self._session.app
        if app.is_running and app.future is not None and not app.future.done():
            app.exit(exception=EOFError)

    def suspend(self) -> None:
        """Stop until the shell continues us."""
        suspend(self._session.app)

    async def next(self) -> str | None:
        """The next line; there is no end, for leaving goes another way."""
        while not self._lines:
            self._stirred = trio.Event()
            await self._stirred.wait()
        return self._lines.popleft()
