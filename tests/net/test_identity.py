"""Who a peer is: the key file, its certificate, known names, one process for one identity."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from p2pcards.net.identity import (
    KEY_FILE,
    Identity,
    IdentityError,
    fingerprint,
    groups,
    load_or_create,
)
from p2pcards.net.known import FILE, Known, KnownPeers, KnownPeersError, Verdict
from p2pcards.net.lock import IdentityInUse, hold
from p2pcards.net.text import BOT_MARK


def test_an_identity_survives_a_restart(tmp_path: Path) -> None:
    first = load_or_create(tmp_path / "data")
    again = load_or_create(tmp_path / "data")
    assert first.public == again.public
    assert first.certificate == again.certificate
    Ed25519PublicKey.from_public_bytes(first.public).verify(again.sign(b"move"), b"move")


def test_the_key_is_for_its_owner_alone(tmp_path: Path) -> None:
    identity = load_or_create(tmp_path / "data")
    assert identity.pem.stat().st_mode & 0o777 == 0o600
    assert identity.pem.parent.stat().st_mode & 0o777 == 0o700
    assert "PRIVATE" not in repr(identity)
    assert "Ed25519" not in repr(identity)


def test_a_key_file_open_to_others_is_not_used(tmp_path: Path) -> None:
    load_or_create(tmp_path).pem.chmod(0o644)
    with pytest.raises(IdentityError, match="chmod 600"):
        load_or_create(tmp_path)


@pytest.mark.parametrize("content", [b"", b"garbage", b"x" * 10_000])
def test_a_corrupt_key_file_is_named_and_kept(tmp_path: Path, content: bytes) -> None:
    path = load_or_create(tmp_path).pem
    path.write_bytes(content)
    with pytest.raises(IdentityError, match=KEY_FILE):
        load_or_create(tmp_path)
    assert path.read_bytes() == content


def test_a_truncated_key_file_is_refused_at_every_length(tmp_path: Path) -> None:
    path = load_or_create(tmp_path).pem
    whole = path.read_bytes()
    for length in range(0, len(whole) - 1, 7):
        path.write_bytes(whole[:length])
        with pytest.raises(IdentityError):
            load_or_create(tmp_path)


def test_a_key_with_another_keys_certificate_is_refused(
    make_identity: Callable[[], Identity],
) -> None:
    one, other = make_identity().pem, make_identity().pem
    end = b"-----END PRIVATE KEY-----\n"
    key = one.read_bytes().partition(end)[0]
    one.write_bytes(key + end + other.read_bytes().partition(end)[2])
    with pytest.raises(IdentityError, match="does not belong"):
        load_or_create(one.parent)


def test_something_else_in_place_of_the_key_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / KEY_FILE, 0o600)
    with pytest.raises(IdentityError, match="plain file"):
        load_or_create(tmp_path)


def test_a_directory_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(IdentityError, match="--data-dir"):
        load_or_create(tmp_path / "file" / "data")


def test_no_clock_can_make_a_certificate_invalid(tmp_path: Path) -> None:
    certificate = x509.load_der_x509_certificate(load_or_create(tmp_path).certificate)
    assert certificate.not_valid_before_utc.year == 1970
    assert certificate.not_valid_after_utc.year == 9999


def test_fingerprints_are_unique_and_can_be_spoken() -> None:
    name = fingerprint(bytes(32))
    assert len(name) == 32
    assert name != fingerprint(bytes(31) + b"\x01")
    assert groups(name) == f"{name[:4]} {name[4:8]} {name[8:12]} {name[12:16]}"


def test_a_name_is_remembered_and_a_new_key_is_told_apart(tmp_path: Path) -> None:
    ana, eve = b"a" * 32, b"e" * 32
    known = KnownPeers(tmp_path)
    assert known.check("Ana", ana) == Verdict(Known.NEW)
    known.remember("Ana", ana)
    again = KnownPeers(tmp_path)
    assert again.check("Ana", ana) == Verdict(Known.SAME)
    for name in ("an\u200ba", "\u0410na", "An\u0430"):
        assert again.check(name, eve) == Verdict(Known.CHANGED, fingerprint(ana))
    again.remember("Ana", eve)
    assert KnownPeers(tmp_path).check("Ana", eve) == Verdict(Known.SAME)
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_names_kept_by_an_earlier_version_are_still_known(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(
        json.dumps({"\u0430\u0439\u0433\u04af\u043b": fingerprint(b"a" * 32)})
    )
    assert KnownPeers(tmp_path).check("Айгүл", b"a" * 32) == Verdict(Known.SAME)


def test_bots_are_nobody_to_be_known_again(tmp_path: Path) -> None:
    known = KnownPeers(tmp_path)
    known.remember("Dana" + BOT_MARK, bytes(32))
    assert not (tmp_path / "known_peers.json").exists()
    known.remember("Dana", bytes(32))
    assert known.check("Dana" + BOT_MARK, b"1" * 32) == Verdict(Known.NEW)
    assert known.check("Dana", b"1" * 32).status is Known.CHANGED


def test_known_peers_do_not_grow_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2pcards.net.known._MAX_PEERS", 3)
    known = KnownPeers(tmp_path)
    for name in "abcd":
        known.remember(name, name.encode() * 32)
    assert known.check("a", b"a" * 32).status is Known.NEW
    assert known.check("d", b"d" * 32).status is Known.SAME


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b'{"a": 1}', b"\xff"])
def test_a_corrupt_file_of_known_peers_is_no_blank_trust(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(KnownPeersError, match="move the file away"):
        KnownPeers(tmp_path)


def test_a_second_process_with_one_identity_is_told_so(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from p2pcards.net.lock import hold\n"
        "with hold(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(IdentityInUse, match="another p2pcards"), hold(tmp_path):
            pass
        holder.kill()
    with hold(tmp_path):
        pass


def test_a_full_disk_is_the_reason_that_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(IdentityError, match="the disk is full"):
        load_or_create(tmp_path / "me")
    assert not list((tmp_path / "me").iterdir())
