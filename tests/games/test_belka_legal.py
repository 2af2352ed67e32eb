"""Legal cards of Belka: against plain loops, all orders of trumps, counts of legal lines."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.cards import DECK, Card, Rank, Suit, parse_cards
from p2pcards.games.base import (
    IllegalActionError,
    Phase,
    Play,
    Rule,
    Trick,
    following,
)
from p2pcards.games.belka import BELKA
from p2pcards.games.belka_options import BelkaOptions
from p2pcards.games.belka_state import BelkaState
from tests.games import belka_oracle as oracle

SETTINGS: dict[str, Any] = {"deadline": None, "derandomize": True}
SEEDS = st.integers(0, 2**40)
ACES = ("free", "held")


def at(
    trump: Suit, trick: tuple[Card, ...], aces: str = "free", before: tuple[Trick, ...] = ()
) -> BelkaState:
    """The state in which seat 0 led this trick and the next seat is to play."""
    return replace(
        BELKA.start(BelkaOptions(ace_discard=aces), 3),
        phase=Phase.PLAY,
        trump=trump,
        tricks=before,
        trick=Trick(0, trick),
        turn=following(0, len(trick)),
        hand_sizes=(8, 8, 8, 8),
    )


def expected(hand: frozenset[Card], state: BelkaState) -> set[str]:
    """The legal cards by the plain loops."""
    assert state.trump is not None
    held = [card.ascii for card in hand]
    trick = [card.ascii for card in state.trick.cards]
    leads = " ".join(past.cards[0].ascii for past in state.tricks)
    aces = state.options.ace_discard
    return set(oracle.legal(held, trick, state.trump.letter, aces, leads))


def position(seed: int) -> tuple[BelkaState, frozenset[Card]]:
    """Up to three earlier tricks, a trick of up to three cards, a hand, a trump, a rule of aces."""
    rng = random.Random(seed)
    cards = rng.sample(DECK, 32)
    past, length, size = 4 * rng.randint(0, 3), rng.randint(0, 3), rng.randint(1, 8)
    before = tuple(Trick(0, tuple(cards[i : i + 4]), winner=0) for i in range(0, past, 4))
    trick = tuple(cards[past : past + length])
    state = at(rng.choice(list(Suit)), trick, rng.choice(ACES), before)
    return state, frozenset(cards[past + length : past + length + size])


@settings(max_examples=600, **SETTINGS)
@given(SEEDS)
def test_legal_cards_agree_with_plain_loops(seed: int) -> None:
    state, hand = position(seed)
    legal = BELKA.legal(state, hand)
    assert {card.ascii for card in legal} == expected(hand, state)
    assert legal
    for card in hand:
        refused = BELKA.why_illegal(state, hand, card)
        assert (refused is None) == (card in legal)
        assert refused is None or frozenset(refused.cards) == frozenset(legal)


@settings(max_examples=120, **SETTINGS)
@given(SEEDS)
def test_excluded_is_about_pairs_of_cards(seed: int) -> None:
    """A card is excluded exactly if holding it, and nothing else, makes the play illegal."""
    state, hand = position(seed)
    free = [card for card in DECK if card not in state.trick.cards]
    for card in hand:
        excluded = BELKA.excluded(state, card)
        assert card not in excluded
        for other in free:
            if other != card:
                pair = frozenset({card, other})
                assert (other in excluded) == (card.ascii not in expected(pair, state))


@pytest.mark.parametrize("trump", Suit)
def test_one_card_was_led(trump: Suit) -> None:
    for led in DECK:
        state = at(trump, (led,), "held")
        rng = random.Random(f"{trump}/{led}")
        for _ in range(12):
            hand = frozenset(rng.sample([c for c in DECK if c != led], rng.randint(1, 8)))
            assert {c.ascii for c in BELKA.legal(state, hand)} == expected(hand, state)


@pytest.mark.parametrize("trump", Suit)
def test_the_higher_of_two_trumps_wins(trump: Suit) -> None:
    """All hundred and ten ordered pairs of the eleven trumps, led or played on a plain lead."""
    letter = trump.letter
    order = ["Jc", "Js", "Jh", "Jd", *(rank + letter for rank in ("A", "10", "K", "Q"))]
    order += ["9" + letter, "8" + letter, "7" + letter]
    plain = next(card for card in DECK if card.suit != trump and card.rank is not Rank.JACK)
    for first, second in permutations(order, 2):
        pair = parse_cards(f"{first} {second}")
        higher = int(order.index(second) < order.index(first))
        assert BELKA.trick_winner(Trick(0, pair), trump) == higher
        assert BELKA.trick_winner(Trick(0, (plain, *pair)), trump) == 1 + higher
        assert BELKA.legal(at(trump, pair[:1]), (pair[1], plain)) == (pair[1],)


@pytest.mark.parametrize("trump", Suit)
def test_points_and_suits_of_the_whole_deck(trump: Suit) -> None:
    assert sum(BELKA.points(card, trump) for card in DECK) == 120
    for suit in Suit:
        cards = sorted(BELKA.of_suit(suit, trump), key=lambda c: BELKA.strength(c, trump))
        names = [card.ascii for card in cards]
        plain = [rank + suit.letter for rank in ("7", "8", "9", "Q", "K", "10", "A")]
        assert names == plain + (["Jd", "Jh", "Js", "Jc"] if suit == trump else [])


@settings(max_examples=150, **SETTINGS)
@given(SEEDS)
def test_the_winner_agrees_with_plain_loops(seed: int) -> None:
    state, hand = position(seed)
    assert state.trump is not None
    trick = (*state.trick.cards, min(hand))
    seat = BELKA.trick_winner(Trick(0, trick), state.trump)
    assert seat == oracle.holder([c.ascii for c in trick], state.trump.letter)


def count_lines(state: BelkaState, hands: tuple[frozenset[Card], ...], depth: int) -> int:
    """How many sequences of legal plays of this length the engine allows."""
    if depth == 0:
        return 1
    count = 0
    for card in BELKA.legal(state, hands[state.turn]):
        rest = tuple(h - {card} if s == state.turn else h for s, h in enumerate(hands))
        count += count_lines(BELKA.apply(state, Play(state.turn, card)), rest, depth - 1)
    return count


DEALT = ["Jd 7h 9d Ac", "7s Ah Jc 10h", "10d 7d As Qd", "9h Kd Kh Ad"]


@pytest.mark.parametrize(
    ("trump", "aces", "counts"),
    [
        (Suit.HEARTS, "free", [4, 14, 52, 136, 408, 998, 2016]),
        (Suit.HEARTS, "held", [4, 14, 42, 96, 288, 527, 958]),
        (Suit.CLUBS, "free", [4, 8, 28, 72, 216, 492, 1006]),
        (Suit.CLUBS, "held", [4, 7, 21, 48, 144, 240, 414]),
    ],
)
def test_counts_of_legal_lines(trump: Suit, aces: str, counts: list[int]) -> None:
    """Four cards each; the numbers were counted by the plain loops."""
    hands = tuple(frozenset(parse_cards(text)) for text in DEALT)
    names = [text.split() for text in DEALT]
    for depth, lines in enumerate(counts, 1):
        assert oracle.lines(names, [], 0, depth, (trump.letter, aces, "")) == lines
        assert count_lines(at(trump, (), aces), hands, depth) == lines


@pytest.mark.parametrize(
    ("trick", "hand", "card", "rule", "due"),
    [
        ("7d", "Jd 9d Ac", "Jd", Rule.MUST_FOLLOW, "9d"),
        ("Jd", "Ad 7s Ac", "Ad", Rule.MUST_FOLLOW, "7s"),
        ("9c", "Ah 8d", "Ah", Rule.ACE_HELD, "8d"),
        ("9c", "Ah Js Ad", "Ad", Rule.ACE_HELD, "Js"),
    ],
)
def test_the_reason_of_a_refusal(trick: str, hand: str, card: str, rule: Rule, due: str) -> None:
    state = at(Suit.SPADES, parse_cards(trick), "held")
    error = BELKA.why_illegal(state, frozenset(parse_cards(hand)), Card.parse(card))
    assert error is not None
    assert (error.rule, frozenset(error.cards)) == (rule, frozenset(parse_cards(due)))
    assert all(str(c) in str(error) for c in error.cards)


def refused(state: BelkaState, seat: int, card: str) -> Rule:
    """Why everybody at the table refuses this play."""
    with pytest.raises(IllegalActionError) as caught:
        BELKA.check_play(state, Play(seat, Card.parse(card)))
    return caught.value.rule


def test_a_discard_on_a_jack_shows_that_no_trump_is_held() -> None:
    led = BELKA.apply(at(Suit.HEARTS, ()), Play(0, Card.parse("Jd")))
    after = BELKA.apply(led, Play(1, Card.parse("Ad")))
    lacking = {card.ascii for card in after.absent[1]}
    assert lacking == {"Jc", "Js", "Jh", "Ah", "10h", "Kh", "Qh", "9h", "8h", "7h"}
    later = replace(after, trick=Trick(1), turn=1)
    assert refused(later, 1, "7h") is Rule.REVOKE
    assert refused(later, 1, "Js") is Rule.REVOKE
    BELKA.check_play(later, Play(1, Card.parse("Qd")))


def test_a_held_ace_that_is_discarded_shows_that_only_such_aces_are_left() -> None:
    led = BELKA.apply(at(Suit.SPADES, (), "held"), Play(0, Card.parse("9c")))
    after = BELKA.apply(led, Play(1, Card.parse("Ah")))
    free = frozenset(DECK) - after.absent[1]
    assert {card.ascii for card in free} == {"Ah", "Ad", "9c"}
