"""The live file of a journal as it was after one commit, for readers.

Readers take no lock. A reader of SQLite locks bytes of the log's index, and a program that can lock them can
keep the daemon from writing. So only the daemon's user opens the index (store.py). Other readers put the
file and its log together:

1. Look which file and which use of the log there are. 2. Read the file and the head record. 3. Read the log.
4. Look again.

If both looks are equal, the log was not begun anew. Then each page that the daemon copied into the file
meanwhile is also in the log that was read after it, and the page in the log counts. The image is that of the
last commit in the log. If the looks differ, the reader begins again.

The head record tells how far the log was committed before it was read. Frames after that count if their
checksums are right: they may be half written, or a kill may have come between commit and record.
"""

import os
import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path

from controller.journal import head, names, schema
from controller.journal.errors import JournalError
from controller.journal.sqlite_format import FRAME, HEADER, NO_SALTS, PAGE, WriteAheadLog, read_log

PATIENCE = 5.0
"""Seconds in which a reader begins again. The log is begun anew after some hundred commits, and reading takes
some hundredths of a second."""
BEGINNING = 64 * FRAME
"""Bytes of the log that are read first."""


@dataclass(frozen=True, slots=True)
class _Look:
    """The identity of the file, and the header of the log, which changes with each use of the log. `changed`:
    when the file was changed, if there is no log that tells."""

    device: int
    inode: int
    header: bytes
    changed: int


def open_image(path: Path) -> sqlite3.Connection:
    """A connection to an image in memory of the live file at `path`. Raises OSError, sqlite3.Error,
    JournalDamaged for a log whose header was changed, and JournalError if the journal is written to too
    quickly."""
    database = sqlite3.connect(":memory:", isolation_level=None)
    try:
        database.deserialize(_image(path))
    except BaseException:
        database.close()
        raise
    return database


def _image(path: Path) -> bytearray:
    until = time.monotonic() + PATIENCE
    while True:
        before = _look(path)
        content, mark, log = _content(path), head.read(names.head(path)), _log(path)
        if _look(path) == before:
            break
        if time.monotonic() > until:
            raise JournalError(f"journal {path} is written to too quickly to be read: ask again")
    recorded = (mark.salts, mark.frames) if mark else (NO_SALTS, 0)
    return _overlaid(content, read_log(path, log, recorded))


def _look(path: Path) -> _Look:
    found, header = path.stat(), _log_header(path)
    return _Look(found.st_dev, found.st_ino, header, 0 if any(header) else found.st_mtime_ns)


def _content(path: Path) -> bytearray:
    """Without a second copy: the file may have some ten megabytes."""
    with path.open("rb") as file:
        content = bytearray(os.fstat(file.fileno()).st_size)
        del content[file.readinto(content) :]
    return content


def _log_header(path: Path) -> bytes:
    try:
        with names.log(path).open("rb", buffering=0) as file:
            return file.read(HEADER)
    except FileNotFoundError:
        return b""


def _log(path: Path) -> bytes:
    """The log at least to its last frame with the salts of the header. What follows is left from an earlier
    use, or preallocated, and is usually many times as long."""
    try:
        with names.log(path).open("rb") as file:
            log = file.read(HEADER + BEGINNING)
            salts, salts_of_last_frame = log[16:24], log[8 - FRAME : 16 - FRAME]
            if salts != salts_of_last_frame:
                return log
            file.seek(0)
            return file.read()
    except FileNotFoundError:
        return b""


def _overlaid(content: bytearray, log: WriteAheadLog) -> bytearray:
    """The pages of the log in their places; an image in memory has no log of its own."""
    content.extend(bytes(max(0, log.pages * PAGE - len(content))))
    for page, place in log.places.items():
        content[(page - 1) * PAGE : page * PAGE] = log.content[place : place + PAGE]
    content[schema.MODES] = schema.NO_LOG
    return content
