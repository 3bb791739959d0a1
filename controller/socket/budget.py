"""The time that all clients of the table socket may take from the table."""

from collections.abc import Callable
from typing import Final

SHARE: Final = 0.1
"""The share of the loop's time that requests may take, in the long run."""
BURST: Final = 0.1
"""Seconds that may be saved up while nobody asks for anything."""

LEAST_WAIT: Final = 0.001
"""Seconds. A shorter wait would end before the clock has moved."""


class Budget:
    """A token bucket of measured seconds. `clock`: a monotonic clock in seconds."""

    def __init__(self, clock: Callable[[], float], *, share: float = SHARE, burst: float = BURST) -> None:
        self._clock, self._share, self._burst = clock, share, burst
        self._left, self._since = burst, clock()

    def take(self, seconds: float) -> None:
        """Requests took this time. The balance may become negative."""
        self._refill()
        self._left -= seconds

    def wait(self) -> float:
        """Seconds until requests may take more time; 0 if they may now."""
        self._refill()
        return 0.0 if self._left >= 0 else max(LEAST_WAIT, -self._left / self._share)

    def _refill(self) -> None:
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._since) * self._share)
        self._since = now
