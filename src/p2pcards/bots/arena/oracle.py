"""The oracle: a player that sees all cards, to measure how far a level is from the ceiling.

It exists in the arena alone. It is no level, cannot be named at a table, and has nothing to see
where no arena shows it the hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from p2pcards.cards import Card
from p2pcards.games.base import NO_CARDS, Action, CardSets, View
from p2pcards.games.engine import Game

ORACLE = "oracle"


class Oracle:
    """Plays with all hands open."""

    def __init__(self) -> None:
        self._hands: CardSets = NO_CARDS
        self._deck: Sequence[Card] = ()

    def see(self, hands: CardSets, deck: Sequence[Card]) -> None:
        """Remember all hands and the deck."""
        self._hands, self._deck = hands, tuple(deck)

    def act(self, game: Game[Any], view: View, choices: tuple[Action, ...]) -> Action:
        """The best action against perfect play."""
        raise NotImplementedError
