"""Ending tasks that wait for the servers."""

import asyncio
from collections.abc import Iterable
from typing import Any, Final

PATIENCE: Final = 0.5
"""Seconds after which a task is cancelled again."""


async def end_tasks(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel the tasks until they have ended. Raises the error of the first one that failed.

    Once is not enough: until Python 3.12, `asyncio.wait_for`, with which nats waits for each answer, loses a
    cancellation that comes at the moment of the answer.
    """
    ending = list(tasks)
    pending = set(ending)
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=PATIENCE)
    for task in ending:
        if not task.cancelled() and (error := task.exception()):
            raise error
