"""Parts of keys: three points, three boxes, complaints about them, and a key rebuilt."""

from __future__ import annotations

from functools import partial

import pytest
from tools.vectors.common import KEYS, SECRETS, context, neighbours, seed

from p2pcards.crypto.errors import CryptoError, EncodingError, PartsError, ProofError
from p2pcards.crypto.group import ORDER, Point, base_mul, mul
from p2pcards.crypto.keys import DealSecret
from p2pcards.crypto.parts import (
    SEALED_BYTES,
    Parts,
    complain,
    encode_part,
    judge_complaint,
    open_part,
    rebuild_secret,
    split_key,
    verify_part,
    verify_parts,
)
from p2pcards.crypto.shares import prove_shares
from tests.crypto.liars import claim_shares
from tests.crypto.mutations import (
    accepted,
    layout,
    misshapen,
    mutations,
    scalars_instead,
)

SENDER = 1
OTHERS = (0, 2, 3)
CTX = context(SENDER, step=5)
PUBLIC, BOX = KEYS[SENDER].public, KEYS[SENDER].box
BOXES = {k: KEYS[k].box for k in OTHERS}
DATA = split_key(CTX, SECRETS[SENDER], BOXES, seed("parts"))
PARTS = verify_parts(CTX, PUBLIC, OTHERS, DATA)
OPENED = {k: open_part(CTX, PARTS, k, SECRETS[k], BOX) for k in OTHERS}
FIELDS = layout(("S0", "S2", "S3"), ())


def judge(parts: Parts, seat: int, data: bytes) -> bool:
    """Whether the part of a seat is bad."""
    where = context(seat, step=12)
    return judge_complaint(CTX, where, parts, seat, KEYS[seat].box, BOX, data)


def honest_complaint(seat: int) -> bytes:
    """What a seat that complains must send."""
    return complain(context(seat, step=12), SECRETS[seat], BOX, seed("complaint"))


def with_box(seat: int, box: bytes) -> Parts:
    """The parts with one box in place of another."""
    return Parts(PARTS.points, {**PARTS.sealed, seat: box})


def test_every_recipient_opens_its_part_and_all_three_rebuild_the_key() -> None:
    for k, part in OPENED.items():
        assert base_mul(part) == PARTS.points[k]
        assert verify_part(PARTS, k, encode_part(part)) == part
    assert sum(OPENED.values()) % ORDER == SECRETS[SENDER].x
    assert rebuild_secret(PUBLIC, OPENED, PARTS).x == SECRETS[SENDER].x


@pytest.mark.parametrize("sender", range(4))
def test_any_seat_can_split_its_key(sender: int) -> None:
    others = [k for k in range(4) if k != sender]
    ctx, key = context(sender, step=5), KEYS[sender]
    data = split_key(ctx, SECRETS[sender], {k: KEYS[k].box for k in others}, seed("any"))
    parts = verify_parts(ctx, key.public, others, data)
    scalars = {k: open_part(ctx, parts, k, SECRETS[k], key.box) for k in others}
    assert rebuild_secret(key.public, scalars, parts) == DealSecret(
        SECRETS[sender].x, SECRETS[sender].x
    )


def test_changed_points_are_refused() -> None:
    changed = [item for item in mutations(DATA, FIELDS) if "swapped" not in item[0]]
    assert len(changed) > 30
    assert accepted(changed, DATA, partial(verify_parts, CTX, PUBLIC, OTHERS)) == []
    shapes = misshapen(DATA, [*FIELDS, ("box", len(DATA) - SEALED_BYTES, SEALED_BYTES)])
    assert accepted(shapes, DATA, partial(verify_parts, CTX, PUBLIC, OTHERS)) == []
    with pytest.raises(ProofError):
        verify_parts(CTX, KEYS[0].public, OTHERS, DATA)
    with pytest.raises(EncodingError):
        verify_parts(CTX, PUBLIC, (0, 2), DATA)


def test_exchanged_points_add_up_but_are_found_by_their_recipients() -> None:
    data = DATA[33:66] + DATA[:33] + DATA[66:]
    parts = verify_parts(CTX, PUBLIC, OTHERS, data)
    for seat in (0, 2):
        with pytest.raises(ProofError):
            open_part(CTX, parts, seat, SECRETS[seat], BOX)
        assert judge(parts, seat, honest_complaint(seat))
    assert open_part(CTX, parts, 3, SECRETS[3], BOX) == OPENED[3]
    assert not judge(parts, 3, honest_complaint(3))


@pytest.mark.parametrize("seat", OTHERS)
def test_a_changed_box_is_found_and_its_sender_convicted(seat: int) -> None:
    box = PARTS.sealed[seat]
    changed = [box[:i] + bytes((box[i] ^ 1 << i % 8,)) + box[i + 1 :] for i in range(len(box))]
    changed += [bytes(SEALED_BYTES), *(PARTS.sealed[k] for k in OTHERS if k != seat)]
    complaint = honest_complaint(seat)
    for data in changed:
        parts = with_box(seat, data)
        with pytest.raises(ProofError):
            open_part(CTX, parts, seat, SECRETS[seat], BOX)
        assert judge(parts, seat, complaint)


def test_a_wrong_part_well_sealed_is_found_and_its_sender_convicted() -> None:
    # The cheat splits another key, and sends its boxes with the points of the true one.
    other = DealSecret(SECRETS[SENDER].x + 1, SECRETS[SENDER].y)
    boxes = split_key(CTX, other, BOXES, seed("other"))[99:]
    parts = verify_parts(CTX, PUBLIC, OTHERS, DATA[:99] + boxes)
    for seat in OTHERS:
        with pytest.raises(ProofError):
            open_part(CTX, parts, seat, SECRETS[seat], BOX)
        assert judge(parts, seat, honest_complaint(seat))


