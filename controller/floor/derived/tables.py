"""The tables of derived records in the file of a gaming day.

They say nothing that the batches do not say, and are written in the same transaction. A round is in the file
in which its last row arrived. If it is corrected on a later day, it is also in the file of that day, as a
copy that the correction changes: of two records of a round, the one in the newer file counts.
"""

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import astuple
from typing import Any, Final

from controller.floor.derived.records import Course, DerivedRecords, PlayedRound, StoredRound
from controller.journal.history import TimeSpan

# rounds lie in the order in which they ended, so that a search that finds little reads them as they lie
STATEMENTS: Final = (
    "CREATE TABLE round (t TEXT NOT NULL, e TEXT NOT NULL, number INTEGER NOT NULL, first INTEGER NOT NULL,"
    " last INTEGER NOT NULL, at REAL NOT NULL, dealer TEXT NOT NULL, game TEXT NOT NULL,"
    " outcome TEXT NOT NULL, seats TEXT NOT NULL, wagered INTEGER, paid INTEGER, won_most INTEGER NOT NULL,"
    " cards TEXT NOT NULL, lines TEXT NOT NULL, copied INTEGER NOT NULL, currency TEXT NOT NULL DEFAULT '',"
    " PRIMARY KEY (at, t, number, e), UNIQUE (t, e, number)) STRICT, WITHOUT ROWID",
    "CREATE INDEX round_of_table ON round (t, at, number)",
    "CREATE INDEX round_copied ON round (t, e, number) WHERE copied",
    "CREATE TABLE action (t TEXT NOT NULL, e TEXT NOT NULL, row INTEGER NOT NULL, at REAL NOT NULL,"
    " kind TEXT NOT NULL, who TEXT NOT NULL, second TEXT NOT NULL, text TEXT NOT NULL,"
    " PRIMARY KEY (t, e, row)) STRICT, WITHOUT ROWID",
    "CREATE TABLE event (t TEXT NOT NULL, e TEXT NOT NULL, row INTEGER NOT NULL, at REAL NOT NULL,"
    " severity TEXT NOT NULL, code TEXT NOT NULL, device TEXT NOT NULL, text TEXT NOT NULL,"
    " PRIMARY KEY (t, e, row)) STRICT, WITHOUT ROWID",
    "CREATE TABLE hit (t TEXT NOT NULL, e TEXT NOT NULL, row INTEGER NOT NULL, at REAL NOT NULL,"
    " claim INTEGER NOT NULL, round INTEGER NOT NULL, seat INTEGER NOT NULL, spot TEXT NOT NULL,"
    " cents INTEGER NOT NULL, step TEXT NOT NULL, level TEXT NOT NULL, n INTEGER NOT NULL,"
    " currency TEXT NOT NULL DEFAULT '',"
    " PRIMARY KEY (t, e, row)) STRICT, WITHOUT ROWID",
    "CREATE TABLE reading (t TEXT NOT NULL, e TEXT NOT NULL, row INTEGER NOT NULL, at REAL NOT NULL,"
    " level TEXT NOT NULL, wagers INTEGER NOT NULL, wagered INTEGER NOT NULL,"
    " voided_wagers INTEGER NOT NULL, voided INTEGER NOT NULL, PRIMARY KEY (t, e, level, row))"
    " STRICT, WITHOUT ROWID",
    "CREATE TABLE course (t TEXT NOT NULL, e TEXT NOT NULL, dealer TEXT NOT NULL, game TEXT NOT NULL,"
    " first INTEGER NOT NULL, currency TEXT NOT NULL DEFAULT '', PRIMARY KEY (t, e)) STRICT, WITHOUT ROWID",
    "CREATE TABLE span (id INTEGER PRIMARY KEY CHECK (id = 1), earliest REAL NOT NULL, latest REAL NOT NULL)"
    " STRICT",
)
ROUND_COLUMNS: Final = (
    "number, first, last, at, dealer, game, currency, outcome, seats, wagered, paid, won_most, cards, lines"
)
_INSERT_ROUND: Final = (
    "INSERT OR REPLACE INTO round VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_INSERT_ACTION: Final = "INSERT OR REPLACE INTO action VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_EVENT: Final = "INSERT OR REPLACE INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_HIT: Final = "INSERT OR REPLACE INTO hit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_READING: Final = "INSERT OR REPLACE INTO reading VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_CORRECT: Final = (
    "UPDATE round SET outcome = ?, seats = ?, wagered = ?, paid = ?, won_most = ?, cards = ?, lines = ?"
    " WHERE t = ? AND e = ? AND number = ?"
)
_EXTEND: Final = (
    "INSERT INTO span VALUES (1, ?, ?) ON CONFLICT DO UPDATE"
    " SET earliest = min(earliest, excluded.earliest), latest = max(latest, excluded.latest)"
)
_FIND: Final = f"SELECT {ROUND_COLUMNS} FROM round WHERE t = ? AND e = ? AND number = ?"  # noqa: S608
_CLEAR: Final = (
    "DELETE FROM round WHERE t = ? AND e = ? AND NOT copied",
    "DELETE FROM action WHERE t = ? AND e = ?",
    "DELETE FROM event WHERE t = ? AND e = ?",
    "DELETE FROM hit WHERE t = ? AND e = ?",
    "DELETE FROM reading WHERE t = ? AND e = ?",
)
_ROWS: Final = {
    "round": "SELECT * FROM round WHERE t = ? AND e = ? ORDER BY number",
    "action": "SELECT * FROM action WHERE t = ? AND e = ? ORDER BY row",
    "event": "SELECT * FROM event WHERE t = ? AND e = ? ORDER BY row",
    "hit": "SELECT * FROM hit WHERE t = ? AND e = ? ORDER BY row",
    "reading": "SELECT * FROM reading WHERE t = ? AND e = ? ORDER BY row",
}

