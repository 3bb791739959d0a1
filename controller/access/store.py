"""The SQLite file of accounts, sessions and failures. The daemon and commands use it at the same time."""

import os
import secrets
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.access.errors import AccountsUnusable

VERSION = 3
PATIENCE = 2.0
"""Seconds that a command waits for a transaction of the daemon or of another command."""
OTHERS_MASK = 0o077
_FAILURE = (
    "CREATE TABLE failure(name TEXT NOT NULL COLLATE NOCASE, place TEXT NOT NULL, count INTEGER NOT NULL,"
    " until REAL NOT NULL, PRIMARY KEY(name, place)) STRICT"
)
_DIRECTORY = (
    "CREATE TABLE directory(version INTEGER NOT NULL, issued REAL NOT NULL, taken REAL NOT NULL,"
    " apart REAL NOT NULL, unused TEXT NOT NULL) STRICT"
)
_READ_TOKENS = (
    "CREATE TABLE IF NOT EXISTS read_token(name TEXT PRIMARY KEY COLLATE NOCASE, token BLOB NOT NULL UNIQUE,"
    " maker TEXT NOT NULL, made REAL NOT NULL, until REAL NOT NULL, revoked REAL, used REAL) STRICT"
)
_LANGUAGES = "CREATE TABLE IF NOT EXISTS language(account TEXT PRIMARY KEY, code TEXT NOT NULL) STRICT"
"""Older programs leave these tables alone. So they have no version of their own, and older programs can still
use the file."""
_SCHEMA = (
    "CREATE TABLE account(name TEXT PRIMARY KEY COLLATE NOCASE, role TEXT NOT NULL, password TEXT, pin TEXT,"
    " badge BLOB UNIQUE, locked INTEGER NOT NULL DEFAULT 0, since REAL, failures INTEGER NOT NULL DEFAULT 0,"
    " id TEXT, floor INTEGER NOT NULL DEFAULT 0, sealed INTEGER NOT NULL DEFAULT 0,"
    " dealt INTEGER NOT NULL DEFAULT 0, tables TEXT NOT NULL DEFAULT '', pits TEXT NOT NULL DEFAULT '',"
    " badge_code TEXT) STRICT",
    "CREATE TABLE session(token BLOB PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, csrf TEXT NOT NULL,"
    " begun REAL NOT NULL, seen REAL NOT NULL, address TEXT NOT NULL, failures INTEGER NOT NULL DEFAULT 0)"
    " STRICT",
    _FAILURE,
    "CREATE TABLE told(number INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT NOT NULL, who TEXT NOT NULL,"
    " role TEXT NOT NULL, address TEXT NOT NULL, text TEXT NOT NULL) STRICT",
    "CREATE TABLE badge_key(key BLOB NOT NULL) STRICT",
    _DIRECTORY,
)
_ADD_SINCE = (
    "ALTER TABLE account ADD COLUMN since REAL",
    "UPDATE account SET since = unixepoch() WHERE password IS NOT NULL OR pin IS NOT NULL",
)
"""The age of existing secrets counts from now on."""
_ADD_PLACES = (
    "ALTER TABLE account ADD COLUMN failures INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE session ADD COLUMN failures INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE failure RENAME TO failure_1",
    _FAILURE,
    "INSERT INTO failure SELECT '', substr(name, 13), count, until FROM failure_1"
    " WHERE name LIKE 'badges from %'",
    "INSERT INTO failure SELECT name, column1, count, until"
    " FROM failure_1, (VALUES ('the table'), ('everywhere')) WHERE name NOT LIKE 'badges from %'",
    "DROP TABLE failure_1",
)
"""Failures of a name counted together wherever they were typed; now they count at the table and elsewhere."""
_ADD_DIRECTORY = (
    "ALTER TABLE account ADD COLUMN id TEXT",
    "UPDATE account SET id = lower(hex(randomblob(8)))",
    "ALTER TABLE account ADD COLUMN floor INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE account ADD COLUMN sealed INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE account ADD COLUMN dealt INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE account ADD COLUMN tables TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE account ADD COLUMN pits TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE account ADD COLUMN badge_code TEXT",
    _DIRECTORY,
)
"""Each account has an id now, which a person keeps under another name. The accounts so far are this file's
own."""


@dataclass(frozen=True, slots=True)
class AccessRecord:
    """A record for the journal, with the fields of the note `Accessed`."""

    what: str
    who: str
    role: str = ""
    address: str = ""
    text: str = ""


