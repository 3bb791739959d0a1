"""Metrics of this process, under the names that all exporters use, from files described in proc(5)."""

import math
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from resource import RLIM_INFINITY, RLIMIT_NOFILE, getpagesize, getrlimit

from controller.telemetry.prometheus.family import Family, counter, gauge

PROCESS = Path("/proc/self")
UTIME = 11
STIME = 12
START = 19
VSIZE = 20
RSS = 21
"""Places in the file stat of a process, counted from behind the name of the process."""


class ProcessCollector:
    """Collects the metrics of this process at each scrape.

    It reads nothing outside of the process's own folder, because the service sees nothing else of /proc
    (ProcSubset in systemd.exec(5)). What the kernel does not say is left out, as the descriptors when none is
    free to count them.
    """

    def __init__(self) -> None:
        boot = time.time() - time.clock_gettime(time.CLOCK_BOOTTIME)
        self._start = boot + _seconds(_stat()[START])  # once, because a second clock reading would differ

    def collect(self) -> Iterator[Family]:
        for families in (self._status, _descriptors):
            with suppress(OSError):
                yield from families()

    def _status(self) -> Sequence[Family]:
        stat = _stat()
        resident = int(stat[RSS]) * getpagesize()
        processor = _seconds(stat[UTIME]) + _seconds(stat[STIME])
        return (
            gauge("process_virtual_memory_bytes", "Virtual memory size in bytes.", int(stat[VSIZE])),
            gauge("process_resident_memory_bytes", "Resident memory size in bytes.", resident),
            gauge(
                "process_start_time_seconds",
                "Start time of the process since unix epoch in seconds.",
                self._start,
            ),
            counter(
                "process_cpu_seconds_total", "Total user and system CPU time spent in seconds.", processor
            ),
        )


def _descriptors() -> Sequence[Family]:
    limit, _ = getrlimit(RLIMIT_NOFILE)
    count = sum(1 for _ in (PROCESS / "fd").iterdir())
    most = math.inf if limit == RLIM_INFINITY else limit
    return (
        gauge("process_open_fds", "Number of open file descriptors.", count),
        gauge("process_max_fds", "Maximum number of open file descriptors.", most),
    )


def _stat() -> list[str]:
    """The words of the file stat behind the name, which may itself contain spaces and brackets."""
    return (PROCESS / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()


def _seconds(ticks: str) -> float:
    return int(ticks) / os.sysconf("SC_CLK_TCK")
