"""The names of the files of a journal, and writing a file so that it has its name only when it is whole."""

import os
from contextlib import suppress
from pathlib import Path

OWNER_ONLY = 0o600
"""Only the daemon's user reads and writes."""
MODE = 0o640
FOLDER_MODE = 0o750
"""The daemon's user writes a file or a folder of the journal, and its group reads it: satellites of the
daemon are in this group. Whatever must stay secret is not in the journal in the clear. The index of the log
is the daemon's alone."""


def beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def log(path: Path) -> Path:
    """SQLite's write-ahead log."""
    return beside(path, "-wal")


def index(path: Path) -> Path:
    """SQLite's index of its log. A program that can open it can lock it and keep the daemon from writing,
    so only the daemon's user reads it."""
    return beside(path, "-shm")


def head(path: Path) -> Path:
    """The record of the last row."""
    return beside(path, "-head")


def sums(path: Path) -> Path:
    """The checksums of the pages."""
    return beside(path, "-sums")


def lock(path: Path) -> Path:
    """The file that a daemon locks while it has the journal open."""
    return beside(path, ".lock")


def new_file(path: Path) -> Path:
    """A new file that will become the journal."""
    return beside(path, ".new")


def archive(path: Path) -> Path:
    """The folder of closed files."""
    return beside(path, ".archive")


def copy(path: Path) -> Path:
    """The unfinished copy of the live file, which becomes the next closed file."""
    return part(archive(path) / "next.db")


def part(path: Path) -> Path:
    """The name of a file that is not completely written."""
    return beside(path, ".part")


def parts(path: Path) -> tuple[Path, ...]:
    """The journal and the files that belong to it, the journal first."""
    return path, log(path), index(path), head(path), sums(path)


def free_name(path: Path, suffix: str) -> Path:
    """The first unused name `path` + `suffix` + number, from 1 on."""
    number = 1
    while beside(path, f"{suffix}{number}").exists():
        number += 1
    return beside(path, f"{suffix}{number}")


def write(path: Path, content: bytes, mode: int = MODE) -> None:
    """Write a file, or replace it as a whole; it is on disk when this returns. The mode does not depend on
    the umask. Raises OSError."""
    unnamed = part(path)
    unnamed.unlink(missing_ok=True)
    with os.fdopen(os.open(unnamed, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        set_access(unnamed, mode)
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    unnamed.rename(path)
    sync(path.parent)


def create(path: Path, mode: int = MODE) -> None:
    """Create an empty file. Raises OSError if the file exists."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode))
    set_access(path, mode)


def set_access(path: Path, mode: int) -> None:
    """Give a new file or folder this mode, whatever the umask is, and the group of the folder that it is in,
    if this user may. Raises OSError."""
    with suppress(PermissionError):
        os.chown(path, -1, path.parent.stat().st_gid)
    path.chmod(mode)


def write_at(file: int, content: bytes, at: int) -> None:
    """Write all of `content`: when a disk fills up, `pwrite` writes only a part. Raises OSError."""
    while content:
        written = os.pwrite(file, content, at)
        content, at = content[written:], at + written


def sync(path: Path) -> None:
    """The file or folder is on disk when this returns. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
