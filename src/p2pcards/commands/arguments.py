"""Arguments that several commands take."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable

from p2pcards.protocol.limits import DEADLINE, THINK
from p2pcards.ui.i18n import LANGUAGES, _

GAMES = ("belota", "belka")


def number(convert: Callable[[str], float], least: float, most: float) -> Callable[[str], float]:
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


WAIT = number(float, 0, 86400)
PORT = number(int, 0, 65535)
STEP_SECONDS = number(int, 1, 3600)
CHOICE_SECONDS = number(int, 1, 86400)
COUNT = number(int, 1, 1_000_000)


def add_rules(parser: argparse.ArgumentParser) -> None:
    """A game and its options, for a command that opens no table to others."""
    parser.add_argument("--game", choices=GAMES, default="belota")
    parser.add_argument("--option", metavar="KEY=VALUE", action="append", default=[])


def add_role(parser: argparse.ArgumentParser) -> None:
    """Whether to open a table or to join one; by default whichever is possible."""
    role = parser.add_mutually_exclusive_group()
    role.add_argument("--open", action="store_true", help=_("open a table without looking for one"))
    role.add_argument("--join", action="store_true", help=_("join a table, never open one"))


def add_json(parser: argparse.ArgumentParser) -> None:
    """Whether a program reads the output."""
    parser.add_argument("--json", action="store_true", help=_("one JSON object a line"))


def add_seed(parser: argparse.ArgumentParser) -> None:
    """The seed of a game that can be played again, and so is not secret."""
    parser.add_argument("--seed", help=_("for tests: the game is then not secret"))


def add_table_options(parser: argparse.ArgumentParser) -> None:
    """The options of every command that finds or opens a table."""
    group = parser.add_argument_group(_("table"))
    group.add_argument("--game", choices=GAMES, default="belota")
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
        "--deadline", type=STEP_SECONDS, metavar="S",
        help=_("seconds for a step without thought (default: {n})", n=DEADLINE),
    )  # fmt: skip
    group.add_argument(
        "--think", type=CHOICE_SECONDS, metavar="S",
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
    add_place_options(group)
    group.add_argument("--port", type=PORT, default=0, help=_("listen on this port"))
    group.add_argument(
        "--connect", metavar="HOST:PORT", action="append", default=[],
        help=_("join without discovery; repeatable"),
    )  # fmt: skip


def add_place_options(group: argparse._ArgumentGroup) -> None:
    """Where this peer is on the network, and where it keeps what is its own."""
    group.add_argument(
        "--interface", metavar="ADDR",
        help=_("use this address only; 127.0.0.1 keeps everything on this machine"),
    )  # fmt: skip
    group.add_argument("--data-dir", metavar="DIR", help=_("where identity and journals are kept"))


def add_face_options(parser: argparse.ArgumentParser) -> None:
    """The options of every command that shows a table to a person."""
    group = parser.add_argument_group(_("screen"))
    group.add_argument("--plain", action="store_true", help=_("line by line, no full screen"))
    group.add_argument("--ascii", action="store_true", help=_("letters instead of suit signs"))
    add_language(group)


def add_language(parser: argparse._ActionsContainer) -> None:
    """The language of what a person reads."""
    parser.add_argument("--lang", choices=tuple(LANGUAGES), help=_("default: the locale's"))
