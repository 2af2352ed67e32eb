"""``p2pcards doctor``: what on this machine would keep a table from forming, and what to do."""

from __future__ import annotations

import argparse
import platform
import secrets
import sys
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

import trio

from p2pcards.commands import common
from p2pcards.net.dial import connect
from p2pcards.net.discovery import TableAd
from p2pcards.net.errors import NetError
from p2pcards.net.identity import fingerprint, groups, load_or_create
from p2pcards.net.interfaces import LOOPBACK, usable
from p2pcards.net.journal import resumable
from p2pcards.net.lobby import parse_address
from p2pcards.net.mesh import open_mesh
from p2pcards.protocol.limits import VERSION
from p2pcards.ui.canvas import pad, width_of
from p2pcards.ui.i18n import N_, _, n_, why

LEVELS = {"ok": N_("ok"), "warn": N_("warn"), "fail": N_("fail")}
CHECKS = {
    "program": N_("program"),
    "screen": N_("screen"),
    "data": N_("data"),
    "addresses": N_("addresses"),
    "links": N_("links"),
    "multicast": N_("multicast"),
    "friend": N_("friend"),
}
SEEN_WITHIN = 5.0
"""Seconds within which an announcement must come back by multicast."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; ``level`` is ok, warn or fail, ``advice`` what to do."""

    check: str
    level: str
    text: str
    advice: str = ""


Check: TypeAlias = Callable[[argparse.Namespace], Awaitable[Finding]]


def run(args: argparse.Namespace) -> int:
    """Look at everything, say what was found; 3 if something would keep a table from forming."""
    try:
        for text in args.connect:
            parse_address(text)
    except ValueError as exc:
        return common.fail(common.USAGE, f"--connect: {why(exc)}")
    findings = trio.run(_look, args)
    return common.NETWORK if any(f.level == "fail" for f in findings) else common.DONE


async def _look(args: argparse.Namespace) -> list[Finding]:
    findings: list[Finding] = []
    checks: list[Check] = [_python, _screen, _data, _addresses, _links, _multicast]
    checks += [partial(_friend, address) for address in args.connect]
    for check in checks:
        finding = await check(args)
        findings.append(finding)
        if args.json:
            common.out_json(asdict(finding))
            continue
        for line in _lines(finding):
            common.out(line)
    return findings


def _lines(finding: Finding) -> list[str]:
    """A finding in words, its columns as wide as the language needs."""
    level = pad(_(LEVELS[finding.level]), max(map(width_of, map(_, LEVELS.values()))))
    check = pad(_(CHECKS[finding.check]), max(map(width_of, map(_, CHECKS.values()))))
    head = f"{level}  {check}  "
    lines = [head + finding.text]
    return [*lines, f"{'':<{width_of(head)}}-> {finding.advice}"] if finding.advice else lines


async def _python(args: argparse.Namespace) -> Finding:
    text = _("Python {python} on {system}; protocol version {version}",
             python=platform.python_version(), system=platform.system(),
             version=VERSION)  # fmt: skip
    return Finding("program", "ok", text)


async def _screen(args: argparse.Namespace) -> Finding:
    encoding = sys.stdout.encoding or "ascii"
    try:
        "♣♦♥♠ăâîșțә".encode(encoding)
    except (UnicodeError, LookupError):
        text = _("the output's encoding is {encoding}, which cannot show card suits",
                 encoding=encoding)  # fmt: skip
        return Finding("screen", "warn", text, _("set LANG to a UTF-8 locale, as in C.UTF-8"))
    return Finding("screen", "ok", _("the output's encoding is {encoding}", encoding=encoding))


async def _data(args: argparse.Namespace) -> Finding:
    folder = common.data_dir(args)
    try:
        identity = load_or_create(folder)
        unfinished = list(resumable(folder))
    except NetError as exc:
        return Finding("data", "fail", why(exc))
    text = _("identity {key} in {folder}", key=groups(identity.fingerprint), folder=_show(folder))
    if unfinished:
        text += "; " + n_("{n} unfinished game", "{n} unfinished games", len(unfinished))
        return Finding("data", "ok", text, _("start the same command again to resume it"))
    return Finding("data", "ok", text)


async def _addresses(args: argparse.Namespace) -> Finding:
    found = usable()
    if args.interface:
        known = {address.ip for address in usable(loopback=True)}
        if args.interface not in known:
            text = _("{address} is no address of this machine", address=args.interface)
            advice = _("it has {addresses}", addresses=", ".join(sorted(known)))
            return Finding("addresses", "fail", text, advice)
        text = _("only {address} is used, as asked", address=args.interface)
        return Finding("addresses", "ok", text)
    if not found:
        text = _("this machine is on no network")
        advice = _("join the others' network; --interface {address} plays on this machine alone",
                   address=LOOPBACK)  # fmt: skip
        return Finding("addresses", "warn", text, advice)
    listing = ", ".join(f"{address.ip} ({address.interface})" for address in found)
    return Finding("addresses", "ok", listing)


async def _links(args: argparse.Namespace) -> Finding:
    try:
        identity = load_or_create(common.data_dir(args))
        host = args.interface or "0.0.0.0"  # noqa: S104 - the LAN is where it is played
        async with open_mesh(identity, "doctor", [(host, args.port)]) as mesh:
            port = mesh.port
    except NetError as exc:
        return Finding("links", "fail", why(exc))
    text = _("can listen, tried on the free port {port}; a firewall must let it in", port=port)
    if args.port:
        text = _("can listen, tried on the given port {port}; a firewall must let it in",
                 port=port)  # fmt: skip
    return Finding("links", "ok", text)


async def _multicast(args: argparse.Namespace) -> Finding:
    from p2pcards.net.mdns import open_mdns

    peer, table = secrets.token_hex(16), secrets.token_hex(16)
    ad = TableAd("doctor", table, "none", "", 0, VERSION, "doctor", peer, 9, state="playing")
    try:
        async with open_mdns(args.interface) as discovery, discovery.browse() as tables:
            async with discovery.announce(ad):
                with trio.move_on_after(SEEN_WITHIN) as scope:
                    while not any(one.peer == peer for one in tables.snapshot()):
                        await tables.changed()
            count = sum(1 for one in tables.snapshot() if one.peer != peer)
    except NetError as exc:
        return Finding("multicast", "fail", why(exc))
    if scope.cancelled_caught:
        text = _("an announcement of our own did not come back within {n} s",
                 n=f"{SEEN_WITHIN:g}")  # fmt: skip
        advice = _("let UDP port 5353 through the firewall, or join with --connect HOST:PORT")
        return Finding("multicast", "fail", text, advice)
    text = _("announcements come back; other tables seen: {n}", n=count)
    return Finding("multicast", "ok", text)


async def _friend(text: str, args: argparse.Namespace) -> Finding:
    """Whether a player answers at an address that was given."""
    try:
        stream = await connect([parse_address(text)], load_or_create(common.data_dir(args)))
    except NetError as exc:
        advice = _("ask your friend whether p2pcards runs there, and what its firewall lets in")
        return Finding("friend", "fail", why(exc), advice)
    key = groups(fingerprint(stream.peer))
    await stream.aclose()
    return Finding(
        "friend", "ok", _("{address} answers, with the key {key}", address=text, key=key)
    )


def _show(folder: Path) -> str:
    try:
        return f"~/{folder.relative_to(Path.home())}"
    except (ValueError, RuntimeError):
        return str(folder)
