"""One file of the floor's store: the batches that arrived on one gaming day, what is derived from them, and
the head of each journal.

A transaction of SQLite is atomic within one file only. So the heads of all journals, their anchors and the
position in the stream are in the file of the newest day, and a new file begins with a copy of them. What it
began with stays in the table `opening`: with it, the file can be checked when the earlier ones are deleted.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from controller.floor.batch import Batch
from controller.floor.derived.records import Course
from controller.floor.derived.tables import STATEMENTS as DERIVED
from controller.floor.derived.tables import DerivedTables
from controller.floor.store_file import StoreError, transaction
from controller.journal.history import AFTER_LAST_ROW as LAST_ROW
from controller.journal.signing import Checkpoint

APPLICATION = 0x54534631
SCHEMA = 4
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
    "CREATE TABLE opening (t TEXT NOT NULL, e TEXT NOT NULL, row INTEGER NOT NULL, hash BLOB NOT NULL,"
    " at REAL NOT NULL, public BLOB NOT NULL, dealer TEXT NOT NULL, game TEXT NOT NULL,"
    " first INTEGER NOT NULL, currency TEXT NOT NULL DEFAULT '', PRIMARY KEY (t, e)) STRICT, WITHOUT ROWID",
    *DERIVED,
)
_WITHOUT_CURRENCY = 3
"""The schema before the column `currency`."""
_ADD_CURRENCY = tuple(
    f"ALTER TABLE {table} ADD COLUMN currency TEXT NOT NULL DEFAULT ''"
    for table in ("opening", "course", "round", "hit")
)
COPIED = ("head", "anchor", "position", "course")
"""The tables with which a new file begins."""
_SEGMENTS = (
    "SELECT first, last, before, hash, data FROM segment WHERE t = :t AND e = :e AND last >= :first"
    " AND first <= :last AND first >= coalesce((SELECT max(first) FROM segment"
    " WHERE t = :t AND e = :e AND first <= :first), 0) ORDER BY first"
)
"""The inner query lets the index find the first one."""
_OPEN = (
    "INSERT INTO main.opening SELECT t, e, row, hash, at, public, coalesce(dealer, ''), coalesce(game, ''),"
    " coalesce(course.first, 0), coalesce(course.currency, '')"
    " FROM main.head LEFT JOIN main.course USING (t, e)"
)


@dataclass(frozen=True, slots=True)
class JournalName:
    """A table of the property, and the epoch of its journal."""

    table: str
    epoch: str

    @property
    def key(self) -> tuple[str, str]:
        """As the tables of derived records name it."""
        return self.table, self.epoch


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


@dataclass(frozen=True, slots=True)
class Opening:
    """How a journal stood when a file began."""

    head: FloorHead
    course: Course


class DayReader:
    """A file that is only read, also while another program writes it. Use it as a context. Raises StoreError
    if the file is not one of the store."""

    def __init__(self, path: Path, options: str = "?mode=ro") -> None:
        self.path = path
        self.database = sqlite3.connect(f"{path.resolve().as_uri()}{options}", uri=True, isolation_level=None)
        self.derived = DerivedTables(self.database)
        try:
            self._prepare()
        except sqlite3.DatabaseError as error:
            self.close()
            raise StoreError(f"{path} cannot be used: {error}") from error
        except StoreError:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.database.close()

    @contextmanager
    def moment(self) -> Iterator[None]:
        """Everything that is read in it is of one moment, whatever another program writes."""
        self.database.execute("BEGIN")
        try:
            yield
        finally:
            self.database.execute("ROLLBACK")

    def heads(self) -> dict[JournalName, FloorHead]:
        found = self.database.execute("SELECT t, e, row, hash, at, public FROM head")
        return {JournalName(t, e): FloorHead(*fields) for t, e, *fields in found}

    def openings(self) -> dict[JournalName, Opening]:
        found = self.database.execute("SELECT * FROM opening")
        return {
            JournalName(t, e): Opening(FloorHead(*fields[:4]), Course(*fields[4:])) for t, e, *fields in found
        }

    def anchors(self) -> dict[JournalName, Checkpoint]:
        found = self.database.execute("SELECT t, e, row, hash, public, signature, at FROM anchor")
        return {JournalName(t, e): Checkpoint(*fields) for t, e, *fields in found}

    def position(self, stream: str) -> Position:
        query = "SELECT incarnation, seq FROM position WHERE stream = ?"
        for incarnation, seq in self.database.execute(query, (stream,)):
            return Position(incarnation, seq)
        return Position()

    def journals(self) -> list[JournalName]:
        """The journals of which the file has batches."""
        found = self.database.execute("SELECT DISTINCT t, e FROM segment ORDER BY t, e")
        return [JournalName(t, e) for t, e in found]

    def segments(self, name: JournalName, first: int = 0, last: int = LAST_ROW) -> Iterator[Batch]:
        """The batches of a journal that have rows from `first` to `last`, oldest first."""
        fields = {"t": name.table, "e": name.epoch, "first": first, "last": last}
        for found in self.database.execute(_SEGMENTS, fields):
            yield Batch(*found)

    def _prepare(self) -> None:
        if not self._is_known():
            raise StoreError(f"{self.path} is not a file of this store; allowed: schema {SCHEMA}")

    def _is_known(self) -> bool:
        return self._schema() == (APPLICATION, SCHEMA)

    def _schema(self) -> tuple[int, int]:
        application = self.database.execute("PRAGMA application_id").fetchone()[0]
        version = self.database.execute("PRAGMA user_version").fetchone()[0]
        return application, version


class DayFile(DayReader):
    """A file that is written. Use `transaction` around everything that belongs together. A new file begins
    with the heads, the anchors, the positions and the courses of the `earlier` one. A file of the version
    before names no currency until its records are derived again. Raises StoreError if the file is not one of
    the store."""

    def __init__(self, path: Path, earlier: Path | None = None) -> None:
        self._earlier = earlier
        super().__init__(path, "")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it is on disk afterwards, or nothing."""
        with transaction(self.database):
            yield

    def append(self, name: JournalName, batch: Batch) -> None:
        self.database.execute(
            "INSERT INTO segment (t, e, first, last, before, hash, data) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (name.table, name.epoch, batch.first, batch.last, batch.before, batch.hash, batch.data),
        )

    def set_head(self, name: JournalName, head: FloorHead) -> None:
        self.database.execute(
            "INSERT OR REPLACE INTO head VALUES (?, ?, ?, ?, ?, ?)",
            (name.table, name.epoch, *astuple(head)),
        )

    def set_anchor(self, name: JournalName, anchor: Checkpoint) -> None:
        self.database.execute(
            "INSERT OR REPLACE INTO anchor VALUES (?, ?, ?, ?, ?, ?, ?)",
            (name.table, name.epoch, *astuple(anchor)),
        )

    def set_position(self, stream: str, position: Position) -> None:
        self.database.execute(
            "INSERT OR REPLACE INTO position VALUES (?, ?, ?)", (stream, position.incarnation, position.seq)
        )

    def name_opening_currency(self, name: JournalName, code: str) -> None:
        """The currency of a journal when the file began, if the file does not name one."""
        statement = "UPDATE opening SET currency = ? WHERE t = ? AND e = ? AND currency = ''"
        self.database.execute(statement, (code, *name.key))

    def _prepare(self) -> None:
        run, earlier = self.database.execute, self._earlier
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")
        if self._is_known():
            return
        application, version = self._schema()
        if (application, version) == (APPLICATION, _WITHOUT_CURRENCY):
            self._add_currency()
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
            run(_OPEN)
            run(f"PRAGMA main.application_id = {APPLICATION}")
            run(f"PRAGMA main.user_version = {SCHEMA}")
        if earlier:
            run("DETACH earlier")

    def _add_currency(self) -> None:
        with self.transaction():
            for statement in _ADD_CURRENCY:
                self.database.execute(statement)
            self.database.execute(f"PRAGMA user_version = {SCHEMA}")
