"""A peer with two faces: a real process that shows one of the others another deal key.

Run like ``python -m p2pcards``; everything but its first ``key-commit`` is honest.
"""

from __future__ import annotations

import sys

import msgspec

from p2pcards.cli import main
from p2pcards.net.session import Session
from p2pcards.protocol.envelope import seal, unseal
from p2pcards.protocol.messages import KeyCommit, encode
from p2pcards.protocol.traffic import Env, Traffic, pack

honest = Session._to_players


def lie(self: Session, message: Traffic) -> None:
    """Send a message to all players; one of them is sent another commitment."""
    payload = unseal(message.wire).payload if isinstance(message, Env) else None
    if payload is None or payload.kind != "key-commit" or payload.sender != self.player.seat:
        honest(self, message)
        return
    victim = min(self.mesh.linked())
    self.mesh.broadcast(pack(message), {victim})
    body = encode(KeyCommit(bytes(32)))
    other = seal(msgspec.structs.replace(payload, body=body), self.player._sign)
    self.mesh.send(victim, pack(Env(other)))


if __name__ == "__main__":
    Session._to_players = lie  # type: ignore[method-assign]
    sys.exit(main())
