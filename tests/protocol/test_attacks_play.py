"""Attacks on bidding, play and results: no card but one's own, none twice, none illegal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import msgspec
import pytest

from p2pcards.cards import Card
from p2pcards.crypto.group import base_mul
from p2pcards.crypto.inequality import prove_absent
from p2pcards.crypto.shares import prove_shares
from p2pcards.games.base import Name, Play, Rule, State, Take
from p2pcards.protocol.answers import context
from p2pcards.protocol.bidding import BidStage
from p2pcards.protocol.deal import Deal
from p2pcards.protocol.envelope import body_of, unseal
from p2pcards.protocol.faults import FaultKind
from p2pcards.protocol.messages import BidBody, End, PlayBody, Result
from tests.protocol.cheat import Den, at, blamed, played_on, prepared, stage_of, turns
from tests.protocol.room import ONE_DEAL, TWO_DEALS

ENTROPY = bytes(range(64))


def deal_of(den: Den) -> Deal:
    """The deal as the cheat knows it."""
    return den.liar.observer.table.the_deal()


def state_of(den: Den) -> State:
    """The public state as the cheat knows it."""
    return den.liar.observer.table.the_state()


def opening(den: Den, *slots: int) -> bytes:
    """A true opening of slots: the cheat's own shares of them with their proof."""
    deal, secret = deal_of(den), den.liar.secret.x
    bases = tuple(deal.masked[pos].a for pos in slots)
    return prove_shares(context(den.liar), secret, deal.keys[den.liar.seat].public, bases, ENTROPY)


def play(den: Den, slot: int, opened: bytes, proof: bytes = b"", call: bool = False) -> None:
    """Send a play of the cheat's to all."""
    den.push(den.to_all(den.envelope("play", PlayBody(slot, opened, proof, call))))


def first_play(nth: int = 0, seed: str = ONE_DEAL) -> Den:
    """A table at somebody's turn to play, who cheats."""
    turn = turns(seed)[nth]
    return at(turn.step, turn.place, seed)


# -- bids ---------------------------------------------------------------------------------------


def test_attack_bid_that_is_not_open() -> None:
    """In the first round it names a suit of its own instead of taking or passing."""
    den = prepared("bid")
    den.push(den.to_all(den.envelope("bid", BidBody("s"))))
    blamed(den, FaultKind.ILLEGAL_ACTION)


def test_attack_bid_of_the_first_round_in_the_second() -> None:
    """It takes the turned suit after all have passed it, or names that very suit."""
    for text in ("take", None):
        den = prepared("bid", 5, seed=TWO_DEALS)
        stage = stage_of(den)
        assert isinstance(stage, BidStage)
        named = {bid.suit.letter for bid in stage.choices if isinstance(bid, Name)}
        assert not any(isinstance(bid, Take) for bid in stage.choices)
        (closed,) = {"c", "d", "h", "s"} - named
        den.push(den.to_all(den.envelope("bid", BidBody(text or closed))))
        blamed(den, FaultKind.ILLEGAL_ACTION)


def test_attack_bid_that_is_no_bid() -> None:
    den = prepared("bid")
    den.push(den.to_all(den.envelope("bid", msgspec.msgpack.encode(["all-in"]))))
    blamed(den, FaultKind.MALFORMED)


def test_attack_bid_out_of_turn() -> None:
    """It bids before the seat whose turn it is."""
    den = prepared("bid")
    den.cheat = next(place for place in range(4) if place != den.cheat)
    den.push(den.to_all(den.envelope("bid", BidBody("take"))))
    blamed(den, FaultKind.OUT_OF_TURN, later=1)


def test_attack_bid_told_differently() -> None:
    """It takes before some and passes before others."""
    den = prepared("bid")
    den.push(den.split(den.envelope("bid", BidBody("take")), den.envelope("bid", BidBody("pass"))))
    blamed(den, FaultKind.EQUIVOCATION, later=2)


# -- cards that are not its own -----------------------------------------------------------------


def other_slots() -> dict[str, Callable[[Den], int]]:
    """Slots that the cheat may not play from."""

    def of_another(den: Den) -> int:
        return deal_of(den).slots((den.liar.seat + 1) % 4)[0]

    def gone(den: Den) -> int:
        deal = deal_of(den)
        return next(pos for pos in sorted(deal.gone) if deal.owner[pos] == den.liar.seat)

    def gone_of_another(den: Den) -> int:
        deal = deal_of(den)
        return next(pos for pos in sorted(deal.gone) if deal.owner[pos] != den.liar.seat)

    return {
        "of another's hand": of_another,
        "already played": gone,
        "already played by another": gone_of_another,
    }


