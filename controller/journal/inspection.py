"""Inspect a live file before it is used: byte by byte, then row by row. Nothing is changed."""

import sqlite3
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from controller.journal import head, names, schema, sums
from controller.journal.chain import JournalRow, follows, row_of
from controller.journal.closed_files import hash_before
from controller.journal.errors import JournalDamaged, JournalError
from controller.journal.head import HeadRecord
from controller.journal.live_image import open_image
from controller.journal.sqlite_format import WriteAheadLog, current_pages, read_log

MARKED_KINDS = {"snapshot": 1, "round": 50, "checkpoint": 1}
"""The kinds of rows that a start needs, and how many of the last ones."""
_MAGIC = b"SQLite format 3\0"
_APPLICATION = slice(68, 72)


@dataclass(frozen=True, slots=True)
class JournalBytes:
    """The files of a journal as bytes; None: there is no such file."""

    main: bytes
    log: bytes
    head: bytes | None
    sums: bytes | None


@dataclass(slots=True)
class InspectedFile:
    """A whole file: its first and last row, the rows of the marked kinds, the head record, and `faults`: what
    has to be repaired in the files beside it, a sentence each."""

    path: Path
    version: int
    head: HeadRecord
    sums_whole: bool = True
    head_whole: bool = True
    """Both slots of the head record are undamaged."""
    head_missing: bool = False
    """No slot holds a head record."""
    faults: list[str] = field(default_factory=list)
    first: JournalRow | None = None
    last: JournalRow | None = None
    marked_rows: dict[str, deque[int]] = field(
        default_factory=lambda: {kind: deque(maxlen=most) for kind, most in MARKED_KINDS.items()}
    )

    @property
    def base(self) -> int:
        """The number of the row before the first."""
        return self.first.row - 1 if self.first else 0

    @property
    def row(self) -> int:
        return self.last.row if self.last else 0

    def content(self) -> bytes:
        """The whole file, with the pages that are in its log."""
        files = read(self.path)
        return b"".join(current_pages(files.main, read_log(self.path, files.log)))


def inspect(path: Path) -> InspectedFile:
    """Inspect the live file at `path`. Nobody may write to it meanwhile.

    Raises JournalDamaged if it is not as it was written; JournalError if it is not a journal, is of a newer
    version, or cannot be read.
    """
    try:
        found = examine(path, read(path))
        _rows(found)
    except OSError as error:
        raise JournalError(f"journal {path} cannot be read: {error}") from error
    except sqlite3.Error as error:
        raise JournalDamaged(f"journal {path} is damaged or no journal: {error}") from error
    if found.version < schema.SCHEMA or not (found.row or found.head.row):
        found.faults.clear()
    return found


def whole_copies(paths: Iterable[Path]) -> list[InspectedFile]:
    """The files at these paths that exist and are whole. Raises JournalError for one that is not a journal,
    is of a newer version, or cannot be read."""
    found = []
    for path in filter(Path.exists, paths):
        with suppress(JournalDamaged):
            found.append(inspect(path))
    return found


def read(path: Path) -> JournalBytes:
    """The bytes of the journal at `path`. Raises OSError."""
    main, log, mark, sums_ = (
        part.read_bytes() if part.exists() else None
        for part in (path, names.log(path), names.head(path), names.sums(path))
    )
    return JournalBytes(main or b"", log or b"", mark, sums_)


def examine(path: Path, files: JournalBytes) -> InspectedFile:
    """Inspect only the bytes of the journal at `path`, not its rows."""
    log, marks = read_log(path, files.log), head.parse(files.head or b"")
    mark = head.newest(marks)
    fault = _sums(path, files, log)
    _check_application(path, log.image(1) or files.main, known=mark is not None)
    found = InspectedFile(path, 0, mark or HeadRecord(), sums_whole=not fault, head_missing=mark is None)
    found.head_whole = len(marks) * head.SLOT == len(files.head or b"") == head.SIZE
    if len(marks) * head.SLOT != len(files.head or b"") or not marks:
        found.faults.append(f"the record {names.head(path)} of its last row was missing or damaged")
    if fault:
        found.faults.append(fault)
    if log.salts == found.head.salts and log.frames < found.head.frames:
        raise JournalDamaged(f"journal {path} is damaged: its log {names.log(path)} was changed")
    return found


