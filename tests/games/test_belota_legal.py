"""Legal cards of Belotă: against plain loops, all orders of trumps, counts of legal lines."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.cards import DECK, Card, Suit, parse_cards
from p2pcards.games.base import (
    NO_CARDS,
    IllegalActionError,
    Phase,
    Play,
    Rule,
    Seat,
    Trick,
    following,
    with_cards,
)
from p2pcards.games.belota import BELOTA
from p2pcards.games.belota_options import BelotaOptions
from p2pcards.games.belota_state import BelotaState
from tests.games import belota_oracle as oracle

VARIANTS = list(product(("may", "must"), ("free", "higher")))
SETTINGS: dict[str, Any] = {"deadline": None, "derandomize": True}


def at(
    trump: Suit, trick: tuple[Card, ...], rules: tuple[str, str] = ("may", "free")
) -> BelotaState:
    """The state in which seat 0 led this trick and the next seat is to play."""
    options = BelotaOptions(undertrump=rules[0], partner_trump=rules[1])
    return replace(
        BELOTA.start(options, 3),
        phase=Phase.PLAY,
        trump=trump,
        trick=Trick(0, trick),
        turn=following(0, len(trick)),
        hand_sizes=(8, 8, 8, 8),
    )


def expected(hand: frozenset[Card], state: BelotaState) -> set[str]:
    """The legal cards by the plain loops."""
    assert state.trump is not None
    held = [card.ascii for card in hand]
    trick = [card.ascii for card in state.trick.cards]
    options = state.options
    trump = state.trump.letter
    return set(oracle.legal(held, trick, trump, options.undertrump, options.partner_trump))


@st.composite
def positions(draw: st.DrawFn) -> tuple[BelotaState, frozenset[Card]]:
    """A trick of up to three cards, a hand of up to eight, a trump and the rules of trumping."""
    cards = draw(st.permutations(DECK))
    length = draw(st.integers(0, 3))
    size = draw(st.integers(1, 8))
    state = at(draw(st.sampled_from(Suit)), tuple(cards[:length]), draw(st.sampled_from(VARIANTS)))
    return state, frozenset(cards[length : length + size])


@settings(max_examples=1500, **SETTINGS)
@given(positions())
def test_legal_cards_agree_with_plain_loops(position: tuple[BelotaState, frozenset[Card]]) -> None:
    state, hand = position
    legal = BELOTA.legal(state, hand)
    assert {card.ascii for card in legal} == expected(hand, state)
    assert legal
    assert set(legal) <= hand


@settings(max_examples=400, **SETTINGS)
@given(positions())
def test_excluded_is_about_pairs_of_cards(position: tuple[BelotaState, frozenset[Card]]) -> None:
    """A card is excluded exactly if holding it, and nothing else, makes the play illegal."""
    state, hand = position
    free = [card for card in DECK if card not in state.trick.cards]
    for card in hand:
        excluded = BELOTA.excluded(state, card)
        for other in free:
            if other != card:
                pair = frozenset({card, other})
                assert (other in excluded) == (card.ascii not in expected(pair, state))


@pytest.mark.parametrize("rules", VARIANTS)
@pytest.mark.parametrize("trump", Suit)
def test_one_card_was_led(trump: Suit, rules: tuple[str, str]) -> None:
    for led in DECK:
        state = at(trump, (led,), rules)
        rng = random.Random(f"{trump}/{rules}/{led}")
        for _ in range(12):
            hand = frozenset(rng.sample([c for c in DECK if c != led], rng.randint(1, 8)))
            assert {c.ascii for c in BELOTA.legal(state, hand)} == expected(hand, state)


@pytest.mark.parametrize("trump", Suit)
def test_the_higher_of_two_trumps_wins(trump: Suit) -> None:
    """All fifty-six ordered pairs, led or played on a plain lead."""
    order = ["J", "9", "A", "10", "K", "Q", "8", "7"]
    plain = next(card for card in DECK if card.suit != trump)
    for first, second in permutations(order, 2):
        pair = tuple(Card.parse(rank + trump.letter) for rank in (first, second))
        higher = int(order.index(second) < order.index(first))
        assert BELOTA.trick_winner(Trick(0, pair), trump) == higher
        assert BELOTA.trick_winner(Trick(0, (plain, *pair)), trump) == 1 + higher
        legal = BELOTA.legal(at(trump, pair[:1]), (pair[1], plain))
        assert legal == (pair[1],)
        held = BELOTA.excluded(at(trump, pair[:1]), pair[1])
        assert bool(held) == (not higher and first != "J")


@pytest.mark.parametrize("trump", Suit)
def test_points_and_order_of_the_whole_deck(trump: Suit) -> None:
    assert sum(BELOTA.points(card, trump) for card in DECK) == 152
    assert sum(BELOTA.points(card, trump) for card in BELOTA.of_suit(trump, trump)) == 62
    for suit in Suit:
        ranks = oracle.TRUMP_ORDER if suit == trump else oracle.PLAIN_ORDER
        cards = sorted(BELOTA.of_suit(suit, trump), key=lambda c: BELOTA.strength(c, trump))
        assert [card.rank.symbol for card in cards] == ranks


@settings(max_examples=500, **SETTINGS)
@given(positions())
def test_the_winner_agrees_with_plain_loops(position: tuple[BelotaState, frozenset[Card]]) -> None:
    state, hand = position
    assert state.trump is not None
    trick = (*state.trick.cards, min(hand))
    seat = BELOTA.trick_winner(Trick(0, trick), state.trump)
    assert seat == oracle.holder([c.ascii for c in trick], state.trump.letter)


def count_lines(state: BelotaState, hands: tuple[frozenset[Card], ...], depth: int) -> int:
    """How many sequences of legal plays of this length the engine allows."""
    if depth == 0:
        return 1
    count = 0
    for card in BELOTA.legal(state, hands[state.turn]):
        rest = tuple(h - {card} if s == state.turn else h for s, h in enumerate(hands))
        count += count_lines(BELOTA.apply(state, Play(state.turn, card)), rest, depth - 1)
    return count


@pytest.mark.parametrize(
    ("rules", "counts"),
    [
        (("may", "free"), [4, 7, 14, 15, 45, 66, 90, 158, 316, 426, 550, 860]),
        (("must", "free"), [4, 7, 14, 15, 45, 66, 86, 122, 244, 354, 456, 680]),
        (("may", "higher"), [4, 7, 14, 15, 45, 66, 90, 158, 316, 426, 550, 856]),
        (("must", "higher"), [4, 7, 14, 15, 45, 66, 86, 122, 244, 354, 456, 676]),
    ],
)
def test_counts_of_legal_lines(rules: tuple[str, str], counts: list[int]) -> None:
    """Four cards each, hearts are trump; the numbers were counted by the plain loops."""
    dealt = ["10d 7h 9d Ac", "7s Ah Jc Jh", "10h 7d 9s Qd", "9h Jd Kh Qc"]
    hands = tuple(frozenset(parse_cards(text)) for text in dealt)
    names = [text.split() for text in dealt]
    for depth, lines in enumerate(counts, 1):
        assert oracle.lines(names, [], 0, depth, ("h", *rules)) == lines
        assert count_lines(at(Suit.HEARTS, (), rules), hands, depth) == lines


@pytest.mark.parametrize(
    ("trick", "hand", "card", "rules", "rule", "due"),
    [
        ("10s", "As 7h", "7h", ("may", "free"), Rule.MUST_FOLLOW, "As"),
        ("Jh", "7h As", "As", ("may", "free"), Rule.MUST_FOLLOW, "7h"),
        ("Qh", "7h 9h As", "As", ("may", "free"), Rule.MUST_FOLLOW, "9h"),
        ("Qh", "7h 9h As", "7h", ("may", "free"), Rule.MUST_OVERTRUMP, "9h"),
        ("As", "7h Ac", "Ac", ("may", "free"), Rule.MUST_TRUMP, "7h"),
        ("As 8h", "7h 9h Ac", "7h", ("may", "free"), Rule.MUST_OVERTRUMP, "9h"),
        ("As 8h", "7h 9h Ac", "Ac", ("may", "free"), Rule.MUST_OVERTRUMP, "9h"),
        ("As Jh", "7h 9h Ac", "Ac", ("must", "free"), Rule.MUST_UNDERTRUMP, "7h 9h"),
        ("Ks Qh 9s", "8h Ac", "8h", ("may", "higher"), Rule.MUST_NOT_UNDERTRUMP, "Ac"),
    ],
)
def test_the_reason_of_a_refusal(
    trick: str, hand: str, card: str, rules: tuple[str, str], rule: Rule, due: str
) -> None:
    state, held = at(Suit.HEARTS, parse_cards(trick), rules), frozenset(parse_cards(hand))
    error = BELOTA.why_illegal(state, held, Card.parse(card))
    assert error is not None
    assert (error.rule, frozenset(error.cards)) == (rule, frozenset(parse_cards(due)))
    assert all(str(c) in str(error) for c in error.cards)


def refusal(state: BelotaState, seat: Seat, card: str) -> Rule:
    """Why everybody at the table refuses this play."""
    try:
        BELOTA.check_play(state, Play(seat, Card.parse(card)))
    except IllegalActionError as error:
        return error.rule
    raise AssertionError("the play was accepted")


def test_what_everybody_can_see_is_refused() -> None:
    start = at(Suit.HEARTS, ())
    assert refusal(start, 1, "7c") is Rule.NOT_YOUR_TURN
    assert refusal(replace(start, phase=Phase.BID), 0, "7c") is Rule.WRONG_PHASE
    led = BELOTA.apply(start, Play(0, Card.parse("10s")))
    assert refusal(led, 1, "10s") is Rule.ALREADY_PLAYED
    void = BELOTA.apply(led, Play(1, Card.parse("Ac")))
    later = replace(void, trick=Trick(1), turn=1)
    assert refusal(later, 1, "7s") is Rule.REVOKE
    assert refusal(later, 1, "7h") is Rule.REVOKE
    assert not void.absent[0]


def test_a_card_that_lies_open_binds_its_owner() -> None:
    shown = with_cards(NO_CARDS, 1, frozenset(parse_cards("As")))
    state = replace(at(Suit.HEARTS, parse_cards("10s")), shown=shown)
    assert refusal(state, 1, "7h") is Rule.MUST_FOLLOW
    assert refusal(replace(state, turn=0, trick=Trick(0)), 0, "As") is Rule.NOT_IN_HAND
    assert Card.parse("As") not in BELOTA.to_prove(state, Card.parse("7h"))
    played = BELOTA.apply(state, Play(1, Card.parse("As")))
    assert played.shown == NO_CARDS
