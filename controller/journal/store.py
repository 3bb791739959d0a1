"""One file of the journal, open for writing, with its head record and the sums of its pages.

SQLite writes to its log; only `fold` has the log's pages copied to the file, after their sums.
"""

import os
import sqlite3
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NoReturn
from urllib.parse import quote
from weakref import finalize

from controller.journal import head, names, schema, sums
from controller.journal.chain import START, JournalRow, columns_of, row_of
from controller.journal.errors import JournalError, JournalLost, JournalUnwritten
from controller.journal.head import HeadFile, HeadRecord
from controller.journal.inspection import InspectedFile
from controller.journal.presence import OpenFiles
from controller.journal.rescue import save_copy
from controller.journal.schema import INSERT, SELECT
from controller.journal.sqlite_format import FRAME, HEADER, NO_SALTS, WriteAheadLog, current_pages

LOG_BYTES = 1100 * (4096 + 24)
"""A commit that makes the log longer waits for the file system's own journal too: twice as long on ext4."""
_CACHE = -512
"""Of each connection, as SQLite counts: in KiB under 0. What was appended is not read again; left alone,
SQLite keeps two megabytes of it."""
_LONG = 1000
"""Frames of the log, since the last try, after which it is folded in an append."""
SLOW = 0.25
"""Seconds of one commit. A slower disk should do nothing else, so its write-ahead log grows before a
checkpoint."""
_LONGEST = 16 * _LONG
"""Frames of the write-ahead log at which it is checkpointed in any case: 64 MB."""
_PATIENCE_MS = 5000
"""A reader that finds the log's index in motion holds the writer up for a moment."""
_INDEX = 48
"""Bytes of the index's header: SQLite's "WAL-index" format, in the machine's own byte order."""


