"""The one reader of a journal: nothing is written, no lock is taken, and a daemon may append meanwhile.

A journal is one chain of rows in several files. The archive beside the live file holds the closed files,
each named after its first and last row. The live file holds the newest rows; its first row names the closed
file that it continues, with the SHA-256 of that file and the hash of its last row.

What every reader gets:

- Rows come in order, without a gap. The oldest files may be gone because they were kept long enough; a file
  that is missing between two others is an error.
- Every row that leaves this module follows from the row before it: its hash is SHA-256 over the hash before
  and its own fields. `rows` checks each row against the one that it read before, across files too, and the
  first one against the hash that is stored before it. `FileReader.at` checks a single row in the same way.
- Every failure is a JournalError that names the file: a missing or foreign file, damage, an unreadable disk.

Two rules keep that true while a daemon appends and closes files:

- Open the file again after its last row. What is open does not change: a closed file, or an image of the live
  one in memory (live_image.py). So a reader holds nothing up, however long it takes.
- A file that was live when it was listed may be closed now. Its rows are then in the archive under another
  name, and another file is live. `rows` looks into the archive again wherever the live file does not go on
  with the next row, and `open` refuses a file that does not hold the rows that it was listed with.

`tableside journal verify` reads the columns itself, for speed, and reports every fault instead of the first.
The journal's own check at the start (inspection.py) also compares pages and the record of the last row.
"""

import sqlite3
import struct
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from controller.journal import names
from controller.journal.chain import JournalRow, follows, row_of
from controller.journal.closed_files import ClosedFile, check_continuation, hash_before, list_closed_files
from controller.journal.errors import JournalError
from controller.journal.inspection import open_read_only
from controller.journal.schema import SELECT, check

BATCH_ROWS = 1000
SEARCH_ROWS = 25_000
"""Rows that one range of a search holds, and that are searched in one transaction."""
PATIENCE = 2.0
"""Seconds in which a daemon that has closed a file begins the next one."""
AFTER_LAST_ROW = 1 << 53
"""Greater than the number of any row."""
ROWS_PER_SKIP = 4
"""Passing over this many rows takes as long as searching one."""
BAD_ROW = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    struct.error,
)
"""What reading a row raises that makes no sense."""

CLOSED_MEANWHILE = "was closed while it was read: ask again"


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """Times from `since` on and before `until`, in seconds of Unix time."""

    since: float = 0.0
    until: float = 1e12


ANY_TIME = TimeSpan()


@dataclass(frozen=True, slots=True)
class HistoryFile:
    """A file of the journal at `journal`, with its first and last row when it was listed."""

    journal: Path
    path: Path
    first: int
    last: int
    closed: bool

    def current_path(self) -> Path:
        """Where these rows are now: the live file may have been closed since. Raises JournalError."""
        if self.closed:
            return self.path
        archive = list_closed_files(self.journal)
        return next((each.path for each in archive if each.first <= self.last <= each.last), self.path)


@dataclass(frozen=True, slots=True)
class RowRange:
    """Rows of one file. `outside`: none of them has a time in the span that was asked for."""

    file: HistoryFile
    first: int
    last: int
    outside: bool = False

    @property
    def cost(self) -> int:
        """How many rows can be searched in the time that this range takes."""
        rows = self.last - self.first + 1
        return rows // ROWS_PER_SKIP if self.outside else rows


class FileReader:
    """One file in one transaction: every query sees the same rows. `path` is the name for messages."""

    def __init__(self, path: Path, database: sqlite3.Connection) -> None:
        self.path, self._database = path, database

    def select(self, query: str, parameters: Sequence[object] | Mapping[str, object] = ()) -> list[Any]:
        return self._database.execute(query, parameters).fetchall()

    def last_of(self, kind: str, before: int = AFTER_LAST_ROW) -> int:
        """The last row of a kind before another row; 0 if the file has none."""
        query = "SELECT max(row) FROM journal WHERE kind = ? AND row < ?"
        return int(self.select(query, (kind, before))[0][0] or 0)

    def has(self, row: int) -> bool:
        return bool(self.select("SELECT 1 FROM journal WHERE row = ?", (row,)))

    def has_time(self, last: int, span: TimeSpan) -> bool:
        """Whether a row up to the row `last` has a time in the span."""
        query = "SELECT EXISTS (SELECT 1 FROM journal WHERE row <= ? AND at >= ? AND at < ?)"
        return bool(self.select(query, (last, span.since, span.until))[0][0])

    def at(self, row: int) -> JournalRow:
        """One row, checked. Raises JournalError where it is missing."""
        for found in self.rows(row, row):
            return found
        raise JournalError(f"journal {self.path} is damaged: row {row} is missing")

    def rows(self, first: int, last: int = AFTER_LAST_ROW) -> Iterator[JournalRow]:
        """The rows of this file from one to another, each checked; the first one against the hash that is
        stored before it."""
        query = f"{SELECT}WHERE row BETWEEN ? AND ? ORDER BY row"
        found = map(row_of, self._database.execute(query, (first, last)))
        for row in found:
            yield from checked(self.path, chain([row], found), self.hash_before(row))

    def starts_with(self, row: JournalRow) -> bool:
        return bool(self.select("SELECT min(row) FROM journal") == [(row.row,)])

    def hash_before(self, row: JournalRow) -> bytes:
        """The hash that is stored with the row before; before a file's first row, the one that it names."""
        for (digest,) in self.select("SELECT hash FROM journal WHERE row = ?", (row.row - 1,)):
            return bytes(digest)
        if self.starts_with(row):
            return hash_before(self.path, row)
        raise JournalError(f"journal {self.path} is damaged: row {row.row - 1} is missing")


