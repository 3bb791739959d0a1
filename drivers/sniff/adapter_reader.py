"""Lines of commercial shoes as text; what is heard on such a port without a tap is the shoe."""

import time
from collections.abc import Callable
from typing import Any

from drivers.adapters.decoder import Noise
from drivers.adapters.makes import MAKES, Known
from drivers.adapters.options import RATES
from drivers.sniff.frame_text import ARROWS, Direction, Seen
from drivers.sniff.message_text import plain

__all__ = ["RATES", "AdapterReader", "reader"]


class AdapterReader:
    """What a shoe says by its decoder; what is said to it as bytes. `clock` in seconds."""

    def __init__(
        self, known: Known, direction: Direction, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._say, self._decoder, self._clock = known.say, known.decoder(), clock
        self._direction: Direction = "to host" if direction == "unknown" else direction

    def feed(self, data: bytes) -> list[Seen]:
        """Messages and noise that end in these bytes, or that these bytes cannot belong to."""
        if self._direction == "to device":
            return [Seen("to device", "order", f"{ARROWS['to device']} {data.hex(' ')}")]
        return [self._seen(item) for item in self._decoder.feed(data, self._clock())]

    def flush(self) -> list[Seen]:
        """No more bytes come."""
        return [self._seen(item) for item in self._decoder.flush()]

    def _seen(self, item: Any) -> Seen:
        arrow = ARROWS["to host"]
        if isinstance(item, Noise):
            return Seen("to host", "noise", f"{arrow} noise: {plain(item.reason)}: {item.raw.hex(' ')}")
        kind = type(item).__name__.lower()
        return Seen("to host", kind, f"{arrow} {plain(self._say(item))}")


def reader(adapter: str) -> Callable[[Direction], AdapterReader]:
    """Who reads one direction of the line of this adapter. Raises KeyError for one that does not exist."""
    known = MAKES[adapter]
    return lambda direction: AdapterReader(known, direction)
