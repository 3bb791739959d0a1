"""How often one may ask: first a request waits for its turn, and only what would wait too long is refused.

A client that asks again when it has its answer is thereby slowed down to its share, and costs the table no
more than that; a refusal at once would make it ask more often.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from controller.access.errors import TooOften

MOST_PARTIES = 1000
"""Who was heard of longest ago is forgotten."""
PATIENCE = 2.0
"""Seconds that a request waits at most."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many requests at once, then one each `refill` seconds."""

    burst: int
    refill: float


class Throttle:
    """Turns of each party. `steady` never jumps."""

    def __init__(self, steady: Callable[[], float], rate: Rate) -> None:
        self._steady, self._rate = steady, rate
        self._full: dict[str, float] = {}
        """When each party has its whole burst again."""

    def turn(self, party: str) -> float:
        """Takes the party's next turn: seconds until it comes. Raises TooOften for a turn that is more than
        PATIENCE away, and takes none."""
        now, refill = self._steady(), self._rate.refill
        full = max(self._full.pop(party, now), now)
        wait = full - now - (self._rate.burst - 1) * refill
        if len(self._full) >= MOST_PARTIES:
            del self._full[next(iter(self._full))]
        self._full[party] = full if wait > PATIENCE else full + refill
        if wait > PATIENCE:
            raise TooOften(ceil(wait - PATIENCE))
        return max(0.0, wait)
