"""Whether a halted table starts anew by itself: after a write that failed, once in a quarter of an hour.

A disk that fails a single write is mostly well again soon after, and a start checks everything that a person
could check. A person has to look at a disk that fails again.
"""

import math
from collections.abc import Callable

from controller.journal.errors import JournalUnwritten

PAUSE = 10.0
"""Seconds from the failure to the new start."""
WINDOW = 900.0
"""Seconds in which a second failure halts the table for good."""


class Restart:
    """`steady` never jumps."""

    def __init__(self, steady: Callable[[], float]) -> None:
        self._steady, self._last = steady, -math.inf

    def after(self, failed: BaseException) -> float | None:
        """Seconds until the table starts anew after this; None: a person starts it."""
        if not isinstance(failed, JournalUnwritten):
            return None
        now = self._steady()
        again = now - self._last >= WINDOW
        self._last = now
        return PAUSE if again else None
