"""The rows of a journal from the newest on, some thousands at a time, over all its files."""

import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from controller.journal.chain import JournalRow, row_hash, row_of
from controller.journal.closed_files import ClosedFile, list_closed_files
from controller.journal.errors import JournalError
from controller.journal.history import live_file, open_checked
from controller.journal.schema import SELECT

AT_ONCE = 25_000
"""Rows that are looked at in one transaction: as long as it lasts, the daemon's log cannot be emptied."""
MOST_ROWS = 1_000_000
"""Rows that one question looks back over; the next one goes on from there."""
AFTER_LAST_ROW = 1 << 53
"""Behind the last row that will ever be."""
ROWS_PER_SKIP = 4
"""So many rows of a file that is passed over are as quickly looked at as one that is searched."""
UNREADABLE = (KeyError, TypeError, ValueError, AttributeError, RecursionError, struct.error)
"""What reading a row raises that makes no sense."""
_HOLDS = "SELECT EXISTS (SELECT 1 FROM journal WHERE row <= ? AND at >= ? AND at < ?)"
_THERE = "SELECT 1 FROM journal WHERE row = ?"
_BEFORE = "SELECT hash FROM journal WHERE row = ? - 1"


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """Times from `since` on and before `until`, in seconds of Unix time."""

    since: float = 0.0
    until: float = 1e12


ANY_TIME = TimeSpan()


@dataclass(frozen=True, slots=True)
class RowRange:
    """Rows of one file, from the first to the last of them. `beside`: no stamp of them is in the span."""

    path: Path
    first: int
    last: int
    outside_span: bool = False

    @property
    def cost(self) -> int:
        """As many rows are searched in the time that it takes."""
        rows = self.last - self.first + 1
        return rows // ROWS_PER_SKIP if self.outside_span else rows


def backwards(path: Path, before: int, span: TimeSpan) -> Iterator[RowRange]:
    """Stretches before that row, newest first; what is left of a file is one stretch where no stamp is in the
    span: each is looked at, for the clock may have been wrong. Raises JournalError and sqlite3.Error."""
    row = min(before - 1, newest(path))
    while row > 0 and (file := file_with(path, row)):
        outside = not _holds(file, row, span)
        first = file.first if outside else max(file.first, row - AT_ONCE + 1)
        yield RowRange(file.path, first, row, outside)
        row = first - 1


def forwards(path: Path, row: int) -> Iterator[RowRange]:
    """Files from that row on, oldest first."""
    last = newest(path)
    while row <= last and (file := file_with(path, row)):
        yield RowRange(file.path, row, file.last)
        row = file.last + 1


def newest(path: Path) -> int:
    """The number of the last row, 0 where there is none."""
    with open_file(live_file(path)) as database:
        return int(database.execute("SELECT coalesce(max(row), 0) FROM journal").fetchone()[0])


def file_with(path: Path, row: int) -> ClosedFile | None:
    """The file that holds a row; None where it is kept no more. Looked for twice: the live file may be closed
    meanwhile."""
    for _ in range(2):
        for file in list_closed_files(path):
            if file.first <= row <= file.last:
                return file
        alive = live_range(path)
        if alive and alive.first <= row <= alive.last:
            return alive
    return None


def files(path: Path) -> list[ClosedFile]:
    """All files, oldest first, the live one at last."""
    alive, closed = live_range(path), list_closed_files(path)
    gone = alive is None or any(file.first == alive.first for file in closed)
    return closed if gone or alive is None else [*closed, alive]


def live_range(path: Path) -> ClosedFile | None:
    """The live file with its first and its last row; None where it is empty."""
    with open_file(live_file(path)) as database:
        first, last = database.execute("SELECT min(row), max(row) FROM journal").fetchone()
    return ClosedFile(path, first, last) if first else None


@contextmanager
def open_file(path: Path, row: int = 0) -> Iterator[sqlite3.Connection]:
    """One file, all of it as it is at one moment. Raises JournalError where it is to hold a row and does not:
    the live file was closed a moment ago."""
    with closing(open_checked(path)) as database:
        database.execute("BEGIN")
        if row and not database.execute(_THERE, (row,)).fetchone():
            raise JournalError(f"journal {path} was closed while it was searched: ask once more")
        yield database


def checked_row(database: sqlite3.Connection, file: Path, row: int) -> JournalRow:
    """A row that is there; raises JournalError where it does not follow from the one before."""
    found = row_of(database.execute(f"{SELECT}WHERE row = ?", (row,)).fetchone())
    before = database.execute(_BEFORE, (row,)).fetchone()
    if before and found.hash != row_hash(before[0], row, found.content):
        raise JournalError(f"journal {file} is damaged: row {row} does not follow from the one before")
    return found


@contextmanager
def search_errors(path: Path) -> Iterator[None]:
    """What goes wrong while a journal is looked at is a JournalError that names it."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"journal {path} cannot be searched: {error}") from error
    except UNREADABLE as error:
        raise JournalError(f"journal {path} cannot be searched: a row makes no sense, {error!r}") from error


def _holds(file: ClosedFile, row: int, span: TimeSpan) -> bool:
    with open_file(file.path, row) as database:
        return bool(database.execute(_HOLDS, (row, span.since, span.until)).fetchone()[0])
