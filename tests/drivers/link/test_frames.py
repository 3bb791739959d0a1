"""Frames: every split gives the same values, nothing raises, and every byte is accounted for."""

from itertools import pairwise

import crc32c
import pytest
from cobs import cobs
from hypothesis import given
from hypothesis import strategies as st

from drivers.link.frames import LONGEST_PAYLOAD, LONGEST_RUN, Deframer, Noise, WireFrame, encode
from drivers.protocol.codes import Flag

FRAMES = st.builds(
    WireFrame,
    flags=st.integers(0, 15),
    channel=st.integers(0, 255),
    sequence=st.integers(0, 65535),
    acknowledgement=st.integers(0, 65535),
    credit=st.integers(0, 255),
    payload=st.binary(max_size=LONGEST_PAYLOAD),
)
JUNK = st.binary(max_size=600)
PIECES = st.lists(st.one_of(FRAMES.map(encode), JUNK), max_size=8)


def split(stream: bytes, cuts: list[int]) -> list[bytes]:
    edges = sorted({0, len(stream), *(cut % (len(stream) + 1) for cut in cuts)})
    return [stream[start:end] for start, end in pairwise(edges)]


def seen(stream: bytes, parts: list[bytes]) -> tuple[list[WireFrame | Noise], int]:
    deframer = Deframer()
    values = [value for part in parts for value in deframer.feed(part)]
    return values, stream.count(0) + sum(map(size, values)) + deframer.pending_size


def size(value: WireFrame | Noise) -> int:
    return len(encode(value)) - 2 if isinstance(value, WireFrame) else len(value.data) + value.dropped


@given(PIECES, st.lists(st.integers(0)))
def test_any_split_gives_the_same_values_and_accounts_for_every_byte(
    pieces: list[bytes], cuts: list[int]
) -> None:
    stream = b"".join(pieces)
    whole, counted = seen(stream, [stream])
    assert counted == len(stream)
    assert seen(stream, split(stream, cuts)) == (whole, counted)
    assert seen(stream, [bytes([byte]) for byte in stream]) == (whole, counted)


@given(st.lists(FRAMES, max_size=5))
def test_frames_arrive_as_they_were_sent(frames: list[WireFrame]) -> None:
    assert Deframer().feed(b"".join(map(encode, frames))) == frames


@given(FRAMES, st.integers(0), st.integers(1, 255))
def test_a_changed_byte_is_never_the_same_number_of_good_frames(
    frame: WireFrame, where: int, change: int
) -> None:
    line = bytearray(encode(frame))
    line[where % len(line)] ^= change
    assert frame not in Deframer().feed(bytes(line)) or where % len(line) in (0, len(line) - 1)


def run_of(decoded: bytes) -> bytes:
    encoded: bytes = cobs.encode(decoded)
    return encoded


def with_check(header_and_payload: bytes) -> bytes:
    return header_and_payload + crc32c.crc32c(header_and_payload).to_bytes(4, "little")


def test_layout_is_the_page_s() -> None:
    frame = WireFrame(Flag.NAK | Flag.CRITICAL, 2, 0x1234, 0xABCD, 7, b"\x01\x02")
    expected = with_check(bytes.fromhex("1c 02 3412 cdab 07 02 01 02"))
    assert encode(frame) == b"\0" + run_of(expected) + b"\0"
    assert crc32c.crc32c(b"123456789") == 0xE3069283


@pytest.mark.parametrize(
    ("run", "reason"),
    [
        (b"\x05ab", "cobs"),
        (run_of(b"\x10\0\0\0\0\0\0\0\0\0\0"), "length"),
        (run_of(with_check(bytes.fromhex("10 00 0000 0000 00 01"))), "length"),
        (run_of(with_check(bytes.fromhex("10 00 0000 0000 00 00 00"))), "length"),
        (run_of(with_check(b"\x10\0\0\0\0\0\0\xe6" + bytes(230)))[:LONGEST_RUN], "cobs"),
        (run_of(bytes.fromhex("10 00 0000 0000 00 00 00000001")), "crc"),
        (run_of(with_check(bytes.fromhex("20 00 0000 0000 00 00"))), "version"),
        (b"a" * LONGEST_RUN, "cobs"),
    ],
)
def test_what_is_no_frame_says_why(run: bytes, reason: str) -> None:
    good = WireFrame(0, 0, 0, 0, 8, b"")
    found = Deframer().feed(b"\0" + run + encode(good))
    assert found == [Noise(reason, run), good]


def test_endless_junk_is_one_noise_in_bounded_memory() -> None:
    deframer = Deframer()
    assert [deframer.feed(b"x" * 1000) for _ in range(100)] == [[]] * 100
    assert deframer.pending_size == 100_000
    good = WireFrame(0, 0, 0, 0, 8, b"")
    assert deframer.feed(encode(good)) == [
        Noise("too long", b"x" * LONGEST_RUN, 100_000 - LONGEST_RUN),
        good,
    ]


def test_zeros_alone_are_silence() -> None:
    assert Deframer().feed(bytes(1000)) == []


@pytest.mark.parametrize(
    "fields",
    [
        (16, 0, 0, 0, 0, b""),
        (0, 256, 0, 0, 0, b""),
        (0, 0, 65536, 0, 0, b""),
        (0, 0, 0, -1, 0, b""),
        (0, 0, 0, 0, 256, b""),
        (0, 0, 0, 0, 0, bytes(LONGEST_PAYLOAD + 1)),
    ],
)
def test_a_frame_that_cannot_be_sent_cannot_be_built(fields: tuple[int, int, int, int, int, bytes]) -> None:
    with pytest.raises(ValueError, match=r"must|at most"):
        WireFrame(*fields)
