"""Times and limits of TSL/1 (section 15 of firmware-protocol/README.md). Times are in seconds."""

from dataclasses import dataclass
from typing import Final

HIGHEST: Final = 2**52
"""The highest event number, count of cards and action key: 142,000 years at a thousand a second."""
STEP: Final = 2**32
"""How far above the highest key it has seen a device accepts a key, and the most events of a session: 13
years at ten commands a second."""

BLOCK: Final = 192
"""Bytes in one block of a firmware image."""
TAMPER_INTERVAL: Final = 60.0
"""Seconds between two tamper events of one cause, so that an attacker cannot fill the ring."""
BITS_PER_BYTE = 10
"""8N1: a start bit, eight data bits, a stop bit."""


@dataclass(frozen=True, slots=True)
class Timing:
    """The times of a link. A test or a slow line may use its own."""

    baud: int = 115_200
    """0: bytes take no time on the line."""
    acknowledge: float = 0.005
    first_timeout: float = 0.200
    least_timeout: float = 0.025
    most_timeout: float = 0.400
    heartbeat: float = 0.500
    heartbeat_warning: float = 1.5
    heartbeat_lost: float = 3.0
    slept: float = 3.0
    most_sends: int = 9
    nak_interval: float = 0.025
    """A NAK that comes sooner after a resend, without progress since, is not heeded."""
    window: int = 8
    bulk: int = 2
    bad_tags: int = 5
    bad_tags_within: float = 10.0
    on_grid: bool = False
    """Whether the session sends its heartbeats at whole multiples of `heartbeat` on its clock. The links of
    one process then wake it up together, not one after the other."""

    def __post_init__(self) -> None:
        if self.baud < 0:
            raise ValueError(f"baud {self.baud}: must be positive, or 0 for a line without a rate")

    def next_heartbeat(self, now: float) -> float:
        """When the heartbeat after one at `now` is due, at most `heartbeat` later."""
        return next_on_grid(now, self.heartbeat) if self.on_grid else now + self.heartbeat

    def line(self, size: int) -> float:
        """Seconds that `size` bytes take on the line."""
        return size * BITS_PER_BYTE / self.baud if self.baud else 0.0


def next_on_grid(now: float, interval: float) -> float:
    """The next whole multiple of `interval` on the clock. Timers that use the same grid wake the process up
    together."""
    due = (now // interval + 1) * interval
    return due if due > now else now + interval  # rounding can return `now` itself
