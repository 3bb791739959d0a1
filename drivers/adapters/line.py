"""What is counted on the line of a commercial shoe, besides bytes, messages and sessions.

What the line of every commercial shoe does, whatever its bytes mean: a pure machine, as HostLink is.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Protocol

from drivers.adapters.decoder import Noise
from drivers.adapters.observations import Doubt, Observation, Remark, ShoeUp
from drivers.link.counters import Counters
from drivers.link.reports import Down


@dataclass(slots=True)
class AdapterCounters(Counters):
    """`repeats` are further copies of a message, `unasked` answers to nothing, `timeouts` orders that had no
    answer, `retransmissions` orders that were sent again."""

    noise_runs: int = 0
    """Runs of bytes that are no message."""
    noise_bytes: int = 0
    doubts: int = 0
    """Times that a card may have left unseen."""
    contradictions: int = 0
    """Times that the shoe said of its lock what it was not ordered."""


def adapter_total(past: AdapterCounters, line: AdapterCounters) -> AdapterCounters:
    """Both added up."""
    words = {**past.resets, **line.resets}
    resets = {word: past.resets.get(word, 0) + line.resets.get(word, 0) for word in words}
    names = [field.name for field in fields(AdapterCounters) if field.name != "resets"]
    return AdapterCounters(
        **{name: getattr(past, name) + getattr(line, name) for name in names}, resets=resets
    )


class ShoeLine(Protocol):
    """One conversation with a shoe."""

    @property
    def counters(self) -> AdapterCounters:
        """What came and went."""

    @property
    def phase(self) -> str:
        """identifying, running or over."""

    def feed(self, data: bytes, now: float) -> list[Observation]:
        """Bytes that came."""

    def tick(self, now: float) -> list[Observation]:
        """Lets time-outs happen."""

    def take(self, now: float) -> bytes:
        """All that is to be written now."""

    def deadline(self, now: float) -> float:
        """When tick and take must run at the latest."""

    def close(self, now: float) -> None:
        """The last word; what take() still gives is to be written."""


OpenLine = Callable[[float, Callable[[], bool]], ShoeLine]
"""Begins a line at this time; it asks whether cards may leave, whenever it tells the shoe."""


class LineOutput:
    """What a line has to say, and its phase."""

    def __init__(self) -> None:
        self.counters = AdapterCounters()
        self.phase = "identifying"
        self._pending: list[Observation] = []

    def emit(self, observation: Observation) -> None:
        """Say it, if anybody listens: before Up what comes is of the time that nobody saw."""
        if self.phase == "running":
            self._pending.append(observation)

    def up(self) -> None:
        """The shoe is there."""
        self.phase = "running"
        self.counters.sessions += 1
        self._pending.append(ShoeUp())

    def down(self, reason: str, text: str) -> None:
        """It is over."""
        self.phase = "over"
        self.counters.count_session_end(reason)
        self._pending.append(Down(reason, text))

    def doubt(self, why: str) -> None:
        """A card may have left unseen; empty: none has."""
        if why and self.phase == "running":
            self.counters.doubts += 1
            self._pending.append(Doubt(why))

    def remark(self, text: str) -> None:
        """For a technician."""
        self.emit(Remark(text))

    def count(self, noise: Noise) -> None:
        """Noise came."""
        self.counters.noise_runs += 1
        self.counters.noise_bytes += len(noise.raw)

    @property
    def has_pending(self) -> bool:
        """Something was not said yet."""
        return bool(self._pending)

    def take_all(self) -> list[Observation]:
        """What was not said before."""
        observations, self._pending = self._pending, []
        return observations
