"""Rows of the journal and the hash that ties each of them to the row before."""

import hashlib
import struct
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

START = bytes(32)
"""The hash before the first row."""
_FIXED = struct.Struct(">qdqHHH")


@dataclass(frozen=True, slots=True)
class RowContent:
    """What a row says. `at`: seconds of Unix time; `kind`: see controller/table/record; `body`: JSON.
    `device`, `log` and `number` identify the event of a device; they are empty in the table's own rows."""

    at: float
    kind: str
    body: str = field(repr=False)
    device: str = ""
    log: bytes = b""
    number: int = 0


@dataclass(frozen=True, slots=True)
class JournalRow:
    """A row with its number and its hash."""

    row: int
    content: RowContent
    hash: bytes


class ChainPlace(Protocol):
    """A place in the chain: the number of a row, and its hash."""

    @property
    def row(self) -> int: ...

    @property
    def hash(self) -> bytes: ...


def row_hash(before: bytes, row: int, content: RowContent) -> bytes:
    """SHA-256 over the hash of the row before, and the number and every field of this one."""
    kind, device, body = content.kind.encode(), content.device.encode(), content.body.encode()
    fixed = _FIXED.pack(row, content.at, content.number, len(kind), len(device), len(content.log))
    return hashlib.sha256(b"".join((before, fixed, kind, device, content.log, body))).digest()


def follows(before: bytes, row: JournalRow) -> bool:
    """Whether a row has the hash that it must have after the hash `before`. A damaged file may hold values of
    other types than the table has."""
    try:
        return row.hash == row_hash(before, row.row, row.content)
    except (AttributeError, TypeError, ValueError, struct.error):
        return False


def chain_rows(head: JournalRow | None, contents: Iterable[RowContent]) -> list[JournalRow]:
    """The rows that follow `head`, numbered and hashed."""
    return chain_after(head.row, head.hash, contents) if head else chain_after(0, START, contents)


def chain_after(row: int, before: bytes, contents: Iterable[RowContent]) -> list[JournalRow]:
    """The rows that follow the row with this number and hash."""
    rows = []
    for content in contents:
        row += 1
        before = row_hash(before, row, content)
        rows.append(JournalRow(row, content, before))
    return rows


def row_of(fields: tuple[Any, ...]) -> JournalRow:
    row, at, kind, device, log, number, body, digest = fields
    return JournalRow(row, RowContent(at, kind, body, device, log, number), digest)


def columns_of(entry: JournalRow) -> tuple[object, ...]:
    row = entry.content
    return (entry.row, row.at, row.kind, row.device, row.log, row.number, row.body, entry.hash)
