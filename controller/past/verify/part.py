"""Check one part of a journal, row by row. Several processes can run this at the same time."""

import struct
from hashlib import sha256

from controller.journal.chain import START
from controller.journal.closed_files import hash_before
from controller.journal.errors import JournalError
from controller.journal.history import BAD_ROW
from controller.past.verify.parts import FilePart, RawRow, hash_of, row_from, rows
from controller.past.verify.row_checks import ROW_CHECKS, CheckDepth, PartResult, PartWalk, RowCheck

_FIXED = struct.Struct(">qdqHHH").pack


def check_part(part: FilePart, depth: CheckDepth) -> PartResult:
    """Damage becomes a finding; nothing is raised."""
    walk = PartWalk(part, depth, PartResult(str(part.file.path), part.first))
    checked = walk.checked
    try:
        _walk(walk, ROW_CHECKS if depth.kinds else {})
    except JournalError as error:
        checked.findings.add_text("chain", walk.row, str(error))
        return checked
    if walk.row < part.last:
        _missing(walk, walk.row + 1, part.last)
    return checked


def _walk(walk: PartWalk, kinds: dict[bytes, RowCheck]) -> None:
    part, checked = walk.part, walk.checked
    expected, before = part.first, b""
    for found in rows(part):
        before = before or _linked_to(part, found[0])
        for fields in found:
            row, kind = fields[0], fields[2]
            if row != expected:
                _missing(walk, expected, row - 1)
            expected = row + 1
            if not _follows(before, fields):
                checked.findings.add("chain", row, "it does not follow from the row before")
            if kind in kinds:
                walk.row, walk.before = row - 1, before
                _check_row(walk, kinds[kind], fields)
            before = fields[7]
        checked.rows += len(found)
        walk.row, checked.head = expected - 1, before


def _follows(before: bytes, fields: RawRow) -> bool:
    """The hash of chain.row_hash, computed from the stored bytes: decoding them would take most of the
    time."""
    row, at, kind, device, log, number, body, digest = fields
    try:
        fixed = _FIXED(row, at, number, len(kind), len(device), len(log))
        return sha256(b"".join((before, fixed, kind, device, log, body))).digest() == digest
    except BAD_ROW:
        return False


def _check_row(walk: PartWalk, taker: RowCheck, fields: RawRow) -> None:
    try:
        taker(walk, fields)
    except BAD_ROW as error:
        kind = fields[2].decode(errors="replace")
        walk.checked.findings.add("chain", fields[0], f"it makes no sense as a row of kind {kind}: {error!r}")


def _linked_to(part: FilePart, first: RawRow) -> bytes:
    """The hash before the first row of a part. Raises JournalError."""
    if not part.begins:
        return hash_of(part.file, part.first - 1) or START
    return hash_before(part.file.path, row_from(first))


def _missing(walk: PartWalk, first: int, last: int) -> None:
    walk.checked.findings.add("chain", first, f"it is missing, with all rows up to row {last}")