class History:
    """The journal at `path`. Every method, and a `with` block of `open`, raises JournalError for a journal
    that is missing, damaged, or cannot be read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def files(self) -> list[HistoryFile]:
        """The files that are there now, oldest first; an empty live file is left out."""
        with read_errors(self.path):
            closed, (first, last) = list_closed_files(self.path), _live_range(self.path)
            if closed and first > closed[-1].last + 1:
                closed = list_closed_files(self.path)  # a daemon may just have closed another one
                if first > closed[-1].last + 1:
                    raise _missing(self.path, closed[-1].last + 1, first - 1)
        files = [HistoryFile(self.path, file.path, file.first, file.last, closed=True) for file in closed]
        if last and not (closed and last <= closed[-1].last):
            files.append(HistoryFile(self.path, self.path, first, last, closed=False))
        return files

    def file_with(self, row: int) -> HistoryFile | None:
        """The file that holds a row; None where no file does."""
        return next((file for file in self.files() if file.first <= row <= file.last), None)

    @contextmanager
    def open(self, file: HistoryFile) -> Iterator[FileReader]:
        with open_file(file.current_path()) as reader:
            if not reader.has(file.last):
                why = f"is damaged: row {file.last} is missing" if file.closed else CLOSED_MEANWHILE
                raise JournalError(f"journal {reader.path} {why}")
            yield reader

    def rows(self, first: int = 1, last: int = AFTER_LAST_ROW) -> Iterator[JournalRow]:
        """The rows from one to another, oldest first, with those that are appended meanwhile. Each follows
        from the one before, and each closed file between two rows is as it was when it was closed.

        Where the oldest files are gone, the first row is the first of the oldest file that is there.
        """
        before: JournalRow | None = None
        for batch in _batches(self.path, first - 1):
            rows = [row for row in batch.rows if row.row <= last]
            if rows:
                yield from checked(batch.path, rows, _hash_before(self.path, batch, before))
            before = batch.rows[-1]
            if before.row >= last:
                return

    def at(self, row: int) -> JournalRow:
        """One row, checked."""
        file = self.file_with(row)
        if file is None:
            raise JournalError(f"journal {self.path}: row {row} is not there")
        with self.open(file) as reader:
            return reader.at(row)

    def backwards(self, before: int = AFTER_LAST_ROW, span: TimeSpan = ANY_TIME) -> Iterator[RowRange]:
        """Ranges of the rows before a row, newest first. What is left of a file is one range if none of its
        times is in the span; every file is looked at, because the clock may have been wrong."""
        for file in reversed(self.files()):
            last = min(file.last, before - 1)
            while last >= file.first:
                outside = span != ANY_TIME and not self._has_time(file, last, span)
                first = file.first if outside else max(file.first, last - SEARCH_ROWS + 1)
                yield RowRange(file, first, last, outside)
                last = first - 1

    def forwards(self, first: int) -> Iterator[RowRange]:
        """The rows from a row on, oldest first, one range for each file."""
        return (
            RowRange(file, max(first, file.first), file.last) for file in self.files() if file.last >= first
        )

    def _has_time(self, file: HistoryFile, last: int, span: TimeSpan) -> bool:
        with self.open(file) as reader:
            return reader.has_time(last, span)


@dataclass(frozen=True, slots=True)
class _Batch:
    """Rows of one file that were read at once, and the hash before them."""

    path: Path
    starts_file: bool
    rows: list[JournalRow]
    hash_before: bytes


def open_checked(path: Path) -> sqlite3.Connection:
    """A read-only connection to one file. Raises JournalError for a file that is not a journal, sqlite3.Error
    for one that cannot be read."""
    database = open_read_only(path)
    try:
        check(path, database)
    except BaseException:
        database.close()
        raise
    return database


@contextmanager
def open_file(path: Path) -> Iterator[FileReader]:
    """One file by itself. Raises JournalError."""
    with read_errors(path), closing(open_checked(path)) as database:
        database.execute("BEGIN")
        yield FileReader(path, database)


def check_closed(file: HistoryFile, reader: FileReader, after: FileReader) -> None:
    """Checks that a closed file, which `reader` reads, is as it was when it was closed, by what `after`, the
    file after it, says. Raises JournalError."""
    head, first = reader.at(file.last).hash, after.at(file.last + 1)
    check_continuation(after.path, first, ClosedFile(file.path, file.first, file.last), head)


def live_file(path: Path) -> Path:
    """The live file, as soon as it is there. Raises JournalError if it does not appear in time."""
    until = time.monotonic() + PATIENCE
    while not path.is_file():
        if not names.archive(path).is_dir() or time.monotonic() > until:
            raise JournalError(f"journal {path} is not there")
        time.sleep(0.01)
    return path


def checked(path: Path, rows: Iterable[JournalRow], digest: bytes) -> Iterator[JournalRow]:
    """The rows of the file at `path`, each following from the one before; the first one from `digest`."""
    number = 0
    for row in rows:
        number = number + 1 if number else row.row
        if row.row != number or not follows(digest, row):
            raise JournalError(f"journal {path} is damaged: row {number} does not follow from the one before")
        digest = row.hash
        yield row


@contextmanager
def read_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite and the disk raise into a JournalError that names the file."""
    try:
        yield
    except OSError as error:
        raise JournalError(f"journal {path} cannot be read: {error.strerror}") from error
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise JournalError(f"journal {path} cannot be read, is damaged or no journal: {error}") from error


