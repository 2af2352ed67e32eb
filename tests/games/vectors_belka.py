"""How Belka's own rule vectors are put to the engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from p2pcards.cards import Card, parse_cards
from p2pcards.games.awaited import AwaitAnnounce, MatchOver
from p2pcards.games.base import (
    Announced,
    Dealt,
    DeckReady,
    IllegalActionError,
    Phase,
    Play,
    Redeal,
    Seat,
    Signed,
)
from p2pcards.games.belka import BELKA
from p2pcards.games.belka_options import BelkaOptions
from p2pcards.games.belka_score import DealFacts, close_deal, score_deal
from p2pcards.games.belka_state import BelkaState

Vector = dict[str, Any]

FIELDS: dict[str, set[str]] = {
    "dealing": {"dealer"},
    "lead": {"dealer", "deal", "holder"},
    "trumps": {"holders"},
    "weak": {"hand"},
    "redeal": {"dealer", "deal", "shown"},
    "score": {"first", "tricks", "taken", "jack", "eggs"},
    "sequence": {"start", "deals"},
    "deal": {"dealer", "clubs", "deck", "plays"},
}


def start(vector: Vector, dealer: Seat, deal: int = 1, clubs: Seat | None = None) -> BelkaState:
    """The state before a deck, with the vector's options; clubs are owned after the first deal."""
    state = BELKA.start(BelkaOptions.parse(vector.get("options", {})), dealer)
    owner = 0 if clubs is None and deal > 1 else clubs
    return replace(state, deal=deal, deal_in_game=deal, clubs=owner)


def dealt(state: BelkaState) -> BelkaState:
    """The state once a deck is ready and the hands are dealt."""
    return BELKA.apply(BELKA.apply(state, DeckReady()), Dealt())


def announced(state: BelkaState, holder: Seat) -> tuple[BelkaState, bool]:
    """The state once this seat has said that it holds J♣, where that is due; whether it was."""
    if isinstance(BELKA.awaited(state), AwaitAnnounce):
        return BELKA.apply(state, Announced(holder)), True
    return state, False


def dealing(vector: Vector) -> dict[str, Any]:
    """The positions each seat gets, and who cuts."""
    state = start(vector, vector["dealer"])
    packet = BELKA.packet(BELKA.apply(state, DeckReady()))
    hands = [[place for place, owner in packet.hidden if owner == seat] for seat in range(4)]
    return {"cutter": BELKA.cutter(state), "hands": hands}


def lead(vector: Vector) -> dict[str, Any]:
    """Whether J♣ is announced, and who leads."""
    state = dealt(start(vector, vector["dealer"], vector["deal"]))
    state, said = announced(state, vector["holder"])
    return {"announced": said, "leader": state.turn}


def trumps(vector: Vector) -> list[str]:
    """The trump of each deal."""
    state, suits = start(vector, 3), []
    for holder in vector["holders"]:
        state, _ = announced(dealt(state), holder)
        assert state.trump is not None
        suits.append(state.trump.letter)
        jack = Play(holder, Card.parse("Jc"))
        state = replace(BELKA.on_play(state, jack), phase=Phase.SCORED)
        state = BELKA.apply(state, Signed())
    return suits


def weak(vector: Vector) -> bool:
    """Whether the hand gives the right to a new deal."""
    return BELKA.is_weak(frozenset(parse_cards(vector["hand"])))


def redeal(vector: Vector) -> dict[str, Any]:
    """What follows when these hands are shown."""
    state = dealt(start(vector, vector["dealer"], vector["deal"]))
    shown = [None if text is None else frozenset(parse_cards(text)) for text in vector["shown"]]
    try:
        state = BELKA.apply(state, Redeal(tuple(shown)))
    except IllegalActionError as error:
        return {"refused": error.rule.value}
    if state.phase is not Phase.DECK:
        return {"again": False}
    return {"again": True, "dealer": state.dealer, "deal": state.deal_in_game}


def facts(deal: Vector, first: bool, eggs: int) -> DealFacts:
    """The facts of a finished deal as a vector gives them."""
    return DealFacts(first, tuple(deal["tricks"]), tuple(deal["taken"]), deal["jack"], eggs)


def score(vector: Vector) -> dict[str, Any]:
    """What the deal adds, the eggs that wait after it, and who won the game by it alone."""
    options = BelkaOptions.parse(vector.get("options", {}))
    result = score_deal(options, facts(vector, vector["first"], vector["eggs"]))
    return {"added": list(result.added), "eggs": result.eggs, "game": result.game}


def sequence(vector: Vector) -> dict[str, Any]:
    """The scores after each deal, and what stands at the table after the last is signed."""
    given = vector["start"]
    state = replace(
        start(vector, given["dealer"], given["deal"]),
        scores=tuple(given["scores"]),
        games_won=tuple(given["games_won"]),
        eggs=given["eggs"],
    )
    after = []
    for deal in vector["deals"]:
        state, _ = announced(dealt(state), deal["jack"])
        known = facts(deal, state.is_first_deal, state.eggs)
        state = BELKA.on_play(state, Play(deal["jack"], Card.parse("Jc")))
        state = close_deal(state, score_deal(state.options, known), known)
        added, scores = list(state.sheets[-1].added), list(state.scores)
        after.append({"added": added, "scores": scores, "eggs": state.eggs})
        state = BELKA.apply(state, Signed(stop=deal.get("stop", False)))
    won = list(state.games_won)
    match BELKA.awaited(state):
        case MatchOver(winner):
            return {"after": after, "end": {"over": True, "winner": winner, "games_won": won}}
    end = {"dealer": state.dealer, "scores": list(state.scores), "games_won": won}
    return {"after": after, "end": {**end, "eggs": state.eggs, "deal": state.deal_in_game}}


def whole_deal(vector: Vector) -> dict[str, Any]:
    """A deal from its deck to its score, card by card."""
    deck, clubs = parse_cards(vector["deck"]), vector["clubs"]
    state = start(vector, vector["dealer"], 1 if clubs is None else 2, clubs)
    hands: list[set[Card]] = [set(), set(), set(), set()]
    for place, seat in BELKA.packet(BELKA.apply(state, DeckReady())).hidden:
        hands[seat].add(deck[place])
    holder = next(seat for seat in range(4) if Card.parse("Jc") in hands[seat])
    state, _ = announced(dealt(state), holder)
    leader = state.turn
    for card in parse_cards(vector["plays"]):
        seat = state.turn
        assert card in BELKA.legal(state, hands[seat])
        hands[seat].remove(card)
        state = BELKA.apply(state, Play(seat, card))
    sheet = state.sheets[-1]
    assert state.trump is not None
    return {
        "trump": state.trump.letter,
        "jack": state.jack,
        "leader": leader,
        "winners": [trick.winner for trick in state.tricks],
        "tricks": list(sheet.tricks),
        "taken": list(sheet.taken),
        "added": list(sheet.added),
        "eggs": state.eggs,
        "game": state.game_won,
    }


RUNNERS: dict[str, Callable[[Vector], Any]] = {
    "dealing": dealing,
    "lead": lead,
    "trumps": trumps,
    "weak": weak,
    "redeal": redeal,
    "score": score,
    "sequence": sequence,
    "deal": whole_deal,
}
