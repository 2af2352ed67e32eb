"""One link to each peer: accepting, dialling, and telling the layer above."""

from __future__ import annotations

import contextlib
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from functools import partial

import trio

from p2pcards.net import accept, tls
from p2pcards.net.dial import Address, connect
from p2pcards.net.errors import NetError, explain
from p2pcards.net.events import LinkDown, LinkUp, MeshEvent, Received
from p2pcards.net.greet import LinkRefused, greet
from p2pcards.net.identity import Identity
from p2pcards.net.limits import LinkLimits
from p2pcards.net.link import GOODBYE, Link
from p2pcards.net.text import NAME_LIMIT, clean
from p2pcards.net.upkeep import Upkeep
from p2pcards.net.wire import VERSION, Hello
from p2pcards.worded import Worded

log = logging.getLogger(__name__)

Admit = Callable[[bytes, Hello], str | None]

MAX_LINKS = 32
_EVENTS = 256
_LEAVE_SECONDS = 2.0
_DUPLICATE = Worded("already connected")


class Mesh:
    """The links of one peer; made by ``open_mesh``.

    ``events`` must be read: a reader that falls behind slows every peer down, and loses none.
    ``want`` goes into the hellos sent from now on; ``upkeep`` keeps links alive.
    """

    def __init__(
        self,
        nursery: trio.Nursery,
        identity: Identity,
        name: str,
        *,
        admit: Admit | None = None,
        want: bytes = b"",
        version: int = VERSION,
        limits: LinkLimits | None = None,
    ) -> None:
        self.want = want
        self.port = 0
        self._nursery = nursery
        self._identity = identity
        self._name = clean(name, NAME_LIMIT)
        self._admit = admit
        self._version = version
        self._limits = limits or LinkLimits()
        self._gate = accept.Gate()
        self._links: dict[bytes, Link] = {}
        self._running: set[Link] = set()
        self._greeting: defaultdict[bytes, trio.Lock] = defaultdict(trio.Lock)
        self._idle = trio.Event()
        self.upkeep = Upkeep(nursery, identity.public, self.dial, self.is_linked)
        self._send, self.events = trio.open_memory_channel[MeshEvent](_EVENTS)

    def linked(self) -> set[bytes]:
        """The public keys of the peers whose link is up."""
        return {peer for peer in self._links if self.is_linked(peer)}

    def is_linked(self, peer: bytes) -> bool:
        """Whether the link to a peer is up."""
        link = self._links.get(peer)
        return link is not None and link.is_open

    def link(self, peer: bytes) -> Link | None:
        """The link to a peer, if there is one."""
        return self._links.get(peer)

    def send(self, peer: bytes, payload: bytes) -> bool:
        """Queue a payload; False if the peer is not linked. Delivery is not confirmed."""
        link = self._links.get(peer)
        return link is not None and link.send_nowait(payload)

    def broadcast(self, payload: bytes, except_: Iterable[bytes] = ()) -> set[bytes]:
        """Queue a payload for every linked peer but some; returns those it was queued for."""
        skipped = set(except_)
        return {peer for peer in self.linked() - skipped if self.send(peer, payload)}

    def drop(self, peer: bytes, reason: str) -> None:
        """End a peer's link and tell it why. One that is maintained will be dialled again."""
        link = self._links.get(peer)
        if link is not None:
            link.close(reason)

    async def dial(self, addresses: Sequence[Address], expect: bytes | None = None) -> Link:
        """Connect to a peer at one of its addresses; ``expect`` is the key it must prove.

        Returns the link, up and running, or the one that was there already. Raises
        DialFailed, LinkRefused, GreetingError or IdentityError.
        """
        secure = await connect(addresses, self._identity, expect)
        try:
            async with self._greeting[secure.peer]:
                return await self._introduce(secure)
        except BaseException:
            await secure.aclose()
            raise

    async def _introduce(self, secure: tls.SecureStream) -> Link:
        old = self._links.get(secure.peer)
        if old is not None and old.is_open and not old.inbound:
            await secure.aclose()
            return old
        try:
            link = await greet(secure, self._hello(), inbound=False, limits=self._limits)
        except LinkRefused:
            # Both dialled at once and the other's dial is the one that is kept.
            old = self._links.get(secure.peer)
            if old is not None and old.is_open:
                return old
            raise
        self._nursery.start_soon(self._run, link)
        return self._adopt(link)

    async def leave(self, reason: str) -> None:
        """Tell every peer why this one goes, and end ``events``; takes at most two seconds."""
        self.upkeep.maintain({})
        self._send.close()
        for link in list(self._links.values()):
            link.close(reason)
        with trio.move_on_after(_LEAVE_SECONDS):
            while self._running:
                self._idle = trio.Event()
                await self._idle.wait()

    def _hello(self) -> Hello:
        return Hello(self._version, self._name, self.port, self.want)

    async def serve(self, stream: trio.SocketStream) -> None:
        """Greet one inbound connection and run its link; whatever it does or is ends here."""
        try:
            host = str(stream.socket.getpeername()[0])
            with self._gate.enter(host) as allowed, trio.fail_after(accept.HALF_OPEN_SECONDS):
                if not allowed:
                    return
                link = await self._welcome(stream)
        except (NetError, trio.TooSlowError, OSError) as error:
            log.debug("inbound connection refused: %s", explain(error))
        except Exception:
            log.exception("an inbound connection met a fault of this program")
        else:
            await self._run(link)

    async def _welcome(self, stream: trio.SocketStream) -> Link:
        secure = await tls.secure(stream, self._identity, server_side=True)
        admit = partial(self._judge, secure.peer)
        link = await greet(secure, self._hello(), inbound=True, admit=admit, limits=self._limits)
        self._adopt(link)
        return link

    def _judge(self, peer: bytes, hello: Hello) -> str | None:
        """Say why an inbound peer is not let in, or None."""
        old = self._links.get(peer)
        if old is not None and self._outlasts(old, inbound=True):
            return _DUPLICATE
        if old is None and peer not in self.upkeep and len(self._links) >= MAX_LINKS:
            return Worded("too many connections here")
        return None if self._admit is None else self._admit(peer, hello)

    def _outlasts(self, old: Link, *, inbound: bool) -> bool:
        """Whether a link that is up stays rather than a new one to the same peer.

        Of two dialled by different sides both ends keep the one that the lower key dialled; of
        two dialled by one side, the newer, for its dialler knew that the older was dead.
        """
        lower_is_peer = old.peer < self._identity.public
        return old.is_open and old.inbound != inbound and old.inbound == lower_is_peer

    def _adopt(self, link: Link) -> Link:
        """Take a new link in, or end it if there is a better one; returns the one that stays."""
        old = self._links.get(link.peer)
        self._running.add(link)
        if old is not None and self._outlasts(old, inbound=link.inbound):
            link.close(_DUPLICATE)
            return old
        self._links[link.peer] = link
        if old is not None:
            old.close("replaced by a newer connection")
        self.upkeep.stir(link.peer)
        return link

    async def _run(self, link: Link) -> None:
        try:
            closed = await link.run(
                partial(self._deliver, link.peer), partial(self._announce, link)
            )
        finally:
            self._running.discard(link)
            self._idle.set()
        if self._links.get(link.peer) is link:
            del self._links[link.peer]
            self.upkeep.stir(link.peer)
            await self._emit(LinkDown(link.peer, closed.reason, closed.kind))

    async def _announce(self, link: Link) -> None:
        hello = link.hello
        await self._emit(LinkUp(link.peer, hello.name, hello.want, link.inbound, link.address))

    async def _deliver(self, peer: bytes, payload: bytes) -> None:
        await self._emit(Received(peer, payload))

    async def _emit(self, event: MeshEvent) -> None:
        with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            await self._send.send(event)