@pytest.mark.parametrize("seat", OTHERS)
def test_a_false_complaint_is_seen_to_be_false(seat: int) -> None:
    assert not judge(PARTS, seat, honest_complaint(seat))


def test_boxes_open_in_their_own_context_and_for_their_own_seat_alone() -> None:
    for name, ctx, _ in neighbours(CTX):
        with pytest.raises(ProofError):
            open_part(ctx, PARTS, 2, SECRETS[2], BOX)
        assert split_key(ctx, SECRETS[SENDER], BOXES, seed("parts")) != DATA, name
    for seat, other in ((0, 2), (2, 3), (3, 0)):
        with pytest.raises(ProofError):
            open_part(CTX, PARTS, seat, SECRETS[other], BOX)
        with pytest.raises(ProofError):
            open_part(CTX, PARTS, seat, DealSecret(SECRETS[seat].x, SECRETS[seat].x), BOX)
        with pytest.raises(ProofError):
            open_part(CTX, PARTS, seat, SECRETS[seat], KEYS[other].box)


def test_every_changed_complaint_proves_nothing() -> None:
    data = honest_complaint(2)
    bad = with_box(2, bytes(SEALED_BYTES))
    changed = mutations(data, layout(("shared",), ("c", "s")))
    assert accepted(changed, data, partial(judge, bad, 2)) == []


def test_a_complaint_holds_for_its_maker_its_sender_and_its_place_alone() -> None:
    data, where = honest_complaint(2), context(2, step=12)
    bad = with_box(2, bytes(SEALED_BYTES))
    for _, ctx, _ in neighbours(where):
        with pytest.raises(CryptoError):
            judge_complaint(CTX, ctx, bad, 2, KEYS[2].box, BOX, data)
    for own, theirs in ((KEYS[3].box, BOX), (KEYS[2].box, KEYS[0].box), (KEYS[2].public, BOX)):
        with pytest.raises(CryptoError):
            judge_complaint(CTX, where, bad, 2, own, theirs, data)


def test_nobody_is_framed_with_another_point_as_the_boxs_key() -> None:
    where = context(2, step=12)
    true = mul(BOX, SECRETS[2].y)
    lies: list[tuple[int, Point]] = [
        (SECRETS[2].y, mul(BOX, SECRETS[3].y)),
        (SECRETS[3].y, mul(BOX, SECRETS[3].y)),
        (SECRETS[2].x, mul(BOX, SECRETS[2].x)),
        (SECRETS[2].y, mul(true, 2)),
    ]
    for secret, shared in lies:
        data = claim_shares(
            where, secret, KEYS[2].box, (BOX,), (shared,), seed("lie"), b"complaint"
        )
        with pytest.raises(ProofError):
            judge(PARTS, 2, data)
    data = claim_shares(
        where, SECRETS[2].y, KEYS[2].box, (BOX,), (true,), seed("lie"), b"complaint"
    )
    assert judge(PARTS, 2, data) is False


def test_a_share_is_no_complaint_and_a_complaint_no_share() -> None:
    where = context(2, step=12)
    share = prove_shares(where, SECRETS[2].y, KEYS[2].box, (BOX,), seed("share"))
    with pytest.raises(ProofError):
        judge(PARTS, 2, share)


def test_published_parts_must_fit_their_points() -> None:
    good = encode_part(OPENED[2])
    for _, data in [*scalars_instead(good), ("of 3", encode_part(OPENED[3])), ("", b"")]:
        with pytest.raises(CryptoError):
            verify_part(PARTS, 2, data)
    with pytest.raises(PartsError) as caught:
        verify_part(PARTS, 2, encode_part(OPENED[3]))
    assert caught.value.seats == (2,)


def test_a_key_is_not_rebuilt_from_wrong_or_missing_parts_and_they_are_named() -> None:
    cases: list[tuple[dict[int, int], tuple[int, ...]]] = [
        ({**OPENED, 2: OPENED[2] + 1}, (2,)),
        ({**OPENED, 0: OPENED[2], 2: OPENED[0]}, (0, 2)),
        ({**OPENED, 0: OPENED[0] + 5, 2: OPENED[2] - 5}, (0, 2)),
        ({**OPENED, 3: 0}, (3,)),
        ({**OPENED, 3: 1}, (3,)),
        ({k: OPENED[k] for k in (0, 2)}, (3,)),
        ({}, OTHERS),
        ({**OPENED, 1: 1}, ()),
        ({**OPENED, 1: ORDER}, ()),
    ]
    for scalars, seats in cases:
        with pytest.raises(PartsError) as caught:
            rebuild_secret(PUBLIC, scalars, PARTS)
        assert caught.value.seats == seats
    with pytest.raises(PartsError):
        rebuild_secret(KEYS[0].public, OPENED, PARTS)


def test_parts_differ_with_the_entropy_and_no_part_is_the_key() -> None:
    again = split_key(CTX, SECRETS[SENDER], BOXES, seed("parts again"))
    assert again[:99] != DATA[:99]
    assert split_key(CTX, SECRETS[SENDER], BOXES, seed("parts")) == DATA
    assert SECRETS[SENDER].x not in OPENED.values()
    assert len(set(OPENED.values())) == 3
