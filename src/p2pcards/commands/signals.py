"""Ending a command in order at a signal, where no screen has its own way."""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import trio

from p2pcards.commands import common
from p2pcards.ui.signalled import ENDING, Signalled

T = TypeVar("T")


def run_until_signal(work: Callable[[], Awaitable[T]]) -> T:
    """Run trio work to its end; at one of ENDING it is cancelled, and leaves in order.

    Raises:
        Signalled: a signal came.
    """
    try:
        with _restored_signals():
            return trio.run(_until_signal, work)
    except BaseExceptionGroup as group:
        cause = common.first(group)
        if isinstance(cause, Signalled):
            raise cause from None
        raise


@contextmanager
def _restored_signals() -> Iterator[None]:
    """Put the signal handlers back that were there before."""
    old = {number: signal.getsignal(number) for number in ENDING}
    try:
        yield
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)


async def _until_signal(work: Callable[[], Awaitable[T]]) -> T:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_raise_signals)
        result = await work()
        nursery.cancel_scope.cancel()
    return result


async def _raise_signals() -> None:
    with trio.open_signal_receiver(*ENDING) as numbers:
        async for number in numbers:
            raise Signalled(number)
