"""Up to which row hashes may be published. From a hash of a round in play, anybody who tries all cards could
find the face-down card."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from controller.journal.chain import JournalRow
from controller.journal.errors import JournalError
from controller.journal.history import History, HistoryFile
from controller.past.anchor import Anchor
from controller.past.export.chapters import body_of, publishable
from controller.past.verify.parts import open_raw, rows_between, snapshot_before


def newest_anchor(path: Path) -> Anchor | None:
    """The last row of the journal whose hash reveals nothing about a round in play; None if there is none.
    Raises JournalError."""
    history = History(path)
    files = history.files()
    row = publishable_up_to(files)
    if not row:
        return None
    with history.open(next(file for file in files if file.first <= row <= file.last)) as reader:
        return Anchor(row, reader.at(row).hash)


def publishable_up_to(found: Sequence[HistoryFile]) -> int:
    """The last row whose hash reveals nothing about a round in play; 0 if there is none. It is before the
    first row that makes no sense. Raises JournalError for a file that cannot be read."""
    if not found:
        return 0
    file = found[-1]
    with open_raw(file) as database:
        begun = _round_start(database, file.last)
        if begun == 0 and file.first > 1:
            return 0
        first = begun or file.first
        safe = _publishable(list(rows_between(database, first, file.last)))
    return safe[-1].row if safe else first - 1


def _round_start(database: sqlite3.Connection, last: int) -> int:
    """The snapshot at the beginning of the round in play; 0 if the file has none."""
    row = snapshot_before(database, last)
    while row and not _no_card_waits(next(rows_between(database, row, row))):
        row = snapshot_before(database, row - 1)
    return row


def _no_card_waits(snapshot: JournalRow) -> bool:
    """No card waits that may still become the face-down card."""
    try:
        return not body_of(snapshot).get("strays")
    except JournalError:
        return False


def _publishable(rows: list[JournalRow]) -> list[JournalRow]:
    try:
        return publishable(rows)
    except (ValueError, RecursionError):
        return []
