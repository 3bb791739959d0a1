"""Waiting for what must come. What has come is seen at once; only what never comes takes the whole
`PATIENCE`, which is no claim about speed: a machine with other work to do may be many times slower."""

import asyncio
import time
from collections.abc import Callable

PATIENCE = 60.0
"""Seconds after which a test gives up."""
PAUSE = 0.01


def until(condition: Callable[[], object], limit: float = PATIENCE) -> None:
    """Wait for it; fails when it has not come true after `limit` seconds."""
    end = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < end, f"not after {limit:g} s"
        time.sleep(PAUSE)


async def come_true(condition: Callable[[], object], limit: float = PATIENCE, pause: float = PAUSE) -> None:
    """The same in a loop, which runs meanwhile; asks again after each `pause`."""
    end = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < end, f"not after {limit:g} s"
        await asyncio.sleep(pause)
