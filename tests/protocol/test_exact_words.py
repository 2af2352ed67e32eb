"""Words on the wire are exact: nothing may follow them, not even a line's end."""

from __future__ import annotations

import msgspec
import pytest

from p2pcards.protocol.messages import BidBody, WireError, decode


@pytest.mark.parametrize("word", ["pass\n", "take\n", "c\n", " c", "pas", ""])
def test_a_bid_is_one_of_its_words(word: str) -> None:
    with pytest.raises(WireError):
        decode(BidBody, msgspec.msgpack.encode([word]))


@pytest.mark.parametrize("word", ["pass", "take", "c", "d", "h", "s"])
def test_each_word_is_taken(word: str) -> None:
    assert decode(BidBody, msgspec.msgpack.encode([word])).bid == word