@contextmanager
def write_errors(path: Path) -> Iterator[None]:
    """Tells of a disk that does not take it."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise JournalUnwritten(f"journal {path} cannot be written: {error}") from error


class Store:
    """Makes right what was found beside the file. Raises JournalError, here and everywhere.

    While a connection is open no other descriptor of the file or of the log's index may be closed: the
    connection's locks would go with it.
    """

    def __init__(self, found: InspectedFile, *, mirror: bool = False) -> None:
        self.path, self.base, self.last = found.path, found.base, found.last
        self.failed = False
        """Something could not be written: the file stays as it is."""
        self.mirror_fault = ""
        """What happened to a mirror whose open file is not the one at `path` any more; empty: nothing. Rows
        still go to the open file, and nothing goes to `path`."""
        self._is_mirror = mirror
        self.checkpointed_pages: set[int] = set()
        """Pages of the file that were written since the caller last cleared this set."""
        self._lost: JournalLost | None = None
        self._tried = 0
        self.took = 0.0
        """Seconds of the last commit."""
        self._connections, self._descriptors = list[sqlite3.Connection](), list[int]()
        self._release = finalize(self, _close, self._connections, self._descriptors)
        try:
            with write_errors(self.path):
                self._repair(found)
                self._open()
        except BaseException:
            self._release()
            raise

    def _repair(self, found: InspectedFile) -> None:
        for file in filter(Path.exists, names.parts(self.path)):
            file.chmod(names.OWNER_ONLY)
        if not found.head_whole:
            names.write(names.head(self.path), head.head_file(HeadRecord(*self._end())))
        if found.sums_whole:
            return
        content = found.content()
        if not schema.has_log(content):
            _enable_log(self.path)
            content = found.content()
        names.write(names.sums(self.path), sums.sums_file(current_pages(content, WriteAheadLog())))

    def _open(self) -> None:
        self._record = HeadFile(names.head(self.path))
        self._descriptors.append(self._record.file)
        self.file = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        """The journal's file itself."""
        self._descriptors.append(self.file)
        address = f"file:{quote(str(self.path.resolve()))}"
        # one thread at a time, but not always the same
        self._writer = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        self._reader = sqlite3.connect(f"{address}?mode=ro", uri=True, check_same_thread=False)
        self._connections += [self._writer, self._reader]
        for database in self._connections:
            database.execute(f"{SELECT}LIMIT 1").fetchall()
            database.execute(f"PRAGMA cache_size = {_CACHE}")
        mode = self._writer.execute("PRAGMA journal_mode").fetchone()[0]
        if mode != "wal":
            raise JournalError(f"journal {self.path}: SQLite keeps its log as {mode!r}, wal is needed")
        self._writer.execute("PRAGMA synchronous = FULL")
        self._writer.execute("PRAGMA wal_autocheckpoint = 0")
        self._index = os.open(names.index(self.path), os.O_RDONLY | os.O_CLOEXEC)
        self._descriptors.append(self._index)
        self._write_head()
        self._presence = OpenFiles.of(filter(Path.exists, (*names.parts(self.path), names.lock(self.path))))
        self._measure()

    def append(self, entries: Sequence[JournalRow]) -> None:
        """Write all of `entries` in one transaction; they are on disk when this returns."""
        begun = time.monotonic()
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            self._writer.executemany(INSERT, map(columns_of, entries))
            self._writer.execute("COMMIT")
            self.last = entries[-1]
            frames = self._write_head()
        except (OSError, sqlite3.Error) as error:
            self.failed = True
            raise JournalUnwritten(
                f"journal {self.path}: row {entries[0].row} cannot be written: {error}"
            ) from error
        self.took = time.monotonic() - begun
        if frames < self._tried:
            self._tried = 0
        if frames - self._tried > (_LONGEST if self.slow else _LONG):
            self._tried = frames
            self.checkpoint()

    @property
    def slow(self) -> bool:
        """Whether the last commit took the disk long; a checkpoint takes several times as long."""
        return self.took > SLOW

    def check(self) -> None:
        """Raises JournalLost if a file is gone or no longer whole; all rows have been saved then. A mirror
        raises nothing: it is `away`."""
        if self._lost:
            raise self._lost
        fault = self._fault()
        if self._is_mirror:
            self.mirror_fault = fault
        elif fault:
            self._save(fault)

    def _fault(self) -> str:
        salts, frames = self._committed()
        log = names.log(self.path)
        # an append after a cut makes the log as long as its frames again, with a hole in it
        size = max(self._sizes.get(log, 0), HEADER + frames * FRAME if frames else 0)
        fault = self._presence.fault({**self._sizes, log: size, names.head(self.path): head.SIZE})
        if not fault and frames and _salts(log) != salts:
            return f"{log} was cut or written by another program"
        return fault

    def _save(self, fault: str) -> NoReturn:
        self.failed = True
        lost = f"journal {self.path} was changed while it was open: {fault}"
        try:
            copy = save_copy(self.path, self._reader, self.last)
        except (JournalError, OSError, sqlite3.Error) as error:
            self._lost = JournalLost(f"{lost}. What was open cannot be saved: {error}")
            raise self._lost from error
        row = self.last.row if self.last else 0
        self._lost = JournalLost(f"{lost}. All rows up to {row} are saved in {copy}", copy)
        raise self._lost

    def tidy(self) -> None:
        """Do what a later append would wait for."""
        self.check()
        if self.mirror_fault:
            return
        with self._writing():
            _preallocate(names.log(self.path))
            self._measure()
            self._record.sync()
        self.checkpoint()

    def checkpoint(self, how: str = "PASSIVE") -> bool:
        """Bring what is in the log into the file; whether all of it is there and, with "TRUNCATE", the log
        is empty."""
        self.check()  # what is folded into a file without a name is lost with it
        if self.mirror_fault:
            return False
        with self._writing():
            _, frames = self._committed()
            if frames:
                self.checkpointed_pages |= sums.update_sums(self.path, frames)
            self._writer.execute("PRAGMA busy_timeout = 0")
            busy, length, done = self._writer.execute(f"PRAGMA wal_checkpoint({how})").fetchone()
            self._measure()
            self._writer.execute(f"PRAGMA busy_timeout = {_PATIENCE_MS}")
        return not busy and length == done

    def since(self, row: int) -> Iterator[JournalRow]:
        """All entries after `row`, oldest first."""
        return self._select("WHERE row > ? ORDER BY row", row)

    def at(self, row: int) -> JournalRow | None:
        """The entry of this number, if it is in the file."""
        return next(self._select("WHERE row = ?", row), None)

    def close(self) -> None:
        """Fold the log and close the file; one that could not be written stays as it is."""
        try:
            if self.failed:
                return
            whole = self.checkpoint("TRUNCATE")
            with write_errors(self.path):
                self._write_head()
                self._record.sync()
            if whole:
                self._reader.close()
        finally:
            self._release()

    def _write_head(self) -> int:
        salts, frames = self._committed()
        self._record.write(HeadRecord(*self._end(), salts, frames))
        return frames

    def _measure(self) -> None:
        """Keep the sizes of the file and of its log: only this object makes them shorter."""
        parts = (self.path, names.log(self.path))
        self._sizes = {part: part.stat().st_size for part in parts if part.exists()}

    def _end(self) -> tuple[int, bytes]:
        return (self.last.row, self.last.hash) if self.last else (0, START)

    def _committed(self) -> tuple[bytes, int]:
        """Which use of the log this is, and how many frames of it were committed."""
        header = os.pread(self._index, _INDEX, 0)
        frames = int.from_bytes(header[16:20], sys.byteorder)
        return (header[32:40] if frames else NO_SALTS), frames

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            with write_errors(self.path):
                yield
        except JournalError:
            self.failed = True
            raise

    def _select(self, clause: str, *values: object) -> Iterator[JournalRow]:
        try:
            for fields in self._writer.execute(SELECT + clause, values):
                yield row_of(fields)
        except sqlite3.Error as error:
            raise JournalError(f"journal {self.path} is damaged: {error}") from error


def _close(connections: list[sqlite3.Connection], descriptors: list[int]) -> None:
    """The one that writes goes first: SQLite folds the log by itself when the last one that may write closes,
    and nobody would have kept the sums."""
    for database in connections:
        database.close()
    for descriptor in descriptors:
        os.close(descriptor)


def checkpoint_old(path: Path) -> None:
    """Fold the log of a file of an older version, which has no sums."""
    with write_errors(path), closing(sqlite3.connect(path, isolation_level=None)) as database:
        busy = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    if busy:
        raise JournalError(f"journal {path} is being read by another program: end that first")


def _enable_log(path: Path) -> None:
    """A file that was written without a log from now on has one beside it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")


def _salts(log: Path) -> bytes:
    """What its own header says of which use of the log this is."""
    with log.open("rb") as file:
        return file.read(HEADER)[16:24]


def _preallocate(log: Path) -> None:
    """SQLite takes what follows its last record for remains of an earlier use."""
    with log.open("r+b") as file:
        missing = LOG_BYTES - file.seek(0, os.SEEK_END)
        if missing > 0:
            file.write(bytes(missing))
            file.flush()
            os.fsync(file.fileno())
