"""How Belotă's own rule vectors are put to the engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from p2pcards.cards import Card, Suit, parse_cards
from p2pcards.games.awaited import AwaitBid, AwaitPacket, MatchOver
from p2pcards.games.base import (
    Bid,
    Dealt,
    DeckReady,
    IllegalActionError,
    Name,
    Pass,
    Phase,
    Play,
    Seat,
    Signed,
    Take,
    team,
)
from p2pcards.games.belota import BELOTA
from p2pcards.games.belota_options import BelotaOptions
from p2pcards.games.belota_score import DealFacts, close_deal, score_deal
from p2pcards.games.belota_state import BelotaState, belote_seat

Vector = dict[str, Any]

FIELDS: dict[str, set[str]] = {
    "bidding": {"dealer", "turned", "calls"},
    "dealing": {"dealer", "taker"},
    "score": {"takers", "tricks", "taken", "belote", "pot"},
    "belote": {"trump", "plays"},
    "sequence": {"start", "deals"},
    "deal": {"dealer", "deck", "calls", "plays"},
}


def start(vector: Vector, dealer: Seat) -> BelotaState:
    """The state before the first deck, with the vector's options."""
    return BELOTA.start(BelotaOptions.parse(vector.get("options", {})), dealer)


def turned_up(state: BelotaState, card: Card) -> BelotaState:
    """The state once a deck is ready, five cards are dealt and this one is turned up."""
    return BELOTA.apply(BELOTA.apply(state, DeckReady()), Dealt(card))


def call(state: BelotaState, text: str) -> Bid:
    """A call by the seat to speak: ``pass``, ``take`` or a suit's letter."""
    match text:
        case "pass":
            return Pass(state.turn)
        case "take":
            return Take(state.turn)
        case _:
            return Name(state.turn, Suit.parse(text))


def bidding(vector: Vector) -> dict[str, Any]:
    """What the last call led to."""
    state = turned_up(start(vector, vector["dealer"]), Card.parse(vector["turned"]))
    for text in vector["calls"][:-1]:
        state = BELOTA.apply(state, call(state, text))
    try:
        state = BELOTA.apply(state, call(state, vector["calls"][-1]))
    except IllegalActionError as error:
        return {"refused": error.rule.value}
    match BELOTA.awaited(state):
        case AwaitBid(seat):
            return {"to_speak": seat}
        case AwaitPacket(hidden, _, given):
            more = [sum(owner == seat for _, owner in hidden) for seat in range(4)]
            assert given == ((20, state.taker),)
            assert state.trump is not None
            trump = state.trump.letter
            leader = BELOTA.apply(state, Dealt()).turn
            return {"taker": state.taker, "trump": trump, "leader": leader, "more": more}
        case _:
            assert state.sheets[-1].added == (0, 0)
            return {"passed_out": True, "next_dealer": BELOTA.apply(state, Signed()).dealer}


def dealing(vector: Vector) -> dict[str, Any]:
    """The positions each seat gets, sorted, and who cuts."""
    state = start(vector, vector["dealer"])
    cutter = BELOTA.cutter(state)
    first = BELOTA.packet(BELOTA.apply(state, DeckReady()))
    state = turned_up(state, Card.parse("7c"))
    while state.turn != vector["taker"]:
        state = BELOTA.apply(state, Pass(state.turn))
    second = BELOTA.packet(BELOTA.apply(state, Take(state.turn)))
    owners = first.hidden + second.hidden + second.given
    hands = [sorted(place for place, owner in owners if owner == seat) for seat in range(4)]
    return {"cutter": cutter, "turned": first.turned, "hands": hands}


def facts(deal: Vector, pot: int) -> DealFacts:
    """The facts of a finished deal as a vector gives them."""
    return DealFacts(
        takers=deal["takers"],
        tricks=tuple(deal["tricks"]),
        taken=tuple(deal["taken"]),
        belote=deal["belote"],
        pot=pot,
    )


def score(vector: Vector) -> dict[str, Any]:
    """What the deal adds, and the pot after it."""
    options = BelotaOptions.parse(vector.get("options", {}))
    result = score_deal(options, facts(vector, vector["pot"]))
    return {"added": list(result.added), "pot": result.pot}


def belote(vector: Vector) -> Seat | None:
    """The seat whose belote counts after these plays."""
    state = replace(start(vector, 3), trump=Suit.parse(vector["trump"]))
    for item in vector["plays"]:
        state = BELOTA.on_play(state, Play(item["seat"], Card.parse(item["card"]), item["call"]))
    return belote_seat(state)


def sequence(vector: Vector) -> dict[str, Any]:
    """The scores after each deal, and what stands at the table after the last is signed."""
    given = vector["start"]
    state = replace(
        start(vector, given["dealer"]),
        scores=tuple(given["scores"]),
        games_won=tuple(given["games_won"]),
        pot=given["pot"],
    )
    after = []
    for deal in vector["deals"]:
        state = played(turned_up(state, Card.parse("7c")), deal)
        added, scores = list(state.sheets[-1].added), list(state.scores)
        after.append({"added": added, "scores": scores, "pot": state.pot})
        state = BELOTA.apply(state, Signed(stop=deal.get("stop", False)))
    won = list(state.games_won)
    match BELOTA.awaited(state):
        case MatchOver(winner):
            return {"after": after, "end": {"over": True, "winner": winner, "games_won": won}}
    end = {"dealer": state.dealer, "scores": list(state.scores), "games_won": won}
    return {"after": after, "end": {**end, "pot": state.pot}}


def played(state: BelotaState, deal: Vector) -> BelotaState:
    """The state with this deal scored: passed out, or as its facts say."""
    if deal.get("passed_out"):
        while state.phase is Phase.BID:
            state = BELOTA.apply(state, Pass(state.turn))
        return state
    while team(state.turn) != deal["takers"]:
        state = BELOTA.apply(state, Pass(state.turn))
    state = BELOTA.apply(state, Take(state.turn))
    known = facts(deal, state.pot)
    return close_deal(state, score_deal(state.options, known), known)


def whole_deal(vector: Vector) -> dict[str, Any]:
    """A deal from its deck to its score, card by card."""
    deck = parse_cards(vector["deck"])
    state = turned_up(start(vector, vector["dealer"]), deck[20])
    hands: list[set[Card]] = [set(), set(), set(), set()]
    for place, seat in BELOTA.packet(
        BELOTA.apply(start(vector, vector["dealer"]), DeckReady())
    ).hidden:
        hands[seat].add(deck[place])
    for text in vector["calls"]:
        state = BELOTA.apply(state, call(state, text))
    packet = BELOTA.packet(state)
    for place, seat in packet.hidden + packet.given:
        hands[seat].add(deck[place])
    state = BELOTA.apply(state, Dealt())
    for card in parse_cards(vector["plays"]):
        seat = state.turn
        assert card in BELOTA.legal(state, hands[seat])
        hands[seat].remove(card)
        state = BELOTA.apply(state, Play(seat, card))
    sheet = state.sheets[-1]
    return {
        "winners": [trick.winner for trick in state.tricks],
        "tricks": list(sheet.tricks),
        "taken": list(sheet.taken),
        "belote": belote_seat(state),
        "added": list(sheet.added),
        "pot": state.pot,
    }


RUNNERS: dict[str, Callable[[Vector], Any]] = {
    "bidding": bidding,
    "dealing": dealing,
    "score": score,
    "belote": belote,
    "sequence": sequence,
    "deal": whole_deal,
}
