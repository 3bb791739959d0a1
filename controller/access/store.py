"""The file of accounts, sessions and failures: SQLite, for the daemon and the command line at once."""

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

VERSION = 1
PATIENCE = 2.0
"""Seconds that a command waits for another one's transaction, or the daemon's."""
OTHERS_MASK = 0o077
_SCHEMA = (
    "CREATE TABLE account(name TEXT PRIMARY KEY COLLATE NOCASE, role TEXT NOT NULL, password TEXT, pin TEXT,"
    " badge BLOB UNIQUE, locked INTEGER NOT NULL DEFAULT 0, since REAL) STRICT",
    "CREATE TABLE session(token BLOB PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, csrf TEXT NOT NULL,"
    " begun REAL NOT NULL, seen REAL NOT NULL, address TEXT NOT NULL) STRICT",
    "CREATE TABLE failure(name TEXT PRIMARY KEY COLLATE NOCASE, count INTEGER NOT NULL, until REAL NOT NULL)"
    " STRICT",
    "CREATE TABLE told(number INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT NOT NULL, who TEXT NOT NULL,"
    " role TEXT NOT NULL, address TEXT NOT NULL, text TEXT NOT NULL) STRICT",
    "CREATE TABLE badge_key(key BLOB NOT NULL) STRICT",
)


@dataclass(frozen=True, slots=True)
class AccessRecord:
    """What the journal is to know; the fields of a note `Accessed`."""

    what: str
    who: str
    role: str = ""
    address: str = ""
    text: str = ""


class AccessStore:
    """One connection, which waits `patience` seconds for others. Raises Unusable for a file that is none of
    ours, or cannot be read or written."""

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
        """Nothing more is asked."""
        self._database.close()

    def one(self, sql: str, *values: object) -> Any:
        """The first row, or None."""
        with self._translated_errors():
            return self._database.execute(sql, values).fetchone()

    def rows(self, sql: str, *values: object) -> list[Any]:
        """All rows."""
        with self._translated_errors():
            return self._database.execute(sql, values).fetchall()

    def execute(self, sql: str, *values: object) -> int:
        """How many rows it changed."""
        with self._translated_errors():
            return self._database.execute(sql, values).rowcount

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it or nothing; one within another is a part of it."""
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
        """Keep it until the journal has it."""
        self.execute(
            "INSERT INTO told(what, who, role, address, text) VALUES (?, ?, ?, ?, ?)",
            record.what, record.who, record.role, record.address, record.text,
        )  # fmt: skip

    def pending_records(self) -> list[tuple[int, AccessRecord]]:
        """What the journal does not have yet, oldest first."""
        return [
            (row["number"], AccessRecord(*tuple(row)[1:]))
            for row in self.rows("SELECT * FROM told ORDER BY number")
        ]

    def delete_record(self, number: int) -> None:
        """The journal has it."""
        self.execute("DELETE FROM told WHERE number = ?", number)

    def _roll_back(self) -> None:
        if self._database.in_transaction:  # some errors end it by themselves
            self.execute("ROLLBACK")

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            raise AccountsUnusable(self._path, error) from error

    def _open(self) -> None:
        found = self.one("PRAGMA user_version")[0]
        if found not in (0, VERSION):
            raise sqlite3.DatabaseError(f"its version is {found}, this is {VERSION}")
        self.execute("PRAGMA journal_mode=WAL")
        self.execute("PRAGMA synchronous=FULL")
        with self.transaction():
            if self.one("PRAGMA user_version")[0] == 0:
                self._create()
            elif "since" not in {row["name"] for row in self.rows("PRAGMA table_info(account)")}:
                self._add_since()

    def _badge_key(self) -> bytes:
        row = self.one("SELECT key FROM badge_key")
        if row is None:
            raise sqlite3.DatabaseError("it has no key for badges")
        key: bytes = row["key"]
        return key

    def _create(self) -> None:
        for table in _SCHEMA:
            self.execute(table)
        self.execute("INSERT INTO badge_key VALUES (?)", secrets.token_bytes(32))
        self.execute(f"PRAGMA user_version = {VERSION}")

    def _add_since(self) -> None:
        """Older files do not say how old secrets are: they are counted from now on."""
        self.execute("ALTER TABLE account ADD COLUMN since REAL")
        self.execute("UPDATE account SET since = unixepoch() WHERE password IS NOT NULL OR pin IS NOT NULL")


def _check_mode(path: Path) -> None:
    """Checked before the file is opened, because opening may change it."""
    if path.exists() and (mode := stat.S_IMODE(path.stat().st_mode)) & OTHERS_MASK:
        raise PermissionError(f"its mode is {mode:04o}, others can read it; chmod 600")


def _connected(path: Path, patience: float) -> sqlite3.Connection:
    """SQLite itself makes the file, under a mask: to open it by other means would drop SQLite's locks.

    Whoever owns the folder owns it, also when root makes it."""
    fresh, before = not path.exists(), os.umask(0o077)
    try:
        database = sqlite3.connect(path, timeout=patience, isolation_level=None)
        database.execute("PRAGMA user_version")  # makes the file
    finally:
        os.umask(before)
    if fresh and os.geteuid() == 0:
        folder = path.parent.stat()
        os.chown(path, folder.st_uid, folder.st_gid)
    return database
