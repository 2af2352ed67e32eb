"""The group: encodings, sums and points from hashes, against plain integers."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tools.vectors.common import scalar

from p2pcards.crypto.deck import card_points, generators
from p2pcards.crypto.errors import EncodingError, ProofError
from p2pcards.crypto.group import (
    ORDER,
    G,
    Reader,
    add,
    base_mul,
    decode_point,
    decode_scalar,
    encode_scalar,
    hash_to_point,
    msm,
    mul,
    neg,
    sub,
)
from p2pcards.protocol.deal import NAMES
from tests.crypto import curve

A, B, C = (base_mul(scalar(name)) for name in "ABC")
SCALARS = st.integers(0, 2**256 - 1) | st.sampled_from([0, 1, 2, ORDER - 1, ORDER, ORDER + 1])


@given(
    st.binary(min_size=32, max_size=34) | st.binary(min_size=32, max_size=32).map(b"\x02".__add__)
)
@settings(max_examples=60)
def test_bytes_parse_as_a_point_just_when_they_are_one(data: bytes) -> None:
    try:
        x, y = curve.point(data)
    except curve.Refused:
        with pytest.raises(EncodingError):
            decode_point(data)
    else:
        point = decode_point(data)
        assert point.raw == b"\x04" + x.to_bytes(32, "big") + y.to_bytes(32, "big")
        assert bytes(point) == data


@given(SCALARS, SCALARS, SCALARS)
@settings(max_examples=20, deadline=None)
def test_sums_of_products_agree_with_plain_integers(a: int, b: int, base: int) -> None:
    terms = [(a, curve.point(bytes(A))), (b, curve.point(bytes(B))), (base, curve.G)]
    want = curve.maybe_total(terms)
    if want is None:
        with pytest.raises(ProofError):
            msm((A, B), (a, b), base)
    else:
        assert bytes(msm((A, B), (a, b), base)) == curve.enc(want)


@given(st.integers(1, ORDER - 1), st.integers(1, ORDER - 1))
@example(1, 1)
@example(ORDER - 1, ORDER - 1)
@settings(max_examples=20, deadline=None)
def test_the_laws_of_the_group(a: int, b: int) -> None:
    assert mul(base_mul(a), b) == base_mul(a * b)
    assert msm((A,), (a,), b) == add(mul(A, a), base_mul(b))
    assert neg(mul(A, a)) == mul(A, -a)
    assume(a + b != ORDER)
    assert add(mul(A, a), mul(A, b)) == mul(A, a + b)


@pytest.mark.parametrize(
    "attempt",
    [
        lambda: base_mul(0),
        lambda: base_mul(ORDER),
        lambda: mul(A, 0),
        lambda: mul(A, ORDER),
        lambda: add(A, neg(A)),
        lambda: sub(A, A),
        lambda: msm((), ()),
        lambda: msm((A,), (0,)),
        lambda: msm((A, A), (1, -1)),
        lambda: msm((A, A), (1, -1), ORDER),
        lambda: msm((G,), (5,), -5),
        lambda: msm((G, A), (5, ORDER), -5),
    ],
)
def test_infinity_never_becomes_a_point(attempt: object) -> None:
    with pytest.raises(ProofError):
        attempt()  # type: ignore[operator]


def test_a_sum_may_pass_through_infinity() -> None:
    assert msm((A, A, B), (1, -1, 2)) == mul(B, 2)
    assert msm((A, A), (1, -1), 3) == base_mul(3)


@given(st.integers(0, 2**256 - 1) | st.integers(ORDER - 2, ORDER + 2))
def test_a_scalar_parses_just_when_it_is_reduced_and_not_zero(value: int) -> None:
    data = value.to_bytes(32, "big")
    if 0 < value < ORDER:
        assert decode_scalar(data) == value
        assert encode_scalar(value) == data
    else:
        with pytest.raises(EncodingError):
            decode_scalar(data)
        with pytest.raises(RuntimeError):
            encode_scalar(value)


@given(st.integers(0, 3), st.integers(0, 3), st.integers(0, 300))
def test_a_reader_takes_the_one_length_that_is_due(points: int, scalars: int, size: int) -> None:
    due = 33 * points + 32 * scalars
    if size != due:
        with pytest.raises(EncodingError):
            Reader(bytes(size), points, scalars)
    reader = Reader(bytes(A) * points + encode_scalar(7) * scalars, points, scalars)
    assert reader.points(points) == (A,) * points
    assert reader.scalars(scalars) == (7,) * scalars


def test_a_point_survives_its_repr() -> None:
    assert eval(repr(A), {"decode_point": decode_point}) == A  # noqa: S307


def test_hashing_separates_labels_and_fields() -> None:
    inputs = [
        (b"a", b"b", b"c"), (b"a", b"bc"), (b"ab", b"c"), (b"abc",), (b"a", b"b", b"c", b""),
        (b"", b"a", b"b", b"c"), (b"a", b"c", b"b"),
    ]  # fmt: skip
    points = {hash_to_point(*fields) for fields in inputs}
    assert len(points) == len(inputs)
    assert all(bytes(point)[0] == 2 for point in points)


def test_no_card_is_a_small_multiple_of_another_or_of_a_generator() -> None:
    # Where card i is i times one point, masking by a common factor shows the whole deck.
    points = card_points(NAMES)
    h0, h = generators(32)
    assert len({*points, h0, *h, G}) == 32 + 33 + 1
    known = {*points, h0, *h}
    for point in (*points[:4], h0, G):
        for factor in range(2, 33):
            assert mul(point, factor) not in known


def test_card_points_depend_on_the_name_alone() -> None:
    assert card_points(("As", "7s")) == card_points(("7s", "As"))[::-1]
    assert generators(4)[1] == generators(32)[1][:4]
