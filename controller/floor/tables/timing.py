"""Moves the time of the picture on, so that a table that falls silent is seen."""

import asyncio
from collections.abc import Callable
from typing import Final

from controller.floor.tables.picture import FloorPicture

INTERVAL: Final = 1.0
"""Seconds between two looks at the time."""


async def keep_time(
    picture: FloorPicture, clock: Callable[[], float], on_change: Callable[[], None] = lambda: None
) -> None:
    """Until cancelled. `clock`: seconds of Unix time."""
    while True:
        await asyncio.sleep(INTERVAL)
        picture.tick(clock())
        on_change()
