"""New files under the journal's name, and closed files in its archive.

At any moment, even after a power cut, there is one whole file under the name. The next opening removes or
finishes what was interrupted.
"""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path

from controller.journal import head, names, schema, sums
from controller.journal.chain import JournalRow
from controller.journal.closed_files import closed_file_name, continuation, list_closed_files
from controller.journal.errors import JournalError, write_errors
from controller.journal.head import HeadRecord
from controller.journal.inspection import InspectedFile, inspect
from controller.journal.sqlite_format import PAGE, WriteAheadLog, current_pages

CLOSED_MODE = 0o440
"""The mode of a closed file: nobody writes to it."""
CHUNK = 256 * 1024
"""Bytes copied at a time."""


def finish_interrupted(path: Path) -> None:
    """Finish or remove what was interrupted. A new file that has got its name lacks only its checksums, which
    are there under another name; without the name it is removed."""
    fresh = names.new_file(path)
    of_fresh = names.sums(fresh)
    for file in (fresh, of_fresh, names.sums(path), names.head(path)):
        names.part(file).unlink(missing_ok=True)
    names.copy(path).unlink(missing_ok=True)
    if fresh.exists():
        of_fresh.unlink(missing_ok=True)
        fresh.unlink()
    elif of_fresh.exists():
        of_fresh.rename(names.sums(path))
        names.sync(path.parent)


def install(path: Path, content: bytes, last: JournalRow | None) -> None:
    """Make `content` the journal at `path`. The file that was there must be closed, with an empty log."""
    fresh = names.new_file(path)
    names.log(path).unlink(missing_ok=True)
    names.index(path).unlink(missing_ok=True)
    names.write(fresh, content)
    names.write(names.sums(fresh), sums.sums_file(current_pages(content, WriteAheadLog())))
    fresh.rename(path)
    names.sync(path.parent)
    names.sums(fresh).rename(names.sums(path))
    _write_head(path, last)


def migrate(found: InspectedFile) -> None:
    """Rewrite a file of an older version in the current schema; keep the old file beside it. It must be
    closed, with an empty log."""
    old = found.path.read_bytes()
    old_copy = names.beside(found.path, f".schema-{found.version}")
    if old_copy.exists() and old_copy.read_bytes() != old:
        old_copy = names.free_name(found.path, f".schema-{found.version}-")
    names.write(old_copy, old)
    _write_head(found.path, found.last)  # a file of this version always has one
    install(found.path, schema.migrate(old, found.version), found.last)


def drop_unfinished(found: InspectedFile) -> None:
    """Remove the archive's copy of this file: closing it was interrupted. The file may grow now, and will be
    closed under another name."""
    if found.row:
        (names.archive(found.path) / closed_file_name(found.base + 1, found.row)).unlink(missing_ok=True)


class FileCopy:
    """A copy of the journal's live file. It grows into the archive of each of `paths` while rows are
    appended. `file` is a descriptor of the live file, which the journal keeps open."""

    def __init__(self, file: int, paths: Sequence[Path]) -> None:
        self.done = False
        """Whether all pages have been copied; pages written since then must be copied again."""
        self._file, self._paths = file, paths
        self._stopped = threading.Event()

    def run(self, pause: Callable[[], None] = lambda: None) -> None:
        """Copy all pages, piece by piece; they are on disk when this returns. `pause` is called after each
        piece. May run in another thread. Raises JournalError."""
        at = 0
        with write_errors(self._paths[0]):
            for path in self._paths:
                names.copy(path).unlink(missing_ok=True)
                names.create(_archive_folder(path) / names.copy(path).name)
            while not self._stopped.is_set() and (piece := os.pread(self._file, CHUNK, at)):
                for path in self._paths:
                    _write_pages(names.copy(path), [(at, piece)])
                at += len(piece)
                pause()
        self.done = not self._stopped.is_set()

    def stop(self) -> None:
        """Make `run` return after the current piece."""
        self._stopped.set()

    def finish(self, pages: Iterable[int]) -> None:
        """Copy these pages again, because they were written after the copy began. The write-ahead log must be
        empty. Raises OSError."""
        size = os.fstat(self._file).st_size
        for path in self._paths:
            _write_pages(names.copy(path), map(self._page, sorted({1, *pages})), size)

    def close_into(self, path: Path, base: int, last: JournalRow) -> Path:
        """Turn the copy into a closed file of the journal at `path`, which begins after row `base`; return
        where it is. Raises OSError."""
        part, file = names.copy(path), names.archive(path) / closed_file_name(base + 1, last.row)
        part.chmod(CLOSED_MODE)
        part.rename(file)
        names.sync(file.parent)
        return file

    def _page(self, page: int) -> tuple[int, bytes]:
        at = (page - 1) * PAGE
        content = os.pread(self._file, PAGE, at)
        return at, schema.without_log(content) if page == 1 else content


