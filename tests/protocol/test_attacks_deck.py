"""Attacks on the table's beginning and on the making of a deck: who cheats is named, no card falls.

Each test is one attack. The honest peers must agree on whom they blame and for what, sign
nothing that depends on a secret afterwards, and be able to prove it to a stranger.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from p2pcards.cards import DECK
from p2pcards.crypto import parts as part_proofs
from p2pcards.crypto.deck import Masked
from p2pcards.crypto.group import Point, add, base_mul, encode_points, encode_scalar, mul, neg
from p2pcards.crypto.keys import DealSecret, claim_key, commit_key, public_key
from p2pcards.crypto.parts import complain, split_key
from p2pcards.crypto.shares import prove_shares
from p2pcards.crypto.shuffle import Witness, deck_bytes, prove_shuffle, remask, shuffle
from p2pcards.crypto.transcript import Drbg
from p2pcards.protocol import draw, making
from p2pcards.protocol.answers import context
from p2pcards.protocol.course import Bar
from p2pcards.protocol.deal import point_of
from p2pcards.protocol.dealing import SharesStage
from p2pcards.protocol.envelope import body_of, unseal
from p2pcards.protocol.faults import FaultKind
from p2pcards.protocol.messages import (
    Commit,
    Complaint,
    Confirm,
    Key,
    KeyCommit,
    Parts,
    Reveal,
    Roster,
    Shares,
    Shuffle,
    encode,
)
from p2pcards.protocol.observer import Observer, Receipt
from p2pcards.protocol.player import Player
from p2pcards.protocol.table import RosterError
from tests.protocol.cheat import (
    Den,
    NotCaught,
    blamed,
    nobody_blamed,
    played_on,
    prepared,
    stage_of,
    waits_for_cheat,
)
from tests.protocol.matches import record
from tests.protocol.room import ONE_DEAL, TWO_DEALS, identity_key, make_roster

ENTROPY = bytes(range(64))
"""What the cheat's forged proofs take for chance."""


def honest_kinds(den: Den) -> set[str]:
    """Every kind of envelope that an honest peer has signed."""
    return {unseal(wire).payload.kind for _, wire in den.signed}


# -- the roster and the draw --------------------------------------------------------------------


def test_attack_roster_other_under_this_sessions_name() -> None:
    """It signs a roster with another deadline, under the session that the others sign."""
    den = prepared("roster", cheat=1)
    terms = msgspec.structs.replace(den.roster.terms, deadline=1)
    forged = msgspec.structs.replace(den.roster, terms=terms)
    den.push(den.to_all(den.envelope("roster", forged)))
    blamed(den, FaultKind.BAD_ROSTER)


def test_attack_roster_of_another_table() -> None:
    """It signs a table of its own: for the others nothing has come, and they wait for it."""
    den = prepared("roster", cheat=1)
    other = Den(1, make_roster(options={"target": "3000"}))
    den.push(den.to_all(other.players[1].make()))
    waits_for_cheat(den)


def roster_lies() -> dict[str, Callable[[Roster], Roster]]:
    """Rosters that a cheat may propose and no honest peer signs."""
    change = msgspec.structs.replace

    def terms(**changes: object) -> Callable[[Roster], Roster]:
        return lambda r: change(r, terms=change(r.terms, **changes))

    def second(**changes: object) -> Callable[[Roster], Roster]:
        return lambda r: change(
            r, players=(r.players[0], change(r.players[1], **changes), *r.players[2:])
        )

    first = make_roster().players[0]
    return {
        "version": terms(version=2),
        "game": terms(game="poker"),
        "option value": terms(options=(("target", "1"),)),
        "option missing": lambda r: change(r, terms=change(r.terms, options=r.terms.options[1:])),
        "option order": lambda r: change(r, terms=change(r.terms, options=r.terms.options[::-1])),
        "same identity": second(identity=first.identity),
        "same name": second(name=first.name),
    }


@pytest.mark.parametrize("lie", roster_lies())
def test_attack_roster_that_no_honest_peer_signs(lie: str) -> None:
    """Another version, unknown rules, a player twice: no honest peer has such a session."""
    roster = roster_lies()[lie](make_roster())
    info = roster.players[0]
    sign = identity_key(info.name).sign
    with pytest.raises(RosterError):
        Player(roster, info.identity, sign, bytes(32))
    with pytest.raises(RosterError):
        Observer(roster)


