"""Finding the one address of a peer that works: staggered tries, the first proven one wins."""

from __future__ import annotations

import ipaddress
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial

import trio

from p2pcards.net.errors import NetError, explain, listed
from p2pcards.net.identity import Identity, IdentityError, fingerprint
from p2pcards.net.tls import SecureStream, SelfConnection, secure
from p2pcards.worded import Worded, text_of

Address = tuple[str, int]

MAX_ADDRESSES = 16
STAGGER_SECONDS = 0.25
CONNECT_SECONDS = 5.0


class DialFailed(NetError):
    """No address led to the peer; ``causes`` has one error for each that was tried."""

    def __init__(self, message: str, causes: Sequence[NetError] = ()) -> None:
        super().__init__(message)
        self.causes = tuple(causes)


def order(addresses: Iterable[Address]) -> list[Address]:
    """Drop what cannot be dialled and repetitions, and cap the rest; the order stays."""
    kept = dict.fromkeys((host, port) for host, port in addresses if _is_dialable(host, port))
    return list(kept)[:MAX_ADDRESSES]


async def connect(
    addresses: Iterable[Address],
    identity: Identity,
    expect: bytes | None = None,
    *,
    timeout: float = CONNECT_SECONDS,
) -> SecureStream:
    """Try the addresses 250 ms apart, or at once after a failure; return the first that proves.

    Each may take ``timeout`` seconds to connect, then twice that for the handshake. An address
    that turns out to be another peer than ``expect``, or this one, only fails by itself.
    Raises DialFailed, or IdentityError if our own key cannot be read.
    """
    tries = order(addresses)
    winners: list[SecureStream] = []
    failed: list[NetError] = []
    try:
        async with trio.open_nursery() as nursery:
            for address in tries:
                done = trio.Event()
                attempt = partial(_one, address, identity, expect, timeout)
                nursery.start_soon(_attempt, attempt, winners, failed, done, nursery)
                with trio.move_on_after(STAGGER_SECONDS):
                    await done.wait()
        await trio.lowlevel.checkpoint()  # a cancellation from outside is no failure to connect
    except BaseException:
        for stream in winners:
            await stream.aclose()
        raise
    for loser in winners[1:]:
        await loser.aclose()
    if winners:
        return winners[0]
    raise _failure(tries, failed, expect)


async def _attempt(
    connect_one: Callable[[], Awaitable[SecureStream]],
    winners: list[SecureStream],
    failed: list[NetError],
    done: trio.Event,
    nursery: trio.Nursery,
) -> None:
    try:
        winners.append(await connect_one())
        nursery.cancel_scope.cancel()
    except NetError as error:
        failed.append(error)
    done.set()


async def _one(
    address: Address, identity: Identity, expect: bytes | None, timeout: float
) -> SecureStream:
    host, port = address
    where = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    try:
        with trio.fail_after(timeout):
            stream = await trio.open_tcp_stream(host, port)
        return await secure(stream, identity, server_side=False, expect=expect, timeout=timeout)
    except trio.TooSlowError as error:
        raise NetError(
            Worded("{where}: no answer in {seconds:g} s", where=where, seconds=timeout)
        ) from error
    except (OSError, UnicodeError) as error:
        raise NetError(Worded("{where}: {why}", where=where, why=explain(error))) from error
    except IdentityError:
        raise
    except NetError as error:
        raise type(error)(Worded("{where}: {why}", where=where, why=error)) from error


def _failure(
    tries: Sequence[Address], failed: Sequence[NetError], expect: bytes | None
) -> NetError:
    for error in failed:
        if isinstance(error, IdentityError):
            return error
    whom = Worded("the peer")
    if expect is not None:
        whom = Worded("peer {key}", key=fingerprint(expect))
    if not tries:
        return DialFailed(
            Worded(
                "no address of {whom} can be dialled; name one with --connect HOST:PORT", whom=whom
            )
        )
    advice = Worded("check that p2pcards runs there and that its firewall lets the port in")
    if all(isinstance(error, SelfConnection) for error in failed):
        advice = Worded("name another machine's address")
    return DialFailed(
        Worded(
            "could not reach {whom}: {why}; {advice}",
            whom=whom,
            why=listed(map(text_of, failed)),
            advice=advice,
        ),
        failed,
    )


def _is_dialable(host: str, port: int) -> bool:
    if not 0 < port < 65536 or not 0 < len(host) < 256:
        return False
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return True  # a name, for the resolver to judge
    if address.is_unspecified or address.is_multicast:
        return False
    scoped = isinstance(address, ipaddress.IPv6Address) and address.scope_id is not None
    return address.version == 4 or not address.is_link_local or scoped
