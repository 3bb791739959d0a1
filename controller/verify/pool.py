"""Work of several processes side by side."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

Given = TypeVar("Given")
Found = TypeVar("Found")


def side_by_side(work: Callable[[Given], Found], tasks: Sequence[Given], processes: int) -> list[Found]:
    """What comes of each task, in their order."""
    most = min(processes, len(tasks))
    if most <= 1:
        return [work(task) for task in tasks]
    with ProcessPoolExecutor(most, get_context("fork")) as pool:
        return list(pool.map(work, tasks))


def processors() -> int:
    """How many there are for us."""
    return len(os.sched_getaffinity(0))