def test_attack_reveal_that_does_not_open_the_commitment() -> None:
    """It waits for the others' numbers, then names one that makes it the dealer it likes."""
    den = prepared("reveal", cheat=2)
    den.push(den.to_all(den.envelope("reveal", Reveal(bytes(32)))))
    blamed(den, FaultKind.BAD_REVEAL)
    assert honest_kinds(den) == {"roster", "commit", "reveal"}


def test_attack_commitment_copied_from_another() -> None:
    """It copies a commitment and later that seat's number, to cancel it out of the draw."""
    den = prepared("commit", cheat=3)
    theirs = next(body_of(unseal(w).payload) for p, w in den.signed if unseal(w).payload.step == 1)
    assert isinstance(theirs, Commit)
    den.push(den.to_all(den.envelope("commit", theirs)))
    den.hold = 2
    den.run()
    number = next(body_of(unseal(w).payload) for p, w in den.signed if unseal(w).payload.step == 2)
    assert isinstance(number, Reveal)
    author = next(p for p, w in den.signed if unseal(w).payload.step == 2)
    assert draw.commitment(den.liar.observer.session, author, number.number) == theirs.commitment
    den.push(den.to_all(den.envelope("reveal", number)))
    blamed(den, FaultKind.BAD_REVEAL)


def test_attack_reveal_withheld() -> None:
    """The last to reveal sees the draw first and stays silent: all name it, and nobody can vote."""
    den = prepared("reveal", cheat=0)
    den.dead.add(0)
    waits_for_cheat(den)
    den.time_out()
    waits_for_cheat(den)
    assert honest_kinds(den) == {"roster", "commit", "reveal"}
    assert {den.observer(place).bar(place, 0) for place in den.honest} == {Bar.UNDRAWN}


# -- deal keys ----------------------------------------------------------------------------------


def test_attack_rogue_key_that_cancels_the_others() -> None:
    """Having seen the others' keys it shows ``yG`` less their sum, to own the joint key alone."""
    den = prepared("key", cheat=2)
    keys = [public_key(den.players[place].secret) for place in den.honest]
    rogue = add(base_mul(7), *(neg(key.public) for key in keys))
    deal = den.liar.observer.table.the_deal()
    bound, _ = deal.commitments[den.liar.seat]
    honest = claim_key(bound, den.liar.secret, ENTROPY)
    den.push(den.to_all(den.envelope("key", Key(bytes(rogue) + honest[33:]))))
    blamed(den, FaultKind.BAD_KEY)


def test_attack_rogue_key_committed_to_without_knowing_its_secret() -> None:
    """It commits to a point nobody knows the logarithm of; the proof of knowledge fails."""
    den = prepared("key-commit", cheat=2)
    ctx = context(den.liar)
    claim = bytes(point_of(DECK[0])) + claim_key(ctx, den.liar.secret, ENTROPY)[33:]
    den.push(den.to_all(den.envelope("key-commit", KeyCommit(commit_key(ctx, claim)))))
    den.hold = 4
    den.run()
    den.push(den.to_all(den.envelope("key", Key(claim))))
    blamed(den, FaultKind.BAD_KEY)


def test_attack_key_replayed_from_another_deal() -> None:
    """It commits to and shows its key of the deal before, with the proof it had then."""
    den = prepared("key-commit", 1, cheat=1, seed=TWO_DEALS)
    step = den.liar.observer.step.number
    old = next(
        body_of(unseal(wire).payload)
        for wire in den.liar.observer.record()
        if unseal(wire).payload.kind == "key" and unseal(wire).payload.sender == den.liar.seat
    )
    assert isinstance(old, Key)
    ctx = context(den.liar)
    den.push(den.to_all(den.envelope("key-commit", KeyCommit(commit_key(ctx, old.claim)))))
    den.hold = step + 1
    den.run()
    den.push(den.to_all(den.envelope("key", old)))
    blamed(den, FaultKind.BAD_KEY)


