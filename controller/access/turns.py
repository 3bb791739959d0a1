"""Attempts are checked one after the other. Few may wait, so that a flood of them takes neither memory nor
the turns of people at the table."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from controller.access.errors import TooOften
from controller.access.origin import AT_TABLE

MOST_WAITING = 32
MOST_WAITING_EACH = 4
"""Attempts that wait for their turn at a time: from all places but the table's own screen, and from each
place."""
AGAIN_IN = 10
"""Seconds after which somebody who found no room may try again."""


class Turns:
    """Attempts at the table's own screen go before others, and have room of their own."""

    def __init__(self) -> None:
        self._others, self._first = asyncio.Lock(), asyncio.Lock()
        self._waiting: Counter[str] = Counter()

    @asynccontextmanager
    async def room(self, place: str) -> AsyncIterator[None]:
        """A place in the queue. Raises TooOften if there is none."""
        elsewhere = self._waiting.total() - self._waiting[AT_TABLE]
        full = elsewhere >= MOST_WAITING and place != AT_TABLE
        if full or self._waiting[place] >= MOST_WAITING_EACH:
            raise TooOften(AGAIN_IN)
        self._waiting[place] += 1
        try:
            yield
        finally:
            self._waiting[place] -= 1
            self._waiting += Counter()  # forgets the places where nobody waits

    @asynccontextmanager
    async def turn(self, place: str) -> AsyncIterator[None]:
        """The right to be checked now. Of the attempts elsewhere, one at a time competes with those at the
        table."""
        if place == AT_TABLE:
            async with self._first:
                yield
        else:
            async with self._others, self._first:
                yield
