"""Frames come out whole however the stream was cut, and never beyond the limit."""

from __future__ import annotations

import contextlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.net import frames, wire
from p2pcards.net.frames import FrameDecoder, FrameError
from p2pcards.net.wire import Hello, Kind, WireError

HELLO = Hello(wire.VERSION, "Ana", 4000, b"seat")


def drain(decoder: FrameDecoder) -> list[bytes]:
    """All whole frames there are."""
    return list(iter(decoder.next_frame, None))


@given(st.lists(st.binary(min_size=1, max_size=300), max_size=8), st.data())
def test_any_cut_gives_the_same_frames(sent: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(map(frames.encode, sent))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=12)))
    decoder = FrameDecoder()
    received: list[bytes] = []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        decoder.feed(stream[start:end])
        received += drain(decoder)
    assert received == sent
    assert not decoder.is_partial


@given(st.binary(max_size=400))
def test_garbage_gives_frames_or_a_frame_error(garbage: bytes) -> None:
    decoder = FrameDecoder(limit=64)
    decoder.feed(garbage)
    try:
        assert all(0 < len(frame) <= 64 for frame in drain(decoder))
    except FrameError:
        with pytest.raises(FrameError):
            decoder.next_frame()


@pytest.mark.parametrize("length", [0, frames.LIMIT + 1, 0xFFFFFFFF])
def test_a_bad_length_is_refused_before_its_body(length: int) -> None:
    decoder = FrameDecoder()
    decoder.feed(length.to_bytes(4, "big"))
    with pytest.raises(FrameError, match=str(length)):
        decoder.next_frame()
    decoder.feed(b"x" * 1000)
    assert not decoder.is_partial


def test_the_limit_itself_passes() -> None:
    decoder = FrameDecoder()
    decoder.feed(frames.encode(bytes(frames.LIMIT)))
    assert drain(decoder) == [bytes(frames.LIMIT)]
    with pytest.raises(ValueError, match="frame"):
        frames.encode(bytes(frames.LIMIT + 1))


def body(frame: bytes) -> bytes:
    """The body in the bytes of a frame."""
    return frame[frames.PREFIX + 1 :]


def test_a_hello_comes_back_cleaned() -> None:
    assert wire.decode_hello(body(wire.encode_hello(HELLO)), wire.VERSION) == HELLO
    sly = msgspec.structs.replace(HELLO, name="\u202eA\x1bna")
    assert wire.decode_hello(body(wire.encode_hello(sly)), wire.VERSION).name == "Ana"


@pytest.mark.parametrize(
    "fields",
    [
        [1, "A" * 33, 0, b""],
        [1, "Ana", 70_000, b""],
        [1, "Ana", 0, b"w" * 65],
        [1, "Ana", 0],
        [1, "Ana", 0, b"", 5],
        [True, "Ana", 0, b""],
        [1, b"Ana", 0, b""],
        [],
        {"version": 1},
        7,
    ],
)
def test_a_hello_out_of_bounds_is_refused(fields: object) -> None:
    with pytest.raises(WireError):
        wire.decode_hello(msgspec.msgpack.encode(fields), 1)


@pytest.mark.parametrize(
    "odd", [b"\x94\xcd\x00\x01\xa3Ana\x00\xc4\x00", b"\x94\x01\xa3Ana\x00\xc4\x00\x00", b"\xff"]
)
def test_a_hello_in_another_encoding_is_refused(odd: bytes) -> None:
    with pytest.raises(WireError):
        wire.decode_hello(odd, 1)


def test_the_version_is_read_from_hellos_of_any_form() -> None:
    later = msgspec.msgpack.encode([2, {"quite": "different"}])
    with pytest.raises(wire.VersionMismatch, match="version 2"):
        wire.decode_hello(later, 1)


@given(st.binary(max_size=100))
def test_no_bytes_crash_the_wire(data: bytes) -> None:
    try:
        kind, rest = wire.split(data)
    except WireError:
        return
    assert wire.reason_of(rest)
    if kind is Kind.HELLO:
        with contextlib.suppress(WireError, wire.VersionMismatch):
            wire.decode_hello(rest, wire.VERSION)


def test_our_own_hello_is_checked_before_it_is_sent() -> None:
    with pytest.raises(msgspec.ValidationError):
        wire.encode_hello(Hello(1, "A" * 33, 0, b""))
