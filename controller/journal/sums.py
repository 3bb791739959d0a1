"""A checksum of every page of the live file. SQLite does not notice a change in a page that holds no row.

The file changes only when the log is checkpointed, and the new checksums are on disk before that. A page that
is in the log is not compared: it may have been written in part, and will be written again.
"""

import hashlib
import os
import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from controller.journal import names
from controller.journal.sqlite_format import FRAME, HEADER, PAGE, WriteAheadLog

_START = struct.Struct(">4sII")
_MAGIC = b"TSS1"
_ENTRY = 20
"""16 bytes of the SHA-256 of a page, and a CRC over them and the number of the page."""


@dataclass(frozen=True, slots=True)
class PageFaults:
    """`pages`: those that are not as they were written; `sums`: how many checksums are damaged themselves."""

    pages: tuple[int, ...] = ()
    sums: int = 0


def compare(main: bytes, log: WriteAheadLog, sums_: bytes) -> PageFaults:
    """Compare the pages of a file with their checksums. A page whose checksum is damaged is left out."""
    count = _count(sums_)
    known = max(0, len(sums_) - _START.size) // _ENTRY if count is None else count
    pages, sums = list[int](), int(count is None or len(sums_) != _place(count + 1))
    for page in range(1, max(known, -(-len(main) // PAGE)) + 1):
        entry = sums_[_place(page) : _place(page) + _ENTRY]
        if page in log.places or (page > known and count is None):
            continue
        if page <= known and not _sound(page, entry):
            sums += 1
        elif entry[:16] != _sum(main[(page - 1) * PAGE : page * PAGE]):
            pages.append(page)
    return PageFaults(tuple(pages), sums)


def sums_file(pages: Iterable[bytes]) -> bytes:
    """The content of a file of checksums for these pages."""
    entries = [_entry(number, page) for number, page in enumerate(pages, start=1)]
    return _start(len(entries)) + b"".join(entries)


def update_sums(path: Path, frames: int) -> set[int]:
    """Record the checksums of the pages in the first `frames` of the write-ahead log of the journal at
    `path`, which end with a commit; they are on disk when this returns. Returns the set of pages. Raises
    OSError."""
    log = os.open(names.log(path), os.O_RDONLY | os.O_CLOEXEC)
    try:
        sums = os.open(names.sums(path), os.O_RDWR | os.O_CLOEXEC)
        try:
            return _fold(log, sums, frames)
        finally:
            os.close(sums)
    finally:
        os.close(log)


def _fold(log: int, sums: int, frames: int) -> set[int]:
    places, pages = dict[int, int](), 0
    for start in range(HEADER, HEADER + frames * FRAME, FRAME):
        page, pages = struct.unpack(">II", os.pread(log, 8, start))
        places[page] = start + 24
    for page, place in places.items():
        names.write_at(sums, _entry(page, os.pread(log, PAGE, place)), _place(page))
    names.write_at(sums, _start(pages), 0)
    os.fsync(sums)
    return {*places}


def _start(count: int) -> bytes:
    return _START.pack(_MAGIC, count, zlib.crc32(_MAGIC + count.to_bytes(4)))


def _count(sums_: bytes) -> int | None:
    if len(sums_) < _START.size:
        return None
    _, count, _ = _START.unpack_from(sums_)
    return int(count) if sums_[: _START.size] == _start(count) else None


def _place(page: int) -> int:
    return _START.size + (page - 1) * _ENTRY


def _entry(page: int, content: bytes) -> bytes:
    digest = _sum(content)
    return digest + _check(page, digest)


def _sound(page: int, entry: bytes) -> bool:
    return entry[16:] == _check(page, entry[:16])


def _check(page: int, digest: bytes) -> bytes:
    return zlib.crc32(page.to_bytes(4) + digest).to_bytes(4)


def _sum(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()[:16]
