"""What processes take of the machine."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.daemon import cpu_seconds, sizes


@dataclass(frozen=True, slots=True)
class Load:
    """Of a process: share of a core, and megabytes."""

    share: float
    memory: float


class LoadMeter:
    """The load of processes between two moments."""

    def __init__(self, pids: Sequence[int]) -> None:
        self._pids, self._begun = pids, time.monotonic()
        self._before = [cpu_seconds(pid) for pid in pids]

    def read(self) -> list[Load]:
        passed = time.monotonic() - self._begun
        return [
            Load((cpu_seconds(pid) - before) / passed, sizes(pid)["Rss"])
            for pid, before in zip(self._pids, self._before, strict=True)
        ]