@contextlib.asynccontextmanager
async def open_mesh(
    identity: Identity,
    name: str,
    listen: Sequence[Address],
    *,
    admit: Admit | None = None,
    want: bytes = b"",
    version: int = VERSION,
    limits: LinkLimits | None = None,
) -> AsyncIterator[Mesh]:
    """Run a mesh for the block: listen on each (host, port) of ``listen`` and take peers in.

    ``admit`` is asked about each inbound peer and returns a reason to refuse it, or None. With
    port 0 the system chooses; ``Mesh.port`` tells which. No ``listen``: dial out only. Leaving
    the block says goodbye to every peer, within two seconds. Raises ListenFailed.
    """
    opened = await accept.listeners(listen)
    fault: Exception | None = None
    async with trio.open_nursery() as nursery:
        mesh = Mesh(nursery, identity, name, admit=admit, want=want, version=version, limits=limits)
        if opened:
            mesh.port = opened[0].socket.getsockname()[1]
            nursery.start_soon(
                partial(trio.serve_listeners, mesh.serve, opened, handler_nursery=nursery)
            )
        try:
            yield mesh
        except Exception as error:  # kept out of the nursery, which would wrap it in a group
            fault = error
        finally:
            with trio.CancelScope(shield=True):
                await mesh.leave(GOODBYE)
            nursery.cancel_scope.cancel()
    if fault is not None:
        raise fault
