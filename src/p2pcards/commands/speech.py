"""In which language the command line speaks, argparse's own words included.

What a program reads is never translated: with ``--json`` all is said in English.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import pairwise
from typing import NoReturn

from p2pcards.commands import common
from p2pcards.ui import i18n
from p2pcards.ui import settings as ui_settings
from p2pcards.ui.i18n import N_

ARGPARSE = (
    N_("usage: "),
    N_("options"),
    N_("positional arguments"),
    N_("show this help message and exit"),
    N_("%(prog)s: error: %(message)s\n"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("the following arguments are required: %s"),
    N_("unrecognized arguments: %s"),
    N_("not allowed with argument %s"),
    N_("ignored explicit argument %r"),
    N_("expected one argument"),
    N_("expected at least one argument"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("invalid %(type)s value: %(value)r"),
)
"""What argparse says itself and this command line can make it say."""


def choose_early(argv: Sequence[str]) -> None:
    """Speak as ``--lang``, the person's settings or the locale ask, before anything is parsed."""
    folder = common.data_dir(argparse.Namespace(data_dir=_given(argv, "--data-dir")))
    i18n.choose(_given(argv, "--lang") or ui_settings.load(folder).language or None)
    for_programs(argparse.Namespace(json="--json" in argv))
    # argparse takes its words from these names of its own, and has no other door for them.
    for name, found in (("_", i18n._), ("ngettext", i18n.n_)):
        setattr(argparse, name, found)


class Parser(argparse.ArgumentParser):
    """A command line whose wrong use is an object, too, where a program reads."""

    def error(self, message: str) -> NoReturn:
        """Say how it is used and what is wrong, and end."""
        common.told(common.USAGE, message)
        super().error(message)


def for_programs(args: argparse.Namespace) -> None:
    """Speak English from here on if the output is for a program."""
    common.for_programs(getattr(args, "json", False))
    if getattr(args, "json", False):
        i18n.choose("en")


def _given(argv: Sequence[str], name: str) -> str | None:
    """The value of an option as it stands on the command line, right or wrong."""
    for item, after in pairwise([*argv, ""]):
        if item == name:
            return after
        if item.startswith(f"{name}="):
            return item.partition("=")[2]
    return None
