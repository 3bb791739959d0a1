"""Both decoders: any split of the bytes gives the same, nothing raises, every byte is accounted for."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.adapters.decoder import LONGEST_RUN, SILENCE, Noise
from drivers.adapters.makes import ADAPTERS

PIECES = {
    "angel-eye-2ex": (
        bytes.fromhex("05 31 44 81 B8 03 34 46"),
        bytes.fromhex("05 32 53 03 36 32"),
        bytes.fromhex("05 33 45 05 03 37 30"),
        bytes.fromhex("15 30 32"),
        b"\x15\x02",
        b"\x06",
        b"\x05",
        b"\x05\x34M123",
        b"\x15A",
    ),
    "bee-tek": (
        b" [Game]<Card:4S> ",
        b" [Game]<Game> ",
        b" [GameAlarm]<Alarm:E3 Card Not Read> ",
        b"<W0x01>",
        b" [Game]<Card:H3> ",
        b" [Game",
        b"<W0",
        b"\r\n",
        b" [" + b"x" * 90,
    ),
}


def streams(name: str) -> st.SearchStrategy[bytes]:
    piece = st.sampled_from(PIECES[name]) | st.binary(max_size=12)
    return st.lists(piece, max_size=12).map(b"".join)


def cut(data: bytes, places: Sequence[int]) -> list[bytes]:
    ends = sorted({place % (len(data) + 1) for place in places} | {0, len(data)})
    return [data[first:last] for first, last in pairwise(ends)]


def values(name: str, chunks: Sequence[bytes]) -> list[Any]:
    decoder = ADAPTERS[name].decoder()
    found = [value for chunk in chunks for value in decoder.feed(chunk, 0.0)]
    return [*found, *decoder.feed(b"", SILENCE)]


@pytest.mark.parametrize("name", ADAPTERS)
@given(data=st.data(), places=st.lists(st.integers(0, 999), max_size=20))
def test_any_split_gives_the_same_values_and_no_byte_is_lost(
    name: str, data: st.DataObject, places: list[int]
) -> None:
    stream = data.draw(streams(name))
    whole = values(name, [stream])
    assert values(name, cut(stream, places)) == whole
    assert values(name, [bytes([byte]) for byte in stream]) == whole
    assert b"".join(value.raw for value in whole) == stream
    assert all(len(value.raw) <= LONGEST_RUN + 80 for value in whole if isinstance(value, Noise))


@pytest.mark.parametrize("name", ADAPTERS)
@given(data=st.data())
def test_what_is_said_of_any_bytes_can_be_said_in_words(name: str, data: st.DataObject) -> None:
    stream = data.draw(streams(name))
    ADAPTERS[name].observe_all(stream)
    for value in values(name, [stream]):
        if not isinstance(value, Noise):
            assert ADAPTERS[name].describe(value)


@pytest.mark.parametrize("name", ADAPTERS)
def test_a_message_that_is_broken_off_does_not_spoil_the_next_one(name: str) -> None:
    whole = PIECES[name][0]
    decoder = ADAPTERS[name].decoder()
    assert decoder.feed(whole[:4], 0.0) == []
    assert decoder.deadline() == SILENCE
    broken, good = decoder.feed(whole, SILENCE)
    assert (broken, good.raw) == (Noise(whole[:4], "broken off", "length"), whole)
    assert decoder.deadline() == float("inf")
