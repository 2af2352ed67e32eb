"""What each command takes from the command line."""

from __future__ import annotations

import argparse
from typing import TypeAlias

from p2pcards import __version__
from p2pcards.commands import speech
from p2pcards.commands.arguments import (
    COUNT,
    GAMES,
    STEP_SECONDS,
    WAIT,
    add_face_options,
    add_json,
    add_language,
    add_net_options,
    add_place_options,
    add_role,
    add_rules,
    add_seed,
    add_table_options,
    number,
)
from p2pcards.ui.i18n import N_, _

EXIT_TEXT = N_(
    "exit status: 0 done; 1 what was checked is not true; 2 wrong use; 3 nobody came or the "
    "network failed; 4 a seat was lost for good; 5 a seat broke the protocol; 70 a mistake of the "
    "program's own; 130, 143 ended by a signal"
)

PIPE_TEXT = N_(
    "From a pipe, lines are carried out in their order. One that answers waits for its question, "
    "and what stands behind it waits as well, also quit and the end of the lines, which leave the "
    "table. Only bot, dismiss, partner and ready are done as soon as there is a lobby; and when a "
    "player is gone, the first vote, wait or stop among the lines is taken, or else the vote. "
    "Lines that begin with # are comments. There is no start list: without --table or --connect "
    "the first table of the game is joined that has a free seat, or else one is opened; and a pipe "
    "is ready from the start."
)

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


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
    for command in (
        _play, _demo, _peer, _replay, _watch, _tables, _verify, _rules, _id, _doctor, _bench,
        _arena, _check_bot,
    ):  # fmt: skip
        command(sub)
    return parser


def _play(sub: Commands) -> None:
    parser = sub.add_parser("play", help=_("play in this terminal"), epilog=_(PIPE_TEXT))
    add_role(parser)
    parser.add_argument("--ready", action="store_true", help=_("ready as soon as one sits down"))
    parser.add_argument(
        "--wait", type=WAIT, metavar="S",
        help=_("for four to meet (default: no limit; for a pipe 600)"),
    )  # fmt: skip
    parser.add_argument("--record", metavar="DIR", help=_("write the game's record there"))
    parser.add_argument(
        "--on-loss", choices=("ask", "wait", "vote", "stop"), default="ask",
        help=_("about a player who is gone (default: ask; a pipe votes unless it says otherwise)"),
    )  # fmt: skip
    add_seed(parser)
    add_face_options(parser)
    add_table_options(parser)


def _demo(sub: Commands) -> None:
    parser = sub.add_parser(
        "demo", help=_("a whole table on this machine, each seat its own process")
    )
    parser.add_argument(
        "--headless", action="store_true", help=_("four bots, nobody at the keyboard")
    )
    parser.add_argument("--points", type=int, metavar="N", help=_("play to N (option target=N)"))
    add_rules(parser)
    parser.add_argument("--seats", metavar="LEVELS", help=_("bot levels, as in easy,easy,easy"))
    parser.add_argument("--record", metavar="DIR", help=_("write every seat's record there"))
    parser.add_argument(
        "--chaos", type=int, metavar="SEED", help=_("kill and restart seats at random (headless)")
    )
    parser.add_argument("--name", metavar="NICK", help=_("your nickname"))
    parser.add_argument("--data-dir", metavar="DIR", help=_("where your settings are kept"))
    add_seed(parser)
    parser.add_argument("--deadline", type=STEP_SECONDS, default=20, metavar="S")
    parser.add_argument("--on-loss", choices=("wait", "vote", "stop"), default="stop")
    add_json(parser)
    add_face_options(parser)


def _peer(sub: Commands) -> None:
    parser = sub.add_parser("peer", help=_("a headless seat: a bot or a script"))
    add_language(parser)
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
    add_role(parser)
    parser.add_argument(
        "--wait", type=WAIT, default=60.0, metavar="S",
        help=_("for four to meet (default: 60; 0 for no limit)"),
    )  # fmt: skip
    parser.add_argument("--record", metavar="DIR", help=_("write the game's record there"))
    parser.add_argument(
        "--on-loss", choices=("wait", "vote", "stay", "stop"), default="stop",
        help=_("about a player who is gone; stay votes, and waits on while anybody is there"),
    )  # fmt: skip
    add_seed(parser)
    add_json(parser)
    parser.add_argument("-v", "--verbose", action="store_true", help=_("say more"))
    add_table_options(parser)


def _replay(sub: Commands) -> None:
    parser = sub.add_parser("replay", help=_("play a saved game again; without FILE list them"))
    parser.add_argument("file", nargs="?", metavar="FILE", help=_("the record of a game"))
    parser.add_argument("--html", metavar="OUT", help=_("write one self-contained page there"))
    add_json(parser)
    parser.add_argument("--data-dir", metavar="DIR", help=_("where saved games and settings are"))
    add_face_options(parser)


