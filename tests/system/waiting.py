"""Waiting for what must come, with a limit instead of a sleep."""

import time
from collections.abc import Callable

LIMIT = 15.0
"""Seconds in which what must happen has happened."""
PAUSE = 0.01


def until(condition: Callable[[], object], limit: float = LIMIT) -> None:
    """Wait for it; fails when it has not come true after `limit` seconds."""
    end = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < end, f"not after {limit:g} s"
        time.sleep(PAUSE)
