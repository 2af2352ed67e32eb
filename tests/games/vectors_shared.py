"""How the questions that both games' rule vectors ask are put to an engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from p2pcards.cards import Card, Suit, parse_cards
from p2pcards.games.base import Phase, State, Trick, following
from p2pcards.games.engine import Game
from p2pcards.games.options import OptionError
from p2pcards.games.registry import GAMES

Vector = dict[str, Any]
FIELDS: dict[str, set[str]] = {
    "legal": {"trump", "trick", "hand"},
    "excluded": {"trump", "trick", "card"},
    "winner": {"trump", "trick"},
    "options": {"given"},
}
MAY_HAVE = {"options", "before"}
CARD_SETS = {"legal", "excluded"}


def runners(name: str) -> dict[str, Callable[[Vector], Any]]:
    """The shared questions, put to the engine of this name."""
    game = GAMES[name]
    return {
        "legal": lambda vector: legal(game, vector),
        "excluded": lambda vector: excluded(game, vector),
        "winner": lambda vector: winner(game, vector),
        "options": lambda vector: options(game, vector),
    }


def wanted(vector: Vector) -> Any:
    """The answer to compare with; cards without an order become a set."""
    if vector["ask"] in CARD_SETS:
        return frozenset(parse_cards(vector["answer"]))
    return vector["answer"]


def position(game: Game[Any], vector: Vector) -> State:
    """The state in which seat 0 led the vector's trick and the next seat is to play."""
    cards = parse_cards(vector["trick"])
    trump = Suit.parse(vector["trump"])
    earlier = [Trick(0, parse_cards(text)) for text in vector.get("before", [])]
    state: State = game.start(game.parse_options(vector.get("options", {})), 3)
    return replace(
        state,
        phase=Phase.PLAY,
        trump=trump,
        tricks=tuple(replace(past, winner=game.trick_winner(past, trump)) for past in earlier),
        trick=Trick(0, cards),
        turn=following(0, len(cards)),
        hand_sizes=(8, 8, 8, 8),
    )


def legal(game: Game[Any], vector: Vector) -> frozenset[Card]:
    """The cards of the hand that may be played."""
    hand = parse_cards(vector["hand"])
    return frozenset(game.legal(position(game, vector), hand))


def excluded(game: Game[Any], vector: Vector) -> frozenset[Card]:
    """The cards that must not be held beside the card that is played."""
    return game.excluded(position(game, vector), Card.parse(vector["card"]))


def winner(game: Game[Any], vector: Vector) -> dict[str, int]:
    """The seat that holds the trick, and the points in it."""
    trump, trick = Suit.parse(vector["trump"]), Trick(0, parse_cards(vector["trick"]))
    return {
        "winner": game.trick_winner(trick, trump),
        "points": sum(game.points(card, trump) for card in trick.cards),
    }


def options(game: Game[Any], vector: Vector) -> dict[str, str] | None:
    """The options in their canonical form, or None where they are refused."""
    try:
        return dict(game.parse_options(vector["given"]).items())
    except OptionError:
        return None
