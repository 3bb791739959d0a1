"""Attempts are checked one after the other. Few may wait, so that a flood of them takes neither memory nor
the turns of people at the table."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from controller.access.errors import TooOften

MOST_WAITING = 32
MOST_WAITING_EACH = 4
"""Attempts that wait for their turn at a time: of strangers together, and of strangers or known people at one
place."""
AGAIN_IN = 10
"""Seconds after which somebody who found no room may try again."""


class Turns:
    """Known people are those at the table's own screen and those who are signed in. They go before strangers,
    and have room of their own."""

    def __init__(self) -> None:
        self._strangers, self._checking = asyncio.Lock(), asyncio.Lock()
        self._waiting: Counter[tuple[str, bool]] = Counter()

    @asynccontextmanager
    async def room(self, place: str, *, known: bool) -> AsyncIterator[None]:
        """A place in the queue. Raises TooOften if there is none."""
        strangers = sum(count for (_, theirs), count in self._waiting.items() if not theirs)
        full = strangers >= MOST_WAITING and not known
        if full or self._waiting[place, known] >= MOST_WAITING_EACH:
            raise TooOften(AGAIN_IN)
        self._waiting[place, known] += 1
        try:
            yield
        finally:
            self._waiting[place, known] -= 1
            self._waiting += Counter()  # forgets the places where nobody waits

    @asynccontextmanager
    async def turn(self, *, known: bool) -> AsyncIterator[None]:
        """The right to be checked now. Of all strangers, one at a time competes with known people."""
        if known:
            async with self._checking:
                yield
        else:
            async with self._strangers, self._checking:
                yield
