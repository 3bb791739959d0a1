"""Long work beside the table: a process of its own takes one question, gives one answer, and is gone."""

import asyncio
import sys
from contextlib import suppress


async def answered(module: str, question: bytes) -> bytes:
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
