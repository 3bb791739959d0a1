"""All makes of commercial shoes, by the name that the configuration gives them."""

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
from drivers.adapters.capture import CaptureEvent, EventMapper, Extent, capture_events
from drivers.adapters.decoder import Decoder
from drivers.adapters.line import OpenLine
from drivers.adapters.observations import Observation
from drivers.adapters.options import AdapterOptions
from drivers.adapters.shoe import AdapterShoe, ShoeMake

STEP = 0.5
"""Seconds between two looks of `hear_all` at a line that says nothing more."""
STEPS = 20


@dataclass(frozen=True, slots=True)
class Adapter:
    """A make with all that its bytes need."""

    make: ShoeMake
    opener: Callable[[AdapterOptions], OpenLine]
    decoder: Callable[[], Decoder[Any]]
    describe: Callable[[Any], str]
    """A decoded value, noise excepted, as a sentence."""
    meaning: Callable[[], EventMapper]
    """Turns decoded values, other than noise, into events."""
    extent: Extent

    def shoe(self, options: AdapterOptions, *args: Any, **kwargs: Any) -> AdapterShoe:
        """A shoe of this make; `about` and `more` as AdapterShoe takes them."""
        return AdapterShoe(self.make, self.opener(options), *args, **kwargs)

    def observe_all(self, data: bytes, options: AdapterOptions | None = None) -> list[Observation]:
        """All that a line says of these bytes, and of ten silent seconds after them; nothing raises."""
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
        """The events of a capture."""
        return capture_events(data, self.decoder(), self.meaning(), self.extent)


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
