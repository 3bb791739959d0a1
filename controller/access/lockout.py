"""Failures of a name, known or not, and how long it is left alone after too many: kept through restarts."""

from collections.abc import Callable
from math import ceil

from controller.access.errors import LockedOut, TooOften
from controller.access.store import AccessStore

FREE_FAILURES = 5
"""Failures before a name is locked for the first time."""
FIRST_LOCK, LONGEST_LOCK = 300.0, 3600.0
"""Seconds of the first lock, which doubles with each further failure, and of the longest."""
MOST_DOUBLINGS = 4
"""As often as that makes it the longest."""
MOST_UNKNOWN_NAMES = 1000
"""Names that nobody has are forgotten, the oldest first."""
BURST, REFILL = 20, 10.0
"""Attempts from one address at once, and the seconds until it has one more."""


class Lockout:
    """`clock`: Unix time."""

    def __init__(self, store: AccessStore, clock: Callable[[], float]) -> None:
        self._store, self._clock = store, clock

    def check(self, name: str) -> None:
        """Raises LockedOut. A clock that is set back locks nobody for longer than LONGEST."""
        row = self._store.one("SELECT until FROM failure WHERE name = ?", name)
        left = min(row["until"] - self._clock(), LONGEST_LOCK) if row else 0.0
        if left > 0:
            raise LockedOut(ceil(left))

    def failed(self, name: str) -> float:
        """One more; for how many seconds the name is locked now, 0: not at all."""
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
        """The name's failures are forgotten."""
        self._store.execute("DELETE FROM failure WHERE name = ?", name)


class TokenBucket:
    """So many at once from each of them, then one each `refill` seconds. `clock` never jumps."""

    def __init__(self, clock: Callable[[], float], *, burst: int, refill: float, most: int = 1000) -> None:
        self._clock, self._burst, self._refill, self._most = clock, burst, refill, most
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, key: str) -> None:
        """Raises TooOften."""
        now = self._clock()
        left, since = self._left.pop(key, (float(self._burst), now))
        left = min(self._burst, left + (now - since) / self._refill)
        if len(self._left) >= self._most:
            del self._left[next(iter(self._left))]  # whoever was heard of longest ago
        self._left[key] = (left - 1 if left >= 1 else left, now)
        if left < 1:
            raise TooOften(ceil((1 - left) * self._refill))
