"""The truth on disk: an append-only SQLite file of hash-chained rows, one writer at a time.

What `append` returned from is on disk (WAL, synchronous=FULL). Nothing may be acknowledged before that.
"""

import fcntl
import os
import sqlite3
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from controller.journal.chain import START, Entry, Row, link, linked
from controller.journal.errors import JournalBusy, JournalError

SCHEMA = 1
MARKS = {"snapshot": 1, "round": 50}
"""Kinds of rows that a start looks for, and how many of the last it wants."""
UNTIDY = 300
"""Rows after which SQLite's log is worth emptying; at 1,000 pages SQLite does so by itself, in an append."""
LOG_BYTES = 1100 * (4096 + 24)
"""A commit that makes the log longer waits for the file system's own journal too: twice as long on ext4."""
_APPLICATION = 0x54534A31
_TABLES = (
    "CREATE TABLE journal (row INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL,"
    " device TEXT NOT NULL, log BLOB NOT NULL, number INTEGER NOT NULL, body TEXT NOT NULL,"
    " hash BLOB NOT NULL) STRICT",
    "CREATE TRIGGER no_update BEFORE UPDATE ON journal"
    " BEGIN SELECT RAISE(ABORT, 'the journal is append only'); END",
    "CREATE TRIGGER no_delete BEFORE DELETE ON journal"
    " BEGIN SELECT RAISE(ABORT, 'the journal is append only'); END",
)
_INSERT = (
    "INSERT INTO journal (row, at, kind, device, log, number, body, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
SELECT = "SELECT row, at, kind, device, log, number, body, hash FROM journal "


class Journal:
    """An open journal, checked from its first row to its last.

    Raises JournalError when the file is damaged, foreign or not writable, JournalBusy when another
    process keeps it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = _lock(path)
        try:
            _create(path)
            self._database = _connect(path)
        except BaseException:
            os.close(self._lock)
            raise
        self._marks: dict[str, deque[int]] = {kind: deque(maxlen=most) for kind, most in MARKS.items()}
        self._untidy = UNTIDY
        try:
            self.head = self._verify()
        except BaseException:
            self.close()
            raise

    def append(self, contents: Sequence[Row]) -> None:
        """Write all of `contents` in one transaction; they are on disk when this returns."""
        entries = linked(self.head, contents)
        try:
            self._database.execute("BEGIN IMMEDIATE")
            self._database.executemany(_INSERT, [_flat(entry) for entry in entries])
            self._database.execute("COMMIT")
        except sqlite3.Error as error:
            raise JournalError(
                f"journal {self._path}: row {entries[0].row} cannot be written: {error}"
            ) from error
        self.head = entries[-1]
        self._untidy += len(entries)

    def tidy(self) -> None:
        """For quiet moments: do what a later append would wait for. Takes some milliseconds now and then.

        Raises JournalError when the disk does not take it.
        """
        if self._untidy < UNTIDY:
            return
        self._untidy = 0
        try:
            _grow(self._path.with_name(self._path.name + "-wal"))
            self._database.execute("PRAGMA wal_checkpoint")
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"journal {self._path} cannot be written: {error}") from error

    def since(self, row: int) -> Iterator[Entry]:
        """All entries after `row`, oldest first."""
        return self._select("WHERE row > ? ORDER BY row", row)

    def latest(self, kind: str) -> list[Entry]:
        """The last entries of a marked kind ("snapshot": one, "round": 50) at the opening, oldest first."""
        return [entry for row in self._marks[kind] for entry in self._select("WHERE row = ?", row)]

    def close(self) -> None:
        """Close the file and let the next daemon have it."""
        self._database.close()
        os.close(self._lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _select(self, clause: str, *values: object) -> Iterator[Entry]:
        try:
            for fields in self._database.execute(SELECT + clause, values):
                yield entry_of(fields)
        except sqlite3.Error as error:
            raise JournalError(f"journal {self._path} is damaged: {error}") from error

    def _verify(self) -> Entry | None:
        head = None
        for entry in chained(self._path, self.since(0)):
            head = entry
            if entry.content.kind in MARKS:
                self._marks[entry.content.kind].append(entry.row)
        return head


def chained(path: Path, entries: Iterable[Entry]) -> Iterator[Entry]:
    """All entries of the journal at `path`, as they are; raises JournalError at one that does not follow."""
    before = START
    for number, entry in enumerate(entries, start=1):
        if entry.row != number or entry.hash != link(before, number, entry.content):
            raise JournalError(f"journal {path} is damaged: row {number} does not follow from the one before")
        before = entry.hash
        yield entry


def check(path: Path, database: sqlite3.Connection) -> None:
    """Raises JournalError for a file that is no journal, or none that this version reads and writes."""
    if database.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
        raise JournalError(f"{path} is not a journal of this product")
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if version != SCHEMA:
        raise JournalError(
            f"journal {path} has schema {version}; this version reads and writes schema {SCHEMA}"
        )
    stored = {sql for (sql,) in database.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
    if stored != set(_TABLES):
        raise JournalError(f"journal {path} is damaged: its tables or its append-only triggers were changed")


def entry_of(fields: tuple[Any, ...]) -> Entry:
    """The entry in what SELECT found."""
    row, at, kind, device, log, number, body, digest = fields
    return Entry(row, Row(at, kind, body, device, log, number), digest)


def _lock(path: Path) -> int:
    name = path.with_name(path.name + ".lock")
    try:
        descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise JournalError(f"journal {path} is not writable: {error.strerror} ({name})") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise JournalBusy(f"journal {path} is in use by another daemon ({name} is locked)") from None
    return descriptor


def _create(path: Path) -> None:
    """Make a new journal whole or not at all, so that an empty file is always damage."""
    if path.exists():
        return
    fresh = path.with_name(path.name + ".new")
    try:
        fresh.unlink(missing_ok=True)
        os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        _fill(fresh)
        fresh.rename(path)
        _sync(path.parent)
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"journal {path} cannot be created: {error}") from error


def _fill(path: Path) -> None:
    database = sqlite3.connect(path, isolation_level=None)
    try:
        database.execute(f"PRAGMA application_id = {_APPLICATION}")
        database.execute(f"PRAGMA user_version = {SCHEMA}")
        database.execute("PRAGMA journal_mode = WAL")
        for statement in _TABLES:
            database.execute(statement)
    finally:
        database.close()


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _connect(path: Path) -> sqlite3.Connection:
    try:
        path.chmod(0o600)
        database = sqlite3.connect(path, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"journal {path} cannot be opened: {error}") from error
    try:
        check(path, database)
        _use_log(path, database)
    except sqlite3.Error as error:
        database.close()
        raise JournalError(f"journal {path} is damaged or no journal: {error}") from error
    except JournalError:
        database.close()
        raise
    return database


def _use_log(path: Path, database: sqlite3.Connection) -> None:
    """What is appended goes to a log first, and is on disk when it is committed."""
    mode = database.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if mode != "wal":
        raise JournalError(f"journal {path}: SQLite keeps its log as {mode!r}, wal is needed")
    database.execute("PRAGMA synchronous = FULL")


def _grow(log: Path) -> None:
    """SQLite takes what follows its last record for remains of an earlier use."""
    with log.open("r+b") as file:
        missing = LOG_BYTES - file.seek(0, os.SEEK_END)
        if missing > 0:
            file.write(bytes(missing))
            file.flush()
            os.fsync(file.fileno())


def _flat(entry: Entry) -> tuple[object, ...]:
    row = entry.content
    return (entry.row, row.at, row.kind, row.device, row.log, row.number, row.body, entry.hash)
