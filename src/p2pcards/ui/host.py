"""The one way prompt_toolkit and trio live in one process: trio is the guest of asyncio's loop.

Both loops share the main thread, so each side may read what the other owns, and a key handler
hands something to a trio task by one ``send_nowait``. Three rules keep the terminal whole:

- trio ends first; only then is the screen told to end. When the screen ends early (a crash of
  it, a lost terminal), the guest is asked to take its leave, and waited for.
- SIGINT, SIGTERM, SIGHUP and SIGQUIT are handlers of the loop. The first asks the guest to take
  its leave, and after a grace, or at the second, the guest is cancelled; the screen is left in
  order.
- SIGTSTP leaves the terminal to the shell as well, until SIGCONT.
- whatever either side raises, also while it handles a key or draws, is raised again after the
  terminal is restored.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Protocol, TypeVar

import trio

from p2pcards.ui.signalled import ENDING, Signalled, signals

T = TypeVar("T")
GRACE = 3.0
"""Seconds that the guest has to take its leave after a signal."""
SWITCH = 0.0005
"""Seconds after which a thread that computes proofs must let the screen's thread run.

The interpreter's own 5 ms are felt: one redraw waits for the lock several times.
"""
SIGNALS = (*ENDING, *signals("SIGQUIT"))


class Side(Protocol):
    """What runs on asyncio's side: a full screen or a prompt."""

    async def run(self) -> None:
        """Run until :meth:`stop`, or until the terminal is gone."""

    def stop(self) -> None:
        """Make :meth:`run` return; does nothing when it has."""

    def suspend(self) -> None:
        """Leave the terminal to the shell and stop the process until it is continued."""


def run(main: Callable[[], Awaitable[T]], side: Side, leave: Callable[[], None]) -> T:
    """Run ``main`` under trio beside ``side``; what ``main`` returns.

    ``leave`` asks ``main`` to end in order; it is called at the first signal.

    Raises:
        Signalled: a signal ended it.
        Exception: whatever either side raised; the terminal is restored before.
    """
    with _smooth():
        return asyncio.run(_Joined(main, side, leave).run())


@contextlib.contextmanager
def _smooth() -> Iterator[None]:
    """Keep the interpreter from holding the screen up.

    Threads give way sooner, and what was imported so far is left out of garbage collection: to
    look through all of it takes a tenth of a second, and happens in the middle of a redraw.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH)
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        sys.setswitchinterval(before)


class _Joined:
    def __init__(
        self, main: Callable[[], Awaitable[T]], side: Side, leave: Callable[[], None]
    ) -> None:
        self._main = main
        self._side = side
        self._leave = leave
        self._scope = trio.CancelScope()
        self._signal = 0
        self._broken: BaseException | None = None

    async def run(self) -> T:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        outcomes: list[object] = []

        def finished(outcome: object) -> None:
            outcomes.append(outcome)
            if not done.done():
                done.set_result(None)

        loop.set_exception_handler(self._on_broken)
        with self._handled(loop):
            trio.lowlevel.start_guest_run(
                self._guest,
                run_sync_soon_threadsafe=loop.call_soon_threadsafe,
                done_callback=finished,
                host_uses_signal_set_wakeup_fd=True,
                restrict_keyboard_interrupt_to_checkpoints=True,
            )
            screen = loop.create_task(self._side.run())
            await asyncio.wait({screen, done}, return_when=asyncio.FIRST_COMPLETED)
            if not done.done():
                self._take_leave(loop)
            await done
            self._side.stop()
            await asyncio.wait({screen})
        result = outcomes[0].unwrap()  # type: ignore[attr-defined]
        screen.result()
        if self._broken is not None:
            raise self._broken
        if self._signal:
            raise Signalled(self._signal)
        return result  # type: ignore[no-any-return]

    def _take_leave(self, loop: asyncio.AbstractEventLoop) -> None:
        self._leave()
        loop.call_later(GRACE, self._scope.cancel)

    def _on_broken(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """A handler of a key or a drawing failed: end in order, and raise it then."""
        error = context.get("exception")
        if self._broken is None and isinstance(error, BaseException):
            self._broken = error
            self._take_leave(loop)

    async def _guest(self) -> T | None:
        with self._scope:
            return await self._main()  # type: ignore[return-value]
        return None

    @contextlib.contextmanager
    def _handled(self, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
        def on_signal(number: int) -> None:
            if self._signal:
                self._scope.cancel()
                return
            self._signal = number
            self._take_leave(loop)

        stops = signals("SIGTSTP")
        old = {number: signal.getsignal(number) for number in (*SIGNALS, *stops)}
        for number in SIGNALS:
            try:
                loop.add_signal_handler(number, on_signal, number)
            except NotImplementedError:  # asyncio on Windows has none
                signal.signal(number, lambda n, _frame: loop.call_soon_threadsafe(on_signal, n))
        for number in stops:
            loop.add_signal_handler(number, self._side.suspend)
        try:
            yield
        finally:
            for number, handler in old.items():
                with contextlib.suppress(NotImplementedError):
                    loop.remove_signal_handler(number)
                signal.signal(number, handler)
