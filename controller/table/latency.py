"""How long the journal's disks take for a write, by the journal's own figures.

A slow disk is an alert that names it, so that nobody looks for the fault in cables and devices.
"""

from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from controller.table.causes import cause
from controller.table.conditions import change
from controller.table.events import Noticed
from controller.table.state import TableState

SLOW = 0.5
"""Seconds of a write at which people wait for the disk."""
FEW = 2
"""So many of them between two looks: a single one may be chance."""
WELL = 0.25
"""Seconds that no write takes between two looks once the disk is well again."""
TAKES = "The {disk}'s disk takes {seconds:.1f} s a write"


def judge(state: TableState, commits: Mapping[str, Sequence[float]]) -> Iterator[Noticed]:
    """What is different from the last look. `commits`: by disk the seconds of each write since then. A slow
    disk to which nothing was written is named again, which is a write: the next look judges that one."""
    for disk, seconds in commits.items():
        about = cause("latency", disk)
        before = state.standing.get(about, "")
        if before and not seconds:
            yield Noticed(before, about)
        elif noticed := change(state, about, _sentence(before, disk, seconds)):
            yield noticed


def _sentence(before: str, disk: str, seconds: Sequence[float]) -> str:
    """What is to be said now; empty: nothing."""
    if before:
        return before if max(seconds) > WELL else ""
    slow = [each for each in seconds if each > SLOW]
    return TAKES.format(disk=disk, seconds=median(slow)) if len(slow) >= FEW else ""
