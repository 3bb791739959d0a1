"""Batches: rows of a table's journal, as they travel to the floor and are stored there.

The data of a batch is a deflated JSON list of `[at, kind, device, log, number, body]`, with `log` in hex. It
holds no hash: the reader of a batch computes the chain from the hash before the first row, and the chain must
end in the hash of the last row.
"""

import json
import re
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from controller.journal.chain import START, JournalRow, RowContent, chain_after

MOST_ROWS = 500
MOST_BYTES = 256 * 1024
"""Limits of a batch before it is deflated. A longer row is a batch by itself."""
MOST_INFLATED = 4 * 1024 * 1024
"""Readers inflate no more bytes than this of a batch with one row."""
MOST_INFLATED_ROWS = MOST_BYTES + MOST_ROWS + 1
"""Nor more than this of one with several: a small message could otherwise keep a reader busy for long."""
FIRST, LAST, BEFORE, HASH = "Ts-First", "Ts-Last", "Ts-Before", "Ts-Hash"
"""Headers of a message: row numbers in decimal, hashes in hex."""
END_OF_TIME = 253_402_300_800.0
"""The year 10000, in seconds of Unix time: no calendar shows a later time."""
_LONG_ROW = re.compile(rb'\[\[[^][{}",]{1,40}(?:,(?:"(?:[^"\\]++|\\.)*+"|[-0-9]{1,20}+)){5}\]\]')
"""One row as `_encoded` writes it. To look is cheap; to read millions of small values is not."""
_LEVEL = 6
_JSON = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


class BatchError(Exception):
    """A batch cannot be read, or its rows do not form the chain that it states. The message says why."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The rows `first` to `last`. `before`: the hash before them; `hash`: that of the last one."""

    first: int
    last: int
    before: bytes
    hash: bytes
    data: bytes = field(repr=False)

    def headers(self) -> dict[str, str]:
        """What a message of this batch says in its headers."""
        return {
            FIRST: str(self.first),
            LAST: str(self.last),
            BEFORE: self.before.hex(),
            HASH: self.hash.hex(),
        }


def batches(before: bytes, rows: Iterable[JournalRow]) -> Iterator[Batch]:
    """The batches of these rows, which follow each other; `before` is the hash before the first one."""
    part, texts, size = list[JournalRow](), list[bytes](), 0
    for row in rows:
        text = _encoded(row.content)
        if part and (len(part) == MOST_ROWS or size + len(text) > MOST_BYTES):
            yield _batch(before, part, texts)
            before, part, texts, size = part[-1].hash, [], [], 0
        part.append(row)
        texts.append(text)
        size += len(text)
    if part:
        yield _batch(before, part, texts)


def batch_of(headers: Mapping[str, str], data: bytes) -> Batch:
    """A batch as it was received; its rows are not checked. Raises BatchError."""
    try:
        first, last = int(headers[FIRST]), int(headers[LAST])
        before, digest = bytes.fromhex(headers[BEFORE]), bytes.fromhex(headers[HASH])
    except KeyError as error:
        raise BatchError(f"the header {error.args[0]} is missing") from None
    except ValueError as error:
        raise BatchError(f"a header cannot be read: {error}") from None
    if not 0 < first <= last or len(before) != len(START) or len(digest) != len(START):
        raise BatchError(f"the headers make no sense: rows {first} to {last}, {len(digest)} bytes of hash")
    return Batch(first, last, before, digest, data)


def rows_of(batch: Batch) -> list[JournalRow]:
    """The rows of a batch, with their hashes. Raises BatchError for data that cannot be read, and for rows
    whose chain does not end in the hash of the batch."""
    contents = _contents(batch.data, MOST_INFLATED if batch.first == batch.last else MOST_INFLATED_ROWS)
    if len(contents) != batch.last - batch.first + 1:
        raise BatchError(f"{len(contents)} rows in a batch of the rows {batch.first} to {batch.last}")
    try:
        rows = chain_after(batch.first - 1, batch.before, contents)
    except (AttributeError, TypeError, ValueError, struct.error) as error:
        raise BatchError(f"a row makes no sense: {error}") from error
    if rows[-1].hash != batch.hash:
        raise BatchError(f"the chain of the rows {batch.first} to {batch.last} does not end in their hash")
    for entry in rows:
        if not 0 <= entry.content.at < END_OF_TIME:  # also if it is not a number
            raise BatchError(f"row {entry.row}: at = {entry.content.at}; allowed: 0 to {END_OF_TIME:.0f}")
    return rows


def _batch(before: bytes, rows: Sequence[JournalRow], texts: Sequence[bytes]) -> Batch:
    """`texts`: each row as `_encoded` writes it."""
    data = zlib.compress(b"[%s]" % b",".join(texts), _LEVEL)
    return Batch(rows[0].row, rows[-1].row, before, rows[-1].hash, data)


def _encoded(row: RowContent) -> bytes:
    fields = [row.at, row.kind, row.device, row.log.hex(), row.number, row.body]
    return _JSON.encode(fields).encode()


def _contents(data: bytes, most: int) -> list[RowContent]:
    """The rows of data that inflate to `most` bytes or fewer. Raises BatchError."""
    inflater = zlib.decompressobj()
    try:
        inflated = inflater.decompress(data, most)
        if not inflater.eof:
            raise BatchError(f"the data is cut off, or inflates to more than {most} bytes")
        if len(inflated) > MOST_INFLATED_ROWS and not _LONG_ROW.fullmatch(inflated):
            raise BatchError(f"the data cannot be read: {len(inflated)} bytes that are not one row")
        return [
            RowContent(at, kind, body, device, bytes.fromhex(log), number)
            for at, kind, device, log, number, body in json.loads(inflated)
        ]
    except (zlib.error, ValueError, TypeError, RecursionError) as error:
        raise BatchError(f"the data cannot be read: {error}") from error