@contextmanager
def row_errors(path: Path) -> Iterator[None]:
    """Turn what a row that makes no sense raises into a JournalError that names the file."""
    try:
        yield
    except BAD_ROW as error:
        raise JournalError(f"journal {path} cannot be read: a row makes no sense, {error!r}") from error


def _live_range(path: Path) -> tuple[int, int]:
    with closing(open_checked(live_file(path))) as database:
        first, last = database.execute("SELECT min(row), max(row) FROM journal").fetchone()
    return first or 0, last or 0


def _batches(path: Path, reached: int) -> Iterator[_Batch]:
    """All rows after `reached`. What the live file does not have any more is in the archive."""
    closed_meanwhile = True
    while closed_meanwhile:
        for file in list_closed_files(path):
            if file.last > reached:
                yield from _closed_batches(file, reached)
                reached = file.last
        closed_meanwhile = False
        for batch in _file_batches(path, reached):
            first = batch.rows[0].row
            if first != reached + 1:
                closed_meanwhile = any(file.last > reached for file in list_closed_files(path))
                if closed_meanwhile:
                    break
                if reached:
                    raise _missing(path, reached + 1, first - 1)
            yield batch
            reached = batch.rows[-1].row


def _closed_batches(file: ClosedFile, reached: int) -> Iterator[_Batch]:
    last = 0
    for batch in _file_batches(file.path, reached):
        first, last = batch.rows[0].row, batch.rows[-1].row
        if batch.starts_file and first != file.first:
            raise JournalError(f"journal {file.path} is damaged: it begins with row {first}")
        yield batch
    if last != file.last:
        raise JournalError(f"journal {file.path} is damaged: it ends with row {last}")


def _file_batches(path: Path, reached: int) -> Iterator[_Batch]:
    """The file is opened again until nothing follows: a daemon may have appended meanwhile."""
    before = -1
    while reached > before:
        before = reached
        with read_errors(path), closing(open_checked(live_file(path))) as database:
            reader = FileReader(path, database)
            while batch := _next_batch(reader, reached):
                yield batch
                reached = batch.rows[-1].row


def _next_batch(reader: FileReader, reached: int) -> _Batch | None:
    query = f"{SELECT}WHERE row > ? ORDER BY row LIMIT {BATCH_ROWS}"
    rows = [row_of(columns) for columns in reader.select(query, (reached,))]
    if not rows:
        return None
    return _Batch(reader.path, reader.starts_with(rows[0]), rows, reader.hash_before(rows[0]))


def _hash_before(path: Path, batch: _Batch, before: JournalRow | None) -> bytes:
    """The hash that a batch must follow from, after the row `before` of the same journal."""
    if before is None:
        return batch.hash_before
    if batch.starts_file:
        closed = next((file for file in list_closed_files(path) if file.last == before.row), None)
        if closed is None:
            raise JournalError(f"journal {path}: the file that ends with row {before.row} is gone")
        check_continuation(batch.path, batch.rows[0], closed, before.hash)
    return before.hash


def _missing(path: Path, first: int, last: int) -> JournalError:
    return JournalError(f"journal {path}: rows {first} to {last} are missing before it")
