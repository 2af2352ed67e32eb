"""``p2pcards rules``: a game's rules in words, for the options given."""

from __future__ import annotations

import argparse

from p2pcards.commands import common
from p2pcards.games.options import OptionError
from p2pcards.games.registry import GAMES
from p2pcards.ui.i18n import _, why
from p2pcards.ui.rulespage import rules_in


def run(args: argparse.Namespace) -> int:
    """Print the rules, or the options as JSON."""
    game = GAMES.get(args.game)
    if game is None:
        return common.fail(
            common.USAGE, _("no game {game}: {games}", game=args.game, games=", ".join(GAMES))
        )
    try:
        options = game.parse_options(common.read_options([*args.options, *args.option]))
    except (OptionError, common.UsageError) as exc:
        return common.fail(common.USAGE, why(exc))
    if args.json:
        values = dict(options.items())
        changed = [key for key, _, _ in options.differences()]
        common.out_json({"game": game.name, "options": values, "changed": changed})
    else:
        common.tell(rules_in(common.columns(), game, options))
    return common.DONE
