"""The record of the last row that was appended: a journal that ends before it has lost its end.

It is written after each commit and on disk at the latest when the journal is tidied or closed: so it may be
older than the journal, never newer.
"""

import os
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

from controller.journal import names
from controller.journal.chain import START
from controller.journal.pages import NO_SALTS

_RECORD = struct.Struct(">4sQ32s8sI")
_MAGIC = b"TSH1"
SIZE = _RECORD.size + 4


@dataclass(frozen=True, slots=True)
class Mark:
    """A row and its hash; `frames` of the log that `salts` name were committed with it."""

    row: int = 0
    hash: bytes = START
    salts: bytes = NO_SALTS
    frames: int = 0


def read(path: Path) -> Mark | None:
    """The record in the file at `path`; None if it is not there or not as it was written."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    return parse(content)


def parse(content: bytes) -> Mark | None:
    """The record in these bytes; None if they are not as they were written."""
    if len(content) != SIZE or zlib.crc32(content[:-4]).to_bytes(4) != content[-4:]:
        return None
    magic, row, digest, salts, frames = _RECORD.unpack(content[:-4])
    return Mark(row, digest, salts, frames) if magic == _MAGIC else None


def packed(mark: Mark) -> bytes:
    """The record as it is in its file."""
    content = _RECORD.pack(_MAGIC, mark.row, mark.hash, mark.salts, mark.frames)
    return content + zlib.crc32(content).to_bytes(4)


class Head:
    """The file of the record, open for writing; whoever made it closes `file`. Everything raises OSError."""

    def __init__(self, path: Path) -> None:
        self.file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        os.ftruncate(self.file, SIZE)

    def write(self, mark: Mark) -> None:
        """The record is this one; after a loss of power it may be an older one."""
        names.put(self.file, packed(mark), 0)

    def sync(self) -> None:
        """What was written is on disk when this returns."""
        os.fsync(self.file)
