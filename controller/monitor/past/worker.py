"""A process of its own for each question about the past: no loop of the table waits for it, and its memory is
gone with it.

Long work beside the table: a process of its own takes one question, gives one answer, and is gone.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress

from fastapi import HTTPException

from controller.monitor.past.messages import WorkerQuestion, WorkerReply, decode_reply, encode_question


async def ask_worker(module: str, question: bytes) -> bytes:
    """What `python -m MODULE` writes when it is told the question; empty where it failed. It ends with
    whoever waits for it."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    try:
        answer, _ = await process.communicate(question)
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.communicate()  # what is still in its pipe must be read, or its end is never noticed
    return answer


TIMEOUT_SECONDS = 20.0
"""Seconds after which a question is given up."""
MOST_WORKERS = 2
"""Questions that are answered at a time; further ones wait for their turn."""
MODULE = "controller.monitor.past"


Ask = Callable[[WorkerQuestion], Awaitable[WorkerReply]]


class WorkerPool:
    """Asks processes of their own."""

    def __init__(self) -> None:
        self._slots = asyncio.Semaphore(MOST_WORKERS)

    async def __call__(self, question: WorkerQuestion) -> WorkerReply:
        """Raises HTTPException 503 where no answer comes in time, or none at all."""
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS), self._slots:
                return decode_reply(await ask_worker(MODULE, encode_question(question)))
        except TimeoutError:
            raise HTTPException(
                503, f"the journal was not read within {TIMEOUT_SECONDS:.0f} s: ask for less"
            ) from None
        except ValueError:
            raise HTTPException(503, "the journal was not read: the log says why") from None
