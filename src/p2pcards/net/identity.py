"""Who this peer is: one Ed25519 key, its certificate, and the file that keeps them."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import NameOID

from p2pcards.files import open_plain, read_whole
from p2pcards.net.errors import NetError, explain
from p2pcards.worded import Worded

KEY_FILE = "identity.pem"
FINGERPRINT_CHARS = 32
_MAX_FILE = 8192
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
# Clocks on a home network may be years off, so validity must never decide anything.
_NOT_BEFORE = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_NOT_AFTER = datetime.datetime(9999, 12, 31, 23, 59, 59, tzinfo=datetime.UTC)


class IdentityError(NetError):
    """This peer's identity cannot be made or read."""


@dataclass(frozen=True, slots=True)
class Identity:
    """An Ed25519 key pair with its self-signed certificate, as kept in ``pem``.

    ``ssl`` takes private keys from files only, so ``pem`` must stay readable as long as
    connections are made.
    """

    key: Ed25519PrivateKey = field(repr=False)
    certificate: bytes = field(repr=False)
    pem: Path
    public: bytes

    @property
    def fingerprint(self) -> str:
        """The name of the public key: 32 hexadecimal digits."""
        return fingerprint(self.public)

    def sign(self, data: bytes) -> bytes:
        """Sign ``data`` as it is (64 bytes); the caller puts a domain label into it."""
        return self.key.sign(data)


def fingerprint(public: bytes) -> str:
    """Name a raw 32-byte public key: the first 32 hexadecimal digits of its SHA-256."""
    return hashlib.sha256(public).hexdigest()[:FINGERPRINT_CHARS]


def groups(name: str) -> str:
    """Shorten a fingerprint for reading aloud: its first four groups of four digits."""
    return " ".join(name[at : at + 4] for at in range(0, 16, 4))


def load_or_create(data_dir: Path) -> Identity:
    """Read the identity kept in ``data_dir``, or make one there at first use.

    Raises IdentityError if the directory or the file cannot be used, is open to other users,
    or does not hold a key.
    """
    make_private_dir(data_dir)
    path = data_dir / KEY_FILE
    with contextlib.suppress(FileNotFoundError):
        return _load(path)
    return _create(path)


def make_private_dir(path: Path) -> None:
    """Make a directory that only this user can enter (mode 0700); raises IdentityError."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.name == "posix" and path.stat().st_mode & _OTHERS:
            path.chmod(0o700)
    except OSError as error:
        raise IdentityError(
            Worded(
                "cannot use the data directory {path}: {why}; name another with --data-dir",
                path=path,
                why=explain(error),
            )
        ) from error


def subject(public: bytes) -> x509.Name:
    """The subject, and issuer, that the certificate of ``public`` must carry."""
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, fingerprint(public))])


def _certificate(key: Ed25519PrivateKey, public: bytes) -> x509.Certificate:
    name = subject(public)
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1 + int(fingerprint(public)[:16], 16))
        .not_valid_before(_NOT_BEFORE)
        .not_valid_after(_NOT_AFTER)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    )
    return builder.sign(key, None)


def _load(path: Path) -> Identity:
    data = _read_private(path)
    try:
        key = load_pem_private_key(data, password=None)
        stored = x509.load_pem_x509_certificate(data)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise _unusable(path, Worded("it is damaged")) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise _unusable(path, Worded("it does not hold an Ed25519 key"))
    public = key.public_key().public_bytes_raw()
    # Ed25519 signatures are deterministic: the key gives the certificate again, byte for byte.
    if stored != _certificate(key, public):
        raise _unusable(path, Worded("its certificate does not belong to its key"))
    return Identity(key, stored.public_bytes(Encoding.DER), path, public)


def _unusable(path: Path, why: str) -> IdentityError:
    return IdentityError(
        Worded(
            "the identity file {path} cannot be used: {why}; restore it from a copy, or move it "
            "away to become a new peer whom your friends do not know yet",
            path=path,
            why=why,
        )
    )


def _read_private(path: Path) -> bytes:
    try:
        with open_plain(path) as file:
            if os.name == "posix" and os.fstat(file.fileno()).st_mode & _OTHERS:
                raise IdentityError(
                    Worded(
                        "the identity file {path} is open to other users; if nobody has read it, "
                        "run: chmod 600 {path}",
                        path=path,
                    )
                )
            return read_whole(file, _MAX_FILE)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise _unusable(path, explain(error)) from error


def _create(path: Path) -> Identity:
    key = Ed25519PrivateKey.generate()
    public = key.public_key().public_bytes_raw()
    certificate = _certificate(key, public)
    data = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    data += certificate.public_bytes(Encoding.PEM)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise IdentityError(
            Worded(
                "cannot create the identity file {path}: {why}; name another directory with "
                "--data-dir",
                path=path,
                why=explain(error),
            )
        ) from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        with contextlib.suppress(OSError):
            path.unlink()
        raise IdentityError(
            Worded("cannot write {path}: {why}", path=path, why=explain(error))
        ) from error
    return Identity(key, certificate.public_bytes(Encoding.DER), path, public)
