"""A part of a table's journal as a file of its own, out of the stored batches: what the readers of the past
need to show one round.

The file begins with a row that no reader opens: it only holds the hash from which the next row follows.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from controller.floor.batch import Batch, BatchError, rows_of
from controller.floor.day_file import JournalName
from controller.floor.derived.records import StoredRound
from controller.floor.store import FloorArchive
from controller.floor.store_file import StoreError
from controller.journal.chain import JournalRow, RowContent
from controller.journal.schema import new_database, without_log
from controller.table.state.table_state import ROUNDS_KEPT

BEFORE: Final = "before"
"""The kind of the row that only holds a hash."""
ROUNDS_AFTER: Final = 2
"""Rounds after the one that is shown: with them come the signature of its end and late decisions."""


class RoundNotStored(StoreError):
    """The floor does not have the round: it has not ended, or its gaming day was deleted."""


@contextmanager
def excerpt(archive: FloorArchive, name: JournalName, number: int) -> Iterator[Path]:
    """A journal with the round and those around it; the file is gone after the context. Raises
    RoundNotStored, StoreError, sqlite3.Error, OSError."""
    found = stored_round(archive, name, number)
    if found is None:
        raise RoundNotStored(f"round {number} of {name.table}: the floor does not have it")
    with TemporaryDirectory(prefix="tableside-") as folder:
        path = Path(folder) / f"{name.table}.journal"
        path.write_bytes(without_log(new_database(_rows(_around(archive, name, found)))))
        yield path


def stored_round(archive: FloorArchive, name: JournalName, number: int) -> StoredRound | None:
    """The round as it was corrected last. Raises StoreError, sqlite3.Error."""
    for file in archive.newest_first():
        if found := file.derived.round(name.key, number):
            return found
    return None


def _around(archive: FloorArchive, name: JournalName, found: StoredRound) -> list[Batch]:
    """The batches from the round before to the rounds after; to the last round that could correct it, if it
    was corrected."""
    before = stored_round(archive, name, found.number - 1) or found
    after = ROUNDS_KEPT + 1 if "corrected" in found.played.outcome else ROUNDS_AFTER
    until = stored_round(archive, name, found.number + after)
    last = until.last if until else archive.heads()[name].row
    segments = list[Batch]()
    for day in archive.days():
        with archive.open(day) as file:
            segments += file.segments(name, max(1, before.first - 1), last)
    return _without_gaps(segments, found)


def _without_gaps(segments: list[Batch], found: StoredRound) -> list[Batch]:
    """The batches that follow each other, with the one in which the round ended."""
    run = list[Batch]()
    for segment in segments:
        if run and segment.first != run[-1].last + 1:
            if run[-1].last >= found.last:
                return run
            run = []
        run.append(segment)
    return run


def _rows(segments: list[Batch]) -> Iterator[JournalRow]:
    first = segments[0]
    if first.first > 1:
        yield JournalRow(first.first - 1, RowContent(0.0, BEFORE, "{}"), first.before)
    for segment in segments:
        try:
            yield from rows_of(segment)
        except BatchError as error:
            raise StoreError(f"the rows {segment.first} to {segment.last} are damaged: {error}") from error
