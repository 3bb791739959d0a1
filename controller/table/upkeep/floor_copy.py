"""Up to which row the floor has the journal, and which closed files must wait for it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from controller.journal.closed_files import list_closed_files
from controller.journal.history import open_file
from controller.journal.journal import Journal
from controller.journal.retention import ExpiredFile
from controller.table.record.causes import cause
from controller.table.record.events import Noticed

UNSHIPPED = cause("unshipped")
"""A file was deleted before the floor had its rows."""
DELETED_EARLY = (
    "The disk is nearly full: {file} with the rows {first} to {last} was deleted, and the floor has not "
    "acknowledged them"
)
FindHash = Callable[[int], Awaitable[bytes | None]]
"""The hash of a row of the journal; None if the journal does not have it, or not any more."""


class OtherRow(Exception):
    """The floor has a row that the journal does not have. The message names it."""


async def _nothing(_row: int) -> bytes | None:
    return None


class FloorCopy:
    """What the floor has, as its signed acknowledgements say. Each counts only if its hash is that of the
    row in the journal: a floor with the rows of another journal has nothing of this one."""

    def __init__(self, find: FindHash = _nothing) -> None:
        self._find = find
        self.row = 0
        """The last row that the floor has; 0 if nothing is known."""

    async def take(self, row: int, digest: bytes) -> None:
        """The floor says that it has the rows up to this one. Raises OtherRow, JournalError."""
        if row <= self.row:
            return
        found = await self._find(row)
        if found != digest:
            raise OtherRow(f"the floor's row {row} is not in the journal")
        self.row = max(self.row, row)


@dataclass(frozen=True, slots=True)
class FloorHold:
    """Files wait until the floor has their rows. `is_scarce`: whether a disk of the journal is nearly full;
    then the room counts for more."""

    copy: FloorCopy
    is_scarce: Callable[[], bool]

    def covers(self, file: ExpiredFile) -> bool:
        """Whether the floor has its rows."""
        return file.last <= self.copy.row


def early_deletion(file: ExpiredFile) -> Noticed:
    """The alert about a file that had to go before the floor had it."""
    return Noticed(DELETED_EARLY.format(file=file.file, first=file.first, last=file.last), UNSHIPPED)


def rows_of(journal: Journal, path: Path) -> FindHash:
    """Finds rows of the open `journal`, and of its closed files beside `path`, which it reads in another
    thread. Raises JournalError."""

    async def find(row: int) -> bytes | None:
        if entry := journal.live_row(row):
            return entry.hash
        return await asyncio.to_thread(_closed_hash, path, row)

    return find


def _closed_hash(path: Path, row: int) -> bytes | None:
    for file in list_closed_files(path):
        if file.first <= row <= file.last:
            with open_file(file.path) as reader:
                return reader.at(row).hash
    return None
