"""Challenges and nonces: what they depend on, and what they do not show."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.vectors.common import context, neighbours, seed

from p2pcards.crypto.group import ORDER
from p2pcards.crypto.keys import DealSecret, make_secret, public_secret
from p2pcards.crypto.transcript import Context, Drbg, Transcript
from tests.crypto import oracle

CTX = context(0)
LABELS = st.binary(max_size=6)


def plain(ctx: Context) -> oracle.Context:
    """A context as the oracle takes it."""
    return {name: getattr(ctx, name) for name in ("session", "deal", "step", "seat", "prev")}


@given(LABELS, st.lists(st.tuples(LABELS, st.binary(max_size=80)), max_size=5), st.integers(1, 4))
@settings(max_examples=40)
def test_challenges_are_those_of_the_oracle(
    proof: bytes, steps: list[tuple[bytes, bytes]], count: int
) -> None:
    ours, theirs = Transcript(proof, CTX), oracle.Hash(proof, plain(CTX))
    for label, data in steps:
        ours.append(label, data)
        theirs.put(label, data)
        assert ours.scalar(label) == theirs.one(label)
    assert ours.scalars(b"e", count) == tuple(theirs.many(b"e", count))


@given(
    st.lists(st.tuples(LABELS, LABELS), max_size=3), st.lists(st.tuples(LABELS, LABELS), max_size=3)
)
def test_different_histories_give_different_challenges(
    one: list[tuple[bytes, bytes]], other: list[tuple[bytes, bytes]]
) -> None:
    challenges = []
    for steps in (one, other):
        transcript = Transcript(b"p", CTX)
        for label, data in steps:
            transcript.append(label, data)
        challenges.append(transcript.scalar(b"c"))
    assert (challenges[0] == challenges[1]) == (one == other)


def test_every_part_of_the_context_changes_a_challenge() -> None:
    contexts = [CTX, *(ctx for _, ctx, _ in neighbours(CTX))]
    contexts.append(replace(CTX, session=CTX.session + b"\0"))
    contexts.append(replace(CTX, session=CTX.session[:-1], prev=CTX.session[-1:] + CTX.prev))
    assert len({Transcript(b"p", ctx).scalar(b"c") for ctx in contexts}) == len(contexts)


def test_a_challenge_depends_on_its_label_and_on_those_before_it() -> None:
    def later(first: bytes) -> int:
        transcript = Transcript(b"p", CTX)
        transcript.scalar(first)
        return transcript.scalar(b"c")

    fresh = Transcript(b"p", CTX).scalar(b"c")
    assert len({fresh, later(b"a"), later(b"b"), later(b"c")}) == 4


def test_challenges_of_one_seed_are_independent_numbers() -> None:
    e = Transcript(b"p", CTX).scalars(b"e", 50)
    assert len(set(e)) == 50
    assert 1 not in e
    assert (e[1] * e[1] - e[0] * e[2]) % ORDER != 0, "no powers of one number"


def nonces(
    ctx: Context = CTX, entropy: str = "entropy", witness: bytes = b"w", said: bytes = b"s"
) -> int:
    """The first nonce of a proof."""
    transcript = Transcript(b"p", ctx)
    transcript.append(b"statement", said)
    return transcript.nonces(seed(entropy), witness).scalar()


def test_nonces_repeat_only_when_everything_does() -> None:
    assert nonces() == nonces()
    others = [nonces(ctx) for _, ctx, _ in neighbours(CTX)]
    others += [nonces(entropy="more"), nonces(witness=b"x"), nonces(said=b"t"), nonces()]
    assert len(set(others)) == len(others)


def test_nonces_leave_the_challenges_as_they_are() -> None:
    plain_one, other = Transcript(b"p", CTX), Transcript(b"p", CTX)
    other.nonces(seed("entropy"), b"w").scalars(3)
    assert plain_one.scalar(b"c") == other.scalar(b"c")


def test_too_little_entropy_is_refused() -> None:
    for size in (0, 16, 31):
        with pytest.raises(ValueError, match="entropy"):
            Drbg(bytes(size))
        with pytest.raises(ValueError, match="entropy"):
            make_secret(bytes(size))


@given(st.binary(min_size=32, max_size=64), st.integers(0, 40))
def test_permutations_are_permutations(entropy: bytes, size: int) -> None:
    source = Drbg(entropy)
    assert sorted(source.permutation(size)) == list(range(size))
    assert all(0 < value < ORDER for value in source.scalars(5))


def test_permutations_are_even_in_number() -> None:
    source = Drbg(seed("permutations"))
    counts = Counter(tuple(source.permutation(3)) for _ in range(6000))
    # 1000 of each are expected; swapping with any place would give 889 and 1111.
    assert len(counts) == 6
    assert all(920 < count < 1080 for count in counts.values())


def test_bindings_have_their_lengths() -> None:
    assert Drbg(bytes(32), b"ab", b"c").scalar() != Drbg(bytes(32), b"a", b"bc").scalar()
    assert Drbg(bytes(32)).scalar() != Drbg(bytes(32), b"").scalar()


def test_secrets_do_not_show_in_text() -> None:
    secret = make_secret(seed("secret"))
    assert repr(secret) == str(secret) == "DealSecret()"
    source = Drbg(seed("secret"))
    transcript = Transcript(b"p", CTX)
    for thing in (source, transcript, transcript.nonces(seed("secret"), b"w")):
        assert "omitted" in repr(thing)
        assert not any(character.isdigit() for character in f"{thing!r}{thing!s}")


def test_public_keys_of_a_lost_seat_differ_by_all_they_are_derived_from() -> None:
    fields = (b"session", b"deal", b"seat")
    derived = [
        public_secret(*fields),
        public_secret(*fields[:2]),
        public_secret(b"sessio", b"ndeal", b"seat"),
    ]
    assert derived[0] == public_secret(*fields)
    numbers = [n for secret in derived for n in (secret.x, secret.y)]
    assert len(set(numbers)) == len(numbers)
    assert DealSecret(*oracle.public_secret(*fields)) == derived[0]
