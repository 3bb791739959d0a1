"""Bounds of the numbers on the link; section 15 of firmware-protocol/README.md.

Times and limits of TSL/1, in seconds; the baud rate is the line's.
"""

from dataclasses import dataclass
from typing import Final

HIGHEST: Final = 2**52
"""The highest event number, count of cards and action key. At a thousand a second it lasts for 142,000
years."""
STEP: Final = 2**32
"""How far above the highest action key it has seen a device accepts a key, and the most events of a session.
At ten commands a second it lasts 13 years."""

BLOCK: Final = 192
"""Bytes in one block of a firmware image."""
BITS_PER_BYTE = 10
"""8N1: a start bit, eight data bits, a stop bit."""


@dataclass(frozen=True, slots=True)
class Timing:
    """All a link's times; a test or a slow line may set its own."""

    baud: int = 115_200
    acknowledge: float = 0.005
    first_timeout: float = 0.200
    least_timeout: float = 0.025
    most_timeout: float = 0.400
    heartbeat: float = 0.500
    heartbeat_warning: float = 1.5
    heartbeat_lost: float = 3.0
    slept: float = 3.0
    most_sends: int = 9
    window: int = 8
    bulk: int = 2
    bad_tags: int = 5
    bad_tags_within: float = 10.0

    def __post_init__(self) -> None:
        if self.baud < 1:
            raise ValueError(f"baud {self.baud}: must be positive")

    def line(self, size: int) -> float:
        """How long `size` bytes take on the line."""
        return size * BITS_PER_BYTE / self.baud
