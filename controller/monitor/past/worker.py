"""Questions about the past are answered by worker processes: rounds, the audit log, significant events, slips
and reports. The table's loop never waits for a journal to be searched, and the memory of a search is gone
with its process.

Each question starts one process, `python -m controller.monitor.past`. It reads the question from standard
input, writes the reply to standard output, and ends.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress

from fastapi import HTTPException

from controller.monitor.past.messages import WorkerQuestion, WorkerReply, decode_reply, encode_question

TIMEOUT_SECONDS = 20.0
MOST_WORKERS = 2
"""Questions that are answered at a time; the next ones wait."""
MODULE = "controller.monitor.past"

Ask = Callable[[WorkerQuestion], Awaitable[WorkerReply]]


async def ask_worker(question: WorkerQuestion, module: str) -> WorkerReply:
    """The reply of a process that runs `module`. Raises ValueError if the process fails; the log says
    why. If the caller is cancelled, the process is killed."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    try:
        reply, _ = await process.communicate(encode_question(question))
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.communicate()  # its end is noticed only when its pipe has been read
    return decode_reply(reply)


class WorkerPool:
    """Asks workers, MOST_WORKERS at a time; each is a process that runs `module`."""

    def __init__(self, module: str = MODULE) -> None:
        self._module = module
        self._slots = asyncio.Semaphore(MOST_WORKERS)

    async def __call__(self, question: WorkerQuestion) -> WorkerReply:
        """Raises HTTPException 503 if no reply comes in time, or none at all."""
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS), self._slots:
                return await ask_worker(question, self._module)
        except TimeoutError:
            raise HTTPException(
                503, f"the journal was not read within {TIMEOUT_SECONDS:.0f} s: ask for less"
            ) from None
        except ValueError:
            raise HTTPException(503, "the journal was not read: the log says why") from None