def open_read_only(path: Path) -> sqlite3.Connection:
    """A connection that neither writes nor locks: to the file if nothing writes to it any more, else to an
    image of it in memory. Raises what `open_image` raises."""
    with path.open("rb") as file:
        live = schema.has_log(file.read(schema.MODES.stop))
    return open_image(path) if live or names.log(path).exists() else open_alone(path)


def open_inspected(path: Path) -> sqlite3.Connection:
    """The same for a live file that no process writes: without a log it needs no image."""
    return open_image(path) if names.log(path).exists() else open_alone(path)


def open_alone(path: Path) -> sqlite3.Connection:
    """A connection to the file as it is, without its log."""
    address = f"file:{quote(str(path.resolve()))}?mode=ro&immutable=1"
    return sqlite3.connect(address, uri=True, isolation_level=None)


def _sums(path: Path, files: JournalBytes, log: WriteAheadLog) -> str:
    """What is wrong with the checksums; empty: nothing."""
    if files.sums is None:
        return f"the sums {names.sums(path)} of its pages were missing"
    findings = sums.compare(files.main, log, files.sums)
    if findings.pages:
        pages = ", ".join(map(str, findings.pages[:5])) + (" .." if len(findings.pages) > 5 else "")
        raise JournalDamaged(f"journal {path} is damaged: not as it was written in page {pages}")
    return f"the sums {names.sums(path)} of its pages were damaged" if findings.sums else ""


def _check_application(path: Path, page: bytes, *, known: bool) -> None:
    """Raises JournalError unless the file is a journal of this product. If its head record is, it was one
    once."""
    if page.startswith(_MAGIC) and int.from_bytes(page[_APPLICATION]) == schema.APPLICATION:
        return
    if known:
        raise JournalDamaged(f"journal {path} is damaged: it is not a journal of this product any more")
    raise JournalError(f"{path} is not a journal of this product")


def _rows(found: InspectedFile) -> None:
    with closing(open_inspected(found.path)) as database:
        found.version = schema.check(found.path, database)
        for entry in _chained(found, database):
            found.last = entry
            if entry.content.kind in MARKED_KINDS:
                found.marked_rows[entry.content.kind].append(entry.row)
            if entry.row == found.head.row and entry.hash != found.head.hash:
                raise _wrong_head(found)
    if found.head.row > found.row:
        gone = f"rows {found.row + 1} to {found.head.row} are gone"
        raise JournalDamaged(f"journal {found.path} is damaged: {gone}")


def _chained(found: InspectedFile, database: sqlite3.Connection) -> Iterator[JournalRow]:
    number, before = 0, b""
    for fields in database.execute(f"{schema.SELECT}ORDER BY row"):
        entry = row_of(fields)
        if found.first is None:
            found.first, number, before = entry, entry.row - 1, _hash_before(found, entry)
        number += 1
        if entry.row != number or not follows(before, entry):
            raise JournalDamaged(
                f"journal {found.path} is damaged: row {number} does not follow from the one before"
            )
        before = entry.hash
        yield entry


def _hash_before(found: InspectedFile, first: JournalRow) -> bytes:
    try:
        before = hash_before(found.path, first)
    except JournalError as error:
        raise JournalDamaged(str(error)) from error
    if found.head.row == first.row - 1 and found.head.hash != before:
        raise _wrong_head(found)
    return before


def _wrong_head(found: InspectedFile) -> JournalDamaged:
    return JournalDamaged(
        f"journal {found.path} is damaged: row {found.head.row} is not the one that was written"
    )
