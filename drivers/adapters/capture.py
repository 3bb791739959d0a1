"""The line of a commercial shoe as the events of `tableside device decode --json` and `tableside device sniff
--json`.

Every byte belongs to exactly one event, and the events come in the order of the bytes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from drivers.adapters.decoder import Decoder, HasRaw, Noise, RejectReason

JsonEvent = Mapping[str, object]
"""One line of JSON. Its key `event` has the name."""
DUPLICATE: Final[JsonEvent] = {"event": "duplicate"}
INCOMPLETE: Final[JsonEvent] = {"event": "incomplete"}
NOISE: Final = "noise"
REJECTED: Final = "rejected"


@dataclass(frozen=True, slots=True)
class CaptureEvent:
    """An event, and the bytes of the capture that it stands for."""

    raw: bytes
    event: JsonEvent


class EventMapper(Protocol):
    """Turns the values of one line, in their order, into events."""

    def event(self, value: Any) -> JsonEvent:
        """Returns the event of the next value, which is not noise."""


Extent = Callable[[bytes, RejectReason], int]
"""The number of bytes at the beginning of a run of noise that belong to the rejected message."""


class AdapterEvents:
    """Turns the bytes that a shoe sends into events, as they arrive. `now` in seconds, as for Decoder."""

    def __init__(self, decoder: Decoder[Any], meaning: EventMapper, extent: Extent) -> None:
        self._decoder, self._meaning, self._extent = decoder, meaning, extent

    def feed(self, data: bytes, now: float) -> list[CaptureEvent]:
        """Returns the events that these bytes end."""
        return self._events(self._decoder.feed(data, now))

    def end(self) -> list[CaptureEvent]:
        """Ends the input. Returns the events of what is left."""
        last, begun = self._decoder.end()
        completed = [_complete_last(each, begun, self._extent) for each in last]
        rest = [CaptureEvent(begun, INCOMPLETE)] if begun and completed == last else []
        return [*self._events(completed), *rest]

    def _events(self, values: Iterable[HasRaw]) -> list[CaptureEvent]:
        found: list[CaptureEvent] = []
        for value in values:
            for each in _events(value, self._meaning, self._extent):
                _add(found, each)
        return found


def capture_events(
    data: bytes, decoder: Decoder[Any], meaning: EventMapper, extent: Extent
) -> list[CaptureEvent]:
    """Returns all events of a capture."""
    line = AdapterEvents(decoder, meaning, extent)
    found = line.feed(data, 0.0)
    for each in line.end():
        _add(found, each)
    return found


def noise(raw: bytes) -> CaptureEvent:
    """Bytes that do not look like a message."""
    return CaptureEvent(raw, {"event": NOISE, "bytes": raw.hex()})


def rejected(raw: bytes, why: RejectReason) -> CaptureEvent:
    """A message that fails its checks."""
    return CaptureEvent(raw, {"event": REJECTED, "why": why, "bytes": raw.hex()})


def _complete_last(last: Noise, begun: bytes, extent: Extent) -> Noise:
    """The last run of noise, with the rest of the capture if that ends the rejected message.

    A Bee-Tek's token ends with a space, which its decoder keeps because the next token could begin with it.
    """
    whole = last.raw + begun
    ends = last.refusal and extent(whole, last.refusal) == len(whole)
    return replace(last, raw=whole) if ends else last


def _events(value: HasRaw, meaning: EventMapper, extent: Extent) -> Iterator[CaptureEvent]:
    if not isinstance(value, Noise):
        yield CaptureEvent(value.raw, meaning.event(value))
        return
    size = extent(value.raw, value.refusal) if value.refusal else 0
    if value.refusal:
        yield rejected(value.raw[:size], value.refusal)
    if size < len(value.raw):
        yield noise(value.raw[size:])


def _add(found: list[CaptureEvent], fresh: CaptureEvent) -> None:
    """Appends an event. Noise that the decoder returned in two pieces is one event."""
    if found and found[-1].event["event"] == fresh.event["event"] == NOISE:
        fresh = noise(found.pop().raw + fresh.raw)
    found.append(fresh)
