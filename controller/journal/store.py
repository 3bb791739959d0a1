"""One live file of the journal, open for writing.

Five files belong together. "j" stands for the name of the journal:

    j        the SQLite database: the pages of the table "journal"
    j-wal    SQLite's write-ahead log: pages that were committed and are not in j yet
    j-shm    SQLite's index of that log
    j-head   the record of the last row: number, hash, and how much of the log was committed with it
    j-sums   a checksum of every page of j

What a caller may rely on: when `append` returns, its rows are on disk (WAL mode, synchronous=FULL). They
survive a killed process and a power cut. Nothing may be acknowledged, shown or lit before that.

The order of the writes keeps it true, and makes every loss visible:

1. `append` commits the rows to j-wal; `record_head` writes j-head after it. So the record is never newer than
   the rows. If it names a row that is not there, rows were cut off; without the record, cut rows would leave
   a valid chain.
2. Only `checkpoint` copies pages from j-wal into j. It writes their checksums to j-sums first and syncs them.
   SQLite itself would checkpoint whenever it likes (wal_autocheckpoint), and when the last connection closes:
   pages would change without their checksums, and the next start would call the file damaged. So the first
   is off, and `_close` closes the writing connection while a reading one is still open.
3. A checkpoint waits for the disk several times. It belongs into `tidy_steps`, which run one at a time in
   turns without rows; `record_head` does it only when the log has grown by _LONG frames (LONGEST on a slow
   disk).
4. `tidy_steps` make j-wal LOG_BYTES long in advance: a commit that makes a file longer waits for the file
   system's own journal too.

`check` compares the open files with those under their names. A daemon whose journal was moved away would go
on writing into a file that nobody finds again. Rows of the journal are saved under a new name then, and play
stops; a mirror is only reported, because the journal itself is whole.

Only the daemon's user opens j-shm; one that others could open is replaced (`_own_index`). A program that
can lock its bytes, even for reading only, can keep SQLite from writing. Other users read j and j-wal
without a lock (live_image.py). They can lock bytes of j for reading; SQLite then leaves an empty j-wal
behind when it closes, and nothing else happens.

SQLite's locks belong to the process: closing any other descriptor of j or j-shm drops them. So this class
opens what it needs once, and closes everything together.
"""

import errno
import os
import sqlite3
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, Self
from urllib.parse import quote
from weakref import finalize

from controller.journal import head, names, schema, sums
from controller.journal.archive import let_group_read, save_copy
from controller.journal.chain import START, JournalRow, columns_of, row_of
from controller.journal.errors import JournalError, JournalLost, JournalUnwritten, write_errors
from controller.journal.head import HeadFile, HeadRecord
from controller.journal.inspection import InspectedFile
from controller.journal.log_readers import LogReader, slow_readers
from controller.journal.schema import INSERT, SELECT
from controller.journal.sqlite_format import FRAME, HEADER, NO_SALTS, WriteAheadLog, current_pages

LOG_BYTES = 1100 * (4096 + 24)
"""The size of the log that `tidy_steps` prepare: 1,100 frames."""
NO_DESCRIPTOR_LEFT = (errno.EMFILE, errno.ENFILE)
"""Errors of a process, or of the machine, that has opened as many files as it may."""
_CACHE = -512
"""SQLite's cache of each connection: a negative number counts KiB. The default keeps two megabytes, although
appended rows are not read again."""
_LONG = 1000
"""Frames since the last attempt after which `append` checkpoints the log."""
SLOW = 0.25
"""Seconds of one commit. On a slower disk the log may grow before `append` checkpoints it."""
LONGEST = 16 * _LONG
"""Frames at which `append` checkpoints the log of a slow disk: 64 MB. A longer log has a reader that keeps it
from being emptied."""
_PATIENCE_MS = 5000
"""A reader that recovers the index of the log holds the writer up for a moment."""
_INDEX = 48
"""Bytes of the index's header: SQLite's "WAL-index" format, in the machine's own byte order."""


@dataclass(frozen=True, slots=True)
class OpenFiles:
    """Device and inode of each open file, by the name under which it was opened. If a file is deleted, moved
    or replaced under a running daemon, every later row is lost with it."""

    files: Mapping[Path, tuple[int, int]]

    @classmethod
    def of(cls, paths: Iterable[Path]) -> Self:
        """The files at these paths now. Raises OSError."""
        return cls({path: _identity(path.stat()) for path in paths})

    def fault(self, least: Mapping[Path, int]) -> str:
        """What happened to the first file that has changed; empty if none has. `least`: the bytes that a file
        must have."""
        for path, identity in self.files.items():
            try:
                found = path.stat()
            except OSError as error:
                return f"{path} is gone ({error.strerror})"
            if _identity(found) != identity:
                return f"another file is at {path}"
            if found.st_size < least.get(path, 0):
                return f"{path} was cut from {least[path]} to {found.st_size} bytes"
        return ""


