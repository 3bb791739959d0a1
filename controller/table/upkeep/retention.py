"""Closed files of the journal are taken away when their time is over, beside the table's loop."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import astuple

from controller.journal.errors import JournalError
from controller.journal.retention import RetentionShelf
from controller.table.record.notes import Retired

PERIOD = 60.0
"""Seconds between two looks whether another file was closed."""


class Retention:
    """Looks at the start, and after each file that was closed. `keep` has a note on disk when it returns;
    `tell` says to people what is wrong; `now` gives Unix time."""

    def __init__(
        self,
        shelf: RetentionShelf,
        keep: Callable[[Retired], Awaitable[None]],
        report: Callable[[str], None],
        now: Callable[[], float],
    ) -> None:
        self._shelf, self._keep, self._report, self._now = shelf, keep, report, now
        self._seen: str | None = None
        self._reported = ""

    async def run(self) -> None:
        """Until it is cancelled."""
        while True:
            await self.check()
            await asyncio.sleep(PERIOD)

    async def check(self) -> None:
        """Take away what may go, if a file was closed since the last look. What is damaged stays, and is told
        once."""
        try:
            newest = await asyncio.to_thread(lambda: self._shelf.newest)
            if newest == self._seen:
                return
            await self._retire()
            self._seen = newest
        except JournalError as error:
            if str(error) != self._reported:
                self._reported = str(error)
                self._report(self._reported)

    async def _retire(self) -> None:
        while due := await asyncio.to_thread(self._shelf.due, self._now()):
            await self._keep(Retired(*astuple(due)))
            await asyncio.to_thread(self._shelf.remove, due)
