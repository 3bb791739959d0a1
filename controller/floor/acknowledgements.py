"""Who acknowledged which alert of the floor, when and why. Entries are only ever added."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from controller.floor.day_file import StoreError

FILE: Final = "alerts.sqlite"
APPLICATION: Final = 0x54534641
PATIENCE: Final = 5.0
"""Seconds to wait for another program that reads."""
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
PRAGMA application_id = {APPLICATION};
"""


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """`number`, `kind`, `text` and `since`: the alert as it was shown. `at`: when it was acknowledged.
    Times in seconds of Unix time."""

    at: float
    table: str
    number: int
    kind: str
    text: str
    since: float
    who: str
    role: str
    why: str


class AcknowledgementTrail:
    """The file in `folder`, which is made if it is missing. Use it as a context. Raises StoreError for a file
    that cannot be used."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / FILE
        self._database = sqlite3.connect(path, isolation_level=None, timeout=PATIENCE)
        try:
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = FULL")
            self._database.executescript(_SCHEMA)
        except sqlite3.DatabaseError as error:
            self._database.close()
            raise StoreError(f"{path} cannot be used: {error}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._database.close()

    def add(self, entry: Acknowledgement) -> None:
        """Returns when it is on disk. Raises StoreError."""
        fields = entry.at, entry.table, entry.number, entry.kind, entry.text, entry.since
        try:
            self._database.execute(
                "INSERT INTO acknowledgement (at, t, number, kind, text, since, who, role, why)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*fields, entry.who, entry.role, entry.why),
            )
        except sqlite3.Error as error:
            raise StoreError(f"the acknowledgement cannot be written: {error}") from error

    def of_table(self, table: str) -> tuple[Acknowledgement, ...]:
        """The last ones about this table, newest first."""
        rows = self._database.execute(
            "SELECT at, t, number, kind, text, since, who, role, why FROM acknowledgement WHERE t = ?"
            " ORDER BY id DESC LIMIT ?",
            (table, SHOWN),
        )
        return tuple(Acknowledgement(*row) for row in rows)
