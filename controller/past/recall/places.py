"""Where a round is in the journal."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from controller.journal.history import AFTER_LAST_ROW, FileReader, History, HistoryFile

_NEXT_ROUND = (
    "SELECT CAST(substr(body, 20, 12) AS INTEGER), row FROM journal"
    " WHERE row >= ? AND kind = 'round' ORDER BY row LIMIT 1"
)
"""The text of a round begins with its number, in every version."""
_NEXT_SNAPSHOT = "SELECT row FROM journal WHERE row > ? AND kind = 'snapshot' ORDER BY row LIMIT 1"


@dataclass(frozen=True, slots=True)
class RowLocation:
    """The row in which a round ends, and the file that holds it."""

    file: HistoryFile
    row: int


def locate_round(history: History, number: int) -> RowLocation | None:
    """Where a round is; None if it has not ended, or its file is gone. The numbers of rounds grow with their
    rows, so a binary search finds it."""
    files = history.files()
    at = bisect_right(files, number, key=lambda file: _first_round(history, file)) - 1
    return _within(history, files[at], number) if at >= 0 else None


def next_snapshot(reader: FileReader, row: int) -> int:
    """The first snapshot after a row; 0 if the file has none."""
    found = reader.select(_NEXT_SNAPSHOT, (row,))
    return int(found[0][0]) if found else 0


def _within(history: History, file: HistoryFile, number: int) -> RowLocation | None:
    with history.open(file) as reader:
        rows = range(file.first, file.last + 1)
        at = bisect_left(rows, number, key=lambda row: _next_round(reader, row)[0])
        found, row = _next_round(reader, file.first + at)
    return RowLocation(file, row) if found == number else None


def _first_round(history: History, file: HistoryFile) -> int:
    with history.open(file) as reader:
        return _next_round(reader, file.first)[0]


def _next_round(reader: FileReader, row: int) -> tuple[int, int]:
    """The number and the row of the first round that ends in this row or later."""
    found = reader.select(_NEXT_ROUND, (row,))
    return (int(found[0][0]), int(found[0][1])) if found else (AFTER_LAST_ROW, 0)