@dataclass(frozen=True, slots=True)
class SummedLog:
    """The log up to a commit, and its `pages`, whose checksums are recorded."""

    salts: bytes = NO_SALTS
    frames: int = 0
    pages: frozenset[int] = frozenset()


class Store:
    """Repairs j-head and j-sums if `found` says that they are missing or damaged, and opens the file. Every
    method raises JournalError."""

    def __init__(self, found: InspectedFile, *, mirror: bool = False) -> None:
        self.path, self.base, self.last = found.path, found.base, found.last
        self.failed = False
        """A write failed; nothing more is written to the file."""
        self.mirror_fault = ""
        """What happened to a mirror whose open file is not at `path` any more; empty: nothing. Rows still go
        to the open file, and nothing goes to `path`."""
        self._is_mirror = mirror
        self.checkpointed_pages: set[int] = set()
        """Pages that checkpoints have written since the caller last cleared this set."""
        self._summed = SummedLog()
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
        let_group_read(self.path)
        if not found.head_whole:
            names.write(names.head(self.path), head.head_file(HeadRecord(*self._end())))
        if found.sums_whole:
            return
        content = found.content()
        if not schema.has_log(content):
            content = schema.with_log(content)
            names.write(self.path, content)
        names.write(names.sums(self.path), sums.sums_file(current_pages(content, WriteAheadLog())))

    def _open(self) -> None:
        self._record = HeadFile(names.head(self.path))
        self._descriptors.append(self._record.file)
        self.file = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        self._descriptors.append(self.file)
        address = f"file:{quote(str(self.path.resolve()))}"
        _own_index(self.path)
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
        if os.fstat(self._index).st_size < _INDEX:
            raise JournalError(f"journal {self.path} is open in this process already")
        self._write_head()
        self._presence = OpenFiles.of(filter(Path.exists, (*names.parts(self.path), names.lock(self.path))))
        self._measure()

    def append(self, entries: Sequence[JournalRow]) -> None:
        """Write all of `entries` in one transaction; they are on disk when this returns. `record_head` must
        follow."""
        begun = time.monotonic()
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            self._writer.executemany(INSERT, map(columns_of, entries))
            self._writer.execute("COMMIT")
        except sqlite3.Error as error:
            self.failed = True
            raise JournalUnwritten(
                f"journal {self.path}: row {entries[0].row} cannot be written: {error}"
            ) from error
        self.last = entries[-1]
        self.took = time.monotonic() - begun

    def record_head(self) -> None:
        """Write the record of the last row, and checkpoint a log that has become long."""
        with self._writing():
            frames = self._write_head()
        if frames < self._tried:
            self._tried = 0
        if frames - self._tried > (LONGEST if self.slow else _LONG):
            self._tried = frames
            self.checkpoint()

    @property
    def slow(self) -> bool:
        """Whether the last commit took longer than SLOW; a checkpoint takes several times as long."""
        return self.took > SLOW

    def check(self) -> None:
        """Raises JournalLost if a file is gone or was changed; all rows have been saved then. A mirror does
        not raise: `mirror_fault` says what happened."""
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
        # an append after the log was cut makes it as long as its frames again, with a hole
        size = max(self._sizes.get(log, 0), HEADER + frames * FRAME if frames else 0)
        fault = self._presence.fault({**self._sizes, log: size, names.head(self.path): head.SIZE})
        if not fault and frames and _has_other_salts(log, salts):
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

    def tidy_steps(self) -> Iterator[None]:
        """Do what a later append would have to wait for. Each step waits for the disk once; rows may be
        appended between two of them. A step first opens what it writes to; without a free descriptor it
        does nothing, because appends need none."""
        for step in (self._preallocate, self._record.sync, self._update_sums, self._checkpoint):
            self.check()
            if self.mirror_fault:
                return
            with self._writing(), _skipped_without_descriptor():
                step()
            yield

    def _preallocate(self) -> None:
        _preallocate(names.log(self.path))
        self._measure()

    def checkpoint(self, how: str = "PASSIVE") -> bool:
        """Copy the pages in the log to the file. Returns whether all were copied and, with "TRUNCATE", the
        log is empty."""
        self.check()  # pages copied into a file without a name would be lost with it
        if self.mirror_fault:
            return False
        with self._writing():
            return self._checkpoint(how)

    def _checkpoint(self, how: str = "PASSIVE") -> bool:
        self._update_sums()
        self.checkpointed_pages |= self._summed.pages
        self._writer.execute("PRAGMA busy_timeout = 0")
        busy, length, done = self._writer.execute(f"PRAGMA wal_checkpoint({how})").fetchone()
        self._measure()
        self._writer.execute(f"PRAGMA busy_timeout = {_PATIENCE_MS}")
        return not busy and length == done

    def slow_readers(self) -> list[LogReader]:
        """Other processes that keep the log from being emptied, if it is longer than LONGEST."""
        _, frames = self._committed()
        if frames <= LONGEST:
            return []
        with write_errors(self.path):
            return slow_readers(self._index, frames)

    def _update_sums(self) -> None:
        """Record the checksums of the pages in the log, unless they are recorded."""
        salts, frames = self._committed()
        if (salts, frames) != (self._summed.salts, self._summed.frames):
            pages = sums.update_sums(self.path, frames) if frames else set()
            self._summed = SummedLog(salts, frames, frozenset(pages))

    def since(self, row: int) -> Iterator[JournalRow]:
        """All rows after `row`, oldest first."""
        return self._select("WHERE row > ? ORDER BY row", row)

    def at(self, row: int) -> JournalRow | None:
        """The row of this number, None if the file does not have it."""
        return next(self._select("WHERE row = ?", row), None)

    def close(self) -> None:
        """Checkpoint the log and close the file. After a failed write the files stay as they are."""
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
        if not self.mirror_fault:
            with suppress(OSError):
                _own_index(self.path)  # a program of root that reads now would make one that others can open

    def _write_head(self) -> int:
        salts, frames = self._committed()
        self._record.write(HeadRecord(*self._end(), salts, frames))
        return frames

    def _measure(self) -> None:
        """Note the sizes of the file and of its log: only this object may make them shorter."""
        parts = (self.path, names.log(self.path))
        self._sizes = {part: part.stat().st_size for part in parts if part.exists()}

    def _end(self) -> tuple[int, bytes]:
        return (self.last.row, self.last.hash) if self.last else (0, START)

    def _committed(self) -> tuple[bytes, int]:
        """The salts that identify this use of the log, and how many frames of it were committed."""
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


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _close(connections: list[sqlite3.Connection], descriptors: list[int]) -> None:
    """The writing connection closes first, while the reading one is open: the last connection that may write
    would checkpoint the log without the checksums."""
    for database in connections:
        database.close()
    for descriptor in descriptors:
        os.close(descriptor)


