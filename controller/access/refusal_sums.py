"""Records repeated refusals: the first of each kind at once, the others as a sum."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from controller.access.store import AccessRecord

WINDOW = 60.0
"""Seconds after the first refusal of a kind whose further ones are summed up."""
MOST_KINDS = 100
"""Kinds that are counted separately at a time. Further ones are combined, so that refusals from many
addresses cannot fill the disk."""


@dataclass(slots=True)
class _Repetition:
    since: float
    record: AccessRecord
    more: int = 0


class RefusalSums:
    """`store` receives the records for the journal; `clock` is a monotonic clock in seconds. A kind is the
    combination of `what`, `who` and `address`."""

    def __init__(self, store: Callable[[AccessRecord], None], clock: Callable[[], float]) -> None:
        self._store, self._clock = store, clock
        self._repetitions: dict[tuple[str, str, str], _Repetition] = {}

    def add(self, record: AccessRecord) -> None:
        """Store the first record of its kind, and count further ones."""
        key = (record.what, record.who, record.address)
        if key not in self._repetitions and len(self._repetitions) >= MOST_KINDS:
            record = replace(record, who="", role="", address="many addresses")
            key = (record.what, record.who, record.address)
        if known := self._repetitions.get(key):
            known.more += 1
            return
        self._repetitions[key] = _Repetition(self._clock(), record)
        self._store(record)

    def sum_up(self, window: float = WINDOW) -> None:
        """Store the sums of all kinds whose first refusal is at least `window` seconds ago."""
        now = self._clock()
        over = [key for key, known in self._repetitions.items() if now - known.since >= window]
        for known in map(self._repetitions.pop, over):
            if known.more:
                self._store(
                    replace(known.record, text=f"{known.more} more within a minute: {known.record.text}")
                )
