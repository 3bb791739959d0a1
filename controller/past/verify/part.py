"""One part of a history, row by row: the inner loop, which a process of its own can run."""

import struct
from hashlib import sha256

from controller.journal.chain import START
from controller.journal.closed_files import begins_after
from controller.journal.errors import JournalError
from controller.past.verify.parts import Fields, Part, entry, hash_of, rows
from controller.past.verify.row_checks import KINDS, Checked, Depth, Taker, Walk

_FIXED = struct.Struct(">qdqHHH").pack
NOT_OF_THE_TABLE = (TypeError, AttributeError, ValueError, KeyError, RecursionError, struct.error)
"""What values of other types, or texts that are no JSON of their kind, lead to."""


def check(part: Part, depth: Depth) -> Checked:
    """What is to be said of a part; damage is found, never raised."""
    walk = Walk(part, depth, Checked(str(part.file.path), part.first))
    checked = walk.checked
    try:
        _walk(walk, KINDS if depth.kinds else {})
    except JournalError as error:
        checked.findings.tell("chain", walk.row, str(error))
        return checked
    if walk.row < part.last:
        _missing(walk, walk.row + 1, part.last)
    return checked


def _walk(walk: Walk, kinds: dict[bytes, Taker]) -> None:
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
                _take(walk, kinds[kind], fields)
            before = fields[7]
        checked.rows += len(found)
        walk.row, checked.head = expected - 1, before


def _follows(before: bytes, fields: Fields) -> bool:
    """As chain.link makes the hash, from what is stored."""
    row, at, kind, device, log, number, body, digest = fields
    try:
        fixed = _FIXED(row, at, number, len(kind), len(device), len(log))
        return sha256(b"".join((before, fixed, kind, device, log, body))).digest() == digest
    except NOT_OF_THE_TABLE:
        return False


def _take(walk: Walk, taker: Taker, fields: Fields) -> None:
    try:
        taker(walk, fields)
    except NOT_OF_THE_TABLE as error:
        kind = fields[2].decode(errors="replace")
        walk.checked.findings.add("chain", fields[0], f"it makes no sense as a row of kind {kind}: {error!r}")


def _linked_to(part: Part, first: Fields) -> bytes:
    """The hash that the first row of a part is linked to. Raises JournalError."""
    if not part.begins:
        return hash_of(part.file, part.first - 1) or START
    return begins_after(part.file.path, entry(first))


def _missing(walk: Walk, first: int, last: int) -> None:
    walk.checked.findings.add("chain", first, f"it is missing, with all rows up to row {last}")
