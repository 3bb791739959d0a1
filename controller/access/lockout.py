"""Counts failures by name, known or not, and locks a name after too many. The file keeps them over
restarts."""

from collections.abc import Callable
from math import ceil

from controller.access.errors import LockedOut, TooOften
from controller.access.store import AccessStore

FREE_FAILURES = 5
"""Number of the failure that locks a name for the first time."""
FIRST_LOCK = 300.0
LONGEST_LOCK = 3600.0
"""Seconds of the first lock and of the longest. Each further failure doubles the lock."""
MOST_DOUBLINGS = 4
"""Doublings after which the longest lock is reached; this bounds the exponent."""
MOST_UNKNOWN_NAMES = 1000
"""Unknown names whose failures are stored. The oldest are deleted first."""
BURST = 20
REFILL = 10.0
"""Attempts that one address may make at once, and the seconds until it may make one more."""


class Lockout:
    """Failures and locks of names. `clock`: Unix time."""

    def __init__(self, store: AccessStore, clock: Callable[[], float]) -> None:
        self._store, self._clock = store, clock

    def check(self, name: str) -> None:
        """Raises LockedOut if the name is locked. Its `seconds` are LONGEST_LOCK at most, even if the clock
        was set back."""
        row = self._store.one("SELECT until FROM failure WHERE name = ?", name)
        left = min(row["until"] - self._clock(), LONGEST_LOCK) if row else 0.0
        if left > 0:
            raise LockedOut(ceil(left))

    def failed(self, name: str) -> float:
        """Count a failure. Returns the seconds for which the name is locked now, or 0."""
        row = self._store.one("SELECT count FROM failure WHERE name = ?", name)
        count = (row["count"] if row else 0) + 1
        lock = (
            min(FIRST_LOCK * 2 ** min(count - FREE_FAILURES, MOST_DOUBLINGS), LONGEST_LOCK)
            if count >= FREE_FAILURES
            else 0.0
        )
        until = self._clock() + lock if lock else 0.0
        self._store.execute("INSERT OR REPLACE INTO failure VALUES (?, ?, ?)", name, count, until)
        self._store.execute(
            "DELETE FROM failure WHERE rowid <= (SELECT MAX(rowid) FROM failure) - ?"
            " AND name NOT IN (SELECT name FROM account)",
            MOST_UNKNOWN_NAMES,
        )
        return lock

    def passed(self, name: str) -> None:
        """Delete the failures of the name after a success."""
        self._store.execute("DELETE FROM failure WHERE name = ?", name)


class TokenBucket:
    """A rate limit for each key: `burst` at once, then one each `refill` seconds. `clock` is a monotonic
    clock in seconds. Beyond `most` keys, the one that was used longest ago is forgotten."""

    def __init__(self, clock: Callable[[], float], *, burst: int, refill: float, most: int = 1000) -> None:
        self._clock, self._burst, self._refill, self._most = clock, burst, refill, most
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, key: str) -> None:
        """Take one token of the key. Raises TooOften if none is left."""
        now = self._clock()
        left, since = self._left.pop(key, (float(self._burst), now))
        left = min(self._burst, left + (now - since) / self._refill)
        if len(self._left) >= self._most:
            del self._left[next(iter(self._left))]  # the one that was used longest ago
        self._left[key] = (left - 1 if left >= 1 else left, now)
        if left < 1:
            raise TooOften(ceil((1 - left) * self._refill))
