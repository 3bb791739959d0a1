"""Detects a slow disk by the duration of the journal's own writes.

A slow disk raises an alert that names it, so that nobody looks for the fault in cables and devices.
"""

from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from controller.table.apply.conditions import notice_of_change
from controller.table.record.causes import cause
from controller.table.record.events import Noticed
from controller.table.state.table_state import TableState

SLOW = 0.5
"""Writes that take longer than this, in seconds, are slow: people notice them."""
SLOW_WRITES = 2
"""Slow writes between two checks that count as a slow disk: a single one may be chance."""
RECOVERED = 0.25
"""The disk has recovered when no write between two checks takes longer than this, in seconds."""
SLOW_DISK = "The {disk}'s disk takes {seconds:.1f} s a write"


def judge_writes(state: TableState, commits: Mapping[str, Sequence[float]]) -> Iterator[Noticed]:
    """The alerts that have begun, changed or ended since the last check.

    `commits` has the duration in seconds of each write since then, by disk. If nothing was written to a slow
    disk, its alert is repeated, so that the next check has a write to judge.
    """
    for disk, seconds in commits.items():
        about = cause("latency", disk)
        before = state.standing.get(about, "")
        if before and not seconds:
            yield Noticed(before, about)
        elif noticed := notice_of_change(state, about, _sentence(before, disk, seconds)):
            yield noticed


def _sentence(before: str, disk: str, seconds: Sequence[float]) -> str:
    """The text of the alert; empty if the disk is not slow."""
    if before:
        return before if max(seconds) > RECOVERED else ""
    slow = [each for each in seconds if each > SLOW]
    return SLOW_DISK.format(disk=disk, seconds=median(slow)) if len(slow) >= SLOW_WRITES else ""
