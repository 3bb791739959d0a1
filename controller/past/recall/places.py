"""Where a round is kept."""

import sqlite3
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from pathlib import Path

from controller.journal.closed_files import ClosedFile
from controller.past.recall.stretches import AFTER_LAST_ROW, files, open_file

_NEXT = (
    "SELECT CAST(substr(body, 20, 12) AS INTEGER), row FROM journal"
    " WHERE row >= ? AND kind = 'round' ORDER BY row LIMIT 1"
)
"""The text of a round begins with its number, in every version."""
_NONE = (AFTER_LAST_ROW, 0)
_BEGUN = "SELECT row FROM journal WHERE row < ? AND kind = 'snapshot' ORDER BY row DESC LIMIT 1"


@dataclass(frozen=True, slots=True)
class RowLocation:
    """The row that keeps a round, and its file."""

    file: Path
    row: int


def locate_round(path: Path, number: int) -> RowLocation | None:
    """Where a round is; None for one that has not ended, or is kept no more. Rounds count up, row by row."""
    among = files(path)
    at = bisect_right(among, number, key=_first_round) - 1
    return _within(among[at], number) if at >= 0 else None


def row_before_round(database: sqlite3.Connection, row: int) -> int:
    """The row after which the round of a row began, 0 for the first of all."""
    found = database.execute(_BEGUN, (row,)).fetchone()
    return int(found[0]) if found else 0


def _within(file: ClosedFile, number: int) -> RowLocation | None:
    with open_file(file.path, file.last) as database:
        rows = range(file.first, file.last + 1)
        at = bisect_left(rows, number, key=lambda row: _next_round(database, row)[0])
        found, row = _next_round(database, file.first + at)
    return RowLocation(file.path, row) if found == number else None


def _first_round(file: ClosedFile) -> int:
    """The number of the first round that a file holds."""
    with open_file(file.path, file.last) as database:
        return _next_round(database, file.first)[0]


def _next_round(database: sqlite3.Connection, row: int) -> tuple[int, int]:
    """The number and the row of the first round from a row on."""
    found = database.execute(_NEXT, (row,)).fetchone()
    return (int(found[0]), int(found[1])) if found else _NONE
