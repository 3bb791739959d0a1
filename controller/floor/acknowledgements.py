"""Who acknowledged which alert of the floor, when and why. Entries are only ever added.

Each acknowledgement is an entry of the floor's own journal, which all instances of the floor share. The file
is a copy of these entries for the pages: an instance takes those that it does not have, and one that it takes
twice is there once.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Final

from controller.floor.store_file import GrowingFile, StoreError, transaction

FILE: Final = "alerts.sqlite"
APPLICATION: Final = 0x54534641
SHOWN: Final = 20
_SCHEMA: Final = f"""
CREATE TABLE IF NOT EXISTS acknowledgement (id INTEGER PRIMARY KEY, at REAL NOT NULL, t TEXT NOT NULL,
  number INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL, since REAL NOT NULL, who TEXT NOT NULL,
  role TEXT NOT NULL, why TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS by_table ON acknowledgement (t, id);
CREATE TRIGGER IF NOT EXISTS no_update BEFORE UPDATE ON acknowledgement
  BEGIN SELECT RAISE(ABORT, 'acknowledgements are only added'); END;
CREATE TRIGGER IF NOT EXISTS no_delete BEFORE DELETE ON acknowledgement
  BEGIN SELECT RAISE(ABORT, 'acknowledgements are only added'); END;
CREATE TABLE IF NOT EXISTS place (id INTEGER PRIMARY KEY CHECK (id = 0), n INTEGER NOT NULL) STRICT;
PRAGMA application_id = {APPLICATION};
"""
_COLUMNS: Final = "at, t, number, kind, text, since, who, role, why"
_ADD: Final = (
    f"INSERT INTO acknowledgement ({_COLUMNS}) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9"  # noqa: S608 no value
    f" WHERE NOT EXISTS (SELECT 1 FROM acknowledgement WHERE t = ?2 AND ({_COLUMNS})"
    " = (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9))"
)
_OF_TABLE: Final = f"SELECT {_COLUMNS} FROM acknowledgement WHERE t = ? ORDER BY id DESC LIMIT ?"  # noqa: S608


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """`number`, `kind`, `text` and `since`: the alert as it was shown; another instance may have given it
    another number. `at`: when it was acknowledged. Times in seconds of Unix time."""

    at: float
    table: str
    number: int
    kind: str
    text: str
    since: float
    who: str
    role: str
    why: str


class AcknowledgementTrail(GrowingFile):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder / FILE, _SCHEMA)

    @property
    def last_entry(self) -> int:
        """The number of the entry that was taken last; 0 for none. Raises StoreError."""
        with self._stated("read"):
            found = self._database.execute("SELECT n FROM place").fetchone()
        return int(found[0]) if found else 0

    def take(self, n: int, acknowledgement: Acknowledgement) -> bool:
        """This is entry `n` of the floor's own journal. Returns whether it is new, when it is on disk. Raises
        StoreError."""
        with self._stated("written"), transaction(self._database):
            run = self._database.execute
            added = run(_ADD, _values(acknowledgement)).rowcount
            run("INSERT OR REPLACE INTO place VALUES (0, ?)", (n,))
        return added > 0

    def of_table(self, table: str) -> tuple[Acknowledgement, ...]:
        """The last ones about this table, newest first."""
        rows = self._database.execute(_OF_TABLE, (table, SHOWN))
        return tuple(Acknowledgement(*row) for row in rows)

    @contextmanager
    def _stated(self, done: str) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"acknowledgements cannot be {done}: {error}") from error


def _values(acknowledgement: Acknowledgement) -> tuple[object, ...]:
    return astuple(acknowledgement)[: len(fields(Acknowledgement))]
