"""Small networks made of Linux network namespaces, for tests with real multicast and real cuts.

Everything happens inside namespaces made here: one for each peer, and one more that holds the
bridge between them. The machine's own network is not touched, and nothing is left behind.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO

import pytest

_IP_SECONDS = 10
_TERM_SECONDS = 3


def require_namespaces() -> None:
    """Skip the test where namespaces cannot be made; in CI (CI=true) fail instead."""
    reason = ""
    if not sys.platform.startswith("linux"):
        reason = "network namespaces need Linux"
    elif shutil.which("ip") is None:
        reason = "network namespaces need the program ip (iproute2)"
    elif os.geteuid() != 0:
        reason = "network namespaces need root"
    if not reason:
        return
    if os.environ.get("CI") == "true":
        pytest.fail(f"{reason}, and CI must run these tests")
    pytest.skip(reason)


def ip(*words: str) -> None:
    """Run ``ip``; raises CalledProcessError with what it said."""
    subprocess.run(["ip", *words], check=True, capture_output=True, timeout=_IP_SECONDS)


@dataclass(frozen=True, slots=True)
class Network:
    """Namespaces joined by a bridge; there is no default route and no way out.

    ``names[n]`` is a namespace whose interface ``eth0`` has ``addresses[n]`` in a /24.
    """

    names: tuple[str, ...]
    addresses: tuple[str, ...]
    hub: str

    def command(self, number: int, command: Sequence[str]) -> list[str]:
        """The command that runs ``command`` inside namespace ``number``."""
        return ["ip", "netns", "exec", self.names[number], *command]

    @contextlib.contextmanager
    def popen(
        self,
        number: int,
        command: Sequence[str],
        *,
        stdin: int | IO[bytes] | None = None,
        stdout: int | IO[bytes] | None = None,
        stderr: int | IO[bytes] | None = None,
        env: dict[str, str] | None = None,
    ) -> Iterator[subprocess.Popen[bytes]]:
        """Run a process in namespace ``number`` for the block; it is ended afterwards."""
        with subprocess.Popen(
            self.command(number, command), stdin=stdin, stdout=stdout, stderr=stderr, env=env
        ) as process:
            try:
                yield process
            finally:
                process.terminate()
                try:
                    process.wait(_TERM_SECONDS)
                except subprocess.TimeoutExpired:
                    process.kill()

    @contextlib.contextmanager
    def blocked(self, one: int, other: int) -> Iterator[None]:
        """Let two namespaces not reach each other for the block; all other pairs still do."""
        pairs = ((one, other), (other, one))
        for near, far in pairs:
            ip("-n", self.names[near], "route", "add", "blackhole", self.addresses[far])
        try:
            yield
        finally:
            for near, far in pairs:
                ip("-n", self.names[near], "route", "del", "blackhole", self.addresses[far])

    @contextlib.contextmanager
    def cut(self, number: int) -> Iterator[None]:
        """Pull the cable of one namespace for the block, at the bridge's end."""
        ip("-n", self.hub, "link", "set", f"port{number}", "down")
        try:
            yield
        finally:
            ip("-n", self.hub, "link", "set", f"port{number}", "up")

    def cut_for(self, number: int, seconds: float) -> None:
        """Pull the cable of one namespace for so long (blocking)."""
        with self.cut(number):
            time.sleep(seconds)


@contextlib.contextmanager
def network(count: int, subnet: str = "10.77.0") -> Iterator[Network]:
    """Make ``count`` namespaces on one bridge; they are removed afterwards, come what may."""
    require_namespaces()
    suffix = secrets.token_hex(4)
    hub = f"p2pcards-{suffix}-hub"
    names = tuple(f"p2pcards-{suffix}-{number}" for number in range(count))
    addresses = tuple(f"{subnet}.{number + 1}" for number in range(count))
    with contextlib.ExitStack() as stack:
        for name in (hub, *names):
            ip("netns", "add", name)
            stack.callback(_remove, name)
        ip("-n", hub, "link", "add", "bridge", "type", "bridge")
        ip("-n", hub, "link", "set", "bridge", "up")
        for number, (name, address) in enumerate(zip(names, addresses, strict=True)):
            _join(hub, f"port{number}", name, f"{address}/24")
        yield Network(names, addresses, hub)


def _join(hub: str, port: str, name: str, address: str) -> None:
    ip("-n", hub, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", name)
    ip("-n", hub, "link", "set", port, "master", "bridge", "up")
    ip("-n", name, "link", "set", "lo", "up")
    ip("-n", name, "address", "add", address, "dev", "eth0")
    ip("-n", name, "link", "set", "eth0", "up")


def _remove(name: str) -> None:
    with contextlib.suppress(subprocess.SubprocessError):
        ip("netns", "del", name)
