"""The course of a deal of Belotă: packets, bidding, refusals, the public bot, the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from p2pcards.cards import Card, Suit, parse_cards
from p2pcards.games.awaited import AwaitBid, AwaitDeck, AwaitPacket, AwaitPlay, AwaitSigned
from p2pcards.games.base import (
    SEATS,
    Action,
    Announced,
    Dealt,
    DeckReady,
    IllegalActionError,
    Name,
    Pass,
    Phase,
    Play,
    Redeal,
    Rule,
    Seat,
    Signed,
    Take,
    View,
)
from p2pcards.games.belota import BELOTA
from p2pcards.games.belota_options import BelotaOptions
from p2pcards.games.belota_state import BelotaState
from p2pcards.games.options import Options
from p2pcards.games.tally import line

TURNED = Card.parse("9d")


def bidding(dealer: Seat = 3, turned: Card = TURNED) -> BelotaState:
    """The state when the first seat is to bid."""
    state = BELOTA.start(BelotaOptions(), dealer)
    return BELOTA.apply(BELOTA.apply(state, DeckReady()), Dealt(turned))


def passed(state: BelotaState, times: int) -> BelotaState:
    """The state after so many passes."""
    for _ in range(times):
        state = BELOTA.apply(state, Pass(state.turn))
    return state


def refused(state: BelotaState, action: Action) -> Rule:
    """Why the engine refuses an action."""
    with pytest.raises(IllegalActionError) as caught:
        BELOTA.apply(state, action)
    return caught.value.rule


@pytest.mark.parametrize("dealer", SEATS)
def test_what_is_awaited_in_the_course_of_a_deal(dealer: Seat) -> None:
    first = (dealer + 1) % 4
    state = BELOTA.start(BelotaOptions(), dealer)
    order = tuple((first + i) % 4 for i in range(4))
    assert BELOTA.awaited(state) == AwaitDeck(order, (dealer + 3) % 4)
    state = BELOTA.apply(state, DeckReady())
    packet = BELOTA.awaited(state)
    assert isinstance(packet, AwaitPacket)
    assert [place for place, _ in packet.hidden] == list(range(20))
    state = BELOTA.apply(state, Dealt(TURNED))
    assert state.hand_sizes == (5, 5, 5, 5)
    assert BELOTA.awaited(state) == AwaitBid(first, (Take(first), Pass(first)))
    state = BELOTA.apply(state, Take(first))
    packet = BELOTA.awaited(state)
    assert isinstance(packet, AwaitPacket)
    assert packet.given == ((20, first),)
    assert packet.turned is None
    assert [place for place, _ in packet.hidden] == list(range(21, 32))
    state = BELOTA.apply(state, Dealt())
    assert BELOTA.awaited(state) == AwaitPlay(first)
    assert state.hand_sizes == (8, 8, 8, 8)
    assert state.shown[first] == {TURNED}


def test_the_second_round_offers_the_other_suits() -> None:
    state = passed(bidding(), 4)
    awaited = BELOTA.awaited(state)
    others = [Name(0, suit) for suit in Suit if suit is not Suit.DIAMONDS]
    assert awaited == AwaitBid(0, (*others, Pass(0)))


def test_eight_passes_end_the_deal() -> None:
    state = passed(bidding(), 8)
    assert BELOTA.awaited(state) == AwaitSigned()
    assert [str(entry) for entry in state.sheets[-1].lines] == [
        "All four passed twice: nobody scores"
    ]
    state = BELOTA.apply(state, Signed())
    assert (state.phase, state.dealer, state.deal, state.deal_in_game) == (Phase.DECK, 0, 2, 2)
    assert (state.turned, state.passes, state.hand_sizes) == (None, 0, (0, 0, 0, 0))


def other_actions(*fitting: type[Action]) -> Iterator[Action]:
    """One action of each kind, without those that fit."""
    every: list[Action] = [
        DeckReady(),
        Dealt(),
        Pass(0),
        Redeal((None,) * 4),
        Announced(0),
        Play(0, Card.parse("7c")),
        Signed(),
    ]
    return (action for action in every if not isinstance(action, fitting))


def test_actions_out_of_their_phase_are_refused() -> None:
    start = BELOTA.start(BelotaOptions(), 3)
    packet = BELOTA.apply(start, DeckReady())
    bids = BELOTA.apply(packet, Dealt(TURNED))
    play = BELOTA.apply(BELOTA.apply(bids, Take(0)), Dealt())
    scored = passed(bids, 8)
    over = BELOTA.apply(scored, Signed(stop=True))
    for state, fitting in [
        (start, DeckReady),
        (packet, Dealt),
        (bids, Pass),
        (play, Play),
        (scored, Signed),
    ]:
        for action in other_actions(fitting):
            assert refused(state, action) is Rule.WRONG_PHASE, (state.phase, action)
    for action in other_actions():
        assert refused(over, action) is Rule.WRONG_PHASE


def test_a_card_is_turned_exactly_once() -> None:
    state = BELOTA.apply(BELOTA.start(BelotaOptions(), 3), DeckReady())
    assert refused(state, Dealt()) is Rule.NOT_A_CHOICE
    taken = BELOTA.apply(bidding(), Take(0))
    assert refused(taken, Dealt(TURNED)) is Rule.NOT_A_CHOICE


def test_bids_out_of_turn_and_bids_that_are_not_open() -> None:
    assert refused(bidding(), Pass(1)) is Rule.NOT_YOUR_TURN
    assert refused(bidding(), Name(0, Suit.CLUBS)) is Rule.NOT_A_CHOICE
    second = passed(bidding(), 4)
    assert refused(second, Take(0)) is Rule.NOT_A_CHOICE
    assert refused(second, Name(0, Suit.DIAMONDS)) is Rule.NOT_A_CHOICE
    assert BELOTA.apply(second, Name(0, Suit.CLUBS)).trump is Suit.CLUBS


@pytest.mark.parametrize(
    ("hand", "first", "second"),
    [
        ("Jd 7d As Ks 8c", Take(0), Pass(0)),
        ("7d 8d As Ks 8c", Take(0), Pass(0)),
        ("7d 10c As Ks 8c", Pass(0), Pass(0)),
        ("Js 7s 8s Kc 8c", Pass(0), Name(0, Suit.SPADES)),
        ("As 10s Ks Kc 8c", Pass(0), Pass(0)),
        ("9s 10s Ks As 8c", Pass(0), Name(0, Suit.SPADES)),
        ("Jh 9h Ah Jd 7d", Take(0), Name(0, Suit.HEARTS)),
        ("Jc 9s 7c 8c 7s", Pass(0), Name(0, Suit.CLUBS)),
    ],
)
def test_the_public_bot_bids_by_its_stated_rule(hand: str, first: object, second: object) -> None:
    """The nine of diamonds is turned up and counts in the first round."""
    held = frozenset(parse_cards(hand))
    state = bidding()
    assert BELOTA.public_bot(View(state, 0, held)) == first
    later = passed(state, 4)
    assert BELOTA.public_bot(View(later, 0, held)) == second


def test_without_jack_or_nine_the_turned_suit_is_not_taken() -> None:
    state = bidding(turned=Card.parse("Ad"))
    hand = frozenset(parse_cards("10d Kd Qd 7s 8s"))
    assert BELOTA.public_bot(View(state, 0, hand)) == Pass(0)


def test_the_longest_good_suit_is_named() -> None:
    hand = frozenset(parse_cards("Jh 7h 8h 10h Kc"))
    assert BELOTA.simple_bid(View(passed(bidding(), 4), 0, hand)) == Name(0, Suit.HEARTS)


def test_the_public_bot_plays_its_lowest_legal_card() -> None:
    state = BELOTA.apply(BELOTA.apply(bidding(), Take(0)), Dealt())
    hand = frozenset(parse_cards("9c 7d As 7s 10h Jd Kc Qs"))
    assert BELOTA.public_bot(View(state, 0, hand)) == Play(0, Card.parse("7s"), call=True)
    trumps = frozenset(parse_cards("8d 7d As"))
    assert BELOTA.public_bot(View(state, 0, trumps)) == Play(0, Card.parse("7d"), call=True)


def test_options_of_another_game_are_our_own_bug() -> None:
    with pytest.raises(TypeError):
        BELOTA.start(Options(), 0)
    with pytest.raises(RuntimeError):
        BELOTA.packet(replace(bidding(), packet=1))
    with pytest.raises(RuntimeError):
        BELOTA.bids(replace(BELOTA.start(BelotaOptions(), 0), passes=4))


def test_a_sheet_line_is_a_template_and_its_values() -> None:
    entry = line("{team} scores {points}", (20, 0), team="NS", points=20)
    assert str(entry) == "NS scores 20"
    assert entry.points == (20, 0)
