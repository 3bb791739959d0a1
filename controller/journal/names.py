"""What lies beside a journal, and how a file gets its name only when it is whole."""

import os
from pathlib import Path

OWNER_ONLY = 0o600
"""The daemon's user alone reads and writes."""


def beside(path: Path, suffix: str) -> Path:
    """The file beside a journal that is named after it."""
    return path.with_name(path.name + suffix)


def log(path: Path) -> Path:
    """SQLite's log."""
    return beside(path, "-wal")


def index(path: Path) -> Path:
    """SQLite's index of its log."""
    return beside(path, "-shm")


def head(path: Path) -> Path:
    """The record of the last row."""
    return beside(path, "-head")


def sums(path: Path) -> Path:
    """The sums of the file's pages."""
    return beside(path, "-sums")


def lock(path: Path) -> Path:
    """The file that only one daemon at a time can lock."""
    return beside(path, ".lock")


def new_file(path: Path) -> Path:
    """A file that is being made and will be the journal."""
    return beside(path, ".new")


def archive(path: Path) -> Path:
    """The folder of closed files."""
    return beside(path, ".archive")


def copy(path: Path) -> Path:
    """The unfinished copy of the live file, which becomes the next closed file."""
    return part(archive(path) / "next.db")


def part(path: Path) -> Path:
    """What a file is called as long as not all of it is written."""
    return beside(path, ".part")


def parts(path: Path) -> tuple[Path, ...]:
    """A journal and what belongs to it, the journal first."""
    return path, log(path), index(path), head(path), sums(path)


def free_name(path: Path, suffix: str) -> Path:
    """The first name `path` + `suffix` + a number from 1 on that nothing has."""
    number = 1
    while beside(path, f"{suffix}{number}").exists():
        number += 1
    return beside(path, f"{suffix}{number}")


def write(path: Path, content: bytes, mode: int = OWNER_ONLY) -> None:
    """A new file, on disk when this returns; one that is there is replaced, as a whole or not at all."""
    unnamed = part(path)
    unnamed.unlink(missing_ok=True)
    with os.fdopen(os.open(unnamed, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    unnamed.rename(path)
    sync(path.parent)


def create(path: Path) -> None:
    """Create an empty file. Raises OSError if the file exists."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, OWNER_ONLY))


def write_at(file: int, content: bytes, at: int) -> None:
    """Write all of it; a disk that fills up takes a part first. Raises OSError."""
    while content:
        written = os.pwrite(file, content, at)
        content, at = content[written:], at + written


def sync(path: Path) -> None:
    """A file or a folder as it is now is on disk when this returns."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
