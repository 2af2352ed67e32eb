"""The command line: arguments, and which module carries out each command.

Nothing heavy is imported here, so that ``--help`` answers at once.
"""

from __future__ import annotations

import argparse
import importlib
import math
import sys
from collections.abc import Callable, Sequence

from p2pcards import __version__
from p2pcards.commands import face, speech
from p2pcards.protocol.limits import DEADLINE, THINK
from p2pcards.ui.i18n import LANGUAGES, N_, _

PIPE_TEXT = N_(
    "From a pipe, lines are carried out in their order. One that answers waits for its question, "
    "and what stands behind it waits as well, also quit and the end of the lines, which leave the "
    "table. Only bot, dismiss, partner and ready are done as soon as there is a lobby; and when a "
    "player is gone, the first vote, wait or stop among the lines is taken, or else the vote. "
    "Lines that begin with # are comments."
)
EXIT_TEXT = N_(
    "exit status: 0 done; 1 what was checked is not true; 2 wrong use; 3 nobody came or the "
    "network failed; 4 a seat was lost for good; 5 a seat broke the protocol; 70 a mistake of the "
    "program's own; 130, 143 ended by a signal"
)


def _number(convert: Callable[[str], float], least: float, most: float) -> Callable[[str], float]:
    """What reads a number within bounds from the command line."""

    def read(text: str) -> float:
        try:
            value = convert(text)
        except ValueError:
            value = math.nan
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(
                _("{text}: a number from {least} to {most}", text=text, least=least, most=most)
            )
        return value

    return read


_WAIT = _number(float, 0, 86400)
_PORT = _number(int, 0, 65535)
_DEADLINE = _number(int, 1, 3600)
_THINK = _number(int, 1, 86400)
_COUNT = _number(int, 1, 1_000_000)


def add_table_options(parser: argparse.ArgumentParser) -> None:
    """The options of every command that finds or opens a table."""
    group = parser.add_argument_group(_("table"))
    group.add_argument("--game", choices=("belota", "belka"), default="belota")
    group.add_argument("--table", metavar="NAME", help=_("the table's name (default: any)"))
    group.add_argument("--name", metavar="NICK", help=_("your nickname at the table"))
    group.add_argument(
        "--option", metavar="KEY=VALUE", action="append", default=[],
        help=_("a rule option, see 'p2pcards rules GAME'; repeatable"),
    )  # fmt: skip
    group.add_argument(
        "--partners", choices=("drawn", "chosen"), help=_("who sits opposite whom (default: drawn)")
    )
    group.add_argument(
        "--deadline", type=_DEADLINE, metavar="S",
        help=_("seconds for a step without thought (default: {n})", n=DEADLINE),
    )  # fmt: skip
    group.add_argument(
        "--think", type=_THINK, metavar="S",
        help=_("seconds for a bid or a card (default: {n})", n=THINK),
    )  # fmt: skip
    group.add_argument(
        "--unlisted", action="store_true",
        help=_("announce no table and look for none; join by --connect"),
    )  # fmt: skip
    group.add_argument("--no-watch", action="store_true", help=_("let no spectators in here"))
    add_net_options(parser)


def add_net_options(parser: argparse.ArgumentParser) -> None:
    """The options of every command that uses the network."""
    group = parser.add_argument_group(_("network"))
    _add_place_options(group)
    group.add_argument("--port", type=_PORT, default=0, help=_("listen on this port"))
    group.add_argument(
        "--connect", metavar="HOST:PORT", action="append", default=[],
        help=_("join without discovery; repeatable"),
    )  # fmt: skip


def _add_place_options(group: argparse._ArgumentGroup) -> None:
    """Where this peer is on the network, and where it keeps what is its own."""
    group.add_argument(
        "--interface", metavar="ADDR",
        help=_("use this address only; 127.0.0.1 keeps everything on this machine"),
    )  # fmt: skip
    group.add_argument("--data-dir", metavar="DIR", help=_("where identity and journals are kept"))