Journal = tuple[str, str]
"""The table, and the epoch of its journal."""
FindRound = Callable[[Journal, int], StoredRound | None]
"""A round in the files of earlier days; None if none has it."""


class DerivedTables:
    """The tables of one file. The caller begins a transaction before it writes. Writing the same records
    again changes nothing."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def write(self, journal: Journal, records: DerivedRecords, find_earlier: FindRound) -> None:
        run = self._database.executemany
        run(_INSERT_ROUND, (_round_fields(journal, found, copied=False) for found in records.rounds))
        for corrected in records.corrected:
            self._correct(journal, corrected.number, corrected.played, find_earlier)
        run(_INSERT_ACTION, ((*journal, *astuple(action)) for action in records.actions))
        run(_INSERT_EVENT, ((*journal, *astuple(event)) for event in records.events))
        run(_INSERT_HIT, ((*journal, *astuple(hit)) for hit in records.hits))
        run(_INSERT_READING, ((*journal, *astuple(reading)) for reading in records.readings))

    def set_course(self, journal: Journal, course: Course) -> None:
        statement = "INSERT OR REPLACE INTO course VALUES (?, ?, ?, ?, ?, ?)"
        self._database.execute(statement, (*journal, *astuple(course)))

    def course(self, journal: Journal) -> Course:
        query = "SELECT dealer, game, first, currency FROM course WHERE t = ? AND e = ?"
        for fields in self._database.execute(query, journal):
            return Course(*fields)
        return Course()

    def round(self, journal: Journal, number: int) -> StoredRound | None:
        for fields in self._database.execute(_FIND, (*journal, number)):
            return stored_round(fields)
        return None

    def clear(self, journal: Journal) -> None:
        """Delete everything that the batches of this file say about a journal, and keep the copies of earlier
        rounds."""
        for statement in _CLEAR:
            self._database.execute(statement, journal)

    def rows(self, journal: Journal) -> dict[str, list[tuple[Any, ...]]]:
        """The rows of each table about a journal, in order."""
        return {name: self._database.execute(query, journal).fetchall() for name, query in _ROWS.items()}

    def span(self) -> TimeSpan | None:
        """The times of all rows and rounds in the file: none is before `since` or after `until`. None for an
        empty file."""
        for earliest, latest in self._database.execute("SELECT earliest, latest FROM span"):
            return TimeSpan(earliest, latest)
        return None

    def extend_span(self, times: Iterable[float]) -> None:
        """Times that are in the file now."""
        if known := sorted(times):
            self._database.execute(_EXTEND, (known[0], known[-1]))

    def _correct(self, journal: Journal, number: int, played: PlayedRound, find_earlier: FindRound) -> None:
        """Change the record of a round; one that no file has any more is left out."""
        if self.round(journal, number) is None:
            earlier = find_earlier(journal, number)
            if earlier is None:
                return
            self._database.execute(_INSERT_ROUND, _round_fields(journal, earlier, copied=True))
            self.extend_span((earlier.at,))
        self._database.execute(_CORRECT, (*astuple(played), *journal, number))


def stored_round(fields: tuple[Any, ...]) -> StoredRound:
    """From ROUND_COLUMNS."""
    number, first, last, at, dealer, game, currency, *played = fields
    return StoredRound(number, first, last, at, dealer, game, PlayedRound(*played), currency)


def _round_fields(journal: Journal, found: StoredRound, *, copied: bool) -> tuple[Any, ...]:
    of = found.number, found.first, found.last, found.at, found.dealer, found.game
    return *journal, *of, *astuple(found.played), int(copied), found.currency
