"""A journal for those who only look: nothing is written, no lock is taken, a daemon may go on appending and
may close a file and begin the next one.

Its rows are those of all files that are there, oldest first, as one chain.
"""

import sqlite3
import struct
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from controller.journal import names
from controller.journal.chain import JournalRow, row_hash
from controller.journal.closed_files import ClosedFile, check_continuation, hash_before, list_closed_files
from controller.journal.errors import JournalError
from controller.journal.inspection import open_read_only
from controller.journal.journal import SELECT, check, row_of

AT_ONCE = 1000
"""Rows that are read in one transaction: as long as it lasts, the daemon's log cannot be emptied."""
PATIENCE = 2.0
"""Seconds in which a daemon that closes a file has begun the next one."""


@dataclass(frozen=True, slots=True)
class RowBatch:
    """Rows that were read at once; `begins`: the first of them is the first of its file."""

    path: Path
    starts_file: bool
    entries: list[JournalRow]


def entries(path: Path) -> Iterator[JournalRow]:
    """All entries that are there by now, oldest first, each checked to follow from the one before, and each
    closed file to be as it was when it was closed.

    Where the oldest files are gone, the first entry is the first of the oldest file that is there. Raises
    JournalError for a file that is not there, is no journal, or is damaged.
    """
    before: JournalRow | None = None
    for stretch in _batches(path):
        yield from _chained(path, stretch, before)
        before = stretch.entries[-1]


def open_checked(path: Path) -> sqlite3.Connection:
    """A file of a journal, to look at. Raises JournalError for a file that is no journal, sqlite3.Error for
    one that cannot be read."""
    database = open_read_only(path)
    try:
        check(path, database)
    except BaseException:
        database.close()
        raise
    return database


def live_file(path: Path) -> Path:
    """The journal's live file, once it is there. Raises JournalError where nobody begins it."""
    until = time.monotonic() + PATIENCE
    while not path.is_file():
        if not names.archive(path).is_dir() or time.monotonic() > until:
            raise JournalError(f"journal {path} is not there")
        time.sleep(0.01)
    return path


def _batches(path: Path) -> Iterator[RowBatch]:
    """Rows that the live file has no more, since it was closed meanwhile, are in a closed one."""
    reached, rolled = 0, True
    while rolled:
        for file in list_closed_files(path):
            if file.last > reached:
                yield from _closed(file, reached)
                reached = file.last
        rolled = False
        for stretch in _rows(path, reached):
            if stretch.entries[0].row != reached + 1 and _was_closed(path, stretch, reached):
                rolled = True
                break
            yield stretch
            reached = stretch.entries[-1].row


def _was_closed(path: Path, stretch: RowBatch, reached: int) -> bool:
    if any(file.last > reached for file in list_closed_files(path)):
        return True
    if reached:
        first = stretch.entries[0].row
        raise JournalError(f"journal {path}: rows {reached + 1} to {first - 1} are missing before it")
    return False


def _closed(file: ClosedFile, reached: int) -> Iterator[RowBatch]:
    last = 0
    for stretch in _rows(file.path, reached):
        first, last = stretch.entries[0].row, stretch.entries[-1].row
        if stretch.starts_file and first != file.first:
            raise JournalError(f"journal {file.path} is damaged: it begins with row {first}")
        yield stretch
    if last != file.last:
        raise JournalError(f"journal {file.path} is damaged: it ends with row {last}")


def _rows(path: Path, reached: int) -> Iterator[RowBatch]:
    """Opened afresh now and then: a daemon may have begun to write."""
    while stretch := _next(path, reached):
        yield stretch
        reached = stretch.entries[-1].row


def _next(path: Path, reached: int) -> RowBatch | None:
    try:
        with closing(open_checked(live_file(path))) as database:
            select = f"{SELECT}WHERE row > ? ORDER BY row LIMIT {AT_ONCE}"
            found = [row_of(fields) for fields in database.execute(select, (reached,))]
            (first,) = database.execute("SELECT min(row) FROM journal").fetchone()
    except OSError as error:
        raise JournalError(f"journal {path} cannot be read: {error.strerror}") from error
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise JournalError(f"journal {path} cannot be read, is damaged or no journal: {error}") from error
    return RowBatch(path, found[0].row == first, found) if found else None


def _chained(path: Path, stretch: RowBatch, before: JournalRow | None) -> Iterator[JournalRow]:
    row, digest = stretch.entries[0].row - 1, _linked_to(path, stretch, before)
    for entry in stretch.entries:
        row += 1
        if entry.row != row or not _follows(digest, entry):
            raise JournalError(
                f"journal {stretch.path} is damaged: row {row} does not follow from the one before"
            )
        digest = entry.hash
        yield entry


def _follows(digest: bytes, entry: JournalRow) -> bool:
    """A damaged file may hold values of other types than the table has."""
    try:
        return entry.hash == row_hash(digest, entry.row, entry.content)
    except (AttributeError, TypeError, ValueError, struct.error):
        return False


def _linked_to(path: Path, stretch: RowBatch, before: JournalRow | None) -> bytes:
    first = stretch.entries[0]
    if before is None:
        return hash_before(stretch.path, first)
    if stretch.starts_file:
        closed = next((file for file in list_closed_files(path) if file.last == before.row), None)
        if closed is None:
            raise JournalError(f"journal {path}: the file that ends with row {before.row} is gone")
        check_continuation(stretch.path, first, closed, before.hash)
    return before.hash
