"""Connections on loopback for the tests."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

import trio

from p2pcards.net.greet import Admit, greet
from p2pcards.net.identity import Identity
from p2pcards.net.limits import LinkLimits
from p2pcards.net.link import Link
from p2pcards.net.tls import SecureStream, secure
from p2pcards.net.wire import VERSION, Hello

LOCAL = "127.0.0.1"


@contextlib.asynccontextmanager
async def sockets() -> AsyncIterator[tuple[trio.SocketStream, trio.SocketStream]]:
    """A dialled and an accepted stream of one real TCP connection; closed afterwards."""
    (listener,) = await trio.open_tcp_listeners(0, host=LOCAL)
    async with listener:
        dialled = await trio.open_tcp_stream(LOCAL, listener.socket.getsockname()[1])
        accepted = await listener.accept()
    try:
        yield dialled, accepted
    finally:
        await trio.aclose_forcefully(dialled)
        await trio.aclose_forcefully(accepted)


async def both(
    first: Callable[[], Awaitable[object]], second: Callable[[], Awaitable[object]]
) -> tuple[object, object]:
    """Run both and return what each returned, or the error that it raised."""
    results: list[object] = [None, None]

    async def run(at: int, work: Callable[[], Awaitable[object]]) -> None:
        try:
            results[at] = await work()
        except Exception as error:
            results[at] = error

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run, 0, first)
        nursery.start_soon(run, 1, second)
    return results[0], results[1]


@contextlib.asynccontextmanager
async def secured(
    dialler: Identity, accepter: Identity
) -> AsyncIterator[tuple[SecureStream, SecureStream]]:
    """The two ends of one TLS connection: dialler's first."""
    async with sockets() as (left, right):
        ends = await both(
            lambda: secure(left, dialler, server_side=False),
            lambda: secure(right, accepter, server_side=True),
        )
        assert isinstance(ends[0], SecureStream), ends
        assert isinstance(ends[1], SecureStream), ends
        yield ends[0], ends[1]


def hello(name: str = "Ion", *, version: int = VERSION, want: bytes = b"") -> Hello:
    """A hello of a peer that listens nowhere."""
    return Hello(version, name, 0, want)


async def greeted(
    ends: tuple[SecureStream, SecureStream],
    hellos: tuple[Hello, Hello] | None = None,
    *,
    admit: Admit | None = None,
    limits: LinkLimits | None = None,
) -> tuple[object, object]:
    """Both ends of a link, or the errors instead."""
    mine, theirs = hellos or (hello("Ana"), hello("Ion"))
    return await both(
        lambda: greet(ends[0], mine, inbound=False, limits=limits),
        lambda: greet(ends[1], theirs, inbound=True, admit=admit, limits=limits),
    )


@contextlib.asynccontextmanager
async def linked(
    dialler: Identity, accepter: Identity, limits: LinkLimits | None = None
) -> AsyncIterator[tuple[Link, Link]]:
    """The two ends of one link, not yet running."""
    async with secured(dialler, accepter) as ends:
        left, right = await greeted(ends, limits=limits)
        assert isinstance(left, Link), left
        assert isinstance(right, Link), right
        yield left, right
