"""``p2pcards bench``: times of the parts and of a whole deal, and sizes, on this machine."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pcards.commands import common
from p2pcards.commands.figures import Figure, figure, show, timed
from p2pcards.crypto.deck import Deck, card_points, initial_deck, open_masked, reduce_masked
from p2pcards.crypto.group import Point
from p2pcards.crypto.inequality import Absence, prove_absent, verify_absent
from p2pcards.crypto.keys import DealKey, DealSecret, joint_key, make_secret, public_key
from p2pcards.crypto.shares import prove_shares, verify_shares
from p2pcards.crypto.shuffle import (
    Witness,
    deck_bytes,
    prove_shuffle,
    remask,
    shuffle,
    verify_shuffle,
)
from p2pcards.crypto.transcript import Context, Drbg
from p2pcards.net.scratch import scratch
from p2pcards.protocol.deal import NAMES
from p2pcards.protocol.messages import PlayerInfo, Roster
from p2pcards.protocol.player import Player
from p2pcards.protocol.terms import make_terms
from p2pcards.ui.i18n import _

ENTROPY = bytes(range(64))


def run(args: argparse.Namespace) -> int:
    """Measure and print; figures come as they are ready."""
    if args.ui:
        from p2pcards.commands.bench_ui import run_ui

        return run_ui(args)
    only = set(args.only.split(",")) if args.only else set(BENCHES)
    if unknown := only - set(BENCHES):
        return common.fail(common.USAGE, _("--only {names}: known are {known}",
                           names=", ".join(sorted(unknown)), known=", ".join(BENCHES)))  # fmt: skip
    for name, bench in BENCHES.items():
        if name in only:
            common.say(_("measuring {name} …", name=name))
            for one in bench(args):
                show(one, args.json)
    return common.DONE


@dataclass(frozen=True, slots=True)
class Workshop:
    """Four keys and a shuffled deck to measure with."""

    ctx: Context
    secrets: tuple[DealSecret, ...]
    keys: tuple[DealKey, ...]
    joint: Point
    deck: Deck
    message: bytes

    @classmethod
    def make(cls) -> Workshop:
        """The same workshop each time."""
        ctx = Context(bytes(32), 1, 7, 0, bytes(32))
        secrets = tuple(make_secret(bytes([i]) * 32) for i in range(4))
        keys = tuple(public_key(secret) for secret in secrets)
        joint = joint_key(keys)
        deck = initial_deck(card_points(NAMES), joint)
        return cls(ctx, secrets, keys, joint, deck, shuffle(ctx, joint, deck, ENTROPY))


def bench_shuffle(args: argparse.Namespace) -> list[Figure]:
    """Shuffling 32 cards, proving it, verifying the proof, and the proof's size."""
    w = Workshop.make()
    n = len(w.deck)

    def fresh() -> tuple[Witness, Drbg]:
        source = Drbg(ENTROPY, b"bench")
        return Witness(source.permutation(n), source.scalars(n)), source

    witness, _source = fresh()
    output = remask(w.joint, w.deck, witness)
    return [
        timed("shuffle", args.rounds, lambda: remask(w.joint, w.deck, fresh()[0])),
        timed(
            "prove",
            args.rounds,
            lambda: prove_shuffle(w.ctx, w.joint, w.deck, output, witness, fresh()[1]),
        ),
        timed("verify", args.rounds, lambda: verify_shuffle(w.ctx, w.joint, w.deck, w.message)),
        figure("proof_size", [len(w.message) - deck_bytes(n)], "B"),
    ]


def bench_open_card(args: argparse.Namespace) -> list[Figure]:
    """Turning up one card among four: every share made, and every other's verified."""
    w = Workshop.make()
    deck = verify_shuffle(w.ctx, w.joint, w.deck, w.message)
    base = (deck[0].a,)

    def open_one() -> object:
        own = prove_shares(w.ctx, w.secrets[0].x, w.keys[0].public, base, ENTROPY)
        shares = [verify_shares(w.ctx, w.keys[0].public, base, own)[0]]
        for i, data in enumerate(others, 1):
            shares += verify_shares(w.ctx, w.keys[i].public, base, data)
        return open_masked(deck[0], shares)

    others = [
        prove_shares(w.ctx, w.secrets[i].x, w.keys[i].public, base, ENTROPY) for i in (1, 2, 3)
    ]
    return [timed("open_card", args.rounds, open_one)]


def bench_legal_play(args: argparse.Namespace) -> list[Figure]:
    """The worst hand: seven hidden slots, each proved to be none of fifteen cards."""
    w = Workshop.make()
    deck = verify_shuffle(w.ctx, w.joint, w.deck, w.message)
    slots = []
    held: list[Point] = []
    for masked in deck[:7]:
        shares = [_share(masked.a, w.secrets[i], w.keys[i], w.ctx) for i in range(4)]
        own = reduce_masked(masked, shares[1:])
        held.append(open_masked(masked, shares))
        slots.append(own)
    absent = [point for point in card_points(NAMES) if point not in held][:15]
    worst = Absence(tuple(slots), tuple(absent))
    x, public = w.secrets[0].x, w.keys[0].public
    proof = prove_absent(w.ctx, x, public, worst, ENTROPY)
    return [
        timed("prove_legal", args.rounds, lambda: prove_absent(w.ctx, x, public, worst, ENTROPY)),
        timed("verify_legal", args.rounds, lambda: verify_absent(w.ctx, public, worst, proof)),
    ]


