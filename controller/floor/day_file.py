"""One file of the floor's store: the batches that arrived on one gaming day, and the head of each journal.

A transaction of SQLite is atomic within one file only. So the heads of all journals, their anchors and the
position in the stream are in the file of the newest day, and a new file begins with a copy of them.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path

from controller.floor.batch import Batch
from controller.journal.signing import Checkpoint

APPLICATION = 0x54534631
SCHEMA = 1
_TABLES = (
    "CREATE TABLE segment (id INTEGER PRIMARY KEY, t TEXT NOT NULL, e TEXT NOT NULL, first INTEGER NOT NULL,"
    " last INTEGER NOT NULL, before BLOB NOT NULL, hash BLOB NOT NULL, data BLOB NOT NULL,"
    " UNIQUE (t, e, first)) STRICT",
    "CREATE TABLE head (t TEXT NOT NULL, e TEXT NOT NULL, row INTEGER NOT NULL, hash BLOB NOT NULL,"
    " at REAL NOT NULL, public BLOB NOT NULL, PRIMARY KEY (t, e)) STRICT, WITHOUT ROWID",
    "CREATE TABLE anchor (t TEXT NOT NULL, e TEXT NOT NULL, row INTEGER NOT NULL, hash BLOB NOT NULL,"
    " public BLOB NOT NULL, signature BLOB NOT NULL, at REAL NOT NULL, PRIMARY KEY (t, e))"
    " STRICT, WITHOUT ROWID",
    "CREATE TABLE position (stream TEXT PRIMARY KEY, incarnation INTEGER NOT NULL, seq INTEGER NOT NULL)"
    " STRICT, WITHOUT ROWID",
)
COPIED = ("head", "anchor", "position")
"""The tables with which a new file begins."""


class StoreError(Exception):
    """A file of the store cannot be used. The message names it and says why."""


@dataclass(frozen=True, slots=True)
class JournalName:
    """A table of the property, and the epoch of its journal."""

    table: str
    epoch: str


@dataclass(frozen=True, slots=True)
class FloorHead:
    """The last row that is stored of a journal, its time in seconds of Unix time, and the public key with
    which the table signs after it."""

    row: int
    hash: bytes
    at: float
    public: bytes


@dataclass(frozen=True, slots=True)
class Position:
    """How far a stream has been read. `incarnation` rises when the stream has lost its end."""

    incarnation: int = 0
    seq: int = 0


class DayFile:
    """An open file. Use `transaction` around everything that belongs together. A new file begins with the
    heads, the anchors and the positions of the `earlier` one. Raises StoreError if the file is not one of the
    store."""

    def __init__(self, path: Path, earlier: Path | None = None) -> None:
        self.path = path
        self._database = sqlite3.connect(path, isolation_level=None)
        try:
            self._prepare(earlier)
        except sqlite3.DatabaseError as error:
            self.close()
            raise StoreError(f"{path} cannot be used: {error}") from error
        except StoreError:
            self.close()
            raise

    def close(self) -> None:
        self._database.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it is on disk afterwards, or nothing."""
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    def append(self, name: JournalName, batch: Batch) -> None:
        self._database.execute(
            "INSERT INTO segment (t, e, first, last, before, hash, data) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (name.table, name.epoch, batch.first, batch.last, batch.before, batch.hash, batch.data),
        )

    def set_head(self, name: JournalName, head: FloorHead) -> None:
        self._database.execute(
            "INSERT OR REPLACE INTO head VALUES (?, ?, ?, ?, ?, ?)",
            (name.table, name.epoch, *astuple(head)),
        )

    def set_anchor(self, name: JournalName, anchor: Checkpoint) -> None:
        self._database.execute(
            "INSERT OR REPLACE INTO anchor VALUES (?, ?, ?, ?, ?, ?, ?)",
            (name.table, name.epoch, *astuple(anchor)),
        )

    def set_position(self, stream: str, position: Position) -> None:
        self._database.execute(
            "INSERT OR REPLACE INTO position VALUES (?, ?, ?)", (stream, position.incarnation, position.seq)
        )

    def heads(self) -> dict[JournalName, FloorHead]:
        found = self._database.execute("SELECT t, e, row, hash, at, public FROM head")
        return {JournalName(t, e): FloorHead(*fields) for t, e, *fields in found}

    def anchors(self) -> dict[JournalName, Checkpoint]:
        found = self._database.execute("SELECT t, e, row, hash, public, signature, at FROM anchor")
        return {JournalName(t, e): Checkpoint(*fields) for t, e, *fields in found}

    def position(self, stream: str) -> Position:
        query = "SELECT incarnation, seq FROM position WHERE stream = ?"
        for incarnation, seq in self._database.execute(query, (stream,)):
            return Position(incarnation, seq)
        return Position()

    def segments(self, name: JournalName) -> Iterator[Batch]:
        """The batches of a journal, oldest first."""
        found = self._database.execute(
            "SELECT first, last, before, hash, data FROM segment WHERE t = ? AND e = ? ORDER BY first",
            (name.table, name.epoch),
        )
        for fields in found:
            yield Batch(*fields)

    def _prepare(self, earlier: Path | None) -> None:
        run = self._database.execute
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")
        application = run("PRAGMA application_id").fetchone()[0]
        version = run("PRAGMA user_version").fetchone()[0]
        if (application, version) == (APPLICATION, SCHEMA):
            return
        if run("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise StoreError(
                f"{self.path} is not a file of this store: it has schema {version}; allowed: {SCHEMA}"
            )
        if earlier:
            run("ATTACH ? AS earlier", (str(earlier),))
        with self.transaction():
            for statement in _TABLES:
                run(statement)
            for table in COPIED if earlier else ():
                run(f"INSERT INTO main.{table} SELECT * FROM earlier.{table}")  # noqa: S608 - a constant
            run(f"PRAGMA main.application_id = {APPLICATION}")
            run(f"PRAGMA main.user_version = {SCHEMA}")
        if earlier:
            run("DETACH earlier")
