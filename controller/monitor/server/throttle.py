"""Limits how often a client may send requests. A request waits for its turn; it is refused only if the wait
would be too long.

This slows a client that sends each request after the previous response down to its rate. An immediate refusal
would make such a client send more often.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from controller.access.errors import TooOften

MOST_PARTIES = 1000
"""Parties that are remembered. Beyond this number, the one with the oldest request is forgotten."""
LONGEST_WAIT = 2.0
"""The longest that a request waits, in seconds."""


@dataclass(frozen=True, slots=True)
class Rate:
    """`burst` requests are allowed at once, then one each `refill` seconds."""

    burst: int
    refill: float


class Throttle:
    """Schedules the turns of each party. `steady` is a monotonic clock in seconds."""

    def __init__(self, steady: Callable[[], float], rate: Rate) -> None:
        self._steady, self._rate = steady, rate
        self._full: dict[str, float] = {}
        """For each party, the time at which its whole burst is available again."""

    def wait_for(self, party: str) -> float:
        """Take the party's next turn, and return the seconds until it comes. Raises TooOften, and takes no
        turn, if that would be more than LONGEST_WAIT."""
        now, refill = self._steady(), self._rate.refill
        full = max(self._full.pop(party, now), now)
        wait = full - now - (self._rate.burst - 1) * refill
        if len(self._full) >= MOST_PARTIES:
            del self._full[next(iter(self._full))]
        self._full[party] = full if wait > LONGEST_WAIT else full + refill
        if wait > LONGEST_WAIT:
            raise TooOften(ceil(wait - LONGEST_WAIT))
        return max(0.0, wait)
