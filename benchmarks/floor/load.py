"""What processes take of the machine."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.daemon import cpu_seconds, sizes


@dataclass(frozen=True, slots=True)
class Load:
    """Of a process: share of a core, and megabytes. `memory`: pages that it shares with other processes count
    in parts; `resident`: they count in whole."""

    share: float
    memory: float
    resident: float


class LoadMeter:
    """The load of processes between two moments."""

    def __init__(self, pids: Sequence[int]) -> None:
        self._pids, self._begun = pids, time.monotonic()
        self._before = [cpu_seconds(pid) for pid in pids]

    def read(self) -> list[Load]:
        passed = time.monotonic() - self._begun
        worked = [cpu_seconds(pid) - before for pid, before in zip(self._pids, self._before, strict=True)]
        found = map(sizes, self._pids)
        return [
            Load(seconds / passed, size["Pss"], size["Rss"])
            for seconds, size in zip(worked, found, strict=True)
        ]
