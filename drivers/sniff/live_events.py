"""Events of a live line, one direction at a time, for `tableside device sniff --json`."""

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from drivers.adapters.capture import CaptureEvent
from drivers.adapters.makes import ADAPTERS
from drivers.sniff.frame_events import FrameEvents
from drivers.sniff.frame_text import Direction


class LiveEvents(Protocol):
    """Reads one direction of a line. Nothing raises."""

    def feed(self, data: bytes) -> Sequence[CaptureEvent]:
        """Returns the events that end in these bytes."""

    def end(self) -> Sequence[CaptureEvent]:
        """Ends the input. Returns the events of what is left."""


class AdapterLine:
    """What a commercial shoe sends. `clock` in seconds."""

    def __init__(self, adapter: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._events, self._clock = ADAPTERS[adapter].live_events(), clock

    def feed(self, data: bytes) -> Sequence[CaptureEvent]:
        return self._events.feed(data, self._clock())

    def end(self) -> Sequence[CaptureEvent]:
        return self._events.end()


class OrderLine:
    """What is sent to a commercial shoe: each piece of bytes is an event."""

    def feed(self, data: bytes) -> Sequence[CaptureEvent]:
        return [CaptureEvent(data, {"event": "order", "bytes": data.hex()})]

    def end(self) -> Sequence[CaptureEvent]:
        return ()


def live_events(adapter: str, direction: Direction) -> LiveEvents:
    """Returns a reader for one direction of this adapter's line; "" is TSL/1. Raises KeyError for an unknown
    adapter."""
    if not adapter:
        return FrameEvents()
    return OrderLine() if direction == "to device" else AdapterLine(adapter)
