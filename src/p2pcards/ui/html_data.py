"""What the script of a page of a saved game shows, step by step."""

from __future__ import annotations

import json
from typing import Any

from p2pcards.cards import Card, Suit
from p2pcards.games.base import State
from p2pcards.ui import panel
from p2pcards.ui.cardtext import grouped, suit_name
from p2pcards.ui.html_parts import card_label
from p2pcards.ui.i18n import _
from p2pcards.ui.replay import Reel, Stop
from p2pcards.ui.screen import Screen
from p2pcards.ui.table import place_of, seat_lines

_NOTHING: dict[str, Any] = {
    "deal": "", "trump": "", "score": "", "hidden": False, "marks": [""] * 4, "turn": None,
    "hands": [[]] * 4, "sizes": [0] * 4, "trick": [], "won": None,
}  # fmt: skip
"""What is on the table before the first deal."""


def data_of(reel: Reel, seat: int) -> str:
    """The whole game as JSON that can stand inside a script element, seen from a seat."""
    values = {
        "names": [reel.speaker.who(each) for each in range(4)],
        "places": _places(reel, seat),
        "suits": {suit.letter: suit_name(suit) for suit in Suit},
        "steps": [_step(reel, at, seat) for at in range(len(reel.stops))],
    }
    text = json.dumps(values, ensure_ascii=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _places(reel: Reel, seat: int) -> list[int]:
    """Where each seat is shown: below, at the left, opposite, at the right."""
    if not reel.stops:
        return list(range(4))
    screen = Screen(table=reel.table_at(len(reel.stops) - 1, seat))
    return [place_of(screen, each) for each in range(4)]


def _step(reel: Reel, at: int, seat: int) -> dict[str, Any]:
    stop = reel.stops[at]
    state = stop.table.state
    step = {**_NOTHING, "said": _said(stop), "new": stop.kind == "deal"}
    if state is None:
        return step
    trick = state.trick
    if stop.has_trick or (not trick.cards and state.tricks and stop.kind == "score"):
        trick = state.tricks[-1]
    hands = [grouped(reel.hand(at, s), reel.game, state.trump) for s in range(4)]
    screen = Screen(table=stop.table)
    return {
        **step,
        "deal": _("Deal {n}", n=state.deal),
        "trump": panel.trump_line(screen)[0],
        "score": _score(reel, state, seat),
        "hidden": reel.is_hidden(at, seat),
        "marks": [_marks(screen, s) for s in range(4)],
        "turn": next((s for s in range(4) if panel.is_turn(screen, s)), None),
        "hands": [[_face(card) for card in hand] for hand in hands],
        "sizes": list(state.hand_sizes),
        "trick": [[s, *_face(card)] for s, card in trick.by_seat()],
        "won": trick.winner,
    }


def _said(stop: Stop) -> str:
    """What is told of an event, in a line; there is never nothing to say."""
    if stop.kind == "score":
        return _("the deal is scored")
    return "; ".join(stop.lines) or _("the cards are dealt")


def _score(reel: Reel, state: State, seat: int) -> str:
    """The score, with the side of the seat below first."""
    one, two = seat % 2, 1 - seat % 2
    pair, scores = reel.speaker.pair, state.scores
    return f"{pair(one)} {scores[one]} : {scores[two]} {pair(two)}"


def _marks(screen: Screen, seat: int) -> str:
    """What is told of a player beside the table, but for the name."""
    told = [text for text, _style in seat_lines(screen, seat)[1:]]
    suit = panel.own_suit(screen, seat)
    return ", ".join([suit] * bool(suit) + told)


def _face(card: Card) -> tuple[str, str]:
    return card_label(card), card.suit.letter
