"""All makes of commercial shoes, by their name in the configuration."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from drivers.adapters.angel_eye import capture as angel_eye_events
from drivers.adapters.angel_eye import fields
from drivers.adapters.angel_eye import make as angel_eye
from drivers.adapters.angel_eye.frames import Answer, Message
from drivers.adapters.angel_eye.frames import decoder as angel_eye_decoder
from drivers.adapters.bee_tek import make as bee_tek
from drivers.adapters.bee_tek import make as bee_tek_events
from drivers.adapters.bee_tek import tokens
from drivers.adapters.capture import AdapterEvents, CaptureEvent, EventMapper, Extent, capture_events
from drivers.adapters.decoder import Decoder
from drivers.adapters.line import OpenLine
from drivers.adapters.observations import Observation
from drivers.adapters.options import AdapterOptions
from drivers.adapters.shoe import AdapterShoe, ShoeMake

STEP = 0.5
"""Seconds between two ticks of `observe_all` after the last byte."""
STEPS = 20


@dataclass(frozen=True, slots=True)
class Adapter:
    """Everything about one make: how to open, decode, describe and capture its line."""

    make: ShoeMake
    opener: Callable[[AdapterOptions], OpenLine]
    decoder: Callable[[], Decoder[Any]]
    describe: Callable[[Any], str]
    """Describes a decoded value, except noise, in a sentence."""
    meaning: Callable[[], EventMapper]
    """Makes what turns decoded values, except noise, into events."""
    extent: Extent

    def shoe(self, options: AdapterOptions, *args: Any, **kwargs: Any) -> AdapterShoe:
        """Makes a shoe. `args` and `kwargs` are those of AdapterShoe."""
        return AdapterShoe(self.make, self.opener(options), *args, **kwargs)

    def observe_all(self, data: bytes, options: AdapterOptions | None = None) -> list[Observation]:
        """Returns all observations of these bytes and of ten silent seconds after them. Nothing raises."""
        line = self.opener(options or AdapterOptions())(0.0, lambda: True)
        line.take(0.0)
        observations = [*line.feed(data, 0.0), *line.tick(0.0)]
        for step in range(1, STEPS + 1):
            line.take(step * STEP)
            observations += line.tick(step * STEP)
        line.close(STEPS * STEP)
        line.take(STEPS * STEP)
        return observations

    def events(self, data: bytes) -> list[CaptureEvent]:
        return capture_events(data, self.decoder(), self.meaning(), self.extent)

    def live_events(self) -> AdapterEvents:
        """Makes what turns the bytes of a live line into events."""
        return AdapterEvents(self.decoder(), self.meaning(), self.extent)


def _describe_angel_eye(value: Message | Answer) -> str:
    return fields.describe(value) if isinstance(value, Message) else fields.describe_answer(value)


ADAPTERS: Final[Mapping[str, Adapter]] = {
    angel_eye.NAME: Adapter(
        angel_eye.MAKE,
        angel_eye.line_opener,
        angel_eye_decoder,
        _describe_angel_eye,
        angel_eye_events.AngelEyeEvents,
        angel_eye_events.extent,
    ),
    bee_tek.NAME: Adapter(
        bee_tek.MAKE,
        bee_tek.line_opener,
        tokens.decoder,
        tokens.describe,
        bee_tek_events.BeeTekEvents,
        bee_tek_events.extent,
    ),
}