def _peer(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = sub.add_parser("peer", help=_("a headless seat: a bot or a script"))
    _add_language(parser)
    who = parser.add_mutually_exclusive_group()
    who.add_argument(
        "--bot", metavar="LEVEL", help=_("play by this bot: easy, normal or hard (default: easy)")
    )
    who.add_argument(
        "--exec",
        dest="command_line",
        metavar="COMMAND",
        help=_("play by this program (JSON lines)"),
    )
    who.add_argument("--script", metavar="FILE", help=_("play the moves in a file, one a line"))
    role = parser.add_mutually_exclusive_group()
    role.add_argument("--open", action="store_true", help=_("open a table without looking for one"))
    role.add_argument("--join", action="store_true", help=_("join a table, never open one"))
    parser.add_argument("--wait", type=_WAIT, default=60.0, metavar="S", help=_("for four to meet"))
    parser.add_argument("--record", metavar="DIR", help=_("write the game's record there"))
    parser.add_argument("--on-loss", choices=("wait", "vote", "stop"), default="stop")
    parser.add_argument("--seed", help=_("for tests: the game is then not secret"))
    parser.add_argument("--json", action="store_true", help=_("one JSON object a line"))
    parser.add_argument("-v", "--verbose", action="store_true", help=_("say more"))
    add_table_options(parser)


def _play(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = sub.add_parser("play", help=_("play in this terminal"), epilog=_(PIPE_TEXT))
    role = parser.add_mutually_exclusive_group()
    role.add_argument("--open", action="store_true", help=_("open a table without looking for one"))
    role.add_argument("--join", action="store_true", help=_("join a table, never open one"))
    parser.add_argument("--ready", action="store_true", help=_("ready as soon as one sits down"))
    parser.add_argument(
        "--wait",
        type=_WAIT,
        metavar="S",
        help=_("for four to meet (default: no limit; for a pipe 600)"),
    )
    parser.add_argument("--record", metavar="DIR", help=_("write the game's record there"))
    parser.add_argument(
        "--on-loss", choices=("ask", "wait", "vote", "stop"), default="ask",
        help=_("about a player who is gone (default: ask; a pipe votes unless it says otherwise)"),
    )  # fmt: skip
    parser.add_argument("--seed", help=_("for tests: the game is then not secret"))
    add_face_options(parser)
    add_table_options(parser)


def add_face_options(parser: argparse.ArgumentParser) -> None:
    """The options of every command that shows a table to a person."""
    group = parser.add_argument_group(_("screen"))
    group.add_argument("--plain", action="store_true", help=_("line by line, no full screen"))
    group.add_argument("--ascii", action="store_true", help=_("letters instead of suit signs"))
    _add_language(group)


def _add_language(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--lang", choices=tuple(LANGUAGES), help=_("default: the locale's"))


def _demo(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = sub.add_parser(
        "demo", help=_("a whole table on this machine, each seat its own process")
    )
    parser.add_argument(
        "--headless", action="store_true", help=_("four bots, nobody at the keyboard")
    )
    parser.add_argument("--points", type=int, metavar="N", help=_("play to N (option target=N)"))
    parser.add_argument("--game", choices=("belota", "belka"), default="belota")
    parser.add_argument("--option", metavar="KEY=VALUE", action="append", default=[])
    parser.add_argument("--seats", metavar="LEVELS", help=_("bot levels, as in easy,easy,easy"))
    parser.add_argument("--record", metavar="DIR", help=_("write every seat's record there"))
    parser.add_argument(
        "--chaos", type=int, metavar="SEED", help=_("kill and restart seats at random (headless)")
    )
    parser.add_argument("--name", metavar="NICK", help=_("your nickname"))
    parser.add_argument("--data-dir", metavar="DIR", help=_("where your settings are kept"))
    parser.add_argument("--seed", help=_("for tests: the game is then not secret"))
    parser.add_argument("--deadline", type=_DEADLINE, default=20, metavar="S")
    parser.add_argument("--on-loss", choices=("wait", "vote", "stop"), default="stop")
    parser.add_argument("--json", action="store_true", help=_("one JSON object a line"))
    add_face_options(parser)


def _replay(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = sub.add_parser("replay", help=_("play a saved game again; without FILE list them"))
    parser.add_argument("file", nargs="?", metavar="FILE", help=_("the record of a game"))
    parser.add_argument("--html", metavar="OUT", help=_("write one self-contained page there"))
    parser.add_argument("--json", action="store_true", help=_("one JSON object a line"))
    parser.add_argument("--data-dir", metavar="DIR", help=_("where saved games and settings are"))
    add_face_options(parser)


def _watch(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = sub.add_parser("watch", help=_("watch a table, and verify all that is public there"))
    parser.add_argument("--table", metavar="NAME", help=_("the table's name (default: any)"))
    parser.add_argument("--name", metavar="NICK", help=_("the name that the players are shown"))
    parser.add_argument(
        "--wait", type=_WAIT, default=60.0, metavar="S", help=_("to find the table")
    )
    parser.add_argument("--record", metavar="DIR", help=_("write the game's record there"))
    parser.add_argument("--json", action="store_true", help=_("one JSON object a line"))
    parser.add_argument(
        "--interface", metavar="ADDR", help=_("look for tables at this address only")
    )
    parser.add_argument(
        "--connect", metavar="HOST:PORT", action="append", default=[],
        help=_("a player of the table, asked without discovery; repeatable"),
    )  # fmt: skip
    parser.add_argument("--data-dir", metavar="DIR", help=_("where your settings are kept"))
    add_face_options(parser)


def _others(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = sub.add_parser("tables", help=_("list the tables on the LAN"))
    _add_language(parser)
    parser.add_argument("--wait", type=_WAIT, default=2.0, metavar="S", help=_("how long to look"))
    parser.add_argument("--json", action="store_true", help=_("one JSON object a line"))
    group = parser.add_argument_group(_("network"))
    _add_place_options(group)
    parser = sub.add_parser("verify", help=_("verify game records and evidence files offline"))
    _add_language(parser)
    parser.add_argument("files", nargs="+", metavar="RECORD")
    parser.add_argument("--json", action="store_true", help=_("one JSON object a line"))
    parser = sub.add_parser("rules", help=_("the rules of a game with its options"))
    _add_language(parser)
    parser.add_argument("game", choices=("belota", "belka"))
    parser.add_argument("options", metavar="KEY=VALUE", nargs="*", default=[])
    parser.add_argument("--option", metavar="KEY=VALUE", action="append", default=[])
    parser.add_argument("--json", action="store_true", help=_("the options as one JSON object"))
    parser = sub.add_parser("id", help=_("this peer's name and fingerprint"))
    _add_language(parser)
    parser.add_argument("--data-dir", metavar="DIR")
    parser.add_argument("--json", action="store_true", help=_("one JSON object"))
    parser = sub.add_parser("doctor", help=_("what would keep a table from forming here"))
    _add_language(parser)
    parser.add_argument("--json", action="store_true", help=_("one JSON object a line"))
    add_net_options(parser)
    parser = sub.add_parser("bench", help=_("time the parts and a whole deal"))
    _add_language(parser)
    parser.add_argument("--json", action="store_true", help=_("one JSON object a line"))
    parser.add_argument("--game", choices=("belota", "belka"), default="belota")
    parser.add_argument(
        "--rounds", type=_COUNT, default=15, metavar="N", help=_("times each is run")
    )
    parser.add_argument("--only", metavar="NAMES", help=_("only these, separated by commas"))
    parser.add_argument(
        "--ui", action="store_true", help=_("time the screens of four peers instead")
    )


def _bots(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = sub.add_parser("arena", help=_("bots against each other, duplicate deals"))
    _add_language(parser)
    parser.add_argument("a", metavar="A", help=_("a bot: easy, normal, hard, or oracle (sees all)"))
    parser.add_argument("b", metavar="B", help=_("the bot it plays against"))
    parser.add_argument("--game", choices=("belota", "belka"), default="belota")
    parser.add_argument("--option", metavar="KEY=VALUE", action="append", default=[])
    parser.add_argument(
        "--deals", type=_COUNT, default=200, metavar="N", help=_("each played twice")
    )
    parser.add_argument(
        "--jobs", type=_number(int, 1, 1024), default=2, metavar="N", help=_("processes")
    )
    parser.add_argument("--dask", metavar="ADDRESS", help=_("play on a Dask cluster (extra dask)"))
    parser.add_argument("--seed", default="1", help=_("the same seed gives the same result"))
    parser.add_argument(
        "--resume", metavar="FILE", help=_("keep results there, and go on from them")
    )
    parser.add_argument("--json", action="store_true", help=_("the result as one JSON object"))
    parser = sub.add_parser("check-bot", help=_("play a program of yours through many positions"))
    _add_language(parser)
    parser.add_argument("command_line", metavar="COMMAND", help=_("as for peer --exec"))
    parser.add_argument("--game", choices=("belota", "belka"), help=_("default: both games"))
    parser.add_argument("--positions", type=_COUNT, default=200, metavar="N")
    parser.add_argument(
        "--seconds",
        type=_number(float, 0.05, 86400),
        default=5.0,
        metavar="S",
        help=_("for one answer"),
    )
    parser.add_argument("--seed", default="1", help=_("for other positions"))
    parser.add_argument("--json", action="store_true", help=_("one JSON object a line"))


MODULES = {name: f"p2pcards.commands.{name}" for name in
           ("play", "peer", "demo", "tables", "verify", "replay", "watch", "rules", "doctor",
            "bench", "arena")}  # fmt: skip
MODULES["id"] = "p2pcards.commands.ident"
MODULES["check-bot"] = "p2pcards.commands.checkbot"


def build_parser() -> argparse.ArgumentParser:
    """The whole command line."""
    parser: argparse.ArgumentParser = speech.Parser(
        prog="p2pcards",
        description=_(
            "Belka and Belotă for four friends on one LAN, with no server and no dealer to trust."
        ),
        epilog=_(EXIT_TEXT),
    )
    parser.add_argument(
        "--version", action="version", version=f"p2pcards {__version__}",
        help=_("show program's version number and exit"),
    )  # fmt: skip
    sub = parser.add_subparsers(dest="command", metavar="COMMAND")
    _play(sub)
    _demo(sub)
    _peer(sub)
    _replay(sub)
    _watch(sub)
    _others(sub)
    _bots(sub)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit status."""
    face.mend_streams()
    try:
        try:
            return _run(argv)
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except (OSError, BaseExceptionGroup) as exc:
        return face.output_failed(exc)


def _run(argv: Sequence[str] | None) -> int:
    face.forgive_output()
    speech.choose_early(sys.argv[1:] if argv is None else argv)
    parser = build_parser()
    args = parser.parse_args(argv)
    if args.command is None:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            parser.print_usage(sys.stderr)
            return 2
        args = parser.parse_args(["play"])
    speech.for_programs(args)
    module = importlib.import_module(MODULES[args.command])
    return int(module.run(args))