def _watch(sub: Commands) -> None:
    parser = sub.add_parser("watch", help=_("watch a table, and verify all that is public there"))
    parser.add_argument("--table", metavar="NAME", help=_("the table's name (default: any)"))
    parser.add_argument("--name", metavar="NICK", help=_("the name that the players are shown"))
    parser.add_argument("--wait", type=WAIT, default=60.0, metavar="S", help=_("to find the table"))
    parser.add_argument("--record", metavar="DIR", help=_("write the game's record there"))
    add_json(parser)
    parser.add_argument(
        "--interface", metavar="ADDR", help=_("look for tables at this address only")
    )
    parser.add_argument(
        "--connect", metavar="HOST:PORT", action="append", default=[],
        help=_("a player of the table, asked without discovery; repeatable"),
    )  # fmt: skip
    parser.add_argument("--data-dir", metavar="DIR", help=_("where your settings are kept"))
    add_face_options(parser)


def _tables(sub: Commands) -> None:
    parser = sub.add_parser("tables", help=_("list the tables on the LAN"))
    add_language(parser)
    parser.add_argument("--wait", type=WAIT, default=2.0, metavar="S", help=_("how long to look"))
    add_json(parser)
    group = parser.add_argument_group(_("network"))
    add_place_options(group)


def _verify(sub: Commands) -> None:
    parser = sub.add_parser("verify", help=_("verify game records and evidence files offline"))
    add_language(parser)
    parser.add_argument("files", nargs="+", metavar="RECORD")
    add_json(parser)


def _rules(sub: Commands) -> None:
    parser = sub.add_parser("rules", help=_("the rules of a game with its options"))
    add_language(parser)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("options", metavar="KEY=VALUE", nargs="*", default=[])
    parser.add_argument("--option", metavar="KEY=VALUE", action="append", default=[])
    parser.add_argument("--json", action="store_true", help=_("the options as one JSON object"))


def _id(sub: Commands) -> None:
    parser = sub.add_parser("id", help=_("this peer's name and fingerprint"))
    add_language(parser)
    parser.add_argument("--data-dir", metavar="DIR")
    parser.add_argument("--json", action="store_true", help=_("one JSON object"))


def _doctor(sub: Commands) -> None:
    parser = sub.add_parser("doctor", help=_("what would keep a table from forming here"))
    add_language(parser)
    add_json(parser)
    add_net_options(parser)


def _bench(sub: Commands) -> None:
    parser = sub.add_parser("bench", help=_("time the parts and a whole deal"))
    add_language(parser)
    add_json(parser)
    parser.add_argument("--game", choices=GAMES, default="belota")
    parser.add_argument(
        "--rounds", type=COUNT, default=15, metavar="N", help=_("times each is run")
    )
    parser.add_argument("--only", metavar="NAMES", help=_("only these, separated by commas"))
    parser.add_argument(
        "--ui", action="store_true", help=_("time the screens of four peers instead")
    )


def _arena(sub: Commands) -> None:
    parser = sub.add_parser("arena", help=_("bots against each other, duplicate deals"))
    add_language(parser)
    parser.add_argument("a", metavar="A", help=_("a bot: easy, normal, hard, or oracle (sees all)"))
    parser.add_argument("b", metavar="B", help=_("the bot it plays against"))
    add_rules(parser)
    parser.add_argument(
        "--deals", type=COUNT, default=200, metavar="N", help=_("each played twice")
    )
    parser.add_argument(
        "--jobs", type=number(int, 1, 1024), default=2, metavar="N", help=_("processes")
    )
    parser.add_argument("--dask", metavar="ADDRESS", help=_("play on a Dask cluster (extra dask)"))
    parser.add_argument("--seed", default="1", help=_("the same seed gives the same result"))
    parser.add_argument(
        "--resume", metavar="FILE", help=_("keep results there, and go on from them")
    )
    parser.add_argument("--json", action="store_true", help=_("the result as one JSON object"))


def _check_bot(sub: Commands) -> None:
    parser = sub.add_parser("check-bot", help=_("play a program of yours through many positions"))
    add_language(parser)
    parser.add_argument("command_line", metavar="COMMAND", help=_("as for peer --exec"))
    parser.add_argument("--game", choices=GAMES, help=_("default: both games"))
    parser.add_argument("--positions", type=COUNT, default=200, metavar="N")
    parser.add_argument(
        "--seconds",
        type=number(float, 0.05, 86400),
        default=5.0,
        metavar="S",
        help=_("for one answer"),
    )
    parser.add_argument("--seed", default="1", help=_("for other positions"))
    add_json(parser)
