"""Where a round is kept."""

import sqlite3
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from pathlib import Path

from controller.journal.closed_files import Archived
from controller.past.recall.stretches import LAST, files, opened

_NEXT = (
    "SELECT CAST(substr(body, 20, 12) AS INTEGER), row FROM journal"
    " WHERE row >= ? AND kind = 'round' ORDER BY row LIMIT 1"
)
"""The text of a round begins with its number, in every version."""
_NONE = (LAST, 0)
_BEGUN = "SELECT row FROM journal WHERE row < ? AND kind = 'snapshot' ORDER BY row DESC LIMIT 1"


@dataclass(frozen=True, slots=True)
class Place:
    """The row that keeps a round, and its file."""

    file: Path
    row: int


def place_of(path: Path, number: int) -> Place | None:
    """Where a round is; None for one that has not ended, or is kept no more. Rounds count up, row by row."""
    among = files(path)
    at = bisect_right(among, number, key=_first) - 1
    return _within(among[at], number) if at >= 0 else None


def begun(database: sqlite3.Connection, row: int) -> int:
    """The row after which the round of a row began, 0 for the first of all."""
    found = database.execute(_BEGUN, (row,)).fetchone()
    return int(found[0]) if found else 0


def _within(file: Archived, number: int) -> Place | None:
    with opened(file.path, file.last) as database:
        rows = range(file.first, file.last + 1)
        at = bisect_left(rows, number, key=lambda row: _next(database, row)[0])
        found, row = _next(database, file.first + at)
    return Place(file.path, row) if found == number else None


def _first(file: Archived) -> int:
    """The number of the first round that a file holds."""
    with opened(file.path, file.last) as database:
        return _next(database, file.first)[0]


def _next(database: sqlite3.Connection, row: int) -> tuple[int, int]:
    """The number and the row of the first round from a row on."""
    found = database.execute(_NEXT, (row,)).fetchone()
    return (int(found[0]), int(found[1])) if found else _NONE