def _with_key(secret: DealSecret, cheat: int) -> Den:
    """A table where the cheat has committed to and now shows this key, honestly proved."""
    den = prepared("key-commit", cheat=cheat)
    ctx = context(den.liar)
    claim = claim_key(ctx, secret, ENTROPY)
    den.push(den.to_all(den.envelope("key-commit", KeyCommit(commit_key(ctx, claim)))))
    den.hold = 4
    den.run()
    den.push(den.to_all(den.envelope("key", Key(claim))))
    return den


def test_attack_key_of_another_seat() -> None:
    """Two in league use one key: the later seat of the two is blamed, for it has another's key."""
    den = prepared("key-commit", cheat=0)
    partner = max(den.honest, key=lambda place: den.players[place].seat)
    den = _with_key(den.players[partner].secret, cheat=0)
    guilty = max(den.liar.seat, den.players[partner].seat)
    blamed(den, FaultKind.BAD_KEY, seat=guilty)


def test_attack_key_that_is_its_box_key_too() -> None:
    """Deal key and box key alike would open its parts to all when it is lost."""
    den = _with_key(DealSecret(99, 99), cheat=3)
    blamed(den, FaultKind.BAD_KEY)


# -- parts of the key ---------------------------------------------------------------------------


def test_attack_parts_that_do_not_add_up() -> None:
    """Its parts belong to another key: it could never be replaced when it leaves."""
    den = prepared("parts", cheat=1)
    deal = den.liar.observer.table.the_deal()
    boxes = {s: deal.keys[s].box for s in making.others(den.liar.seat)}
    data = split_key(context(den.liar), DealSecret(5, den.liar.secret.y), boxes, ENTROPY)
    den.push(den.to_all(den.envelope("parts", Parts(data))))
    blamed(den, FaultKind.BAD_PARTS)


def _bad_box(den: Den, victim: int) -> None:
    """Send parts of which one seat's sealed box holds rubbish."""
    wire = den.liar.make()
    body = body_of(unseal(wire).payload)
    assert isinstance(body, Parts)
    which = making.others(den.liar.seat).index(victim)
    at = 3 * 33 + part_proofs.SEALED_BYTES * which
    data = body.data[:at] + bytes(part_proofs.SEALED_BYTES) + body.data[at + 48 :]
    den.push(den.to_all(den.altered(wire, data=data)))


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_attack_part_that_does_not_open(turn: int) -> None:
    """One seat's box holds rubbish: that seat opens it for all to see, and the sender is blamed."""
    den = prepared("parts", cheat=1)
    _bad_box(den, (den.liar.seat + turn) % 4)
    den.run()
    assert "shares" not in honest_kinds(den)
    den.hold = max(f.step for f in den.faults() if f)
    blamed(den, FaultKind.BAD_PART)


def test_attack_false_complaint() -> None:
    """It complains about a good part, truly opened: it is blamed, not the seat that gave it."""
    den = prepared("confirm", cheat=2)
    against = (den.liar.seat + 1) % 4
    box = den.liar.observer.table.the_deal().keys[against].box
    data = complain(context(den.liar), den.liar.secret, box, ENTROPY)
    body = Confirm(Complaint(against, data))
    den.push(den.to_all(den.envelope("confirm", body)))
    blamed(den, FaultKind.FALSE_COMPLAINT)
    assert "shares" not in honest_kinds(den)


def test_attack_complaint_with_a_forged_opening() -> None:
    """It shows another point than its box key gives, so that the good part seems not to open."""
    den = prepared("confirm", cheat=2)
    against = (den.liar.seat + 1) % 4
    box = den.liar.observer.table.the_deal().keys[against].box
    lie = DealSecret(den.liar.secret.x, 1234)
    data = complain(context(den.liar), lie, box, ENTROPY)
    body = Confirm(Complaint(against, data))
    den.push(den.to_all(den.envelope("confirm", body)))
    blamed(den, FaultKind.FALSE_COMPLAINT)


def test_attack_complaint_about_its_own_part() -> None:
    den = prepared("confirm", cheat=2)
    body = Confirm(Complaint(den.liar.seat, bytes(97)))
    den.push(den.to_all(den.envelope("confirm", body)))
    blamed(den, FaultKind.FALSE_COMPLAINT)