@pytest.mark.parametrize("which", other_slots())
def test_attack_play_of_a_slot_that_is_not_in_its_hand(which: str) -> None:
    """Another's card, or one of its own a second time."""
    den = first_play(9)
    slot = other_slots()[which](den)
    own = deal_of(den).hidden(den.liar.seat)[0]
    play(den, slot, opening(den, own))
    blamed(den, FaultKind.NOT_YOUR_SLOT)


def test_attack_play_of_a_slot_beyond_the_deck() -> None:
    den = first_play()
    body = msgspec.msgpack.encode([32, b"", b"", False])
    den.push(den.to_all(den.envelope("play", body)))
    blamed(den, FaultKind.MALFORMED)


def false_openings() -> dict[str, Callable[[Den, int, int], bytes]]:
    """Openings of a slot of its own that do not show what lies there."""

    def forged(den: Den, slot: int, other: int) -> bytes:
        data = opening(den, slot)
        return bytes(base_mul(5)) + data[33:]

    def another_key(den: Den, slot: int, other: int) -> bytes:
        deal = deal_of(den)
        public = deal.keys[den.liar.seat].public
        return prove_shares(context(den.liar), 4711, public, (deal.masked[slot].a,), ENTROPY)

    return {
        "nothing": lambda den, slot, other: b"",
        "the share of another slot": lambda den, slot, other: opening(den, other),
        "a share made up": forged,
        "a share by another key": another_key,
        "two slots": lambda den, slot, other: opening(den, slot, other),
    }


@pytest.mark.parametrize("lie", false_openings())
def test_attack_play_with_a_false_opening(lie: str) -> None:
    """A card becomes another than was dealt, or is not shown at all."""
    den = first_play()
    slot, other = deal_of(den).hidden(den.liar.seat)[:2]
    play(den, slot, false_openings()[lie](den, slot, other))
    blamed(den, FaultKind.BAD_OPENING)


def test_attack_play_opening_replayed() -> None:
    """An opening that was good in an earlier turn does not do for another slot in a later one."""
    den = first_play(9)
    mine = [
        body_of(unseal(wire).payload)
        for wire in den.liar.observer.record()
        if unseal(wire).payload.kind == "play" and unseal(wire).payload.sender == den.liar.seat
    ]
    assert isinstance(mine[0], PlayBody)
    play(den, deal_of(den).hidden(den.liar.seat)[0], mine[0].opening)
    blamed(den, FaultKind.BAD_OPENING)


def _taker_with_open_card() -> Den:
    """The taker's first turn, the turned card open in its hand and legal."""
    nth = next(i for i, t in enumerate(turns()) if t.open_cards and not t.open_cards & t.illegal)
    return first_play(nth)


def test_attack_play_of_an_open_card_with_an_opening() -> None:
    """The turned card lies open: an opening with it proves nothing and is not due."""
    den = _taker_with_open_card()
    (card,) = state_of(den).shown[den.liar.seat]
    slot, other = den.liar.positions()[card], deal_of(den).hidden(den.liar.seat)[0]
    play(den, slot, opening(den, other))
    blamed(den, FaultKind.BAD_OPENING)


# -- plays against the rules --------------------------------------------------------------------


def revoking(seed: str = ONE_DEAL) -> tuple[Den, Card]:
    """A turn where the cheat must follow suit, and a card of its hand that does not."""
    for turn in turns(seed):
        if not turn.illegal or turn.open_cards:
            continue
        den = at(turn.step, turn.place, seed)
        table = den.liar.observer.table
        for card in sorted(turn.illegal):
            error = table.game.why_illegal(state_of(den), turn.hand, card)
            if error is not None and error.rule is Rule.MUST_FOLLOW:
                return den, card
    raise RuntimeError("nobody has to follow suit in this match")


def _proof(den: Den, slots: list[int], cards: list[Card]) -> bytes:
    """A true proof that these slots hold none of these cards."""
    deal = deal_of(den)
    public = deal.keys[den.liar.seat].public
    claims = deal.claims(slots, cards)
    return prove_absent(context(den.liar), den.liar.secret.x, public, claims, ENTROPY)


