"""Counts failures, locks after too many, and slows down. The file keeps the counts over restarts.

A failure counts at the place where it was typed, for the name that was typed, known or not. Five in a row
lock that name at that place only, so a stranger keeps nobody out who signs in elsewhere.

Somebody with many addresses must not gain from that. So failures of a name also count together for all places
but the table's own screen. Together they lock a PIN, which has few digits. They never lock a password, which
has 12 characters or more: they slow its attempts down.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

from controller.access.errors import LockedOut, TooOften
from controller.access.origin import AT_TABLE
from controller.access.people import SecretKind
from controller.access.store import AccessStore

FREE_FAILURES = 5
"""Number of the failure that locks or slows a name for the first time."""
FIRST_LOCK = 300.0
LONGEST_LOCK = 3600.0
"""Seconds of the first lock and of the longest. Each further failure doubles the lock."""
FIRST_DELAY = 0.5
LONGEST_DELAY = 4.0
"""Seconds of the first delay and of the longest. Each further failure doubles the delay."""
MOST_DOUBLINGS = 4
"""Doublings after which the longest lock and delay are reached; this bounds the exponent."""
MOST_COUNTERS = 1000
"""Counters that are stored for unknown names and for places other than the table. The oldest are deleted
first."""
EVERYWHERE: Final = "everywhere"
"""The place under which the failures of a name at all places but the table's own screen count together."""
BURST = 20
REFILL = 10.0
"""Attempts that may be made at once from one place, and the seconds until one more may be made."""


@dataclass(frozen=True, slots=True)
class Counters:
    """The places under which a failure counts: `locking` ones lock the name, `slowing` ones slow it down."""

    locking: tuple[str, ...]
    slowing: tuple[str, ...] = ()


def counters(kind: SecretKind, place: str, *, accepted: bool) -> Counters:
    """The counters of an attempt at this place. `accepted`: a dealer may sign in there; elsewhere a PIN is
    refused in any case, so its failures need not lock the name. The account plays no part in this, because a
    stranger could otherwise tell known names from unknown ones."""
    if place == AT_TABLE or kind == "badge":
        return Counters((place,))
    if kind == "password":
        return Counters((place,), (EVERYWHERE,))
    return Counters((place, EVERYWHERE) if accepted else (place,))


class Lockout:
    """Failures and locks of names. `clock`: Unix time."""

    def __init__(self, store: AccessStore, clock: Callable[[], float]) -> None:
        self._store, self._clock = store, clock

    def check(self, name: str, counted: Counters) -> None:
        """Raises LockedOut if the name is locked at one of the places. A lock that would last longer than its
        count allows, because the clock was set back, is shortened."""
        left = max((self._lock_left(name, place) for place in counted.locking), default=0.0)
        if left > 0:
            raise LockedOut(ceil(left))

    def delay(self, name: str, counted: Counters) -> float:
        """The seconds that this attempt waits before it is checked."""
        most = max((self._count(name, place) for place in counted.slowing), default=0)
        return _doubled(FIRST_DELAY, LONGEST_DELAY, most)

    def failed(self, name: str, counted: Counters) -> float:
        """Count a failure. Returns the seconds for which the name is locked now, or 0."""
        locks = [self._add(name, place, FIRST_LOCK) for place in counted.locking]
        for place in counted.slowing:
            self._add(name, place, 0.0)
        self._store.execute(
            "DELETE FROM failure WHERE rowid <= (SELECT MAX(rowid) FROM failure) - ?"
            " AND NOT (place IN (?, ?) AND name IN (SELECT name FROM account))",
            MOST_COUNTERS,
            AT_TABLE,
            EVERYWHERE,
        )
        return max(locks)

    def passed(self, name: str, place: str) -> None:
        """Delete the failures of the name at this place, and those that count together. Whoever failed at
        another place stays locked out there."""
        self._store.execute("DELETE FROM failure WHERE name = ? AND place IN (?, ?)", name, place, EVERYWHERE)

    def _lock_left(self, name: str, place: str) -> float:
        now = self._clock()  # before the row is read, because the clock may have to change it
        row = self._row(name, place)
        if row is None or row["until"] <= now:
            return 0.0
        longest = _doubled(FIRST_LOCK, LONGEST_LOCK, row["count"])
        if row["until"] - now > longest:
            self._set(name, place, row["count"], now + longest)
        return min(float(row["until"]) - now, longest)

    def _add(self, name: str, place: str, first_lock: float) -> float:
        count = self._count(name, place) + 1
        lock = _doubled(first_lock, LONGEST_LOCK, count)
        self._set(name, place, count, self._clock() + lock if lock else 0.0)
        return lock

    def _count(self, name: str, place: str) -> int:
        row = self._row(name, place)
        return int(row["count"]) if row else 0

    def _row(self, name: str, place: str) -> Mapping[str, Any] | None:
        found: Mapping[str, Any] | None = self._store.one(
            "SELECT count, until FROM failure WHERE name = ? AND place = ?", name, place
        )
        return found

    def _set(self, name: str, place: str, count: int, until: float) -> None:
        self._store.execute("INSERT OR REPLACE INTO failure VALUES (?, ?, ?, ?)", name, place, count, until)


def _doubled(first: float, longest: float, failures: int) -> float:
    """0 before the first failure that counts; then `first`, doubled with each further failure."""
    if failures < FREE_FAILURES:
        return 0.0
    doublings = min(failures - FREE_FAILURES, MOST_DOUBLINGS)
    return min(first * float(1 << doublings), longest)


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