def checkpoint_old(path: Path) -> None:
    """Checkpoint the log of a file of an older version, which has no checksums."""
    with write_errors(path):
        _own_index(path)
    with write_errors(path), closing(sqlite3.connect(path, isolation_level=None)) as database:
        busy = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    if busy:
        raise JournalError(f"journal {path} is being read by another program: end that first")


def _own_index(path: Path) -> None:
    """Make sure that the index of the log is one that only the daemon's user could ever open.

    An index that others could open is replaced: a program that has it open locks the old one only, and SQLite
    fills the new one from the log. One that nobody else could open stays, so that a program of this user or
    of root that reads while the daemon starts anew still reads what is there."""
    index = names.index(path)
    if index.exists():
        found = index.stat()
        if found.st_uid == os.geteuid() and not found.st_mode & 0o077:
            return
        index.unlink()
    names.create(index, names.OWNER_ONLY)
    index.write_bytes(bytes(1))  # SQLite gives an empty one the mode of the file beside it


def _has_other_salts(log: Path, salts: bytes) -> bool:
    """Whether the header of the log itself has other salts. Without a free descriptor the answer is False,
    and a later check looks again."""
    found = salts
    with _skipped_without_descriptor(), log.open("rb") as file:
        found = file.read(HEADER)[16:24]
    return found != salts


@contextmanager
def _skipped_without_descriptor() -> Iterator[None]:
    """Ends the block at an attempt to open a file without a free descriptor."""
    try:
        yield
    except OSError as error:
        if error.errno not in NO_DESCRIPTOR_LEFT:
            raise


def _preallocate(log: Path) -> None:
    """SQLite ignores what follows its last frame, as remains of an earlier use."""
    with log.open("r+b") as file:
        missing = LOG_BYTES - file.seek(0, os.SEEK_END)
        if missing > 0:
            file.write(bytes(missing))
            file.flush()
            os.fsync(file.fileno())
