"""Events of a live line: any split of the bytes gives those of the capture."""

import re
from pathlib import Path

import pytest

from drivers.adapters.makes import ADAPTERS
from drivers.sniff.frame_events import MOST_KEPT, FrameEvents, frame_events
from drivers.sniff.live_events import AdapterLine, OrderLine, live_events

SIZES = (1, 2, 3, 7, 64)
CAPTURES = Path(__file__).parents[3] / "firmware-protocol" / "captures"


def capture_bytes(adapter: str) -> bytes:
    """The bytes of the example capture."""
    (path,) = CAPTURES.glob(f"{adapter}.*")
    if path.suffix != ".hex":
        return path.read_bytes()
    return bytes.fromhex(re.sub("#.*", "", path.read_text()))


@pytest.mark.parametrize("size", SIZES)
def test_any_split_of_a_line_gives_the_events_of_its_capture(size: int) -> None:
    data = capture_bytes("tsl")
    line = FrameEvents()
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    events = [event for piece in pieces for event in line.feed(piece)]
    assert [*events, *line.end()] == frame_events(data)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_any_split_of_a_shoes_line_gives_the_events_of_its_capture(adapter: str, size: int) -> None:
    """Noise may come in more pieces."""
    data = capture_bytes(adapter)
    line = AdapterLine(adapter, lambda: 0.0)
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    events = [event for piece in pieces for event in line.feed(piece)]
    events += line.end()
    assert b"".join(event.raw for event in events) == data
    messages = [event for event in events if event.event["event"] != "noise"]
    assert messages == [event for event in ADAPTERS[adapter].events(data) if event.event["event"] != "noise"]


def test_bytes_without_a_zero_become_noise_and_are_not_kept() -> None:
    line = FrameEvents()
    assert list(line.feed(b"a" * MOST_KEPT)) == []
    (event,) = line.feed(b"b")
    assert (event.event["event"], len(event.raw)) == ("noise", MOST_KEPT + 1)
    assert line.end() == []


def test_only_what_goes_to_a_commercial_shoe_is_an_order() -> None:
    assert isinstance(live_events("bee-tek", "to device"), OrderLine)
    assert isinstance(live_events("bee-tek", "unknown"), AdapterLine)
    assert isinstance(live_events("", "to device"), FrameEvents)
