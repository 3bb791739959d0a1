"""Which process of a measurement runs where.

The bench, the daemon and the devices share one processor: a card takes the same way each time. The web server
may run on any, with the least weight there is; a service manager would give it a hundredth of the daemon's.
People and attackers are other computers on a floor, so they run on the other processors, if there are any.
"""

import os
from collections.abc import Set

LEAST = 19
"""The niceness with the least weight: 15, where that of the daemon is 1,024."""
_LIGHT = (
    'for group in /proc/self/autogroup; do [ ! -w "$group" ] || echo "$0" > "$group"; done; '
    'exec nice -n "$0" taskset --cpu-list "$@"'
)
"""Linux shares processors out among sessions first, so that the weight of a process alone says nothing."""


def take_one() -> None:
    """From now on this process and those that it starts run on one processor."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def all_processors() -> set[int]:
    return set(range(os.cpu_count() or 1))


def others() -> set[int]:
    """The processors that this process may not use; its own, if there are no others."""
    here = os.sched_getaffinity(0)
    return all_processors() - here or here


def light() -> tuple[str, ...]:
    """The words before a command that gives way to the daemon, on all processors. It has a session of its
    own."""
    return ("sh", "-c", _LIGHT, str(LEAST), as_list(all_processors()))


def as_list(processors: Set[int]) -> str:
    """As people and `taskset` write them."""
    return ",".join(map(str, sorted(processors)))
