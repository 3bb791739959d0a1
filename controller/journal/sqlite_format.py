"""A SQLite database as bytes: the pages of its file, and newer ones in the write-ahead log beside it.

Source: SQLite's pages "Database File Format" and "WAL-mode File Format".
"""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from controller.journal import names
from controller.journal.errors import JournalDamaged

PAGE = 4096
HEADER = 32
"""Bytes before a log's first frame."""
FRAME = 24 + PAGE
NO_SALTS = bytes(8)
_VERSION = 3007000
_ORDERS = {0x377F0682: "<", 0x377F0683: ">"}
"""The byte order of the words in a log's checksums, by the first word of the log."""
_MASK = 0xFFFFFFFF
_FRAME_HEADER = struct.Struct(">II8sII")


@dataclass(frozen=True, slots=True)
class WriteAheadLog:
    """The committed part of a log. `salts` identify this use of it; `pages`: the length of the database after
    the last commit; `places`: where in `content` the newest image of each page is."""

    content: bytes = b""
    salts: bytes = NO_SALTS
    frames: int = 0
    pages: int = 0
    places: dict[int, int] = field(default_factory=dict)

    def image(self, page: int) -> bytes | None:
        """The newest content of a page; None if the log does not have it."""
        place = self.places.get(page)
        return None if place is None else self.content[place : place + PAGE]


def read_log(path: Path, content: bytes, recorded: tuple[bytes, int] = (NO_SALTS, 0)) -> WriteAheadLog:
    """The log of the journal at `path`, with every checksum checked; empty if there is none.

    `recorded`: salts, and how many frames with them need no check, because they are known to be committed.
    What follows the last whole commit was never finished, or is left from an earlier use. Raises
    JournalDamaged if the header of the log is not as it was written.
    """
    if len(content) <= HEADER or not any(content[:HEADER]):
        return WriteAheadLog()
    magic, version, size = struct.unpack_from(">3I", content)
    order = _ORDERS.get(magic, "<")
    check = _checksum((0, 0), struct.unpack_from(f"{order}6I", content))
    if magic not in _ORDERS or struct.unpack_from(">II", content, 24) != check:
        raise JournalDamaged(
            f"journal {path} is damaged: the header of its log {names.log(path)} was changed"
        )
    if (version, size) != (_VERSION, PAGE):
        raise JournalDamaged(f"journal {path} is damaged: its log {names.log(path)} is another one's")
    salts, frames = recorded
    return _committed(content, order, check, frames if salts == content[16:24] else 0)


def current_pages(main: bytes, log: WriteAheadLog) -> Iterator[bytes]:
    """The current pages of the database, in order."""
    for page in range(1, (log.pages or len(main) // PAGE) + 1):
        yield log.image(page) or main[(page - 1) * PAGE : page * PAGE]


def _committed(content: bytes, order: str, check: tuple[int, int], recorded: int) -> WriteAheadLog:
    salts, words = content[16:24], struct.Struct(f"{order}{2 + PAGE // 4}I")
    frames, pages, places, pending = 0, 0, dict[int, int](), dict[int, int]()
    for number, start in enumerate(range(HEADER, len(content) - FRAME + 1, FRAME), start=1):
        page, length, salt, *sums = _FRAME_HEADER.unpack_from(content, start)
        if salt != salts:
            break
        image = content[start + 24 : start + FRAME]
        if number > recorded:
            check = _checksum(check, words.unpack(content[start : start + 8] + image))
            if check != tuple(sums):
                break
        check = (sums[0], sums[1])
        pending[page] = start + 24
        if length:
            frames, pages = number, length
            places |= pending
            pending.clear()
    return WriteAheadLog(content, salts, frames, pages, places)


def _checksum(before: tuple[int, int], words: Sequence[int]) -> tuple[int, int]:
    first, second = before
    pairs = iter(words)
    for one, other in zip(pairs, pairs, strict=True):
        first = (first + one + second) & _MASK
        second = (second + other + first) & _MASK
    return first, second