def let_group_read(path: Path) -> None:
    """Give the files of the journal at `path`, except the index of its log, the modes of this version; an
    older one gave its group no rights. Raises OSError."""
    for file in filter(Path.exists, {*names.parts(path)} - {names.index(path)}):
        file.chmod(names.MODE)
    if names.archive(path).is_dir():
        names.archive(path).chmod(names.FOLDER_MODE)
    for closed in list_closed_files(path):
        closed.path.chmod(CLOSED_MODE)


def copy_missing(source: Path, target: Path) -> int:
    """Copy the closed files that the archive of `target` lacks; returns how many."""
    missing = [
        file.path
        for file in list_closed_files(source)
        if not (_archive_folder(target) / file.path.name).exists()
    ]
    for file in missing:
        names.write(_archive_folder(target) / file.name, file.read_bytes(), CLOSED_MODE)
    return len(missing)


def missing_predecessor(found: InspectedFile) -> str:
    """The name of the closed file that this one continues, if it is missing. Empty if it is there, or if the
    archive is empty because all its files were kept long enough."""
    if found.base == 0 or found.first is None:
        return ""
    before, folder = continuation(found.path, found.first).file, names.archive(found.path)
    kept_long_enough = folder.is_dir() and not list_closed_files(found.path)
    return "" if kept_long_enough or (folder / before).exists() else before


def set_aside(path: Path) -> Path:
    """Rename a journal and the files that belong to it; returns the new name of the journal."""
    aside = names.free_name(path, ".damaged-")
    for old, new in zip(names.parts(path), names.parts(aside), strict=True):
        if old.exists():
            old.rename(new)
    names.sync(path.parent)
    return aside


def save_copy(path: Path, database: sqlite3.Connection, last: JournalRow | None) -> Path:
    """Save an open journal that lost its name: under the same name in a new folder beside it, with checksums
    and the record of its last row. Raises JournalError, OSError or sqlite3.Error if the copy does not hold
    every row up to `last`."""
    folder = names.free_name(path, ".saved-")
    folder.mkdir(mode=0o700)
    target = folder / path.name
    with closing(sqlite3.connect(target)) as copy:
        database.backup(copy)
    target.chmod(names.OWNER_ONLY)
    install(target, schema.with_log(target.read_bytes()), last)
    if inspect(target).last != last:
        raise JournalError(f"{target} does not end as the journal did")
    return target


def _write_head(path: Path, last: JournalRow | None) -> None:
    names.write(names.head(path), head.head_file(HeadRecord(last.row, last.hash) if last else HeadRecord()))


def _write_pages(path: Path, pieces: Iterable[tuple[int, bytes]], size: int | None = None) -> None:
    """Write these pages in their places and truncate the file to its size; both are on disk when this
    returns."""
    file = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        for at, content in pieces:
            names.write_at(file, content, at)
        if size is not None:
            os.ftruncate(file, size)
        os.fsync(file)
    finally:
        os.close(file)


def _archive_folder(path: Path) -> Path:
    folder = names.archive(path)
    if not folder.is_dir():
        folder.mkdir(mode=names.FOLDER_MODE)
        names.set_access(folder, names.FOLDER_MODE)
        names.sync(path.parent)
    return folder
