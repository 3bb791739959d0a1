"""The SQLite schema of a file by version: how to make a new file, and how to migrate an older one."""

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

from controller.journal.chain import JournalRow, columns_of
from controller.journal.errors import JournalDamaged, JournalError

SCHEMA = 2
SELECT = "SELECT row, at, kind, device, log, number, body, hash FROM journal "
INSERT = (
    "INSERT INTO journal (row, at, kind, device, log, number, body, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
APPLICATION = 0x54534A31
_TABLE = (
    "CREATE TABLE journal (row INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL,"
    " device TEXT NOT NULL, log BLOB NOT NULL, number INTEGER NOT NULL, body TEXT NOT NULL,"
    " hash BLOB NOT NULL) STRICT"
)
_NO_UPDATE = (
    "CREATE TRIGGER no_update BEFORE UPDATE ON journal"
    " BEGIN SELECT RAISE(ABORT, 'the journal is append only'); END"
)
_NO_DELETE = (
    "CREATE TRIGGER no_delete BEFORE DELETE ON journal"
    " BEGIN SELECT RAISE(ABORT, 'the journal is append only'); END"
)
_IN_ORDER = (
    "CREATE TRIGGER in_order BEFORE INSERT ON journal"
    " WHEN NEW.row <> (SELECT coalesce(max(row) + 1, NEW.row) FROM journal)"
    " BEGIN SELECT RAISE(ABORT, 'the journal is append only'); END"
)
"""INSERT OR REPLACE removes a row without running the DELETE trigger."""
STATEMENTS = {
    1: (_TABLE, _NO_UPDATE, _NO_DELETE),
    2: (_TABLE, _NO_UPDATE, _NO_DELETE, _IN_ORDER),
}
MODES = slice(18, 20)
NO_LOG = b"\x01\x01"
_LOG = b"\x02\x02"
"""The bytes of the header that say how the file is written and read: 1 for a rollback journal, 2 for WAL."""


def check(path: Path, database: sqlite3.Connection) -> int:
    """The schema version of an open file. Raises JournalError if it is not a journal or of a newer
    version."""
    if database.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
        raise JournalError(f"{path} is not a journal of this product")
    version = int(database.execute("PRAGMA user_version").fetchone()[0])
    if version > SCHEMA:
        raise JournalError(
            f"journal {path} has schema {version}; this version reads and writes schemas up to {SCHEMA}"
        )
    stored = {sql for (sql,) in database.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
    if stored != set(STATEMENTS.get(version, ())):
        raise JournalDamaged(
            f"journal {path} is damaged: its tables or its append-only triggers were changed"
        )
    return version


def new_database(entries: Iterable[JournalRow] = ()) -> bytes:
    """The content of a new file with these rows."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        database.execute("BEGIN")
        database.execute(f"PRAGMA application_id = {APPLICATION}")
        database.execute(f"PRAGMA user_version = {SCHEMA}")
        for statement in STATEMENTS[SCHEMA]:
            database.execute(statement)
        database.executemany(INSERT, map(columns_of, entries))
        database.execute("COMMIT")
        return with_log(database.serialize())


def migrate(content: bytes, version: int) -> bytes:
    """The content of a file of an older version in the current schema, with the same rows and hashes."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        database.deserialize(without_log(content))
        database.execute("BEGIN")
        while version in MIGRATIONS:
            MIGRATIONS[version](database)
            version += 1
        database.execute(f"PRAGMA user_version = {version}")
        database.execute("COMMIT")
        return with_log(database.serialize())


def has_log(content: bytes) -> bool:
    return content[MODES] == _LOG


def without_log(content: bytes) -> bytes:
    return content[: MODES.start] + NO_LOG + content[MODES.stop :]


def with_log(content: bytes) -> bytes:
    return content[: MODES.start] + _LOG + content[MODES.stop :]


def _append_in_order(database: sqlite3.Connection) -> None:
    database.execute(_IN_ORDER)


MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {1: _append_in_order}
"""The step from each version to the next."""
