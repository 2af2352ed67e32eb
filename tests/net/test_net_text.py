"""Hostile text comes out as one harmless, short line."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.net.text import clean, cut


@pytest.mark.parametrize(
    ("hostile", "harmless"),
    [
        ("\x1b[2J\x1b]0;owned\x07Ion", "[2J]0;ownedIon"),
        ("Ana\u202e\u2066drow\u2069", "Anadrow"),
        ("A\u200bn\u200d\ufeffa\u00ad", "Ana"),
        ("two\r\nlines\u2028three\tfour", "two lines three four"),
        ("  wide \u3000 open\u00a0 ", "wide open"),
        ("K♠\ufe0f", "K♠"),
        ("\u3164\u2800", ""),
        ("\u0301\u0301", ""),
        ("Ștefan Мәди", "Ștefan Мәди"),
        ("\ud800x\ue000\U000e0041", "x"),
    ],
)
def test_what_goes_and_what_stays(hostile: str, harmless: str) -> None:
    assert clean(hostile, 32) == harmless


def test_a_combining_flood_is_thinned() -> None:
    flooded = clean("a" + "\u0302\u0323\u0310\u0315" * 500 + "b", 32)
    assert sum(1 for char in flooded if unicodedata.combining(char)) <= 2


def test_ten_kilobytes_are_cut() -> None:
    assert clean("x" * 10_000, 32) == "x" * 32
    assert len(clean("я" * 10_000, 32, 20).encode()) == 20


@given(st.text(max_size=200), st.integers(1, 40), st.integers(1, 80))
def test_the_result_keeps_every_promise(text: str, limit: int, size: int) -> None:
    line = clean(text, limit, size)
    assert len(line) <= limit
    assert len(line.encode()) <= size
    assert line == line.strip()
    assert all(unicodedata.category(char)[0] != "C" for char in line)
    assert clean(line, limit, size) == line


@given(st.text(max_size=50), st.integers(0, 60))
def test_cutting_never_splits_a_character(text: str, size: int) -> None:
    short = cut(text.encode(errors="ignore").decode(), size)
    assert text.encode(errors="ignore").decode().startswith(short)
    assert len(short.encode()) <= size
