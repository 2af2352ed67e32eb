"""The attack tests bite: with the check that stops an attack taken out, its test fails.

Each entry names an attack, where the check is, and what stands in for it: something that takes
everything. The attack's own test must then find that nobody is blamed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from p2pcards.crypto.deck import Masked
from p2pcards.crypto.group import Reader
from p2pcards.crypto.keys import DealKey
from p2pcards.protocol.faults import FaultKind
from p2pcards.protocol.observer import Observer, Receipt
from tests.protocol import test_attacks_deck as deck
from tests.protocol import test_attacks_play as play
from tests.protocol import test_attacks_votes as votes
from tests.protocol import test_attacks_wire as wire
from tests.protocol.cheat import Den, NotCaught, blamed
from tests.protocol.room import ONE_DEAL

PROTOCOL = "p2pcards.protocol"


def nothing(*args: Any, **kwargs: Any) -> None:
    """A check that takes everything."""


def any_key(ctx: object, claim: bytes, commitment: bytes) -> DealKey:
    """A key with no look at its commitment and proofs."""
    return DealKey(*Reader(claim[:66], 2, 0).points(2))


def any_shuffle(ctx: object, joint: object, before: object, data: bytes) -> tuple[Masked, ...]:
    """A deck with no look at its proof."""
    points = Reader(data[: 64 * 33], 64, 0).points(64)
    return tuple(Masked(*points[2 * i : 2 * i + 2]) for i in range(32))


def any_shares(
    ctx: object, public: object, bases: tuple[object, ...], data: bytes, label: bytes = b""
) -> tuple[object, ...]:
    """Shares with no look at their proof."""
    return Reader(data[: 33 * len(bases)], len(bases), 0).points(len(bases))


def no_trace(self: Observer, envelope: object, earlier: bytes) -> Receipt:
    """A second envelope for a place is as good as the first."""
    return Receipt.DUPLICATE


MUTATIONS: list[tuple[str, Callable[[], None], str, object]] = [
    ("reveal", deck.test_attack_reveal_that_does_not_open_the_commitment,
     f"{PROTOCOL}.opening.RevealStage.check", lambda self, table, ctx, body: body.number),
    ("rogue key", deck.test_attack_rogue_key_that_cancels_the_others,
     f"{PROTOCOL}.making.verify_key", any_key),
    ("key without its secret", deck.test_attack_rogue_key_committed_to_without_knowing_its_secret,
     f"{PROTOCOL}.making.verify_key", any_key),
    ("replayed key", deck.test_attack_key_replayed_from_another_deal,
     f"{PROTOCOL}.making.verify_key", any_key),
    ("doubled card", lambda: deck.test_attack_shuffle_that_changes_the_deck("a card twice"),
     f"{PROTOCOL}.making.verify_shuffle", any_shuffle),
    ("swapped cards",
     lambda: deck.test_attack_shuffle_that_changes_the_deck("two cards swapped after the proof"),
     f"{PROTOCOL}.making.verify_shuffle", any_shuffle),
    ("replayed shuffle", lambda: deck.test_attack_shuffle_replayed(ONE_DEAL),
     f"{PROTOCOL}.making.verify_shuffle", any_shuffle),
    ("two cuts", deck.test_attack_cut_told_differently_collects_no_share,
     f"{PROTOCOL}.observer.Observer._equivocation", no_trace),
    ("result", lambda: play.test_attack_result_that_does_not_follow((162, 0)),
     f"{PROTOCOL}.closing.ResultStage.check", lambda self, table, ctx, body: body),
    ("out of turn", play.test_attack_play_out_of_turn,
     f"{PROTOCOL}.observer.check_turn", nothing),
    ("revoke", lambda: play.test_attack_revoke("no proof"),
     f"{PROTOCOL}.playing.verify_absent", nothing),
    ("discard without proof", play.test_attack_discard_without_its_proof,
     f"{PROTOCOL}.playing.verify_absent", nothing),
    ("replayed proof", play.test_attack_discard_with_the_proof_of_an_earlier_one,
     f"{PROTOCOL}.playing.verify_absent", nothing),
    ("vote about itself", votes.test_attack_vote_about_itself,
     f"{PROTOCOL}.observer.check_vote", nothing),
    ("two votes", votes.test_attack_two_votes_in_one_step,
     f"{PROTOCOL}.observer.Observer._equivocation", no_trace),
    ("second thoughts", lambda: wire.test_attack_second_thoughts("bid"),
     f"{PROTOCOL}.observer.Observer._equivocation", no_trace),
]  # fmt: skip


@pytest.mark.parametrize(
    ("attack", "where", "instead"),
    [entry[1:] for entry in MUTATIONS],
    ids=[entry[0] for entry in MUTATIONS],
)
def test_attack_goes_unnoticed_without_its_check(
    attack: Callable[[], None], where: str, instead: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    attack()
    monkeypatch.setattr(where, instead)
    with pytest.raises(NotCaught):
        attack()


def test_attack_false_shares_open_no_card_without_their_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Shares have a second net too: a slot that opens to no card stops the program."""
    monkeypatch.setattr(f"{PROTOCOL}.dealing.verify_shares", any_shares)
    with pytest.raises(RuntimeError, match="opened to no card"):
        deck.test_attack_shares_that_are_not_those_due("in another order")


def test_attack_revoke_is_still_found_when_the_suit_is_played_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The second net: without any proofs of absence, a revoke shows once the card appears."""
    monkeypatch.setattr(f"{PROTOCOL}.playing.verify_absent", nothing)
    den, card = play.revoking()
    positions = den.liar.positions()
    game = den.liar.observer.table.game
    denied = game.excluded(play.state_of(den), card) & set(positions)
    play.play(den, positions[card], play.opening(den, positions[card]))
    den.hold = None
    kept = min(denied)
    while not any(den.faults()):
        den.hold = _next_turn(den)
        slot = den.liar.positions()[kept]
        play.play(den, slot, play.opening(den, slot))
        den.run()
    blamed(den, FaultKind.REVOKE)


def _next_turn(den: Den) -> int:
    """Play until it is the cheat's turn to play again; the step."""
    den.hold = None

    def its_turn(room: Any) -> bool:
        owed = room.liar.owed()
        if owed is not None and owed.kind == "play":
            room.hold = owed.step
            return True
        return False

    den.run(until=its_turn)
    den.run()
    assert den.hold is not None
    return den.hold
