"""``p2pcards peer``: a headless seat."""

from __future__ import annotations

import argparse
import logging
import math
import os
from functools import partial
from pathlib import Path
from typing import Any

from p2pcards.bots.external import ExternalBot, ProgramError, check_command
from p2pcards.bots.levels import USUAL, make_bot
from p2pcards.commands import common
from p2pcards.commands.agreeing import Agreeing
from p2pcards.commands.choosers import BotChooser, ScriptChooser, ScriptError
from p2pcards.commands.eventjson import as_json
from p2pcards.commands.execchooser import ExecChooser
from p2pcards.commands.signals import run_until_signal
from p2pcards.commands.telling import Teller
from p2pcards.games.base import TEAM_NAMES
from p2pcards.games.options import OptionError
from p2pcards.games.registry import GAMES
from p2pcards.net.errors import NetError
from p2pcards.net.interfaces import usable
from p2pcards.net.lobby import parse_address
from p2pcards.net.outcome import Ending, OnLoss, always
from p2pcards.net.peer import Formed, Peer, PeerSettings
from p2pcards.net.result import Result
from p2pcards.net.text import clean
from p2pcards.net.wish import Role, Wish
from p2pcards.protocol import events
from p2pcards.protocol.choosing import Chooser
from p2pcards.protocol.limits import THINK
from p2pcards.protocol.table import RosterError
from p2pcards.ui.i18n import _, why
from p2pcards.ui.signalled import Signalled
from p2pcards.ui.words import named

STATUS = {Ending.COMPLETE: 0, Ending.LOST: 4, Ending.FAULT: 5, Ending.LEFT: 0}


def run(args: argparse.Namespace) -> int:
    """Play one seat to the end of a match; the exit status."""
    logging.basicConfig(level=logging.INFO if args.verbose else logging.CRITICAL)
    logging.getLogger("zeroconf").setLevel(logging.CRITICAL)
    args.wait = args.wait or math.inf
    try:
        settings, chooser = settings_of(args), _chooser(args)
    except (common.UsageError, OptionError, RosterError) as exc:
        return common.fail(common.USAGE, why(exc))
    if args.seed:
        common.say("p2pcards: " + _("--seed is for tests: this game is not secret"))
    reporter, agreeing = Reporter(args.json, args.verbose, settings.name), Agreeing()

    def report(event: object) -> None:
        reporter(event)
        asks = agreeing.take(event)
        if asks is not None and peer.session is not None:
            peer.session.player.stop = asks

    peer = Peer(settings, chooser, report, always(OnLoss(args.on_loss)))
    try:
        run_until_signal(peer.run)
    except (NetError, Signalled, ScriptError, BaseExceptionGroup) as exc:
        return _failed(exc)
    finally:
        if isinstance(chooser, ExecChooser):
            chooser.close()
    return reporter.status


def _failed(error: BaseException) -> int:
    """Say why a peer ended early; the exit status. What is our own bug is raised again."""
    cause = common.first(error)
    match cause:
        case Signalled():
            return cause.status
        case ScriptError():
            return common.fail(common.USAGE, why(cause))
        case NetError():
            return common.fail(common.NETWORK, why(cause))
    raise error


def settings_of(args: argparse.Namespace) -> PeerSettings:
    """Settings from the arguments; raises UsageError, OptionError or RosterError."""
    role = Role.OPEN if args.open else Role.JOIN if args.join else Role.AUTO
    try:
        connect = tuple(parse_address(text) for text in args.connect)
    except ValueError as exc:
        raise common.UsageError(f"--connect: {why(exc)}") from None
    options = common.read_options(args.option)
    GAMES[args.game].parse_options(options)
    table = clean(args.table, 32) if args.table else None
    wish = Wish(
        args.game, options, table, role, args.partners, args.deadline, args.think, args.wait,
        _hosts(args.interface), connect,
    )  # fmt: skip
    name = clean(args.name or default_name(), 32)
    if not name:
        raise common.UsageError(_("--name: a nickname has at least one letter"))
    return PeerSettings(
        common.data_dir(args), name, wish, args.interface, args.port,
        Path(args.record) if args.record else None,
        args.seed.encode() if args.seed else None, watch=not args.no_watch,
        unlisted=args.unlisted,
    )  # fmt: skip


def default_name() -> str:
    """The user's name at this machine, or a plain one."""
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "player"


def _hosts(interface: str | None) -> tuple[str, ...]:
    if interface:
        return (interface,)
    return tuple(address.ip for address in usable()) or ("127.0.0.1",)