# -- the shuffle --------------------------------------------------------------------------------


def _witness(seed: bytes = ENTROPY) -> tuple[Witness, Drbg]:
    source = Drbg(seed, b"cheat")
    return Witness(source.permutation(32), source.scalars(32)), source


def _proved_for(den: Den, spoil: Callable[[list[Masked], Point], list[Masked]]) -> bytes:
    """A shuffle whose output was spoilt, with a proof made as if it had not been."""
    deal, joint = (
        den.liar.observer.table.the_deal(),
        den.liar.observer.table.the_deal().joint_point(),
    )
    witness, source = _witness()
    output = tuple(spoil(list(remask(joint, deal.deck, witness)), joint))
    proof = prove_shuffle(context(den.liar), joint, deal.deck, output, witness, source)
    return encode_points(p for card in output for p in (card.a, card.b)) + proof


def _masked(point: Point, joint: Point, r: int) -> Masked:
    return Masked(base_mul(r), add(point, mul(joint, r)))


def spoilt_decks() -> dict[str, Callable[[list[Masked], Point], list[Masked]]]:
    """What a cheat may do to the deck it shuffles."""

    def duplicate(deck: list[Masked], joint: Point) -> list[Masked]:
        again = Masked(add(deck[1].a, base_mul(5)), add(deck[1].b, mul(joint, 5)))
        return [again, *deck[1:]]

    def known(deck: list[Masked], joint: Point) -> list[Masked]:
        return [_masked(point_of(DECK[7]), joint, 11), *deck[1:]]

    def dead(deck: list[Masked], joint: Point) -> list[Masked]:
        return [_masked(base_mul(77), joint, 11), *deck[1:]]

    def marked(deck: list[Masked], joint: Point) -> list[Masked]:
        return [Masked(deck[0].a, add(deck[0].b, base_mul(3))), *deck[1:]]

    def swapped(deck: list[Masked], joint: Point) -> list[Masked]:
        return [deck[1], deck[0], *deck[2:]]

    def scaled(deck: list[Masked], joint: Point) -> list[Masked]:
        return [Masked(mul(deck[0].a, 2), mul(deck[0].b, 2)), *deck[1:]]

    return {
        "a card twice": duplicate,
        "a card put in for another": known,
        "a dead card": dead,
        "a marked card": marked,
        "two cards swapped after the proof": swapped,
        "a card under another key": scaled,
    }


@pytest.mark.parametrize("how", spoilt_decks())
def test_attack_shuffle_that_changes_the_deck(how: str) -> None:
    """A doubled, foreign, dead, marked, moved or re-keyed card does not pass the proof."""
    den = prepared("shuffle")
    data = _proved_for(den, spoilt_decks()[how])
    den.push(den.to_all(den.envelope("shuffle", Shuffle(data))))
    blamed(den, FaultKind.BAD_SHUFFLE)
    assert "shares" not in honest_kinds(den)


def test_attack_shuffle_that_repeats_a_ciphertext() -> None:
    """The very same masked card twice: refused before any proof is looked at."""
    den = prepared("shuffle")
    data = _proved_for(den, lambda deck, joint: [deck[1], *deck[1:]])
    den.push(den.to_all(den.envelope("shuffle", Shuffle(data))))
    blamed(den, FaultKind.BAD_SHUFFLE)


def test_attack_shuffle_with_the_proof_of_another() -> None:
    """A true shuffle with the proof of a different, equally true one."""
    den = prepared("shuffle")
    deal, ctx = den.liar.observer.table.the_deal(), context(den.liar)
    one = shuffle(ctx, deal.joint_point(), deal.deck, ENTROPY)
    other = shuffle(ctx, deal.joint_point(), deal.deck, ENTROPY[::-1])
    data = one[: deck_bytes(32)] + other[deck_bytes(32) :]
    den.push(den.to_all(den.envelope("shuffle", Shuffle(data))))
    blamed(den, FaultKind.BAD_SHUFFLE)


