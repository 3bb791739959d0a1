"""Running the parts of a service side by side, and ending those that wait for a server."""

import asyncio
import signal
from collections.abc import Coroutine, Iterable
from typing import Any, Final

PATIENCE: Final = 0.5
"""Seconds after which a task is cancelled again."""


async def end_tasks(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel the tasks until they have ended; if the caller is cancelled meanwhile, then also. Raises the
    error of the first one that failed.

    Once is not enough: until Python 3.12, `asyncio.wait_for`, with which nats waits for each answer, loses a
    cancellation that comes at the moment of the answer.
    """
    ending = list(tasks)
    pending, cancelled = set(ending), None
    while pending:
        for task in pending:
            task.cancel()
        try:
            _, pending = await asyncio.wait(pending, timeout=PATIENCE)
        except asyncio.CancelledError as again:
            cancelled = again
            pending = {task for task in pending if not task.done()}
    if cancelled:
        raise cancelled
    errors = [error for task in ending if not task.cancelled() and (error := task.exception())]
    if errors:
        raise errors[0]


async def run_parts(parts: Iterable[Coroutine[Any, Any, object]]) -> None:
    """Run these until cancelled, or until one of them fails or ends. Raises the error of the first one that
    failed."""
    tasks = [asyncio.create_task(part) for part in parts]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await end_tasks(tasks)


def stop_event() -> asyncio.Event:
    """An event that SIGTERM or SIGINT sets from now on."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    return stop
