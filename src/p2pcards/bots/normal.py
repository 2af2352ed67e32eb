"""The middle level: a sensible player with a good memory that does not look ahead."""

from __future__ import annotations

from typing import Any

from p2pcards.bots.bidding import best_bid
from p2pcards.bots.policy import pick
from p2pcards.bots.sight import Sight, choice_of
from p2pcards.games.base import Action, Phase, View
from p2pcards.games.engine import Game


class Normal:
    """Bids by what hands like its own have been worth, and plays by the play policy."""

    def act(self, game: Game[Any], view: View, choices: tuple[Action, ...]) -> Action:
        """The policy's choice; it knows what the seat knows and remembers every card."""
        if view.state.phase is Phase.BID:
            return best_bid(view, choices)
        sight = Sight.of(game, view)
        slot = pick(sight.position, sight.hand, sight.out, sight.taker)
        return choice_of(sight.tables, slot, choices)
