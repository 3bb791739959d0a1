"""Deletes closed files of the journal after their retention period, in a task beside the table's loop.

At a table of a floor, a file also waits until the floor has its rows. If a disk is nearly full, its room
counts for more: the file goes at the next check, and an alert says so. In the time between, a floor that
answers has acknowledged what it has, also after a start of the daemon.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import astuple

from controller.journal.errors import JournalError
from controller.journal.retention import ExpiredFile, RetentionShelf
from controller.table.record.events import Noticed
from controller.table.record.notes import Retired
from controller.table.upkeep.floor_copy import FloorHold, early_deletion

PERIOD = 60.0
"""Seconds between two checks for another closed file."""


class Retention:
    """Deletes files at the start, after each file that is closed, and when a file need not wait any more.

    `keep` returns when the note is on disk; `report` raises an alert; `now` returns Unix time. `floor` is
    None at a table without a floor.
    """

    def __init__(
        self,
        shelf: RetentionShelf,
        keep: Callable[[Retired], Awaitable[None]],
        report: Callable[[Noticed], None],
        now: Callable[[], float],
        floor: FloorHold | None = None,
    ) -> None:
        self._shelf, self._keep, self._report, self._now = shelf, keep, report, now
        self._floor = floor
        self._seen: str | None = None
        self._waiting: ExpiredFile | None = None
        self._reported = ""

    async def run(self) -> None:
        """Check every PERIOD seconds until cancelled."""
        while True:
            await self.check()
            await asyncio.sleep(PERIOD)

    async def check(self) -> None:
        """Delete the files that may go, if a file was closed since the last check or need not wait any more.
        A damaged file stays, and the fault is reported once."""
        try:
            newest = await asyncio.to_thread(lambda: self._shelf.newest)
            if newest == self._seen and (self._waiting is None or self._must_wait(self._waiting)):
                return
            self._waiting = await self._retire()
            self._seen = newest
        except JournalError as error:
            if str(error) != self._reported:
                self._reported = str(error)
                self._report(Noticed(self._reported))

    async def _retire(self) -> ExpiredFile | None:
        """Delete files, the oldest first. Returns the one that must wait for the floor."""
        while due := await asyncio.to_thread(self._shelf.due, self._now()):
            if self._must_wait(due):
                return due
            if self._floor and not self._floor.covers(due):
                self._report(early_deletion(due))
            await self._keep(Retired(*astuple(due)))
            await asyncio.to_thread(self._shelf.remove, due)
        return None

    def _must_wait(self, file: ExpiredFile) -> bool:
        if self._floor is None or self._floor.covers(file):
            return False
        return file != self._waiting or not self._floor.is_scarce()