def false_proofs() -> dict[str, Callable[[Den, Card], bytes]]:
    """What may come with a card that does not follow suit, from one that could follow."""

    def slots(den: Den, card: Card) -> tuple[list[int], list[Card], list[int]]:
        """Hidden slots beside the card's, the cards to be denied, the slots that hold them."""
        positions = den.liar.positions()
        table = den.liar.observer.table
        due = sorted(table.game.to_prove(state_of(den), card))
        hidden = [pos for pos in deal_of(den).hidden(den.liar.seat) if pos != positions[card]]
        return hidden, due, [positions[held] for held in due if held in positions]

    def fewer_slots(den: Den, card: Card) -> bytes:
        hidden, due, guilty = slots(den, card)
        return _proof(den, [pos for pos in hidden if pos not in guilty], due)

    def fewer_cards(den: Den, card: Card) -> bytes:
        hidden, due, _ = slots(den, card)
        return _proof(den, hidden, [c for c in due if c not in den.liar.positions()])

    def other_slots(den: Den, card: Card) -> bytes:
        hidden, due, guilty = slots(den, card)
        clean = [pos for pos in hidden if pos not in guilty]
        return _proof(den, (clean * len(hidden))[: len(hidden)], due)

    def other_cards(den: Den, card: Card) -> bytes:
        hidden, due, _ = slots(den, card)
        absent = [c for c in map(Card, range(32)) if c not in den.liar.positions()]
        return _proof(den, hidden, absent[: len(due)])

    def own_copies(den: Den, card: Card) -> bytes:
        """The shape of a proof, with what would show the held cards replaced."""
        hidden, due, _ = slots(den, card)
        good = _proof(den, hidden, [c for c in due if c not in den.liar.positions()] or due[:0])
        return good + bytes(33 * len(due))

    return {
        "no proof": lambda den, card: b"",
        "a proof about fewer slots": fewer_slots,
        "a proof about fewer cards": fewer_cards,
        "a proof about other slots": other_slots,
        "a proof about other cards": other_cards,
        "a proof blown up to the right size": own_copies,
    }


@pytest.mark.parametrize("lie", false_proofs())
def test_attack_revoke(lie: str) -> None:
    """It could follow suit and does not; whatever it sends along is no proof that it could not."""
    den, card = revoking()
    slot = den.liar.positions()[card]
    play(den, slot, opening(den, slot), false_proofs()[lie](den, card))
    blamed(den, FaultKind.UNPROVED_PLAY)


def _discarding() -> Den:
    """A turn where the cheat may discard and has to prove it."""
    return first_play(next(i for i, turn in enumerate(turns()) if turn.due))


def _honest_play(den: Den) -> PlayBody:
    body = body_of(unseal(den.liar.make(_choice(den))).payload)
    assert isinstance(body, PlayBody)
    return body


def _choice(den: Den) -> Play:
    choice = den.choose(den.liar)
    assert isinstance(choice, Play)
    return choice


def test_attack_discard_without_its_proof() -> None:
    """A legal discard, but it will not show that it is: the card is not taken."""
    den = _discarding()
    body = _honest_play(den)
    assert body.proof
    play(den, body.slot, body.opening)
    blamed(den, FaultKind.UNPROVED_PLAY)


def test_attack_discard_with_a_proof_for_another_place() -> None:
    """A good proof, but made for another history: it does not move."""
    den = _discarding()
    body = _honest_play(den)
    table, deal = den.liar.observer.table, deal_of(den)
    card = _choice(den).card
    hidden = [p for p in deal.hidden(den.liar.seat) if p != body.slot]
    claims = deal.claims(hidden, table.game.to_prove(state_of(den), card))
    elsewhere = replace(context(den.liar), prev=bytes(32))
    public = deal.keys[den.liar.seat].public
    proof = prove_absent(elsewhere, den.liar.secret.x, public, claims, ENTROPY)
    play(den, body.slot, body.opening, proof)
    blamed(den, FaultKind.UNPROVED_PLAY)


def test_attack_discard_with_the_proof_of_an_earlier_one() -> None:
    """The proof of an earlier discard, taken from the record."""
    due = [i for i, turn in enumerate(turns()) if turn.due]
    den = first_play(due[-1])
    old = [
        body_of(unseal(wire).payload)
        for wire in den.liar.observer.record()
        if unseal(wire).payload.kind == "play"
    ]
    proofs = [body.proof for body in old if isinstance(body, PlayBody) and body.proof]
    body = _honest_play(den)
    assert body.proof not in proofs
    play(den, body.slot, body.opening, proofs[-1])
    blamed(den, FaultKind.UNPROVED_PLAY)


def test_attack_proof_where_none_is_due() -> None:
    """A lead needs no proof; bytes that nobody asked for may carry messages to a partner."""
    den = first_play()
    body = _honest_play(den)
    assert not body.proof
    play(den, body.slot, body.opening, b"my ace is of hearts")
    blamed(den, FaultKind.UNPROVED_PLAY)


def test_attack_play_against_an_open_card() -> None:
    """The turned trump lies open in its hand: all see that it had to be played."""
    for turn in turns():
        den = at(turn.step, turn.place)
        state, game = state_of(den), den.liar.observer.table.game
        shown = state.shown[den.liar.seat]
        against = [c for c in sorted(turn.illegal) if game.excluded(state, c) & shown]
        if against:
            break
    else:
        raise RuntimeError("no open card obliges anybody in this match")
    slot = den.liar.positions()[against[0]]
    play(den, slot, opening(den, slot))
    blamed(den, FaultKind.ILLEGAL_ACTION)


