"""Decides whether a halted table restarts by itself: after a failed write, once in a quarter of an hour.

A disk that fails a single write usually recovers soon, and a start checks everything that a person could
check. If the disk fails again, a person has to look at it.
"""

import math
from collections.abc import Callable

from controller.journal.errors import JournalUnwritten

PAUSE = 10.0
"""Seconds from the failure to the restart."""
WINDOW = 900.0
"""Seconds within which a second failure halts the table for good."""


class Restart:
    """`steady` is a clock that never jumps."""

    def __init__(self, steady: Callable[[], float]) -> None:
        self._steady, self._last = steady, -math.inf

    def after(self, failed: BaseException) -> float | None:
        """Seconds until the table restarts after this failure; None: a person has to restart it."""
        if not isinstance(failed, JournalUnwritten):
            return None
        now = self._steady()
        again = now - self._last >= WINDOW
        self._last = now
        return PAUSE if again else None
