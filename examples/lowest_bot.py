"""A bot for `p2pcards peer --exec "python examples/lowest_bot.py"`, with nothing but Python.

It takes the turned suit with three cards of it, the jack or the nine among them. It plays its
cheapest legal card, or the dearest when its partner has won the trick already.
The dialogue is described in protocol.md.
"""

import json
import sys
from typing import Any

POINTS = {"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2}


def points(card: str, trump: str, game: str) -> int:
    """What a card like "10c" counts; jack and nine of trump count more in Belotă."""
    rank, suit = card[:-1], card[-1]
    if game == "belota" and suit == trump and rank in ("J", "9"):
        return 20 if rank == "J" else 14
    return POINTS.get(rank, 0)


def choose(message: dict[str, Any], game: str) -> str:
    """The choice: one of the texts in the question's `choices`."""
    state, choices = message["state"], message["choices"]
    if message["kind"] == "bid":
        turned = state["turned"]
        suit = [card for card in [*message["hand"], turned] if card[-1] == turned[-1]]
        good = len(suit) >= 3 and any(card[:-1] in ("J", "9") for card in suit)
        return "take" if good and "take" in choices else "pass"
    trick, trump = state["trick"]["cards"], state["trump"]
    by_points = sorted(choices, key=lambda card: points(card, trump, game))

    def strength(card: str) -> tuple[bool, bool, int]:
        return (card[-1] == trump, card[-1] == trick[0][-1], points(card, trump, game))

    partner_wins = len(trick) == 3 and max(trick, key=strength) == trick[1]
    return str(by_points[-1 if partner_wins else 0])


def main() -> None:
    """Answer each line with a line, until told to leave."""
    game = ""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            game = message["game"]
            answer = {"type": "hello", "version": 1, "name": "lowest"}
        elif message["type"] == "question":
            answer = {"type": "answer", "id": message["id"], "choice": choose(message, game)}
        else:
            break
        print(json.dumps(answer), flush=True)  # noqa: T201


main()
