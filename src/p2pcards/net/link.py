"""One link to one peer after the greeting: payloads each way under a heartbeat."""

from __future__ import annotations

import contextlib
import math
import ssl
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum

import trio

from p2pcards.net import frames, wire
from p2pcards.net.errors import explain
from p2pcards.net.limits import Bucket, LinkLimits
from p2pcards.net.tls import SecureStream
from p2pcards.net.wire import Hello, Kind, WireError
from p2pcards.worded import Worded, text_of

Deliver = Callable[[bytes], Awaitable[None]]
Opened = Callable[[], Awaitable[None]]

_BATCH = 64 * 1024
GOODBYE = Worded("this peer has left")
BROKEN = (trio.BrokenResourceError, trio.ClosedResourceError, ssl.SSLError, OSError)


class CloseKind(Enum):
    """Why a link ended."""

    LEFT = "left"
    REFUSED = "refused"
    SILENT = "silent"
    GARBAGE = "garbage"
    SLOW = "slow"
    BROKEN = "broken"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class LinkClosed:
    """How a link ended; ``reason`` is a clean line of text about the peer."""

    kind: CloseKind
    reason: str


class Reader:
    """Whole frames out of a stream."""

    def __init__(self, stream: trio.SSLStream[trio.SocketStream]) -> None:
        self._stream = stream
        self._decoder = frames.FrameDecoder()

    async def next(self) -> bytes | None:
        """Wait for a frame; None at the end of the stream. Raises FrameError."""
        while (frame := self._decoder.next_frame()) is None:
            data = await self._stream.receive_some()
            if not data:
                return None
            self._decoder.feed(data)
        return frame


