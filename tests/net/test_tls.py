"""Only the holder of the key in the preamble gets a connection; nobody hangs or crashes us."""

from __future__ import annotations

import dataclasses
import socket
import ssl
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import trio
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from p2pcards.net import identity, tls
from p2pcards.net.identity import Identity, IdentityError
from p2pcards.net.tls import (
    MAGIC,
    HandshakeError,
    SecureStream,
    SelfConnection,
    WrongPeer,
    check_certificate,
    preamble,
    secure,
)
from tests.net.wires import both, secured, sockets

Two = tuple[Identity, Identity]


async def test_each_side_proves_its_key(two: Two) -> None:
    async with secured(*two) as (left, right):
        assert left.peer == two[1].public
        assert right.peer == two[0].public
        assert left.stream.version() == "TLSv1.3"
        await left.stream.send_all(b"hello")
        assert await right.stream.receive_some() == b"hello"


async def test_the_expected_peer_and_no_other(
    two: Two, make_identity: Callable[[], Identity]
) -> None:
    async with sockets() as (left, right):
        ends = await both(
            lambda: secure(left, two[0], server_side=False, expect=make_identity().public),
            lambda: secure(right, two[1], server_side=True),
        )
    assert isinstance(ends[0], WrongPeer)
    assert two[1].fingerprint in str(ends[0])
    assert isinstance(ends[1], HandshakeError)


async def test_a_connection_to_oneself(two: Two) -> None:
    async with sockets() as (left, right):
        ends = await both(
            lambda: secure(left, two[0], server_side=False),
            lambda: secure(right, two[0], server_side=True),
        )
    assert [type(end) for end in ends] == [SelfConnection, SelfConnection]


@pytest.mark.parametrize("impostor_dials", [True, False])
async def test_an_impostor_with_anothers_certificate(
    two: Two, make_identity: Callable[[], Identity], impostor_dials: bool
) -> None:
    victim, good = two
    own = make_identity()
    impostor = dataclasses.replace(own, certificate=victim.certificate)
    async with sockets() as (left, right):
        ends = await both(
            lambda: _to_hello(left, impostor if impostor_dials else good, server_side=False),
            lambda: _to_hello(right, good if impostor_dials else impostor, server_side=True),
        )
    honest = ends[1] if impostor_dials else ends[0]
    assert isinstance(honest, HandshakeError)
    assert "certificate was refused" in str(honest)
    # How the end of the connection shows depends on which packet comes first.
    theirs = ends[0 if impostor_dials else 1]
    assert theirs == b"" or isinstance(theirs, Exception)


async def _to_hello(
    stream: trio.SocketStream, who: Identity, *, server_side: bool
) -> SecureStream | bytes:
    """Shake hands and read: in TLS 1.3 a refused client learns of it no earlier."""
    link = await secure(stream, who, server_side=server_side)
    with trio.fail_after(3):
        return bytes(await link.stream.receive_some())


def _certificate(
    key: Ed25519PrivateKey, name: str, signer: Ed25519PrivateKey | None = None
) -> bytes:
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(identity._NOT_BEFORE)
        .not_valid_after(identity._NOT_AFTER)
    )
    return builder.sign(signer or key, None).public_bytes(Encoding.DER)


def test_certificates_that_are_not_exactly_a_peers(two: Two) -> None:
    victim = two[0]
    mallory = Ed25519PrivateKey.generate()
    assert check_certificate(victim.certificate) == victim.public
    with pytest.raises(HandshakeError, match="fingerprint as its name"):
        check_certificate(_certificate(mallory, victim.fingerprint))
    with pytest.raises(HandshakeError, match="not signed by its own key"):
        check_certificate(_certificate(victim.key, victim.fingerprint, mallory))
    with pytest.raises(HandshakeError, match="no certificate"):
        check_certificate(victim.certificate + b"\x00")
    with pytest.raises(HandshakeError, match="not hold an Ed25519 key"):
        check_certificate(_curve_certificate())


def _curve_certificate() -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "x")])
    builder = x509.CertificateBuilder(name, name, key.public_key(), 7)
    builder = builder.not_valid_before(identity._NOT_BEFORE)
    builder = builder.not_valid_after(identity._NOT_AFTER)
    return builder.sign(key, hashes.SHA256()).public_bytes(Encoding.DER)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 255))
def test_a_certificate_with_one_wrong_byte_names_no_other_key(two: Two, at: int, flip: int) -> None:
    spoiled = bytearray(two[0].certificate)
    spoiled[at % len(spoiled)] ^= flip
    with pytest.raises(HandshakeError):
        check_certificate(bytes(spoiled))


