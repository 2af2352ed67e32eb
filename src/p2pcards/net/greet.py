"""The greeting: how a proven stream becomes a link, or is refused in words."""

from __future__ import annotations

from collections.abc import Callable

import trio

from p2pcards.net import frames, wire
from p2pcards.net.errors import NetError, explain
from p2pcards.net.limits import LinkLimits
from p2pcards.net.link import BROKEN, Link, Reader
from p2pcards.net.tls import SecureStream
from p2pcards.net.wire import Hello, Kind, WireError
from p2pcards.worded import Worded, text_of

Admit = Callable[[Hello], str | None]


class LinkRefused(NetError):
    """A link was refused; ``reason`` is the refusing side's own word, cleaned.

    ``by_us`` tells which side that was.
    """

    def __init__(self, reason: str, *, by_us: bool = False) -> None:
        text = Worded("the other side refused the connection: {why}", why=reason)
        if by_us:
            text = Worded("we refused the connection: {why}", why=reason)
        super().__init__(text)
        self.reason = reason
        self.by_us = by_us


class GreetingError(NetError):
    """The peer proved its key and then sent no proper hello."""


async def greet(
    secure: SecureStream,
    mine: Hello,
    *,
    inbound: bool,
    admit: Admit | None = None,
    limits: LinkLimits | None = None,
) -> Link:
    """Exchange hellos; owns ``secure`` from here on, and closes it on failure.

    The dialler speaks first. The other side answers with its own hello or a refusal, so a
    dialler that has read a hello is admitted: in TLS 1.3 its own handshake succeeds before
    the other side has made up its mind. ``admit`` returns a reason to refuse, or None.

    Raises LinkRefused, or GreetingError (garbage, silence, a broken connection).
    """
    bounds = limits or LinkLimits()
    reader = Reader(secure.stream)
    refusing = False
    try:
        with trio.fail_after(bounds.greeting):
            if not inbound:
                await secure.stream.send_all(wire.encode_hello(mine))
            theirs = await _read_hello(reader, mine.version)
            if isinstance(theirs, Hello) and admit is not None:
                theirs = admit(theirs) or theirs
            if isinstance(theirs, str):
                refusing = True
                await secure.stream.send_all(wire.refusal(theirs))
                raise LinkRefused(theirs, by_us=True)
            if inbound:
                await secure.stream.send_all(wire.encode_hello(mine))
    except BaseException as error:
        await secure.aclose(linger=refusing)
        if isinstance(error, trio.TooSlowError):
            raise GreetingError(
                Worded("it sent no hello in {seconds:g} s", seconds=bounds.greeting)
            ) from error
        if isinstance(error, (frames.FrameError, WireError, *BROKEN)):
            raise GreetingError(explain(error)) from error
        raise
    return Link(secure, theirs, reader, inbound=inbound, limits=bounds)


async def _read_hello(reader: Reader, version: int) -> Hello | str:
    """Read the peer's hello, or say why it must be refused."""
    data = await reader.next()
    if data is None:
        raise GreetingError("it hung up before its hello: it may not accept this peer's key")
    kind, body = wire.split(data)
    if kind is Kind.REFUSE:
        raise LinkRefused(wire.reason_of(body))
    if kind is not Kind.HELLO:
        raise GreetingError("it sent something else before its hello")
    try:
        return wire.decode_hello(body, version)
    except wire.VersionMismatch as error:
        return text_of(error)