class Link:
    """A link that is up. ``run`` must be running for anything to move.

    ``peer`` is the raw public key proven by TLS; ``hello`` what it said of itself, cleaned;
    ``inbound`` whether it dialled us; ``rtt`` the last heartbeat's round trip in seconds.
    """

    def __init__(
        self,
        secure: SecureStream,
        hello: Hello,
        reader: Reader,
        *,
        inbound: bool,
        limits: LinkLimits,
    ) -> None:
        self.peer = secure.peer
        self.hello = hello
        self.inbound = inbound
        self.rtt: float | None = None
        self._secure = secure
        self._reader = reader
        self._limits = limits
        self._queue: deque[bytes] = deque()
        self._queued = 0
        self._pings = 0
        self._ping_at = 0.0
        self._ping: bytes | None = None
        self._pong: bytes | None = None
        self._wake = trio.Event()
        self._closed: LinkClosed | None = None
        self._tells = False
        self._is_sending = False
        self._ended = trio.Event()
        self._flushed = trio.Event()

    @property
    def address(self) -> tuple[str, int] | None:
        """Where this peer can be dialled, by what we see and what it said; None if nowhere."""
        try:
            host = self._secure.stream.transport_stream.socket.getpeername()[0]
        except OSError:
            return None
        return (str(host), self.hello.port) if self.hello.port else None

    @property
    def is_open(self) -> bool:
        """Whether payloads are still taken."""
        return self._closed is None

    def send_nowait(self, payload: bytes) -> bool:
        """Queue a payload; False if the link is closed or had to be given up as too slow.

        Raises ValueError if ``payload`` is longer than ``wire.MAX_PAYLOAD`` bytes.
        """
        data = wire.frame(Kind.DATA, payload)
        if self._closed is not None:
            return False
        if self._queued + len(data) > self._limits.queue:
            self._end(CloseKind.SLOW, "it does not read what it is sent", tell=True)
            return False
        self._put(data)
        return True

    def close(self, reason: str) -> None:
        """End the link; what is queued and then the reason are still sent, within a second."""
        self._end(CloseKind.DROPPED, reason, tell=True, flush=True)

    async def run(self, deliver: Deliver, opened: Opened | None = None) -> LinkClosed:
        """Move frames both ways until the link ends; says how it ended. To be called once.

        ``opened`` runs before the first ``deliver``. While either waits, the peer is not read
        (it feels it as a slow network) but the heartbeat goes on. Cancelling closes the link.
        """
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._read, deliver, opened)
                nursery.start_soon(self._write)
                nursery.start_soon(self._beat)
                await self._ended.wait()
                with trio.move_on_after(self._limits.farewell):
                    await self._flushed.wait()
                nursery.cancel_scope.cancel()
        finally:
            await self._say_goodbye()
            closed = self._closed or LinkClosed(CloseKind.DROPPED, "this peer stopped")
            self._closed = closed
            await self._secure.aclose(linger=self._tells and self._flushed.is_set())
        return closed

    async def _say_goodbye(self) -> None:
        """When cancelled, tell the peer, unless a frame was being sent and is not whole."""
        if trio.current_effective_deadline() > -math.inf or self._is_sending:
            return
        self._end(CloseKind.DROPPED, GOODBYE, tell=True)
        if not self._tells or not self._queue:
            return
        with trio.move_on_after(self._limits.farewell, shield=True), contextlib.suppress(*BROKEN):
            await self._secure.stream.send_all(b"".join(self._queue))

    def _end(self, kind: CloseKind, reason: str, *, tell: bool, flush: bool = False) -> None:
        """Note the first cause of the end; ``tell`` says it to the peer as well."""
        if self._closed is not None:
            return
        self._closed = LinkClosed(kind, reason)
        if not flush:
            self._queue.clear()
            self._queued = 0
        self._tells = tell
        if tell:
            self._put(wire.refusal(reason))
        else:
            self._flushed.set()
        self._wake.set()
        self._ended.set()

    def _put(self, data: bytes) -> None:
        self._queue.append(data)
        self._queued += len(data)
        self._wake.set()

    async def _read(self, deliver: Deliver, opened: Opened | None) -> None:
        if opened is not None and self._closed is None:
            await opened()
        now = trio.current_time()
        limits = self._limits
        size = Bucket(limits.bytes_rate, limits.bytes_burst, limits.bytes_burst, now)
        count = Bucket(limits.frames_rate, limits.frames_burst, limits.frames_burst, now)
        while self._closed is None:
            data = await self._next()
            if data is None:
                return
            now = trio.current_time()
            await trio.sleep(max(size.take(len(data), now), count.take(1, now)))
            try:
                payload = self._handle(*wire.split(data))
            except WireError as error:
                self._end(CloseKind.GARBAGE, text_of(error), tell=True)
                return
            if payload is not None:
                await deliver(payload)

    async def _next(self) -> bytes | None:
        """The next frame; or None after noting why there is none."""
        try:
            with trio.fail_after(self._limits.silence):
                data = await self._reader.next()
        except trio.TooSlowError:
            reason = Worded(
                "nothing was heard from it for {seconds:g} s", seconds=self._limits.silence
            )
            self._end(CloseKind.SILENT, reason, tell=False)
        except frames.FrameError as error:
            self._end(CloseKind.GARBAGE, text_of(error), tell=True)
        except BROKEN as error:
            self._end(CloseKind.BROKEN, explain(error), tell=False)
        else:
            if data is None:
                self._end(CloseKind.LEFT, "it left", tell=False)
            return data
        return None

    def _handle(self, kind: Kind, body: bytes) -> bytes | None:
        """Act on one frame; returns the payload if it carries one. Raises WireError."""
        if kind is Kind.DATA:
            return body
        if kind is Kind.REFUSE:
            self._end(CloseKind.REFUSED, wire.reason_of(body), tell=False)
        elif kind is Kind.HELLO:
            raise WireError("it sent a second hello")
        elif len(body) != wire.PING_BYTES:
            raise WireError("it sent a malformed heartbeat")
        elif kind is Kind.PING:
            # One slot, not a queue: a flood of pings earns one answer.
            self._pong = wire.frame(Kind.PONG, body)
            self._wake.set()
        elif body == self._pings.to_bytes(wire.PING_BYTES, "big"):
            self.rtt = trio.current_time() - self._ping_at
        return None

    async def _beat(self) -> None:
        while True:
            self._pings += 1
            self._ping_at = trio.current_time()
            self._ping = wire.frame(Kind.PING, self._pings.to_bytes(wire.PING_BYTES, "big"))
            self._wake.set()
            await trio.sleep(self._limits.heartbeat)

    async def _write(self) -> None:
        try:
            while batch := await self._batch():
                self._is_sending = True
                with trio.fail_after(self._limits.silence):
                    await self._secure.stream.send_all(batch)
                self._is_sending = False
        except trio.TooSlowError:
            self._end(CloseKind.SLOW, "it does not read what it is sent", tell=False)
        except BROKEN as error:
            # What the peer said before it hung up may still be unread, and says more than this.
            with trio.move_on_after(self._limits.farewell):
                await self._ended.wait()
            self._end(CloseKind.BROKEN, explain(error), tell=False)
        finally:
            self._flushed.set()

    async def _batch(self) -> bytes:
        """Wait for something to send; empty when the link ends and all has been sent."""
        while True:
            heartbeat = (self._pong or b"") + (self._ping or b"")
            self._pong = self._ping = None
            batch = bytearray(heartbeat if self._closed is None else b"")
            while self._queue and len(batch) < _BATCH:
                data = self._queue.popleft()
                self._queued -= len(data)
                batch += data
            if batch or self._closed is not None:
                return bytes(batch)
            self._wake = trio.Event()
            await self._wake.wait()
