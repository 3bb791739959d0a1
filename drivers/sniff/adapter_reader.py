"""Lines of commercial shoes as text. Without a tap, everything on such a port comes from the shoe."""

import time
from collections.abc import Callable
from typing import Any

from drivers.adapters.decoder import Noise
from drivers.adapters.makes import ADAPTERS, Adapter
from drivers.adapters.options import RATES
from drivers.sniff.frame_text import ARROWS, Direction, LineEntry
from drivers.sniff.message_text import plain

__all__ = ["RATES", "AdapterReader", "adapter_reader"]


class AdapterReader:
    """Reads what a shoe sends with its decoder, and shows what is sent to it as bytes. `clock` in seconds."""

    def __init__(
        self, known: Adapter, direction: Direction, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._describe, self._decoder, self._clock = known.describe, known.decoder(), clock
        self._direction: Direction = "to host" if direction == "unknown" else direction

    def feed(self, data: bytes) -> list[LineEntry]:
        if self._direction == "to device":
            return [LineEntry("to device", "order", f"{ARROWS['to device']} {data.hex(' ')}")]
        return [self._seen(item) for item in self._decoder.feed(data, self._clock())]

    def flush(self) -> list[LineEntry]:
        return [self._seen(item) for item in self._decoder.flush()]

    def _seen(self, item: Any) -> LineEntry:
        arrow = ARROWS["to host"]
        if isinstance(item, Noise):
            return LineEntry("to host", "noise", f"{arrow} noise: {plain(item.reason)}: {item.raw.hex(' ')}")
        kind = type(item).__name__.lower()
        return LineEntry("to host", kind, f"{arrow} {plain(self._describe(item))}")


def adapter_reader(adapter: str) -> Callable[[Direction], AdapterReader]:
    """Returns what makes a reader for one direction of this adapter's line. Raises KeyError for an unknown
    adapter."""
    known = ADAPTERS[adapter]
    return lambda direction: AdapterReader(known, direction)
