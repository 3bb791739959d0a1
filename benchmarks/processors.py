"""Which process of a measurement runs where.

The bench, the daemon and the devices share one processor: a card takes the same way each time. The web server
may run on any, with the least weight there is; a service manager would give it a hundredth of the daemon's.
People and attackers are other computers on a floor, so they run on the other processors, if there are any.
"""

import os
from contextlib import suppress
from pathlib import Path

LEAST = 19
"""The niceness with the least weight: 15, where that of the daemon is 1,024."""


def take_one() -> None:
    """From now on this process and those that it starts run on one processor."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def all_processors() -> set[int]:
    return set(range(os.cpu_count() or 1))


def others() -> set[int]:
    """The processors that this process may not use, or its own if it may use all."""
    here = os.sched_getaffinity(0)
    return all_processors() - here or here


def give_way(pid: int) -> None:
    """From now on this process has the least weight, and may run on all processors. It has a session of its
    own: Linux shares processors out among sessions first."""
    with suppress(FileNotFoundError):  # a kernel without such groups
        Path(f"/proc/{pid}/autogroup").write_text(str(LEAST))
    for thread in Path(f"/proc/{pid}/task").iterdir():
        number = int(thread.name)
        os.setpriority(os.PRIO_PROCESS, number, max(LEAST, os.getpriority(os.PRIO_PROCESS, number)))
        os.sched_setaffinity(number, all_processors())
