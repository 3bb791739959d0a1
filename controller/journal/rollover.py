"""A full file of the journal is closed in two steps.

A copy of the file grows in the archive while play goes on. When the copy is complete and a round ends, the
few pages that were written since are copied again, and the next file begins. If the daemon is killed at any
moment, it leaves either the live file, or the closed file and the next one; the next start removes an
incomplete copy.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

from controller.journal.archive import FileCopy
from controller.journal.chain import RowContent
from controller.journal.journal import Journal

PAUSE = 0.02
"""Seconds between two pieces of a copy, in which the disk is free for the rows of the round in play."""
OpeningRow = Callable[[], RowContent]
"""Makes the row with which the next file begins."""


class Rollover(Protocol):
    """Closes full files."""

    def batch_done(self, *, between: bool) -> None:
        """Called in each turn, when its rows are on disk. `between`: the turn ended a round and the next one
        is empty. Raises JournalError."""

    async def settle(self) -> None:
        """Awaited between two turns. Raises JournalError."""

    async def end(self) -> None:
        """Called after the last turn, before the journal is closed."""


class InlineRollover:
    """Does each step within a turn."""

    def __init__(self, journal: Journal, opening: OpeningRow) -> None:
        self._journal, self._opening = journal, opening

    def batch_done(self, *, between: bool) -> None:
        """Copy a full file; close it if a round has ended."""
        if not self._journal.full:
            return
        if not self._journal.copied:
            self._journal.copy().run()
        if between:
            self._journal.roll([self._opening()])

    async def settle(self) -> None:
        """Do nothing: no step is left."""

    async def end(self) -> None:
        """Do nothing: no step is in progress."""


class ThreadedRollover:
    """Copies in a thread while turns go on, and begins the next file in a thread between two turns. Links and
    pages are served meanwhile."""

    def __init__(self, journal: Journal, opening: OpeningRow) -> None:
        self._journal, self._opening = journal, opening
        self._copy: FileCopy | None = None
        self._copying: asyncio.Future[None] | None = None
        self._due = False

    def batch_done(self, *, between: bool) -> None:
        """Begin to copy a full file; close it after this turn if a round has ended and the copy is done."""
        full = self._journal.full
        self._due = full and between and self._journal.copied
        if full and self._copying is None:
            self._copy = self._journal.copy()
            loop = asyncio.get_running_loop()
            self._copying = loop.run_in_executor(None, self._copy.run, lambda: time.sleep(PAUSE))

    async def settle(self) -> None:
        """Raise the error of a failed copy; begin the next file if it is due. If this is cancelled, it
        finishes that first."""
        if self._copying and self._copying.done():
            self._copying.result()
        if not self._due:
            return
        rows, loop = [self._opening()], asyncio.get_running_loop()
        rolling = loop.run_in_executor(None, self._journal.roll, rows)
        try:
            await asyncio.shield(rolling)
        finally:
            await asyncio.wait({rolling})
        self._due = False
        if not self._journal.copied:
            self._copy = self._copying = None

    async def end(self) -> None:
        """Give up an incomplete copy."""
        if self._copy and self._copying:
            self._copy.stop()
            await asyncio.wait({self._copying})
