"""What a bot in another program is told and answers: one JSON object a line, version 1.

Cards are written as ``10c`` or ``Js``, suits as ``c``, ``d``, ``h``, ``s``, choices as a card,
``pass``, ``take`` or ``name h``. Seats are 0 to 3 in the order of play; partners sit opposite.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from p2pcards.cards import Card
from p2pcards.games.base import Action, Name, Pass, Phase, Play, State, Take, Trick, View
from p2pcards.games.belka_state import BelkaState
from p2pcards.games.belota_state import BelotaState
from p2pcards.games.engine import Game
from p2pcards.harmless import harmless
from p2pcards.worded import Worded

VERSION = 1
LONGEST = 65536
"""Bytes of the longest line that is read."""


class DialogueError(ValueError):
    """A line that the dialogue does not allow; the text says why."""


def hello(game: Game[Any], view: View, seconds: float) -> dict[str, Any]:
    """The first line to the program."""
    return {
        "type": "hello",
        "version": VERSION,
        "game": game.name,
        "options": dict(view.state.options.items()),
        "seat": view.seat,
        "seconds": seconds,
    }


def question(view: View, choices: tuple[Action, ...], number: int) -> dict[str, Any]:
    """A question: what the seat knows and what it may choose."""
    return {
        "type": "question",
        "id": number,
        "kind": "bid" if view.state.phase is Phase.BID else "play",
        "seat": view.seat,
        "hand": cards(view.hand),
        "choices": [choice_text(choice) for choice in choices],
        "state": state_values(view.state),
    }


def choice_text(choice: Action) -> str:
    """A choice as it is written."""
    match choice:
        case Play(_, card):
            return card.ascii
        case Name(_, suit):
            return f"name {suit.letter}"
        case Take():
            return "take"
        case Pass():
            return "pass"
    raise TypeError(f"{choice} is no choice of a seat")


def cards(held: Iterable[Card]) -> list[str]:
    """Cards as they are written, sorted."""
    return [card.ascii for card in sorted(held)]


def trick_values(trick: Trick) -> dict[str, Any]:
    """A trick: who led, the cards in the order played, and the winner of a finished one."""
    return {
        "leader": trick.leader,
        "cards": [card.ascii for card in trick.cards],
        "winner": trick.winner,
    }


def state_values(state: State) -> dict[str, Any]:
    """The public state."""
    values: dict[str, Any] = {
        "deal": state.deal,
        "dealer": state.dealer,
        "trump": None if state.trump is None else state.trump.letter,
        "trick": trick_values(state.trick),
        "tricks": [trick_values(trick) for trick in state.tricks],
        "hand_sizes": list(state.hand_sizes),
        "shown": [cards(held) for held in state.shown],
        "absent": [cards(missing) for missing in state.absent],
        "scores": list(state.scores),
        "games_won": list(state.games_won),
    }
    if isinstance(state, BelotaState):
        values["turned"] = None if state.turned is None else state.turned.ascii
        values |= {"taker": state.taker, "passes": state.passes, "pot": state.pot}
    if isinstance(state, BelkaState):
        values |= {"jack": state.jack, "clubs": state.clubs, "eggs": state.eggs}
    return values


def write(values: dict[str, Any]) -> bytes:
    """A line."""
    return json.dumps(values, separators=(",", ":")).encode() + b"\n"


def read(line: bytes) -> dict[str, Any]:
    """A line's object.

    Raises:
        DialogueError: it is not one JSON object.
    """
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        raise DialogueError(
            Worded("it wrote {text}, which is not JSON", text=shown(line))
        ) from None
    if not isinstance(values, dict):
        raise DialogueError(Worded("it wrote {text}, which is not a JSON object", text=shown(line)))
    return values


def read_hello(line: bytes) -> str:
    """The name in a program's greeting; raises DialogueError."""
    values = read(line)
    if values.get("type") != "hello":
        raise DialogueError(Worded("it wrote {text} where its hello is due", text=shown(line)))
    if values.get("version") != VERSION:
        version = quoted(values.get("version"))
        raise DialogueError(
            Worded(
                "it speaks version {version} of the dialogue, we speak {ours}",
                version=version,
                ours=VERSION,
            )
        )
    name = values.get("name", "")
    if not isinstance(name, str) or len(name) > 64:
        raise DialogueError("its name is not a text of at most 64 characters")
    return name


def read_answer(line: bytes, number: int, choices: tuple[Action, ...]) -> Action:
    """The choice in an answer to the question of this number; raises DialogueError."""
    values = read(line)
    if values.get("type") != "answer":
        raise DialogueError(Worded("it wrote {text} where an answer is due", text=shown(line)))
    if values.get("id") != number or isinstance(values.get("id"), bool):
        raise DialogueError(
            Worded(
                "it answered question {text}, not {number}",
                text=quoted(values.get("id")),
                number=number,
            )
        )
    text = values.get("choice")
    for choice in choices:
        if text == choice_text(choice):
            return choice
    legal = ", ".join(choice_text(choice) for choice in choices)
    raise DialogueError(
        Worded(
            "it chose {text}, which is not legal now; legal are {legal}",
            text=quoted(text),
            legal=legal,
        )
    )


def shown(line: bytes) -> str:
    """A line of a program as text that is safe to print, in quotes."""
    return f'"{_safe(line.decode("utf-8", "replace").rstrip())}"'


def quoted(value: object) -> str:
    """A value that a program sent as text that is safe to print."""
    return _safe(json.dumps(value, ensure_ascii=False))


def _safe(text: str, most: int = 60) -> str:
    clean = harmless(text)
    return clean[:most] + ("..." if len(clean) > most else "")
