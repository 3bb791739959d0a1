"""Detects memory that grows while a target is run repeatedly."""

import gc
import sys
from collections.abc import Callable

WARM = 5_000
"""Runs after which caches are full."""
LOOK = 5_000
"""Runs between two looks at the memory."""
MOST_GROWN = 20_000
"""Blocks of memory that may be added to those of a warm target: one block a run is seen soon."""


class LeakError(Exception):
    """Memory grows with the number of runs."""


class Watched:
    """A target whose memory is watched."""

    def __init__(self, run: Callable[[bytes], object]) -> None:
        self._run = run
        self._runs = 0
        self._held = 0

    def __call__(self, data: bytes) -> None:
        """One run. Raises LeakError."""
        self._run(data)
        self._runs += 1
        if self._runs == WARM:
            self._held = _blocks()
        elif self._runs % LOOK == 0:
            grown = _blocks() - self._held
            if grown > MOST_GROWN:
                raise LeakError(f"{grown} blocks of memory more after {self._runs} runs than after {WARM}")


def _blocks() -> int:
    gc.collect()
    return sys.getallocatedblocks()
