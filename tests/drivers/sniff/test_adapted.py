"""Lines of commercial shoes as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.adapters.makes import ADAPTERS
from drivers.sniff.adapter_reader import RATES, AdapterReader
from drivers.sniff.frame_text import Direction, LineEntry

EIGHT_OF_SPADES = bytes.fromhex("05 31 44 81 B8 03 34 46")


def reader(adapter: str, direction: Direction = "unknown") -> AdapterReader:
    return AdapterReader(ADAPTERS[adapter], direction, lambda: 0.0)


def test_every_adapter_has_a_usual_rate() -> None:
    assert RATES.keys() == ADAPTERS.keys()


@pytest.mark.parametrize(
    ("adapter", "data", "card"),
    [("angel-eye-2ex", EIGHT_OF_SPADES, "8s"), ("bee-tek", b" [Game]<Card:4S> ", "4s")],
)
def test_a_card_of_each_adapter_is_described_in_words(adapter: str, data: bytes, card: str) -> None:
    (seen, *_) = [seen for seen in reader(adapter).feed(data) if seen.kind != "noise"]
    assert seen.direction == "to host"
    assert card in seen.text.lower()


def test_unfinished_bytes_become_noise_at_the_end() -> None:
    line = reader("angel-eye-2ex")
    assert [*line.feed(b"zz"), *line.flush()][0].text.startswith("< noise: ")


def test_what_is_said_to_a_shoe_is_bytes() -> None:
    lock = bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42")
    assert reader("angel-eye-2ex", "to device").feed(lock) == [
        LineEntry("to device", "order", "> 02 4f 50 4c 4b 30 32 03 31 42")
    ]


@given(st.sampled_from(sorted(ADAPTERS)), st.lists(st.binary(max_size=40), max_size=10))
def test_no_bytes_raise_or_move_a_cursor(adapter: str, pieces: list[bytes]) -> None:
    line = reader(adapter)
    seen = [each for piece in pieces for each in line.feed(piece)]
    assert all(each.text.isprintable() for each in (*seen, *line.flush()))
