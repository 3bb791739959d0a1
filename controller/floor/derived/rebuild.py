"""Computes the derived records of a gaming day again, from the batches in its file."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from controller.floor.batch import BatchError, rows_of
from controller.floor.day_file import DayFile, DayReader, JournalName
from controller.floor.derived.reader import derive
from controller.floor.derived.records import Course, DerivedRecords
from controller.floor.derived.tables import FindRound
from controller.floor.store import FloorArchive, find_earlier
from controller.floor.store_file import StoreError


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What one gaming day holds."""

    journals: int
    rows: int
    rounds: int


@dataclass(frozen=True, slots=True)
class DerivedBatch:
    """What the rows of one batch say, how play stood after them, and when they were written."""

    records: DerivedRecords
    course: Course
    times: tuple[float, ...]


def rebuild(archive: FloorArchive, day: date) -> Rebuilt:
    """Write the derived records of a day again. The floor's service may run: each journal is a transaction of
    its own. Raises StoreError, OSError."""
    archive.open(day).close()
    currencies = _currencies_before(archive, day)
    file, rows, rounds = DayFile(archive.path(day)), 0, 0
    try:
        journals = file.journals()
        for name in journals:
            with file.transaction():
                file.name_opening_currency(name, currencies.get(name, ""))
                for derived in rewrite(file, file, name, find_earlier(archive, day)):
                    rows += len(derived.times)
                    rounds += len(derived.records.rounds)
    finally:
        file.close()
    if day != archive.days()[-1]:
        archive.note_span(day)
    return Rebuilt(len(journals), rows, rounds)


def _currencies_before(archive: FloorArchive, day: date) -> dict[JournalName, str]:
    """The code of the currency of each journal at the end of the day before. Raises StoreError."""
    before = [each for each in archive.days() if each < day]
    if not before:
        return {}
    with archive.open(before[-1]) as file:
        return {name: file.derived.course(name.key).currency for name in file.heads()}


def rewrite(
    source: DayReader, target: DayFile, name: JournalName, find_round: FindRound
) -> Iterator[DerivedBatch]:
    """Write what the batches of a journal in `source` say into `target`, batch by batch. Raises
    StoreError."""
    target.derived.clear(name.key)
    course = opening_course(source, name)
    for derived in derived_batches(source, name, course):
        target.derived.write(name.key, derived.records, find_round)
        target.derived.extend_span(derived.times)
        target.derived.set_course(name.key, derived.course)
        yield derived


def opening_course(file: DayReader, name: JournalName) -> Course:
    """How play stood when the file began."""
    opening = file.openings().get(name)
    return opening.course if opening else Course()


def derived_batches(file: DayReader, name: JournalName, course: Course) -> Iterator[DerivedBatch]:
    """What the batches of a journal say, oldest first. Raises StoreError for a batch that cannot be read."""
    for segment in file.segments(name):
        try:
            rows = rows_of(segment)
        except BatchError as error:
            place = f"{name.table} {name.epoch}, rows {segment.first} to {segment.last}"
            raise StoreError(f"{file.path}: {place}: {error}") from error
        records, course = derive(rows, course)
        yield DerivedBatch(records, course, tuple(row.content.at for row in rows))
