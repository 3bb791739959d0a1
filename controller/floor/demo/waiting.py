"""Waiting for what other programs do."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

PAUSE: Final = 0.1
"""Seconds between two looks."""


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Returns when the condition holds."""
    while True:
        if await condition():
            return
        await asyncio.sleep(PAUSE)


async def until_or_late(condition: Callable[[], Awaitable[bool]], seconds: float) -> None:
    """Returns when the condition holds, or after so many seconds."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await until(condition)
