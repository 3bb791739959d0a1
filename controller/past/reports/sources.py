"""Rows of a journal by their stamps, checked as they are read. Only files that hold such rows are read whole:
a row's stamp is where the clock stood, and a clock that was set leaves rows out of order."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from controller.calendar import Period
from controller.journal.chain import JournalRow, row_hash
from controller.journal.closed_files import hash_before, list_closed_files
from controller.journal.errors import JournalError
from controller.journal.history import open_checked
from controller.past.verify.parts import FilePart, FileRange, files, row_from, rows

_STAMPED = "SELECT min(row), max(row) FROM journal WHERE at >= ? AND at < ?"
_EARLIER = "SELECT max(row) FROM journal WHERE at < ?"
_LAST = (
    "SELECT EXISTS (SELECT 1 FROM journal WHERE at >= ?),"
    " (SELECT max(at) FROM journal WHERE at >= ? AND at < ?)"
)
_ROUNDS = "SELECT at FROM journal WHERE kind = 'round' ORDER BY row"
_CORRECTED = "SELECT row FROM journal WHERE kind = 'corrected' AND row > ? ORDER BY row"
_SNAPSHOT = "SELECT max(row) FROM journal WHERE kind = 'snapshot' AND row <= ?"


@dataclass(frozen=True, slots=True)
class PeriodRows:
    """Rows of one file: from the last snapshot before the first that is wanted, where there is one, to the
    last that is wanted."""

    rows: Iterator[JournalRow]


def period_rows(path: Path, period: Period) -> Iterator[PeriodRows]:
    """What has to be read for a period, oldest first, each from a snapshot or the journal's first row on; of
    one without rows what came before it, which tells how things stand.

    Raises JournalError for what cannot be read, or does not follow from the row before.
    """
    all_files = files(path)
    for file, first, last in list(_inside(all_files, period)) or list(_before(all_files, period)):
        begun = _query(file, _SNAPSHOT, first)[0][0] or file.first
        yield PeriodRows(_from(_checked_rows(file, last), begun))


def corrections(path: Path, after: int) -> Iterator[JournalRow]:
    """All corrections of ended rounds behind a row, oldest first. Raises JournalError."""
    for file in files(path):
        if file.last > after:
            wanted = {row for (row,) in _query(file, _CORRECTED, after)}
            yield from (found for found in _checked_rows(file, max(wanted, default=0)) if found.row in wanted)


def last_time(path: Path, period: Period) -> float:
    """Up to when the journal tells of the period: its end, or the last stamp before. Raises JournalError."""
    last = period.begins
    for file in reversed(files(path)):
        after, inside = _query(file, _LAST, period.ends, period.begins, period.ends)[0]
        if after:
            return period.ends
        last = max(last, inside or last)
    return last


def round_times(path: Path) -> Iterator[float]:
    """When rounds ended, in the order of the rows; the rows are not checked. Raises JournalError."""
    for file in files(path):
        yield from (at for (at,) in _query(file, _ROUNDS))


def _inside(all_files: Sequence[FileRange], period: Period) -> Iterator[tuple[FileRange, int, int]]:
    """The first and the last row of each file that is stamped in the period."""
    for file in all_files:
        first, last = _query(file, _STAMPED, period.begins, period.ends)[0]
        if first is not None:
            yield file, first, last


def _before(all_files: Sequence[FileRange], period: Period) -> Iterator[tuple[FileRange, int, int]]:
    """The last row that is stamped before the period."""
    for file in reversed(all_files):
        (row,) = _query(file, _EARLIER, period.begins)[0]
        if row is not None:
            yield file, row, row
            return


def _from(entries: Iterable[JournalRow], row: int) -> Iterator[JournalRow]:
    return (found for found in entries if found.row >= row)


def _checked_rows(file: FileRange, last: int) -> Iterator[JournalRow]:
    """The rows of a file up to one, each following from the one before."""
    if not last:
        return
    digest = b""
    for found in rows(FilePart(file, file.first, last)):
        for fields in found:
            checked = row_from(fields)
            digest = digest or hash_before(file.path, checked)
            if not _follows(digest, checked):
                why = "does not follow from the one before"
                raise JournalError(f"journal {file.path} is damaged: row {checked.row} {why}")
            digest = checked.hash
            yield checked


def _follows(digest: bytes, checked: JournalRow) -> bool:
    try:
        return row_hash(digest, checked.row, checked.content) == checked.hash
    except (AttributeError, TypeError, ValueError, sqlite3.Error):
        return False


def _query(file: FileRange, query: str, *values: object) -> list[tuple[int, ...]]:
    path = _current_path(file)
    try:
        with closing(open_checked(path)) as database:
            return database.execute(query, values).fetchall()
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"journal {path} cannot be read, is damaged or no journal: {error}") from error


def _current_path(file: FileRange) -> Path:
    """A file that a daemon closes meanwhile has another name."""
    if file.closed:
        return file.path
    holds = (
        found.path for found in list_closed_files(file.journal) if found.first <= file.last <= found.last
    )
    return next(holds, file.path)
