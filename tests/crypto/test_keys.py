"""Deal keys: claims, commitments and the attacks on a joint key."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.vectors.common import JOINT, KEYS, SECRETS, context, neighbours, seed

from p2pcards.crypto.errors import CryptoError, ProofError
from p2pcards.crypto.group import ORDER, add, base_mul, encode_points, encode_scalar, msm, neg
from p2pcards.crypto.keys import (
    DealKey,
    DealSecret,
    claim_key,
    commit_key,
    joint_key,
    make_secret,
    public_key,
    verify_key,
)
from p2pcards.crypto.transcript import Transcript
from tests.crypto.mutations import accepted, layout, mutations

CTX = context(2, step=3)
SECRET = SECRETS[2]
CLAIM = claim_key(CTX, SECRET, seed("claim"))
FIELDS = layout(("X", "Y"), ("c", "s_x", "s_y"))


@given(st.binary(min_size=32, max_size=64))
@settings(max_examples=15, deadline=None)
def test_an_honest_claim_verifies(entropy: bytes) -> None:
    secret = make_secret(entropy)
    claim = claim_key(CTX, secret, seed("other"))
    key = verify_key(CTX, claim, commit_key(CTX, claim))
    assert key == public_key(secret)
    assert (key.public, key.box) == (base_mul(secret.x), base_mul(secret.y))


def test_every_changed_claim_is_refused_even_if_committed_to() -> None:
    changed = list(mutations(CLAIM, FIELDS))
    assert len(changed) > 50
    assert accepted(changed, CLAIM, lambda d: verify_key(CTX, d, commit_key(CTX, d))) == []


def test_every_changed_claim_is_refused_by_the_commitment() -> None:
    commitment = commit_key(CTX, CLAIM)
    fresh = claim_key(CTX, SECRET, seed("fresh"))
    changed = [*mutations(CLAIM, FIELDS), ("another proof of the same key", fresh)]
    assert accepted(changed, CLAIM, lambda d: verify_key(CTX, d, commitment)) == []
    for data in (b"", commitment[:-1], commitment + b"\0", bytes(32)):
        with pytest.raises(ProofError):
            verify_key(CTX, CLAIM, data)


def test_a_claim_holds_in_its_own_context_alone() -> None:
    for name, ctx, _ in neighbours(CTX):
        with pytest.raises(CryptoError):
            verify_key(ctx, CLAIM, commit_key(ctx, CLAIM))
        assert commit_key(ctx, CLAIM) != commit_key(CTX, CLAIM), name


def test_another_seats_claim_cannot_be_copied() -> None:
    theirs = claim_key(context(0, step=3), SECRETS[0], seed("claim"))
    with pytest.raises(CryptoError):
        verify_key(CTX, theirs, commit_key(CTX, theirs))


def test_a_rogue_key_has_no_proof() -> None:
    # X = xG - sum of the others makes xG the joint key, but its logarithm is nobody's.
    others = [KEYS[i].public for i in (0, 1, 3)]
    rogue = msm(others, (-1, -1, -1), SECRET.x)
    assert add(rogue, *others) == KEYS[2].public
    for known in (SECRET.x, (SECRET.x * 2) % ORDER):
        claim = _claim(rogue, known)
        with pytest.raises(CryptoError):
            verify_key(CTX, claim, commit_key(CTX, claim))
    mixed = bytes(rogue) + CLAIM[33:]
    with pytest.raises(CryptoError):
        verify_key(CTX, mixed, commit_key(CTX, mixed))


def _claim(public: object, x: int) -> bytes:
    """A claim of any first key, proved as well as ``x`` allows."""
    key = DealKey(public, KEYS[2].box)  # type: ignore[arg-type]
    transcript = Transcript(b"deal key", CTX)
    transcript.append_points(b"keys", (key.public, key.box))
    transcript.append_points(b"t", (base_mul(21), base_mul(22)))
    c = transcript.scalar(b"c")
    scalars = (c, (21 + c * x) % ORDER, (22 + c * SECRET.y) % ORDER)
    return encode_points((key.public, key.box)) + b"".join(map(encode_scalar, scalars))


def test_the_maker_of_rogue_claims_is_accepted_for_its_own_key() -> None:
    claim = _claim(KEYS[2].public, SECRET.x)
    assert verify_key(CTX, claim, commit_key(CTX, claim)) == KEYS[2]


def test_the_joint_key_is_the_sum_of_different_keys() -> None:
    assert joint_key(KEYS) == base_mul(sum(secret.x for secret in SECRETS)) == JOINT
    key = KEYS[0]
    for other in (
        key,
        DealKey(key.public, KEYS[1].box),
        DealKey(KEYS[1].public, key.box),
        DealKey(key.box, key.public),
        DealKey(KEYS[1].public, KEYS[1].public),
    ):
        with pytest.raises(ProofError):
            joint_key([key, other])
    cancelling = DealKey(neg(key.public), KEYS[1].box)
    with pytest.raises(ProofError):
        joint_key([key, cancelling])


def test_one_entropy_in_two_contexts_does_not_show_the_key() -> None:
    # With a nonce used twice, s - s' = (c - c') x.
    claims = [claim_key(ctx, SECRET, seed("claim")) for ctx in (CTX, context(2, step=4))]
    c, s = ([int.from_bytes(d[at : at + 32], "big") for d in claims] for at in (66, 98))
    assert (s[0] - s[1]) * pow(c[0] - c[1], -1, ORDER) % ORDER != SECRET.x
    assert claims[0] == claim_key(CTX, SECRET, seed("claim"))
    assert claims[0] != claim_key(CTX, SECRET, seed("claim 2"))


def test_secret_keys_come_from_all_of_the_entropy() -> None:
    entropy = seed("all of it")
    changed = [entropy[:i] + bytes((entropy[i] ^ 1,)) + entropy[i + 1 :] for i in (0, 31, 63)]
    secrets = [make_secret(data) for data in (entropy, *changed)]
    assert len({n for secret in secrets for n in (secret.x, secret.y)}) == 8
    assert make_secret(entropy) == DealSecret(secrets[0].x, secrets[0].y)
