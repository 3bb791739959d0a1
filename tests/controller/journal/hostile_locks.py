"""A satellite that was taken over locks what it can open, and keeps the locks.

SQLite locks bytes of two files: see "WAL-mode File Format" for the index of the log, and "File Locking And
Concurrency" for the file itself. Whoever opens a file only for reading can lock for reading only, which holds
up those who want to write.
"""

import fcntl
import os
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from controller.journal import names

NOBODY = 65_534
GROUP = 54_321
"""A user and a group that own nothing else."""
_LOCK = struct.Struct("@hhqqi4x")
_GROUP_READS = 0o040


@dataclass(frozen=True, slots=True)
class LockPlace:
    """Bytes of a file of the journal, with SQLite's name for their lock."""

    name: str
    file: Callable[[Path], Path]
    start: int
    length: int = 1

    def __str__(self) -> str:
        return self.name


PLACES = (
    LockPlace("write", names.index, 120),
    LockPlace("checkpoint", names.index, 121),
    LockPlace("recover", names.index, 122),
    *(LockPlace(f"read mark {number}", names.index, 123 + number) for number in range(5)),
    LockPlace("dead man's switch", names.index, 128),
    LockPlace("whole index", names.index, 0, 0),
    LockPlace("pending", Path, 0x40000000),
    LockPlace("reserved", Path, 0x40000001),
    LockPlace("shared", Path, 0x40000002, 510),
    LockPlace("whole file", Path, 0, 0),
    LockPlace("whole log", names.log, 0, 0),
    LockPlace("whole head record", names.head, 0, 0),
    LockPlace("whole sums", names.sums, 0, 0),
)


def give_to_group(folder: Path) -> None:
    """Make the folder one of the daemon's user, as the package makes it."""
    if os.geteuid() == 0:
        os.chown(folder, 0, GROUP)
    folder.chmod(0o2750)


def become_satellite() -> None:
    """An ordinary user cannot become another one, and stays the owner."""
    if os.geteuid() == 0:
        os.setgroups([GROUP])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


@contextmanager
def holding(path: Path, place: LockPlace) -> Iterator[bool]:
    """Another process that holds this lock of the journal at `path` as long as it can. Yields whether it got
    the lock at once; if not, it tries again and again."""
    told, tell = os.pipe()
    if not (child := os.fork()):
        try:
            become_satellite()
            _hold(path, place, tell)
        finally:
            os._exit(0)  # the rest of the test belongs to the parent
    os.close(tell)
    try:
        yield os.read(told, 1) == b"1"
    finally:
        os.close(told)
        os.kill(child, 9)
        os.waitpid(child, 0)


def _hold(path: Path, place: LockPlace, tell: int) -> None:
    """Lock each file that ever has this name."""
    held = set[int]()
    while True:
        with suppress(OSError):
            if (found := place.file(path).stat().st_ino) not in held:
                _lock(place.file(path), place)
                held.add(found)
        if tell >= 0:
            os.write(tell, b"1" if held else b"0")
            os.close(tell)
            tell = -1
        time.sleep(0.0005)


def _lock(file: Path, place: LockPlace) -> None:
    """Raises OSError if a satellite may not open the file: an ordinary user keeps to the mode, because the
    kernel lets the owner open it."""
    if os.geteuid() == file.stat().st_uid and not file.stat().st_mode & _GROUP_READS:
        raise PermissionError(file)
    descriptor = os.open(file, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    asked = _LOCK.pack(fcntl.F_RDLCK, os.SEEK_SET, place.start, place.length, 0)
    fcntl.fcntl(descriptor, fcntl.F_SETLKW, asked)
