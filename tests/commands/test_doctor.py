"""What ``doctor`` says of a friend's address."""

from __future__ import annotations

import argparse
from pathlib import Path

from p2pcards.commands.doctor import _friend
from p2pcards.net.identity import groups, load_or_create
from p2pcards.net.mesh import open_mesh

LOCAL = "127.0.0.1"


async def test_a_friend_that_answers_is_named_by_its_key(tmp_path: Path) -> None:
    args = argparse.Namespace(data_dir=str(tmp_path / "me"))
    friend = load_or_create(tmp_path / "friend")
    async with open_mesh(friend, "Ana", [(LOCAL, 0)]) as mesh:
        address = f"{LOCAL}:{mesh.port}"
        found = await _friend(address, args)
    assert (found.level, found.advice) == ("ok", "")
    assert found.text == f"{address} answers, with the key {groups(friend.fingerprint)}"
    gone = await _friend(address, args)
    assert gone.level == "fail"
    assert "nothing listens there" in gone.text
    assert "firewall" in gone.advice