class AccessStore:
    """One connection to the file, which waits `patience` seconds for other transactions. Raises
    AccountsUnusable if the file is not a file of accounts, or cannot be read or written."""

    def __init__(self, path: Path, patience: float = PATIENCE) -> None:
        self._path = path
        with self._translated_errors():
            _check_mode(path)
            self._database = _connected(path, patience)
            try:
                self._database.row_factory = sqlite3.Row
                self._open()
                self.badge_key = self._badge_key()
            except BaseException:
                self._database.close()
                raise

    def close(self) -> None:
        self._database.close()

    @property
    def version(self) -> int:
        """Another number after another connection has written."""
        return int(self.one("PRAGMA data_version")[0])

    def one(self, sql: str, *values: object) -> Any:
        """The first row of a query, or None."""
        with self._translated_errors():
            return self._database.execute(sql, values).fetchone()

    def rows(self, sql: str, *values: object) -> list[Any]:
        """All rows of a query."""
        with self._translated_errors():
            return self._database.execute(sql, values).fetchall()

    def execute(self, sql: str, *values: object) -> int:
        """Execute a statement. Returns the number of changed rows."""
        with self._translated_errors():
            return self._database.execute(sql, values).rowcount

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """A transaction, which is rolled back on an error. A nested one is part of the outer one."""
        if self._database.in_transaction:
            yield
            return
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            self._roll_back()
            raise

    def add_record(self, record: AccessRecord) -> None:
        """Store a record until the journal has it."""
        self.execute(
            "INSERT INTO told(what, who, role, address, text) VALUES (?, ?, ?, ?, ?)",
            record.what,
            record.who,
            record.role,
            record.address,
            record.text,
        )

    def pending_records(self) -> list[tuple[int, AccessRecord]]:
        """The records that the journal does not have yet, with their numbers, oldest first."""
        return [
            (row["number"], AccessRecord(*tuple(row)[1:]))
            for row in self.rows("SELECT * FROM told ORDER BY number")
        ]

    def delete_record(self, number: int) -> None:
        self.execute("DELETE FROM told WHERE number = ?", number)

    def latest_time(self) -> float:
        """The latest time of a session, in Unix time; 0 without one."""
        return float(self.one("SELECT COALESCE(MAX(seen), 0) FROM session")[0])

    def set_back(self, seconds: float) -> None:
        """Subtract the seconds from the times of sessions and locks, because the clock was set back."""
        with self.transaction():
            self.execute("UPDATE session SET begun = begun - ?, seen = seen - ?", seconds, seconds)
            self.execute("UPDATE failure SET until = until - ? WHERE until > 0", seconds)

    def _roll_back(self) -> None:
        if self._database.in_transaction:  # some errors end the transaction
            self.execute("ROLLBACK")

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            raise AccountsUnusable(self._path, error) from error

    def _open(self) -> None:
        found = self.one("PRAGMA user_version")[0]
        if found not in range(VERSION + 1):
            raise sqlite3.DatabaseError(f"its version is {found}, this is {VERSION}")
        self.execute("PRAGMA journal_mode=WAL")
        self.execute("PRAGMA synchronous=FULL")
        with self.transaction():
            found = self.one("PRAGMA user_version")[0]
            if found == 0:
                self._create()
            elif found != VERSION:
                self._upgrade(found)
            self.execute(_READ_TOKENS)
            self.execute(_LANGUAGES)

    def _badge_key(self) -> bytes:
        row = self.one("SELECT key FROM badge_key")
        if row is None:
            raise sqlite3.DatabaseError("it has no key for badges")
        key: bytes = row["key"]
        return key

    def _create(self) -> None:
        self._run(_SCHEMA)
        self.execute("INSERT INTO badge_key VALUES (?)", secrets.token_bytes(32))
        self.execute(f"PRAGMA user_version = {VERSION}")

    def _upgrade(self, found: int) -> None:
        """From version 1, which had the column `since` from some day on, or from a later one."""
        if found == 1:
            if "since" not in {row["name"] for row in self.rows("PRAGMA table_info(account)")}:
                self._run(_ADD_SINCE)
            self._run(_ADD_PLACES)
        self._run(_ADD_DIRECTORY)
        self.execute(f"PRAGMA user_version = {VERSION}")

    def _run(self, statements: tuple[str, ...]) -> None:
        for statement in statements:
            self.execute(statement)


def _check_mode(path: Path) -> None:
    """Raises PermissionError if others can read the file. Checked before SQLite opens and may change it."""
    if path.exists() and (mode := stat.S_IMODE(path.stat().st_mode)) & OTHERS_MASK:
        raise PermissionError(f"its mode is {mode:04o}, others can read it; chmod 600")


def _connected(path: Path, patience: float) -> sqlite3.Connection:
    """Open the file, or create it for its owner only. SQLite itself creates it, because to open and close it
    separately would drop SQLite's locks.

    If root creates the file, the owner of the folder becomes its owner."""
    fresh, before = not path.exists(), os.umask(0o077)
    try:
        database = sqlite3.connect(path, timeout=patience, isolation_level=None)
        database.execute("PRAGMA user_version")  # creates the file
    finally:
        os.umask(before)
    if fresh and os.geteuid() == 0:
        folder = path.parent.stat()
        os.chown(path, folder.st_uid, folder.st_gid)
    return database
