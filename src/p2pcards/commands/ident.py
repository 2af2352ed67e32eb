"""``p2pcards id``: this peer's identity, to compare by voice."""

from __future__ import annotations

import argparse

from p2pcards.commands import common
from p2pcards.net.errors import NetError
from p2pcards.net.identity import groups, load_or_create
from p2pcards.ui.i18n import why


def run(args: argparse.Namespace) -> int:
    """Show the fingerprint, making an identity if there is none yet."""
    folder = common.data_dir(args)
    try:
        identity = load_or_create(folder)
    except NetError as exc:
        return common.fail(common.NETWORK, why(exc))
    if args.json:
        common.out_json({"fingerprint": identity.fingerprint, "data_dir": str(folder)})
    else:
        common.out(f"{groups(identity.fingerprint)}   ({folder})")
    return common.DONE
