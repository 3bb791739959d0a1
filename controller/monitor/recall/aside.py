"""A process of its own for each question about the past: no loop of the table waits for it, and its memory is
gone with it."""

import asyncio
from collections.abc import Awaitable, Callable

from fastapi import HTTPException

from controller.monitor.beside import answered
from controller.monitor.recall.wire import Question, Reply, packed, parsed

LONGEST = 20.0
"""Seconds after which a question is given up."""
AT_ONCE = 2
"""Questions that are answered at a time; further ones wait for their turn."""
MODULE = "controller.monitor.recall"


Ask = Callable[[Question], Awaitable[Reply]]


class Aside:
    """Asks processes of their own."""

    def __init__(self) -> None:
        self._turn = asyncio.Semaphore(AT_ONCE)

    async def __call__(self, question: Question) -> Reply:
        """Raises HTTPException 503 where no answer comes in time, or none at all."""
        try:
            async with asyncio.timeout(LONGEST), self._turn:
                return parsed(await answered(MODULE, packed(question)))
        except TimeoutError:
            raise HTTPException(
                503, f"the journal was not read within {LONGEST:.0f} s: ask for less"
            ) from None
        except ValueError:
            raise HTTPException(503, "the journal was not read: the log says why") from None