@pytest.mark.parametrize("seed", [ONE_DEAL, TWO_DEALS])
def test_attack_shuffle_replayed(seed: str) -> None:
    """The shuffle of the seat before, or its own of the deal before, sent again as its own."""
    den = prepared("shuffle", 1) if seed == ONE_DEAL else prepared("shuffle", 4, seed=seed)
    old = [
        body_of(unseal(wire).payload)
        for wire in den.liar.observer.record()
        if unseal(wire).payload.kind == "shuffle"
    ]
    assert isinstance(old[0], Shuffle)
    den.push(den.to_all(den.envelope("shuffle", old[0])))
    blamed(den, FaultKind.BAD_SHUFFLE)


def test_attack_shuffle_left_out() -> None:
    """The deck as it came, in the order it came, with no proof to speak of."""
    den = prepared("shuffle")
    deck = den.liar.observer.table.the_deal().deck
    data = encode_points(p for card in deck for p in (card.a, card.b))
    honest = body_of(unseal(den.liar.make()).payload)
    assert isinstance(honest, Shuffle)
    den.push(den.to_all(den.envelope("shuffle", Shuffle(data + honest.data[len(data) :]))))
    blamed(den, FaultKind.BAD_SHUFFLE)


@pytest.mark.parametrize("size", [0, 33, 6431, 6433])
def test_attack_shuffle_of_another_length(size: int) -> None:
    den = prepared("shuffle")
    den.push(den.to_all(den.envelope("shuffle", Shuffle(bytes(size)))))
    blamed(den, FaultKind.BAD_SHUFFLE)


def test_attack_shuffle_told_differently_collects_no_share() -> None:
    """The last shuffler shows each peer another order, to collect shares of its choice."""
    den = prepared("shuffle", 3)
    deal, ctx = den.liar.observer.table.the_deal(), context(den.liar)
    wires = [
        den.envelope("shuffle", Shuffle(shuffle(ctx, deal.joint_point(), deal.deck, entropy)))
        for entropy in (ENTROPY, ENTROPY[::-1])
    ]
    den.push(den.split(*wires))
    blamed(den, FaultKind.EQUIVOCATION, later=2)
    assert "shares" not in honest_kinds(den)


# -- the cut and the confirmation ---------------------------------------------------------------


@pytest.mark.parametrize("at", [0, 32, 255])
def test_attack_cut_out_of_bounds(at: int) -> None:
    den = prepared("cut")
    den.push(den.to_all(den.envelope("cut", msgspec.msgpack.encode([at]))))
    blamed(den, FaultKind.MALFORMED)


def test_attack_cut_told_differently_collects_no_share() -> None:
    """Two cuts of one deck would make the others open different cards."""
    den = prepared("cut")
    wire = den.liar.make()
    den.push(den.split(den.altered(wire, at=3), den.altered(wire, at=4)))
    blamed(den, FaultKind.EQUIVOCATION, later=1)
    assert "shares" not in honest_kinds(den)


def test_attack_confirm_of_another_history() -> None:
    """It signs a transcript that nobody has: no share leaves anybody, and time decides."""
    den = prepared("confirm", cheat=0)
    den.push(den.to_all(den.envelope("confirm", Confirm(None), prev=bytes(32))))
    waits_for_cheat(den)
    assert "shares" not in honest_kinds(den)
    den.hold = den.observer(den.honest[0]).step.number
    den.time_out()
    blamed(den, FaultKind.DIVERGED)


def test_attack_confirm_withheld() -> None:
    """Without the fourth signature no share leaves anybody; voted out, it costs only the deck."""
    den = prepared("confirm", cheat=0)
    den.dead.add(0)
    waits_for_cheat(den)
    assert "shares" not in honest_kinds(den)
    den.time_out()
    played_on(den)


# -- shares -------------------------------------------------------------------------------------


def _bases(den: Den) -> tuple[Point, ...]:
    stage = stage_of(den)
    assert isinstance(stage, SharesStage)
    return den.liar.observer.table.the_deal().bases(stage.packet, den.liar.seat)


