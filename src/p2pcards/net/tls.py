"""TLS 1.3 between two peers that know each other by key, with no authority above them.

``ssl`` can only check a certificate it trusts already, so each side sends its own in the clear
first. Both then run TLS with a context made for this one connection that trusts exactly what
came, which proves that the other side holds the key; whether that key is a friend's is for the
caller to say, with ``expect`` or afterwards.
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass

import trio
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from p2pcards.net.errors import NetError, explain
from p2pcards.net.identity import Identity, IdentityError, fingerprint, subject
from p2pcards.worded import Worded

MAGIC = b"p2pcards\x01"
MAX_CERTIFICATE = 2048
PREAMBLE_SECONDS = 5.0
HANDSHAKE_SECONDS = 5.0

_LENGTH = 2
_LINGER_SECONDS = 1.0
_LINGER_BYTES = 1 << 20
_DRAIN = 16384


class HandshakeError(NetError):
    """The other side is no peer of ours, or did not prove who it is."""


class SelfConnection(HandshakeError):
    """The other side is this very peer."""


class WrongPeer(HandshakeError):
    """The other side proved to be another peer than the one expected there."""


@dataclass(frozen=True, slots=True)
class SecureStream:
    """An encrypted stream to the holder of ``peer``, a raw 32-byte Ed25519 public key."""

    stream: trio.SSLStream[trio.SocketStream]
    peer: bytes

    async def aclose(self, *, linger: bool = False) -> None:
        """Close within two seconds; ``linger`` first lets what was sent last be read."""
        with trio.move_on_after(_LINGER_SECONDS, shield=True):
            if linger:
                await _linger(self.stream.transport_stream)
        with trio.move_on_after(_LINGER_SECONDS, shield=True) as scope:
            scope.cancel()  # a farewell of TLS could block on a peer that does not read
            await self.stream.aclose()


def preamble(certificate: bytes) -> bytes:
    """The bytes sent before TLS: magic, length (two bytes, big-endian), certificate (DER)."""
    return MAGIC + len(certificate).to_bytes(_LENGTH, "big") + certificate


def check_certificate(der: bytes) -> bytes:
    """Return the raw public key of a certificate that is exactly as ours are.

    Raises HandshakeError unless it holds an Ed25519 key, is signed by it, and has the key's
    fingerprint as its whole subject and issuer.
    """
    try:
        certificate = x509.load_der_x509_certificate(der)
        key = certificate.public_key()
        if not isinstance(key, Ed25519PublicKey):
            raise HandshakeError("its certificate does not hold an Ed25519 key")
        certificate.verify_directly_issued_by(certificate)
        named, issuer = certificate.subject, certificate.issuer
    except HandshakeError:
        raise
    except InvalidSignature as error:
        raise HandshakeError("its certificate is not signed by its own key") from error
    except Exception as error:  # the parser's errors have no common base
        raise HandshakeError("it sent something that is no certificate of a peer") from error
    public = key.public_bytes_raw()
    if not named == issuer == subject(public):
        raise HandshakeError("its certificate does not carry its key's fingerprint as its name")
    return public


async def secure(
    stream: trio.SocketStream,
    identity: Identity,
    *,
    server_side: bool,
    expect: bytes | None = None,
    timeout: float = PREAMBLE_SECONDS,
) -> SecureStream:
    """Turn a fresh connection into one with a proven peer; owns ``stream`` from here on.

    Takes at most ``timeout`` seconds for the preamble and as many for TLS. On failure the
    stream is closed, and HandshakeError, SelfConnection, WrongPeer (not ``expect``) or
    IdentityError (our own key file is gone) is raised.
    """
    try:
        with trio.fail_after(timeout):
            await stream.send_all(preamble(identity.certificate))
            certificate = await _receive_preamble(stream)
        peer = check_certificate(certificate)
        _check_peer(peer, identity, expect)
        context = _context(identity, certificate, server_side=server_side)
        tls = trio.SSLStream(stream, context, server_side=server_side)
        with trio.fail_after(timeout):
            await tls.do_handshake()
        if tls.getpeercert(binary_form=True) != certificate:
            raise HandshakeError("it changed its certificate between preamble and TLS")
    except BaseException as error:
        await _give_up(stream, error)
        if isinstance(error, trio.TooSlowError):
            raise HandshakeError(
                Worded("it did not finish the handshake in {seconds:g} s", seconds=timeout)
            ) from error
        if isinstance(error, (trio.BrokenResourceError, ssl.SSLError, OSError)):
            raise HandshakeError(explain(error)) from error
        raise
    return SecureStream(tls, peer)


async def _receive_preamble(stream: trio.SocketStream) -> bytes:
    if await _receive_exactly(stream, len(MAGIC)) != MAGIC:
        raise HandshakeError("it does not speak as a p2pcards peer of this version")
    length = int.from_bytes(await _receive_exactly(stream, _LENGTH), "big")
    if not 0 < length <= MAX_CERTIFICATE:
        raise HandshakeError(Worded("it announced a certificate of {length} bytes", length=length))
    return await _receive_exactly(stream, length)


async def _receive_exactly(stream: trio.SocketStream, count: int) -> bytes:
    """Read so many bytes and not one more: what follows belongs to TLS."""
    data = bytearray()
    while len(data) < count:
        more = await stream.receive_some(count - len(data))
        if not more:
            raise HandshakeError("it hung up before it said who it is")
        data += more
    return bytes(data)


def _check_peer(peer: bytes, identity: Identity, expect: bytes | None) -> None:
    if peer == identity.public:
        raise SelfConnection("that address leads back to this very peer")
    if expect is not None and peer != expect:
        raise WrongPeer(
            Worded(
                "it is {key} and not {other}, who was expected there",
                key=fingerprint(peer),
                other=fingerprint(expect),
            )
        )


def _context(identity: Identity, certificate: bytes, *, server_side: bool) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER if server_side else ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False  # the key is checked, not a name
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(cadata=certificate)
    if server_side:
        context.num_tickets = 0  # no resumption: every connection proves its key anew
    try:
        context.load_cert_chain(identity.pem)
    except OSError as error:
        raise IdentityError(
            Worded(
                "cannot read this peer's key in {path} any more: {why}; put the file back and "
                "start again",
                path=identity.pem,
                why=explain(error),
            )
        ) from error
    return context


async def _give_up(stream: trio.SocketStream, error: BaseException) -> None:
    """Close; after a refusal wait for the other side's end, or a reset would eat our last bytes."""
    try:
        if isinstance(error, (NetError, trio.BrokenResourceError, ssl.SSLError)):
            with trio.move_on_after(_LINGER_SECONDS):
                await _linger(stream)
    finally:
        await trio.aclose_forcefully(stream)


async def _linger(stream: trio.SocketStream) -> None:
    left = _LINGER_BYTES
    try:
        await stream.send_eof()
        while left > 0 and (data := await stream.receive_some(_DRAIN)):
            left -= len(data)
    except (trio.BrokenResourceError, trio.ClosedResourceError, trio.BusyResourceError):
        pass
