"""The head record: the last row that was appended. A journal that ends before that row has lost its end.

The record is written after each commit, and is on disk at the latest when the journal is checkpointed or
closed. So it may be older than the journal, but never newer. Its file has two slots, which are written in
turn: a power cut during a write damages one of them, and the other holds the record before it.
"""

import os
import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from controller.journal import names
from controller.journal.chain import START
from controller.journal.sqlite_format import NO_SALTS

_RECORD = struct.Struct(">4sQ32s8sI")
_MAGIC = b"TSH1"
SLOT = _RECORD.size + 4
_SLOTS = 2
SIZE = _SLOTS * SLOT


@dataclass(frozen=True, slots=True)
class HeadRecord:
    """A row and its hash, and how many `frames` of the log with these `salts` were committed with it."""

    row: int = 0
    hash: bytes = START
    salts: bytes = NO_SALTS
    frames: int = 0


def read(path: Path) -> HeadRecord | None:
    """The newest undamaged record in the file at `path`; None if there is none."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    return newest(parse(content))


def parse(content: bytes) -> list[HeadRecord]:
    """The undamaged records in these bytes. Older versions wrote only one."""
    if len(content) not in {SLOT, SIZE}:
        return []
    places = (content[start : start + SLOT] for start in range(0, len(content), SLOT))
    return [mark for place in places if (mark := _parse_slot(place))]


def newest(marks: Iterable[HeadRecord]) -> HeadRecord | None:
    """The record that was written last; None if there is none."""
    return max(marks, key=lambda mark: (mark.row, mark.frames), default=None)


def head_file(mark: HeadRecord) -> bytes:
    """The content of a file that holds only this record."""
    return _slot(mark) * _SLOTS


class HeadFile:
    """The file, open for writing. The owner closes the descriptor `file`. Every method raises OSError."""

    def __init__(self, path: Path) -> None:
        self.file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        self._next = 0

    def write(self, mark: HeadRecord) -> None:
        """After a power cut the file may still hold an older record, until `sync`."""
        names.write_at(self.file, _slot(mark), self._next * SLOT)
        self._next = (self._next + 1) % _SLOTS

    def sync(self) -> None:
        os.fsync(self.file)


def _parse_slot(place: bytes) -> HeadRecord | None:
    if zlib.crc32(place[:-4]).to_bytes(4) != place[-4:]:
        return None
    magic, row, digest, salts, frames = _RECORD.unpack(place[:-4])
    return HeadRecord(row, digest, salts, frames) if magic == _MAGIC else None


def _slot(mark: HeadRecord) -> bytes:
    content = _RECORD.pack(_MAGIC, mark.row, mark.hash, mark.salts, mark.frames)
    return content + zlib.crc32(content).to_bytes(4)
