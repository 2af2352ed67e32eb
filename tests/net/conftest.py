"""Peers for the network tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from p2pcards.net.identity import Identity, load_or_create


@pytest.fixture
def make_identity(tmp_path: Path) -> Callable[[], Identity]:
    """A maker of fresh identities, each in a directory of its own."""
    count = 0

    def make() -> Identity:
        nonlocal count
        count += 1
        return load_or_create(tmp_path / f"peer{count}")

    return make


@pytest.fixture
def two(make_identity: Callable[[], Identity]) -> tuple[Identity, Identity]:
    """Two identities, the one with the lower public key first."""
    one, other = sorted((make_identity(), make_identity()), key=lambda who: who.public)
    return one, other
