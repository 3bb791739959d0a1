"""Other programs that keep SQLite's write-ahead log from being emptied.

They read the journal with SQLite, as root or as the daemon's user: no other user can open the log's index,
and the table's own readers take no lock (live_image.py). A reader of SQLite locks the part of the log that
it still needs. As long as it does, a checkpoint cannot copy later pages into the file, and the log grows
until the disk is full. The locks are on bytes of the log's index; the kernel says which process holds one.
See "WAL-mode File Format" of SQLite for the numbers.
"""

import fcntl
import os
import struct
from dataclasses import dataclass
from pathlib import Path

MARKS = 5
"""Places for readers; several readers may share one."""
_MARKS = struct.Struct(f"={MARKS}I")
_MARKS_AT = 100
_LOCKS_AT = 123
_LOCK = struct.Struct("@hhqqi4x")
"""The kernel's struct flock: type, whence, start, length, process."""


@dataclass(frozen=True, slots=True)
class LogReader:
    """A process that reads. `name` is empty if this process may not know it."""

    process: int
    name: str = ""

    def __str__(self) -> str:
        return f"process {self.process}" + (f" ({self.name})" if self.name else "")


def slow_readers(index: int, frames: int) -> list[LogReader]:
    """Processes that read the log at an earlier point than its last of `frames`. `index` is a descriptor of
    the log's index. Of several processes at the same point, one is returned. Raises OSError."""
    marks = _MARKS.unpack(os.pread(index, _MARKS.size, _MARKS_AT))
    holders = {_holder(index, _LOCKS_AT + place) for place, mark in enumerate(marks) if mark < frames}
    return [LogReader(process, _name(process)) for process in sorted(holders - {0})]


def _holder(index: int, byte: int) -> int:
    """The process that locks a byte; 0 if no other process does."""
    asked = _LOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, byte, 1, 0)
    found = _LOCK.unpack(fcntl.fcntl(index, fcntl.F_GETLK, asked))
    return 0 if found[0] == fcntl.F_UNLCK else int(found[-1])


def _name(process: int) -> str:
    try:
        return Path("/proc", str(process), "comm").read_text(errors="replace").strip()
    except OSError:
        return ""