def _chooser(args: argparse.Namespace) -> Chooser:
    if args.script is not None:
        return ScriptChooser.load(args.script)
    seed = args.seed.encode() if args.seed else os.urandom(16)
    if args.command_line is not None:
        try:
            check_command(args.command_line)
        except ProgramError as exc:
            raise common.UsageError(f"--exec: {why(exc)}") from None
        program = ExternalBot(args.command_line, min(30.0, (args.think or THINK) / 2))
        return ExecChooser(
            program, BotChooser(make_bot(USUAL, seed)), partial(_tell_failure, args.json)
        )
    try:
        return BotChooser(make_bot("easy" if args.bot is None else args.bot, seed))
    except ValueError as exc:
        raise common.UsageError(f"--bot: {why(exc)}") from None


def _tell_failure(json: bool, seat: int, reason: str) -> None:
    """Say that the program has failed its seat."""
    if json:
        common.out_json({"event": "program-failed", "seat": seat, "text": reason})
    text = _("seat {n}: the program failed: {reason}; the bot {level} plays this seat from here on",
             n=seat, reason=reason, level=USUAL)  # fmt: skip
    common.say(f"p2pcards: {text}")


class Reporter:
    """Prints what happens: words on standard error, JSON lines on standard output."""

    def __init__(self, json: bool, verbose: bool, name: str) -> None:
        self._json = json
        self._name = name
        self._lobby: dict[str, Any] = {}
        self._verbose = verbose
        self._teller = Teller()
        self._roster: list[str] = []
        self.status = 1

    def __call__(self, event: object) -> None:
        """Report one event."""
        match event:
            case Formed():
                self._formed(event)
            case Result():
                if event.player.observer.step.number or event.outcome.ending is not Ending.LOST:
                    self.status = self._end(event)
            case events.SeatsDrawn(players, _):
                self._teller.seat([self._roster[place] for place in players])
        if self._json:
            self._out(as_json(event))
        for line in self._teller.words(event):
            if not self._json and (self._verbose or not _chatty(event)):
                common.say(line)

    def _out(self, values: dict[str, Any] | None) -> None:
        """Print an event, with what a program needs to know who is who; a lobby when it changed."""
        if values is None or values == self._lobby:
            return
        if values["event"] == "lobby":
            self._lobby = values
        if values["event"] == "seats":
            names = [self._roster[place] for place in values["places"]]
            values |= {"names": names, "seat": names.index(self._name)}
        common.out_json(values)

    def _formed(self, formed: Formed) -> None:
        self._roster = [clean(p.name, 32) for p in formed.roster.players]
        if self._json:
            values: dict[str, Any] = {"table": formed.roster.terms.name}
            values |= {"session": formed.session.hex()}
            values |= {"game": formed.roster.terms.game, "players": self._roster}
            common.out_json({"event": "formed", **values, "resumed": formed.resumed})
        elif formed.resumed:
            common.say(_("back at table {table}; catching up", table=formed.roster.terms.name))

    def _end(self, result: Result) -> int:
        """Tell how it ended; the exit status."""
        outcome, observer = result.outcome, result.player.observer
        status = STATUS[outcome.ending]
        if result.record is not None:
            common.say(_("the record of this game: {path}", path=result.record))
        if outcome.ending is not Ending.COMPLETE:
            text = named(outcome.text, outcome.seats, self._teller.speaker.who)
            if outcome.ending is Ending.LOST:
                text += "; " + _("when it can be reached again, start the same command to go on")
            common.say(f"p2pcards: {text}")
            if self._json:
                values = {"kind": outcome.ending.value, "seats": list(outcome.seats), "text": text}
                common.out_json({"event": "ended", **values})
            return status
        state = observer.table.the_state()
        winner = None if state.winner is None else TEAM_NAMES[state.winner]
        values = {
            "game": observer.table.game.name,
            "winner": winner,
            "scores": list(state.scores),
            "names": list(self._teller.speaker.names),
            "transcript": observer.transcript.hex(),
            "pid": os.getpid(),
        }
        if self._json:
            common.out_json({"event": "result", **values})
        else:
            won = self._teller.speaker.won(state.winner, state.scores)
            transcript = _("transcript {hash}", hash=observer.transcript.hex())
            common.out(f"{won}; {transcript}")
        return status


def _chatty(event: object) -> bool:
    return isinstance(
        event, events.CardPlayed | events.TrickTaken | events.BidMade | events.PacketDealt
    )
