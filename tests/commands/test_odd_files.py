"""Odd things in place of the files that a player keeps: told in a line, and never waited for."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from p2pcards.cli import main
from p2pcards.net.known import KnownPeers, KnownPeersError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="files as POSIX has them")
DEEP = b'{"nick":"T","x":' + b"[" * 60_000

ODD: dict[str, Callable[[Path], object]] = {
    "deep": lambda path: path.write_bytes(DEEP),
    "long": lambda path: path.write_bytes(b" " * (1 << 23)),
    "garbage": lambda path: path.write_bytes(bytes(range(256))),
    "folder": lambda path: path.mkdir(),
    "pipe": lambda path: os.mkfifo(path),
    "loop": lambda path: path.symlink_to(path),
    "device": lambda path: path.symlink_to("/dev/zero"),
}


@pytest.fixture(params=ODD)
def odd(request: pytest.FixtureRequest) -> Callable[[Path], object]:
    """How to put something odd in a file's place."""
    return ODD[request.param]


def test_odd_settings_are_as_good_as_none(
    odd: Callable[[Path], object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd(tmp_path / "settings.json")
    assert main(["id", "--data-dir", str(tmp_path)]) == 0
    assert len(capsys.readouterr().out.split()[0]) >= 4


def test_an_odd_identity_is_told_and_left_alone(
    odd: Callable[[Path], object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "identity.pem"
    odd(path)
    if path.is_file():
        path.chmod(0o600)
    before = os.lstat(path)
    assert main(["id", "--data-dir", str(tmp_path)]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"p2pcards: the identity file {path} cannot be used: ")
    assert len(err.splitlines()) == 1
    assert os.lstat(path).st_mtime_ns == before.st_mtime_ns


def test_odd_known_peers_are_told(odd: Callable[[Path], object], tmp_path: Path) -> None:
    odd(tmp_path / "known_peers.json")
    with pytest.raises(KnownPeersError, match="move the file away"):
        KnownPeers(tmp_path).check("Ana", bytes(32))
