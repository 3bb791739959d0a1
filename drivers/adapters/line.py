"""What the lines of all commercial shoes share. A line is a pure machine, as HostLink is."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Protocol

from drivers.adapters.decoder import Noise
from drivers.adapters.observations import Doubt, Observation, Remark, ShoeUp
from drivers.link.counters import Counters
from drivers.link.reports import Down


@dataclass(slots=True)
class AdapterCounters(Counters):
    """What a line counts.

    `repeats` are further copies of a message, `unasked` answers to no order, `timeouts` orders without an
    answer, `retransmissions` orders that were sent again.
    """

    noise_runs: int = 0
    """Runs of bytes that are not a message."""
    noise_bytes: int = 0
    doubts: int = 0
    """How often a card may have left unseen."""
    contradictions: int = 0
    """How often the shoe reported another lock than it was ordered."""


def adapter_total(past: AdapterCounters, line: AdapterCounters) -> AdapterCounters:
    words = {**past.resets, **line.resets}
    resets = {word: past.resets.get(word, 0) + line.resets.get(word, 0) for word in words}
    names = [field.name for field in fields(AdapterCounters) if field.name != "resets"]
    return AdapterCounters(
        **{name: getattr(past, name) + getattr(line, name) for name in names}, resets=resets
    )


class ShoeLine(Protocol):
    """A conversation with a shoe."""

    @property
    def counters(self) -> AdapterCounters:
        """The counts of the line."""

    @property
    def phase(self) -> str:
        """ "identifying", "running" or "over"."""

    def feed(self, data: bytes, now: float) -> list[Observation]:
        """Takes bytes that arrived."""

    def tick(self, now: float) -> list[Observation]:
        """Lets time-outs happen."""

    def take(self, now: float) -> bytes:
        """Returns the bytes to write now."""

    def deadline(self, now: float) -> float:
        """When tick and take must run at the latest."""

    def close(self, now: float) -> None:
        """Says goodbye. Write what `take` still returns."""


OpenLine = Callable[[float, Callable[[], bool]], ShoeLine]
"""Opens a line at a time. The line asks the function whether cards may leave whenever it sends a lock
order."""


class LineOutput:
    """The phase and the observations of a line."""

    def __init__(self) -> None:
        self.counters = AdapterCounters()
        self.phase = "identifying"
        self._pending: list[Observation] = []

    def emit(self, observation: Observation) -> None:
        """Adds an observation. What comes before ShoeUp belongs to a time that nobody saw, and is dropped."""
        if self.phase == "running":
            self._pending.append(observation)

    def up(self) -> None:
        self.phase = "running"
        self.counters.sessions += 1
        self._pending.append(ShoeUp())

    def down(self, reason: str, text: str) -> None:
        self.phase = "over"
        self.counters.count_session_end(reason)
        self._pending.append(Down(reason, text))

    def doubt(self, why: str) -> None:
        """A card may have left unseen. Does nothing if `why` is empty."""
        if why and self.phase == "running":
            self.counters.doubts += 1
            self._pending.append(Doubt(why))

    def remark(self, text: str) -> None:
        self.emit(Remark(text))

    def count(self, noise: Noise) -> None:
        self.counters.noise_runs += 1
        self.counters.noise_bytes += len(noise.raw)

    @property
    def has_pending(self) -> bool:
        return bool(self._pending)

    def take_all(self) -> list[Observation]:
        """Returns the observations since the last call."""
        observations, self._pending = self._pending, []
        return observations
