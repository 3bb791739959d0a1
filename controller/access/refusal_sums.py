"""Refusals that come in numbers: the first of each kind is told at once, the others as a sum."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from controller.access.store import AccessRecord

WINDOW = 60.0
"""Seconds whose further ones make one sum."""
MOST_KINDS = 100
"""Kinds that are told apart at a time; all others are one: whoever comes from everywhere fills no disk."""


@dataclass(slots=True)
class _Repetition:
    since: float
    record: AccessRecord
    more: int = 0


class RefusalSums:
    """`tell` takes what the journal is to know; `clock` never jumps."""

    def __init__(self, store: Callable[[AccessRecord], None], clock: Callable[[], float]) -> None:
        self._store, self._clock = store, clock
        self._repetitions: dict[tuple[str, str, str], _Repetition] = {}

    def add(self, record: AccessRecord) -> None:
        """One more."""
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
        """Tells the sums of windows that are over, which are so many seconds long."""
        now = self._clock()
        over = [key for key, known in self._repetitions.items() if now - known.since >= window]
        for known in map(self._repetitions.pop, over):
            if known.more:
                self._store(
                    replace(known.record, text=f"{known.more} more within a minute: {known.record.text}")
                )
