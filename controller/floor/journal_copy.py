"""Writes what the floor has of a table's journal as a journal file, which every reader of journals reads.

The file holds the rows of all files that the table had: where the table began another file, the row that says
so is in the middle. The copy begins with row 1, or with the first such row if the earlier ones are not stored
any more.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import dropwhile
from pathlib import Path

from controller.floor.batch import Batch, BatchError, rows_of
from controller.journal import names
from controller.journal.chain import JournalRow, columns_of
from controller.journal.closed_files import CONTINUED
from controller.journal.head import HeadRecord, head_file
from controller.journal.schema import INSERT, new_database, without_log


class CopyError(Exception):
    """A journal cannot be written. The message says why."""


def write_journal(path: Path, segments: Iterable[Batch]) -> JournalRow:
    """Write the rows of these segments, which are in order, as a new journal at `path`. Returns the last row.
    Raises CopyError, OSError."""
    if path.exists():
        raise CopyError(f"{path} is there already; allowed: the name of a new file")
    fresh = names.part(path)
    fresh.unlink(missing_ok=True)
    try:
        names.write(fresh, without_log(new_database()))
        last = _fill(fresh, _beginning(_rows(segments)))
        fresh.rename(path)
        names.write(names.head(path), head_file(HeadRecord(last.row, last.hash)))
    except sqlite3.Error as error:
        raise CopyError(f"{path} cannot be written: {error}") from error
    finally:
        fresh.unlink(missing_ok=True)
    return last


def _fill(path: Path, rows: Iterator[JournalRow]) -> JournalRow:
    last: JournalRow | None = None
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("BEGIN")
        for last in rows:
            database.execute(INSERT, columns_of(last))
        database.execute("COMMIT")
    if last is None:
        raise CopyError("the floor has no row with which a journal can begin: row 1, or the first of a file")
    return last


def _beginning(rows: Iterator[JournalRow]) -> Iterator[JournalRow]:
    """The rows from the first one on with which a file can begin."""
    return dropwhile(lambda row: row.row != 1 and row.content.kind != CONTINUED, rows)


def _rows(segments: Iterable[Batch]) -> Iterator[JournalRow]:
    """Raises CopyError where rows are missing."""
    before: Batch | None = None
    for segment in segments:
        if before and segment.first != before.last + 1:
            missing = f"{before.last + 1} to {segment.first - 1}"
            raise CopyError(f"the rows {missing} are missing: two persons accepted that gap")
        try:
            yield from rows_of(segment)
        except BatchError as error:
            raise CopyError(
                f"the stored rows {segment.first} to {segment.last} are damaged: {error}"
            ) from error
        before = segment