async def test_two_certificates_with_one_subject(two: Two, tmp_path: Path) -> None:
    # A second peer cannot take the first one's name; and two contexts never share trust.
    async with secured(*two) as first, secured(*two) as second:
        assert first[0].peer == second[0].peer
    mallory = Ed25519PrivateKey.generate()
    async with sockets() as (left, right):
        await left.send_all(preamble(_certificate(mallory, two[0].fingerprint)))
        with pytest.raises(HandshakeError, match="fingerprint as its name"):
            await secure(right, two[1], server_side=True)


Attack = Callable[[trio.SocketStream, Identity], Awaitable[None]]


async def _http(stream: trio.SocketStream, victim: Identity) -> None:
    await stream.send_all(b"GET / HTTP/1.1\r\nHost: cards\r\n\r\n")


async def _plain_tls(stream: trio.SocketStream, victim: Identity) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with trio.move_on_after(2):
        await trio.SSLStream(stream, context).do_handshake()


async def _huge(stream: trio.SocketStream, victim: Identity) -> None:
    await stream.send_all(MAGIC + b"\xff\xff" + bytes(4000))


async def _empty(stream: trio.SocketStream, victim: Identity) -> None:
    await stream.send_all(MAGIC + b"\x00\x00")


async def _noise(stream: trio.SocketStream, victim: Identity) -> None:
    await stream.send_all(MAGIC + b"\x01\x00" + bytes(256))


async def _stops(stream: trio.SocketStream, victim: Identity) -> None:
    await stream.send_all(preamble(victim.certificate)[:40])
    await stream.send_eof()


async def _garbage_for_tls(stream: trio.SocketStream, victim: Identity) -> None:
    await stream.send_all(preamble(victim.certificate) + b"\x16\x03\x01" + b"garbage" * 50)


@pytest.mark.parametrize(
    "attack", [_http, _plain_tls, _huge, _empty, _noise, _stops, _garbage_for_tls]
)
@pytest.mark.parametrize("server_side", [True, False])
async def test_garbage_before_and_in_tls(two: Two, attack: Attack, server_side: bool) -> None:
    async def attacker(stream: trio.SocketStream) -> None:
        try:
            await attack(stream, two[0])
            await stream.send_eof()
            while await stream.receive_some():
                pass
        except trio.BrokenResourceError:
            pass  # cut off, as it should be

    async with sockets() as (left, right):
        with trio.fail_after(3):
            ends = await both(
                lambda: secure(right, two[1], server_side=server_side), lambda: attacker(left)
            )
    assert isinstance(ends[0], HandshakeError), ends


@pytest.mark.parametrize("after", [0, 5])
async def test_a_silent_or_slow_stranger_meets_the_deadline(two: Two, after: int) -> None:
    async with sockets() as (left, right), trio.open_nursery() as nursery:

        async def drip() -> None:
            for byte in preamble(two[0].certificate)[:after]:
                await left.send_all(bytes((byte,)))
                await trio.sleep(0.1)

        nursery.start_soon(drip)
        started = trio.current_time()
        with pytest.raises(HandshakeError, match="did not finish"):
            await secure(right, two[1], server_side=True, timeout=0.4)
        assert trio.current_time() - started < 1
        nursery.cancel_scope.cancel()


async def test_silence_inside_tls_meets_the_deadline(two: Two) -> None:
    async with sockets() as (left, right):
        await left.send_all(preamble(two[0].certificate))
        with pytest.raises(HandshakeError, match="did not finish"):
            await secure(right, two[1], server_side=True, timeout=0.3)


async def test_a_reset_is_put_in_words(two: Two) -> None:
    async with sockets() as (left, right):
        left.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        left.socket.close()
        with pytest.raises(HandshakeError, match=r"cut the connection|hung up"):
            await secure(right, two[1], server_side=True)


async def test_our_own_key_file_gone_is_our_own_trouble(two: Two) -> None:
    two[1].pem.unlink()
    async with sockets() as (left, right):
        await left.send_all(preamble(two[0].certificate))
        await left.send_eof()
        with pytest.raises(IdentityError, match="put the file back"):
            await secure(right, two[1], server_side=True)


def test_no_session_is_ever_resumed(two: Two) -> None:
    context = tls._context(two[0], two[1].certificate, server_side=True)
    assert context.num_tickets == 0
    assert context.minimum_version is context.maximum_version is ssl.TLSVersion.TLSv1_3
    assert context.verify_mode is ssl.CERT_REQUIRED
