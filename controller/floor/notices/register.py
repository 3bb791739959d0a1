"""The notices of a floor, in `notices.sqlite`. They are only ever added.

The floor's own journal is the record: a notice counts once it is there. A command writes here while the
service runs or does not; the service then writes the notice into the journal and says so here. Another
instance of the floor takes its notices from the journal.
"""

import sqlite3
from dataclasses import astuple, fields
from pathlib import Path
from typing import Final

from controller.floor.notices.notice import Notice
from controller.floor.store_file import GrowingFile, StoreError

FILE: Final = "notices.sqlite"
APPLICATION: Final = 0x5453464E
_COLUMNS: Final = ", ".join(field.name for field in fields(Notice))
_SCHEMA: Final = f"""
CREATE TABLE IF NOT EXISTS notice (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
  "table" TEXT NOT NULL, asset TEXT NOT NULL, persons TEXT NOT NULL, software TEXT NOT NULL,
  begins REAL NOT NULL, ends REAL NOT NULL, why TEXT NOT NULL, who TEXT NOT NULL, role TEXT NOT NULL,
  entered REAL NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS recorded (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS no_update BEFORE UPDATE ON notice
  BEGIN SELECT RAISE(ABORT, 'notices are only added'); END;
CREATE TRIGGER IF NOT EXISTS no_delete BEFORE DELETE ON notice
  BEGIN SELECT RAISE(ABORT, 'notices are only added'); END;
PRAGMA application_id = {APPLICATION};
"""
_SELECT: Final = (
    f"SELECT {_COLUMNS} FROM notice WHERE (id IN recorded) = ? ORDER BY begins DESC, number"  # noqa: S608
).replace(" table,", ' "table",')
_INSERT: Final = (
    f"INSERT OR IGNORE INTO notice ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
).replace(" table,", ' "table",')


class NoticeRegister(GrowingFile):
    """Its methods raise StoreError, too."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / FILE, _SCHEMA)

    def add(self, notice: Notice) -> None:
        """A notice that is not in the floor's own journal yet. One that is known changes nothing."""
        self._run(_INSERT, astuple(notice))

    def confirm(self, notice: Notice) -> None:
        """The notice is in the floor's own journal."""
        self.add(notice)
        self._run("INSERT OR IGNORE INTO recorded VALUES (?)", (notice.id,))

    def recorded(self) -> tuple[Notice, ...]:
        """Those that are in the floor's own journal, the one that begins last first."""
        return self._notices(1)

    def waiting(self) -> tuple[Notice, ...]:
        """Those that are not there yet."""
        return self._notices(0)

    def _notices(self, recorded: int) -> tuple[Notice, ...]:
        try:
            return tuple(Notice(*found) for found in self._database.execute(_SELECT, (recorded,)))
        except sqlite3.Error as error:
            raise StoreError(f"{self._path} cannot be read: {error}") from error

    def _run(self, statement: str, values: tuple[object, ...]) -> None:
        try:
            self._database.execute(statement, values)
        except sqlite3.Error as error:
            raise StoreError(f"the notice cannot be written: {error}") from error