def share_lies() -> dict[str, Callable[[Den], bytes]]:
    """What a cheat may send in place of its shares."""

    def of(den: Den, bases: tuple[Point, ...], secret: int | None = None) -> bytes:
        public = public_key(den.liar.secret).public
        return prove_shares(context(den.liar), secret or den.liar.secret.x, public, bases, ENTROPY)

    def own_slot(den: Den) -> Point:
        stage = stage_of(den)
        assert isinstance(stage, SharesStage)
        pos = next(pos for pos, seat in stage.packet.hidden if seat == den.liar.seat)
        return den.liar.observer.table.the_deal().deck[pos].a

    def one_false(den: Den) -> bytes:
        data = of(den, _bases(den))
        return bytes(base_mul(5)) + data[33:]

    return {
        "of another secret": lambda den: of(den, _bases(den), 4711),
        "one false": one_false,
        "one missing": lambda den: of(den, _bases(den)[:-1]),
        "one of its own cards too": lambda den: of(den, (*_bases(den), own_slot(den))),
        "its own card for another": lambda den: of(den, (*_bases(den)[:-1], own_slot(den))),
        "in another order": lambda den: of(den, _bases(den)[::-1]),
        "none": lambda den: b"",
    }


@pytest.mark.parametrize("lie", share_lies())
def test_attack_shares_that_are_not_those_due(lie: str) -> None:
    """False, missing, extra or exchanged shares do not verify."""
    den = prepared("shares", cheat=3)
    den.push(den.to_all(den.envelope("shares", Shares(share_lies()[lie](den)))))
    blamed(den, FaultKind.BAD_SHARES)


def test_attack_shares_replayed_from_the_first_packet() -> None:
    den = prepared("shares", 1, cheat=3)
    old = next(
        body_of(unseal(wire).payload)
        for wire in den.liar.observer.record()
        if unseal(wire).payload.kind == "shares" and unseal(wire).payload.sender == den.liar.seat
    )
    assert isinstance(old, Shares)
    den.push(den.to_all(den.envelope("shares", old)))
    blamed(den, FaultKind.BAD_SHARES)


def test_attack_shares_of_another_seat_sent_as_its_own() -> None:
    den = prepared("shares", cheat=3)
    theirs = next(
        body_of(unseal(wire).payload)
        for _, wire in den.signed
        if unseal(wire).payload.kind == "shares"
    )
    assert isinstance(theirs, Shares)
    den.push(den.to_all(den.envelope("shares", theirs)))
    blamed(den, FaultKind.BAD_SHARES)


def test_attack_shares_withheld() -> None:
    """It wants to be the only one that sees its cards: the others see none either, and vote."""
    den = prepared("shares", cheat=3)
    den.dead.add(3)
    waits_for_cheat(den)
    den.time_out()
    played_on(den)


def test_attack_shares_asked_for_a_card_of_its_choice() -> None:
    """An opening nobody owes, for a copy of another's card masked anew, gets no answer."""
    den = prepared("bid", cheat=None)
    deal = den.liar.observer.table.the_deal()
    pos = deal.hidden((den.liar.seat + 1) % 4)[0]
    bait = (add(deal.masked[pos].a, base_mul(9)),)
    public = public_key(den.liar.secret).public
    data = prove_shares(context(den.liar), den.liar.secret.x, public, bait, ENTROPY)
    den.push(den.to_all(den.envelope("shares", Shares(data))))
    blamed(den, FaultKind.WRONG_KIND)


# -- what the tests lean on ---------------------------------------------------------------------


def test_the_kit_itself_plays_an_honest_match() -> None:
    """With nothing altered the table of the kit ends as any other, and blames nobody."""
    den = prepared("shuffle")
    played_on(den)
    assert den.observer(den.honest[0]).record() == record(den)
    assert len(encode(den.roster)) < 4096
    assert encode_scalar(1) == bytes(31) + b"\x01"


def test_the_kit_notices_an_attack_that_nobody_finds() -> None:
    den = prepared("shuffle")
    with pytest.raises(NotCaught, match="not everybody found a fault"):
        blamed(den, FaultKind.BAD_SHUFFLE)


def test_receipts_of_a_refused_envelope_change_nothing() -> None:
    den = prepared("commit", cheat=1)
    wire = den.envelope("commit", Commit(bytes(32)), session=bytes(32))
    observer = den.observer(0)
    assert observer.receive(wire) is Receipt.REFUSED
    nobody_blamed(den)
