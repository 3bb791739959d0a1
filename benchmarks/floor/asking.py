"""Asks a floor what it has of a journal, again and again, from a process of its own. Prints an empty line
after the first answer, and the longest wait for one in seconds when its standard input ends."""

import asyncio
import logging
import sys
import time
from pathlib import Path

from controller.floor.connection import Servers, connection
from controller.process.tasks import end_tasks
from controller.telemetry import logs

PAUSE = 0.5
"""Seconds between two questions."""
LIMIT = 600.0


async def ask(address: str, subject: str, payload: bytes) -> float:
    """The longest wait, until standard input ends."""
    longest = 0.0

    async def asking() -> None:
        nonlocal longest
        async with connection(Servers((address,), "asking", "_INBOX_asking")) as client:
            while True:
                begun = time.monotonic()
                await client.request(subject, payload, timeout=LIMIT)
                if not longest:
                    print(flush=True)
                longest = max(longest, time.monotonic() - begun)
                await asyncio.sleep(PAUSE)

    task = asyncio.create_task(asking())
    await asyncio.to_thread(sys.stdin.read)
    await end_tasks([task])
    return longest


if __name__ == "__main__":
    logs.set_up(logging.CRITICAL)
    print(asyncio.run(ask(sys.argv[1], sys.argv[2], Path(sys.argv[3]).read_bytes())))
