"""Deletes closed files of the journal after their retention period, in a task beside the table's loop."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import astuple

from controller.journal.errors import JournalError
from controller.journal.retention import RetentionShelf
from controller.table.record.notes import Retired

PERIOD = 60.0
"""Seconds between two checks for another closed file."""


class Retention:
    """Deletes files at the start, and after each file that is closed.

    `keep` returns when the note is on disk; `report` raises an alert with a sentence; `now` returns Unix
    time.
    """

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
        """Check every PERIOD seconds until cancelled."""
        while True:
            await self.check()
            await asyncio.sleep(PERIOD)

    async def check(self) -> None:
        """Delete the files that are due, if a file was closed since the last check. A damaged file stays, and
        the fault is reported once."""
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
