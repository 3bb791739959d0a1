"""Divide a journal into parts that can be checked at the same time. No part divides a round, and none is in
two files."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

from controller.journal.chain import JournalRow, RowContent
from controller.journal.errors import JournalError
from controller.journal.history import HistoryFile, open_checked, read_errors
from controller.journal.schema import SELECT
from controller.table.record.kinds import SNAPSHOT

AT_ONCE = 4000
"""Rows that are read at once."""
RANGE = f"{SELECT}WHERE row >= ? AND row <= ? ORDER BY row LIMIT {AT_ONCE}"
RawRow = tuple[int, float, bytes, bytes, bytes, int, bytes, bytes]
"""A row with its texts as bytes."""


@dataclass(frozen=True, slots=True)
class FilePart:
    """Rows of a file, from a snapshot or the first row of the file on."""

    file: HistoryFile
    first: int
    last: int

    @property
    def begins(self) -> bool:
        return self.first == self.file.first


def parts(file: HistoryFile, rows: int) -> Iterator[FilePart]:
    """Parts of a file of about `rows` rows each. Raises JournalError."""
    first = file.first
    while first + rows < file.last and (cut := _snapshot(file, first + rows)) > first:
        yield FilePart(file, first, cut - 1)
        first = cut
    yield FilePart(file, first, file.last)


def rows(part: FilePart) -> Iterator[list[RawRow]]:
    """The rows of a part, in lists. Raises JournalError. A file that a daemon closes meanwhile is found under
    its new name."""
    reached = part.first - 1
    while reached < part.last and (found := _select(part, reached + 1)):
        yield found
        if found[-1][0] <= reached:
            raise JournalError(f"journal {part.file.path} is damaged: rows behind row {reached} are mixed up")
        reached = found[-1][0]


def hash_of(file: HistoryFile, row: int) -> bytes | None:
    """The stored hash of a row; None if the file does not have it. Raises JournalError."""
    found = _query(file, "SELECT hash FROM journal WHERE row = ?", row)
    return found[0][0] if found else None


def first_entry(file: HistoryFile) -> JournalRow | None:
    """The first row of a file; None if it is missing. Raises JournalError."""
    found = _query(file, RANGE, file.first, file.first)
    return row_from(found[0]) if found else None


def rows_between(database: sqlite3.Connection, first: int, last: int) -> Iterator[JournalRow]:
    """The rows of a file that `open_raw` opened, from one to another."""
    return map(row_from, database.execute(RANGE, (first, last)))


def snapshot_before(database: sqlite3.Connection, row: int) -> int:
    """The last snapshot up to a row of a file that `open_raw` opened; 0 if there is none."""
    query = "SELECT row FROM journal WHERE row <= ? AND kind = ? ORDER BY row DESC LIMIT 1"
    found = database.execute(query, (row, SNAPSHOT)).fetchone()
    return int(found[0]) if found and found[0] <= row else 0


@contextmanager
def open_raw(file: HistoryFile) -> Iterator[sqlite3.Connection]:
    """A file whose texts are read as bytes. Raises JournalError."""
    path = file.current_path()
    with read_errors(path), closing(open_checked(path)) as database:
        database.text_factory = bytes
        yield database


def row_from(fields: RawRow) -> JournalRow:
    """A row with decoded texts; invalid bytes are replaced."""
    row, at, kind, device, log, number, body, digest = fields
    kind_text, body_text, device_text = (text.decode(errors="replace") for text in (kind, body, device))
    return JournalRow(row, RowContent(at, kind_text, body_text, device_text, log, number), digest)


def _snapshot(file: HistoryFile, since: int) -> int:
    """The first snapshot from a row on; 0 if there is none."""
    query = "SELECT row FROM journal WHERE row >= ? AND row <= ? AND kind = ? ORDER BY row LIMIT 1"
    found = _query(file, query, since, file.last, SNAPSHOT)
    return found[0][0] if found else 0


def _select(part: FilePart, first: int) -> list[RawRow]:
    return _query(part.file, RANGE, first, part.last)


def _query(file: HistoryFile, query: str, *values: object) -> list[Any]:
    with open_raw(file) as database:
        return database.execute(query, values).fetchall()