def _share(base: Point, secret: DealSecret, key: DealKey, ctx: Context) -> Point:
    data = prove_shares(ctx, secret.x, key.public, (base,), ENTROPY)
    return verify_shares(ctx, key.public, (base,), data)[0]


def make_players(game: str) -> list[Player]:
    """Four players of one table in this process, for a series that no few deals can end."""
    signers = [Ed25519PrivateKey.from_private_bytes(bytes([i + 1]) * 32) for i in range(4)]
    infos = [
        PlayerInfo(s.public_key().public_bytes_raw(), name, ())
        for s, name in zip(signers, "ABCD", strict=True)
    ]
    roster = Roster(make_terms(bytes(16), "bench", game, {"games": "9"}), (*infos,))  # type: ignore[arg-type]
    return [
        Player(roster, info.identity, signer.sign, bytes([i]) * 32)
        for i, (info, signer) in enumerate(zip(infos, signers, strict=True))
    ]


def play_deals(players: list[Player], deals: int) -> list[float]:
    """Play whole deals by the public bot; seconds for each, all four peers' work together."""
    times: list[float] = []
    begin = time.perf_counter()
    while len(times) < deals:
        for player in players:
            if (owed := player.owed()) is None:
                continue
            choice = None
            if owed.kind in ("bid", "play"):
                choice = player.observer.table.game.public_bot(player.view())
            wire = player.make(choice)
            for other in players:
                other.receive(wire)
            if owed.kind == "result" and not any(p.owed() == owed for p in players):
                scored = players[0].observer.table.the_state().sheets[-1]
                if sum(scored.tricks):
                    times.append(time.perf_counter() - begin)
                begin = time.perf_counter()
    return times


def bench_deal_in_process(args: argparse.Namespace) -> list[Figure]:
    """A whole deal, the work of all four peers done one after the other in this process."""
    times = play_deals(make_players(args.game), max(1, min(5, args.rounds // 3)))
    return [figure("deal_in_process", times, "s")]


def bench_deal_four_processes(args: argparse.Namespace) -> list[Figure]:
    """A whole deal by four processes over TLS, first key to last signature, and their memory."""
    times: list[float] = []
    memory: list[float] = []
    with scratch("bench") as folder:
        table = f"bench-{os.getpid()}"
        processes = [_bench_peer(folder, table, args.game, i) for i in range(4)]
        begin = None
        for line in processes[0].stdout or ():
            event: dict[str, Any] = json.loads(line)
            now = time.perf_counter()
            if event["event"] == "deal":
                begin = now
            elif event["event"] == "score" and begin is not None and len(event["lines"]) > 1:
                times.append(now - begin)
                memory += [_memory(process.pid) for process in processes]
        for process in processes:
            process.communicate(timeout=60)
    if not times:
        raise RuntimeError("the four processes played no deal")
    return [
        figure("deal_four_processes", times, "s"),
        figure("peer_memory", [m for m in memory if m], "MB"),
    ]


def bench_playouts(args: argparse.Namespace) -> list[Figure]:
    """Whole deals played out in the bots' fast state in a second of CPU time, two ways."""
    import random

    from p2pcards.bots.fast import Position, deal_masks, random_deal
    from p2pcards.bots.playout import play_out
    from p2pcards.bots.tables import tables
    from p2pcards.cards import Suit
    from p2pcards.games.registry import GAMES

    game, rng = GAMES[args.game], random.Random(0)  # noqa: S311
    table = tables(game, game.parse_options({}), Suit.HEARTS)
    deals = [deal_masks(rng.sample(range(32), 32)) for _ in range(1000)]

    def rates(play: Callable[[list[int]], object]) -> list[float]:
        out: list[float] = []
        for _round in range(args.rounds + 1):
            begin = time.process_time()
            for deal in deals:
                play(deal)
            out.append(len(deals) / (time.process_time() - begin))
        return out[1:]

    return [
        figure("playouts", rates(lambda deal: random_deal(table, deal, 0, rng.random)), "/s"),
        figure("policy_playouts", rates(lambda d: play_out(Position(table, [*d], 0), 0)), "/s"),
    ]


def _bench_peer(folder: Path, table: str, game: str, i: int) -> subprocess.Popen[bytes]:
    command = [
        sys.executable, "-m", "p2pcards", "peer", "--json", "--bot", "easy", "--name", f"B{i}",
        "--table", table, "--game", game, "--interface", "127.0.0.1",
        "--data-dir", str(folder / str(i)), "--open" if i == 0 else "--join",
    ]  # fmt: skip
    out = subprocess.PIPE if i == 0 else subprocess.DEVNULL
    return subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)  # noqa: S603


def _memory(pid: int) -> float:
    """The resident memory of a process in MB; 0 where the system does not say."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0.0
    for line in status.splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1000
    return 0.0


BENCHES: dict[str, Callable[[argparse.Namespace], list[Figure]]] = {
    "shuffle": bench_shuffle,
    "open_card": bench_open_card,
    "legal_play": bench_legal_play,
    "playouts": bench_playouts,
    "deal_in_process": bench_deal_in_process,
    "deal_four_processes": bench_deal_four_processes,
}
"""Every bench by the name that ``--only`` takes."""
