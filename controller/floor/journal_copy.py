"""Writes what the floor has of a table's journal as journal files, which every reader of journals reads.

A file holds the rows of all files that the table had. Where the table began another file, the row that opens
that file is in the middle of this one. A journal has no gap, so the rows before a gap that two persons
accepted are a journal of their own. A journal begins with row 1 or with a row that opens a file. Rows before
the first such row, which are left when retention has deleted the days before, are not written.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from controller.floor.batch import Batch, BatchError, rows_of
from controller.journal import names
from controller.journal.chain import JournalRow, columns_of
from controller.journal.closed_files import CONTINUED
from controller.journal.head import HeadRecord, head_file
from controller.journal.schema import INSERT, new_database, without_log


class CopyError(Exception):
    """A journal cannot be written. The message says why."""


@dataclass(frozen=True, slots=True)
class CopiedRun:
    """Rows that follow each other without a gap. `path`: the journal with those from `first` to `last`, None
    if no journal can begin in them; `begin`: the first row that is stored, which is before `first` if some
    are left out."""

    path: Path | None
    begin: int
    first: int
    last: int


def write_journals(path: Path, segments: Iterable[Batch]) -> list[CopiedRun]:
    """Write the rows of these segments, which are in order: those after the last gap as a new journal at
    `path`, those before a gap beside it. Returns them, oldest first. Raises CopyError, OSError."""
    if path.exists():
        raise CopyError(f"{path} is there already; allowed: the name of a new file")
    fresh = names.part(path)
    runs, coming = list[CopiedRun](), iter(segments)
    try:
        following = next(coming, None)
        while following:
            run = _Run(following, coming)
            copied = _write(fresh, run)
            following = run.after
            runs.append(_named(path, fresh, copied, newest=following is None))
    except sqlite3.Error as error:
        raise CopyError(f"{path} cannot be written: {error}") from error
    finally:
        fresh.unlink(missing_ok=True)
    if not any(run.path for run in runs):
        raise CopyError("the floor has no row with which a journal can begin: row 1, or the first of a file")
    return runs


class _Run:
    """The rows of segments up to the next gap. `after`: the segment behind it, once the rows are read."""

    def __init__(self, first: Batch, coming: Iterator[Batch]) -> None:
        self.first, self._coming = first, coming
        self.after: Batch | None = None

    def rows(self) -> Iterator[JournalRow]:
        """Raises CopyError."""
        before: Batch | None = None
        for segment in chain([self.first], self._coming):
            if before and segment.first != before.last + 1:
                self.after = segment
                return
            try:
                yield from rows_of(segment)
            except BatchError as error:
                raise CopyError(
                    f"the stored rows {segment.first} to {segment.last} are damaged: {error}"
                ) from error
            before = segment


def _write(fresh: Path, run: _Run) -> tuple[int, JournalRow | None, JournalRow]:
    """The first row that is stored, the first one that is written, and the last one."""
    fresh.unlink(missing_ok=True)
    names.write(fresh, without_log(new_database()))
    begin: JournalRow | None = None
    last: JournalRow | None = None
    with closing(sqlite3.connect(fresh, isolation_level=None)) as database:
        database.execute("BEGIN")
        for last in run.rows():
            if begin is None and (last.row == 1 or last.content.kind == CONTINUED):
                begin = last
            if begin:
                database.execute(INSERT, columns_of(last))
        database.execute("COMMIT")
    if last is None:
        raise CopyError(f"the batch of the rows {run.first.first} to {run.first.last} is empty")
    return run.first.first, begin, last


def _named(
    path: Path, fresh: Path, copied: tuple[int, JournalRow | None, JournalRow], *, newest: bool
) -> CopiedRun:
    """Give the file its name and the record of its last row."""
    stored, begin, last = copied
    if begin is None:
        return CopiedRun(None, stored, 0, last.row)
    before_gap = path.with_name(f"{path.stem}-rows-{begin.row}-to-{last.row}{path.suffix}")
    target = path if newest else before_gap
    if target.exists():
        raise CopyError(f"{target} is there already; allowed: the name of a new file")
    fresh.rename(target)
    names.write(names.head(target), head_file(HeadRecord(last.row, last.hash)))
    return CopiedRun(target, stored, begin.row, last.row)