def test_attack_play_out_of_turn() -> None:
    """It plays before the seat whose turn it is."""
    den = first_play(1)
    den.cheat = turns()[2].place
    slot = deal_of(den).hidden(den.liar.seat)[0]
    play(den, slot, opening(den, slot))
    blamed(den, FaultKind.OUT_OF_TURN, later=1)


def test_attack_play_out_of_turn_that_comes_late() -> None:
    """It goes to one peer in time, to the others long after their step was complete."""
    den = first_play(1)
    den.cheat = turns()[2].place
    slot = deal_of(den).hidden(den.liar.seat)[0]
    wire = den.envelope("play", PlayBody(slot, opening(den, slot), b"", False))
    first, *rest = den.honest
    den.hold = None
    den.run(until=lambda d: d.observer(first).step.number > 30)
    den.push({first: [], **dict.fromkeys(rest, (wire,))})
    den.hold = den.observer(first).step.number
    blamed(den, FaultKind.OUT_OF_TURN, later=1)


def test_attack_two_cards_in_one_turn() -> None:
    """It plays, sees how that looks, and plays another card instead."""
    den = first_play()
    slots = deal_of(den).hidden(den.liar.seat)[:2]
    wires = [den.envelope("play", PlayBody(s, opening(den, s), b"", False)) for s in slots]
    den.push(den.to_all(*wires))
    blamed(den, FaultKind.EQUIVOCATION, later=1)


def test_attack_play_told_differently() -> None:
    """Each opponent sees another card."""
    den = first_play()
    slots = deal_of(den).hidden(den.liar.seat)[:2]
    wires = [den.envelope("play", PlayBody(s, opening(den, s), b"", False)) for s in slots]
    den.push(den.split(*wires))
    blamed(den, FaultKind.EQUIVOCATION, later=2)


def test_attack_play_withheld_from_one() -> None:
    """One peer is not sent the card: it gets it from another, and the match goes on."""
    den = first_play()
    step = den.liar.observer.step.number
    den.deeds[step] = lambda d, wire: dict.fromkeys(d.honest[1:], (wire,))
    played_on(den)


def test_attack_false_call_of_belote() -> None:
    """A call of belote with a card that makes none is no fault and changes no score."""
    plain = first_play()
    calls = first_play()
    body = _honest_play(calls)
    calls.push(calls.to_all(calls.envelope("play", msgspec.structs.replace(body, call=True))))
    played_on(calls)
    played_on(plain)
    sheets = [den.observer(den.honest[0]).table.the_state().sheets for den in (plain, calls)]
    assert sheets[0] == sheets[1]


# -- results ------------------------------------------------------------------------------------


@pytest.mark.parametrize("scores", [(0, 0), (162, 0), (10_000, 0)])
def test_attack_result_that_does_not_follow(scores: tuple[int, int]) -> None:
    den = prepared("result", cheat=2)
    assert state_of(den).scores != scores
    den.push(den.to_all(den.envelope("result", Result(scores, False, ()))))
    blamed(den, FaultKind.BAD_RESULT)


@pytest.mark.parametrize("back", [(0,), (1, 1), (3, 2)])
def test_attack_result_that_asks_for_a_seat_that_is_not_lost(back: tuple[int, ...]) -> None:
    """It would give a player's seat another standing, or smuggle bytes into the record."""
    den = prepared("result", cheat=2)
    den.push(den.to_all(den.envelope("result", Result(state_of(den).scores, False, back))))
    blamed(den, FaultKind.BAD_RESULT)


def test_attack_result_with_more_seats_than_there_are() -> None:
    den = prepared("result", cheat=2)
    body = msgspec.msgpack.encode([[0, 0], False, [0, 1, 2, 3, 3]])
    den.push(den.to_all(den.envelope("result", body)))
    blamed(den, FaultKind.MALFORMED)


def test_attack_stop_alone() -> None:
    """One seat's wish to stop does not end a match that it is losing."""
    den = prepared("result", cheat=2, seed=TWO_DEALS)
    den.push(den.to_all(den.envelope("result", Result(state_of(den).scores, True, ()))))
    played_on(den)
    state = den.observer(den.honest[0]).table.the_state()
    assert max(state.scores) >= 100
    assert state.deal > 1


def test_attack_end_signed_twice() -> None:
    """When all is over it signs another end: the match stands, and it is named all the same."""
    den = prepared("end", cheat=2)
    den.push(den.to_all(den.envelope("end", End())))
    den.run()
    assert all(den.observer(place).done for place in den.honest)
    step = den.liar.observer.step.number - 1
    prev = den.liar.observer.answered(den.liar.seat, step)
    assert prev is not None
    den.push(den.to_all(den.envelope("end", End(), step=step, prev=bytes(32))))
    den.hold = step
    blamed(den, FaultKind.EQUIVOCATION)
    assert all(den.observer(place).done for place in den.honest)
