"""The course of a deal of Belka: packets, new deals, announcing, trump, leads, the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from p2pcards.cards import Card, Suit, parse_cards
from p2pcards.games.awaited import (
    AwaitAnnounce,
    AwaitDeck,
    AwaitPacket,
    AwaitPlay,
    AwaitRedeal,
    AwaitSigned,
    MatchOver,
)
from p2pcards.games.base import (
    SEATS,
    Action,
    Announced,
    Dealt,
    DeckReady,
    IllegalActionError,
    Pass,
    Phase,
    Play,
    Redeal,
    Rule,
    Seat,
    Signed,
    View,
)
from p2pcards.games.belka import BELKA
from p2pcards.games.belka_options import BelkaOptions
from p2pcards.games.belka_score import DealFacts, close_deal, score_deal
from p2pcards.games.belka_state import BelkaState
from p2pcards.games.options import Options

JACK = Card.parse("Jc")
NOBODY = Redeal((None, None, None, None))
WEAK = frozenset(parse_cards("7c 8c 9c 7d 8d Jh Jd Qs"))
STRONG = frozenset(parse_cards("Ac 8c 9c Ad 8d Jh Jd 10s"))


def start(dealer: Seat = 3, **items: str) -> BelkaState:
    """The state before the first deck."""
    return BELKA.start(BelkaOptions.parse(items), dealer)


def dealt(state: BelkaState) -> BelkaState:
    """The state once a deck is made and everybody has eight cards."""
    return BELKA.apply(BELKA.apply(state, DeckReady()), Dealt())


def scored(state: BelkaState, jack: Seat, taken: tuple[int, int] = (75, 45)) -> BelkaState:
    """The state with a dealt deal played and scored."""
    clubs = jack if state.clubs is None else state.clubs
    facts = DealFacts(state.is_first_deal, (4, 4), taken, jack % 2, state.eggs)
    state = replace(state, jack=jack, clubs=clubs)
    return close_deal(state, score_deal(state.options, facts), facts)


def later(clubs: Seat, dealer: Seat = 3, **items: str) -> BelkaState:
    """The state with the cards of a second deal dealt; its dealer, and the owner of clubs."""
    first = dealt(start((dealer - 1) % 4, **items))
    return dealt(BELKA.apply(scored(first, clubs), Signed()))


def refused(state: BelkaState, action: Action) -> Rule:
    """Why the engine refuses an action."""
    with pytest.raises(IllegalActionError) as caught:
        BELKA.apply(state, action)
    return caught.value.rule


@pytest.mark.parametrize(("direction", "cutter"), [("ccw", 3), ("cw", 1)])
@pytest.mark.parametrize("dealer", SEATS)
def test_the_first_deal(dealer: Seat, direction: str, cutter: int) -> None:
    """The player at the dealer's left cuts: the one before it when play goes to the right."""
    first = (dealer + 1) % 4
    state = start(dealer, direction=direction)
    order = tuple((first + i) % 4 for i in range(4))
    assert BELKA.awaited(state) == AwaitDeck(order, (dealer + cutter) % 4)
    state = BELKA.apply(state, DeckReady())
    packet = BELKA.awaited(state)
    assert isinstance(packet, AwaitPacket)
    assert packet.turned is None
    assert packet.hidden[:8] == tuple((i, (first + i // 2) % 4) for i in range(8))
    assert [place for place, _ in packet.hidden] == list(range(32))
    state = BELKA.apply(state, Dealt())
    assert BELKA.awaited(state) == AwaitPlay(first)
    assert (state.hand_sizes, state.trump) == ((8, 8, 8, 8), Suit.CLUBS)


def test_no_card_is_turned_up() -> None:
    assert refused(BELKA.apply(start(), DeckReady()), Dealt(JACK)) is Rule.NOT_A_CHOICE


@pytest.mark.parametrize(
    ("direction", "holder", "trump"),
    [
        ("ccw", 1, Suit.CLUBS),
        ("ccw", 2, Suit.HEARTS),
        ("ccw", 3, Suit.SPADES),
        ("ccw", 0, Suit.DIAMONDS),
        ("cw", 1, Suit.CLUBS),
        ("cw", 0, Suit.HEARTS),
        ("cw", 3, Suit.SPADES),
        ("cw", 2, Suit.DIAMONDS),
    ],
)
def test_the_holder_of_the_jack_decides_trump(direction: str, holder: Seat, trump: Suit) -> None:
    """Seat 1 owns clubs; hearts are at its right, which is the next seat when play runs ccw."""
    state = later(1, direction=direction)
    assert BELKA.awaited(state) == AwaitAnnounce(JACK)
    assert state.trump is None
    state = BELKA.apply(state, Announced(holder))
    assert (state.trump, state.jack, state.clubs) == (trump, holder, 1)
    assert BELKA.awaited(state) == AwaitPlay(0)
    for seat in SEATS:
        assert state.shown[seat] == ({JACK} if seat == holder else set())
        assert state.absent[seat] == (set() if seat == holder else {JACK})


def test_in_the_first_deal_the_jack_shows_when_it_is_played() -> None:
    state = dealt(start())
    state = BELKA.apply(state, Play(0, Card.parse("7c")))
    assert (state.jack, state.clubs) == (None, None)
    state = BELKA.apply(state, Play(1, JACK))
    assert (state.jack, state.clubs) == (1, 1)


def test_announced_in_the_first_deal_it_decides_no_trump() -> None:
    state = dealt(start(announce_first="yes"))
    assert BELKA.awaited(state) == AwaitAnnounce(JACK)
    state = BELKA.apply(state, Announced(2))
    assert (state.trump, state.jack, state.clubs) == (Suit.CLUBS, 2, 2)


@pytest.mark.parametrize(
    ("lead", "first", "second"), [("next", 0, 0), ("previous", 2, 2), ("jack", 0, 1)]
)
def test_who_leads(lead: str, first: Seat, second: Seat) -> None:
    """Seat 3 deals, seat 1 holds the jack; nobody knows that in the first deal."""
    assert dealt(start(lead=lead)).turn == first
    assert BELKA.apply(later(0, lead=lead), Announced(1)).turn == second
    known = dealt(start(lead="jack", announce_first="yes"))
    assert BELKA.apply(known, Announced(1)).turn == 1


@pytest.mark.parametrize(("suits", "clubs"), [("fixed", 1), ("rolling", 2)])
def test_how_long_the_suits_stay(suits: str, clubs: Seat) -> None:
    second = BELKA.apply(later(1, suits=suits), Announced(2))
    third = BELKA.apply(scored(second, 2), Signed())
    assert third.clubs == clubs


@pytest.mark.parametrize(
    ("hand", "weak"),
    [
        ("7c 8c Jc Ad 7h 8h 7s 8s", True),
        ("7c 8c Jc Ad 7h 8h Js 8s", False),
        ("7c 8c 9c 7d Jh Qd 10s 8s", False),
        ("Ac 10c 9c 8c 7c As 10s Ks", True),
        ("Ac 10c 9c 8c Jc As 10s Ks", False),
        ("Jc Js Jh Jd As 9s 8s 10d", False),
    ],
)
def test_a_weak_hand(hand: str, weak: bool) -> None:
    """13 points are weak, 15 are not; five cards of a suit are, but not with its jack as one."""
    assert BELKA.is_weak(frozenset(parse_cards(hand))) == weak


def test_a_new_deal_on_request() -> None:
    state = dealt(start(redeal="weak"))
    assert BELKA.awaited(state) == AwaitRedeal()
    again = BELKA.apply(state, Redeal((None, WEAK, None, None)))
    assert (again.phase, again.dealer, again.deal, again.deal_in_game) == (Phase.DECK, 3, 1, 1)
    assert again.hand_sizes == (0, 0, 0, 0)
    assert refused(state, Redeal((None, WEAK, STRONG, None))) is Rule.NOT_WEAK
    stands = BELKA.apply(dealt(again), NOBODY)
    assert BELKA.awaited(stands) == AwaitPlay(0)
    second = dealt(BELKA.apply(scored(stands, 1), Signed()))
    assert BELKA.awaited(second) == AwaitRedeal()
    third_try = dealt(BELKA.apply(second, Redeal((WEAK, None, None, None))))
    assert (third_try.deal, third_try.dealer, third_try.clubs) == (2, 0, 1)
    assert BELKA.awaited(BELKA.apply(third_try, NOBODY)) == AwaitAnnounce(JACK)


def other_actions(*fitting: type[Action]) -> Iterator[Action]:
    """One action of each kind, without those that fit."""
    every: list[Action] = [
        DeckReady(),
        Dealt(),
        Pass(0),
        NOBODY,
        Announced(0),
        Play(0, Card.parse("7c")),
        Signed(),
    ]
    return (action for action in every if not isinstance(action, fitting))


def test_actions_out_of_their_phase_are_refused() -> None:
    play = dealt(start())
    result = scored(play, 1)
    for state, fitting in [
        (start(), DeckReady),
        (BELKA.apply(start(), DeckReady()), Dealt),
        (dealt(start(redeal="weak")), Redeal),
        (later(1), Announced),
        (play, Play),
        (result, Signed),
    ]:
        for action in other_actions(fitting):
            assert refused(state, action) is Rule.WRONG_PHASE, (state.phase, action)
    for action in other_actions():
        assert refused(BELKA.apply(result, Signed(stop=True)), action) is Rule.WRONG_PHASE


def test_the_announced_jack_lies_open() -> None:
    state = BELKA.apply(later(1), Announced(2))
    assert refused(state, Play(0, JACK)) is Rule.REVOKE
    seven, jack = Play(0, Card.parse("7d")), Play(1, Card.parse("Js"))
    assert state.trump is Suit.HEARTS
    state = BELKA.apply(BELKA.apply(state, seven), jack)
    assert JACK not in BELKA.to_prove(state, Card.parse("7s"))
    led = replace(state, trick=replace(state.trick, cards=(Card.parse("Jd"),)), turn=2)
    assert refused(led, Play(2, Card.parse("7s"))) is Rule.MUST_FOLLOW


def test_the_public_bot_plays_its_lowest_legal_card() -> None:
    state = dealt(start())
    hand = frozenset(parse_cards("9c 7d As 7s 10h Jd Kc Qs"))
    assert BELKA.public_bot(View(state, 0, hand)) == Play(0, Card.parse("7d"), call=True)
    trumps = frozenset(parse_cards("Jc Jd 7c 8c"))
    assert BELKA.public_bot(View(state, 0, trumps)) == Play(0, Card.parse("7c"), call=True)
    jacks = frozenset(parse_cards("Jc Jd As"))
    assert BELKA.public_bot(View(state, 0, jacks)) == Play(0, Card.parse("Jd"), call=True)


def test_nobody_bids() -> None:
    with pytest.raises(IllegalActionError):
        BELKA.simple_bid(View(dealt(start()), 0, STRONG))
    assert BELKA.bids(dealt(start())) == ()


def test_a_series_of_games() -> None:
    state = replace(dealt(start(games="3")), scores=(11, 4), eggs_in_game=1)
    state = scored(state, 2)
    assert (state.scores, state.games_won, state.game_won) == ((12, 4), (1, 0), 0)
    assert BELKA.awaited(state) == AwaitSigned()
    state = BELKA.apply(state, Signed())
    assert (state.scores, state.games_won, state.game_won) == ((0, 0), (1, 0), None)
    assert (state.deal, state.deal_in_game, state.dealer) == (2, 1, 0)
    assert (state.clubs, state.eggs, state.eggs_in_game) == (None, 0, 0)
    state = dealt(state)
    assert (state.trump, state.phase) == (Suit.CLUBS, Phase.PLAY)
    state = scored(replace(state, scores=(11, 0)), 0)
    assert BELKA.awaited(BELKA.apply(state, Signed())) == MatchOver(0)


@pytest.mark.parametrize(
    ("games_won", "scores", "winner"),
    [((0, 0), (3, 5), 1), ((1, 0), (3, 5), 0), ((1, 1), (2, 2), None)],
)
def test_a_match_that_all_four_stop(
    games_won: tuple[int, int], scores: tuple[int, int], winner: int | None
) -> None:
    state = replace(dealt(start(games="3")), games_won=games_won, scores=scores)
    state = BELKA.apply(scored(state, 1, (60, 60)), Signed(stop=True))
    assert BELKA.awaited(state) == MatchOver(winner)


def test_options_of_another_game_are_our_own_bug() -> None:
    with pytest.raises(TypeError):
        BELKA.start(Options(), 0)
