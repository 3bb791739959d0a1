"""The full report of one table, as the table makes it itself, from the rows that the floor has stored."""

from collections.abc import Iterator
from itertools import pairwise

from controller.calendar import Period
from controller.currency import UNNAMED, Currency
from controller.floor.batch import BatchError, rows_of
from controller.floor.day_file import JournalName
from controller.floor.recall.excerpt import stored_round
from controller.floor.store import FloorArchive
from controller.floor.store_file import StoreError
from controller.journal.chain import JournalRow
from controller.journal.closed_files import CONTINUED
from controller.past.anchor import Anchor
from controller.past.replay.rounds import CORRECTED
from controller.past.reports.fact_collector import FactCollector, PeriodRows
from controller.past.reports.facts import Facts
from controller.past.reports.report import Report, ReportRequest, build_report
from controller.past.reports.row_reader import RowReader
from controller.table.record.kinds import SNAPSHOT
from controller.table.state.table_state import ROUNDS_KEPT

_FIRST = "SELECT first FROM round WHERE t = ? AND e = ? AND at < ? ORDER BY at DESC LIMIT 1"
_EPOCH = "SELECT e FROM round WHERE t = ? AND at >= ? AND at < ? ORDER BY at DESC LIMIT 1"
_LAST = "SELECT number FROM round WHERE t = ? AND e = ? AND at < ? ORDER BY at DESC LIMIT 1"


def journal_in(archive: FloorArchive, table: str, period: Period) -> JournalName:
    """The journal of a table with rounds in the period, the newest of several; without rounds, the journal
    that is stored. Raises StoreError, sqlite3.Error."""
    for file in archive.newest_first():
        for (epoch,) in file.database.execute(_EPOCH, (table, period.begins, period.ends)):
            return JournalName(table, epoch)
    for name in archive.heads():
        if name.table == table:
            return name
    raise StoreError(f"table {table!r}: nothing of it is stored")


def stored_currency(archive: FloorArchive, name: JournalName) -> Currency:
    """The currency of a journal; UNNAMED if no row that is stored names one. Raises StoreError,
    sqlite3.Error."""
    for file in archive.newest_first():
        if (course := file.derived.course(name.key)).currency:
            return course.money
    return UNNAMED


def table_report(archive: FloorArchive, name: JournalName, request: ReportRequest) -> Report:
    """The report of a journal. Raises StoreError, JournalError, sqlite3.Error."""
    return build_report(table_facts(archive, name, request), request)


def table_facts(archive: FloorArchive, name: JournalName, request: ReportRequest) -> Facts:
    """What the rows of a journal say about the period. Raises StoreError, JournalError, sqlite3.Error."""
    collector = FactCollector(request.period)
    corrections, last_time = list[JournalRow](), request.period.begins
    period, journal = list[JournalRow](), f"of table {name.table}"
    for row in _rows(archive, name, *_extent(archive, name, request)):
        at = row.content.at
        if at < request.period.ends:
            period.append(row)
            last_time = max(last_time, at)
        elif period:
            last_time = request.period.ends
        if row.content.kind == CORRECTED:
            corrections.append(row)
    for rows in _files(period):
        inside = [row.row for row in rows if request.period.holds(row.content.at)] or [0]
        collector.read(PeriodRows(rows[0].row, inside[0], inside[-1], RowReader(journal).read(rows)))
    first = collector.facts.first_row
    for correction in RowReader(journal).read(corrections):
        if first and correction.row > first:
            collector.read_correction(correction)
    for file in archive.newest_first():
        head = file.heads()[name]
        collector.facts.anchor = Anchor(head.row, head.hash)
        break
    return collector.finish(last_time)


def _files(rows: list[JournalRow]) -> Iterator[list[JournalRow]]:
    """The rows of each file of the table."""
    begins = [place for place, row in enumerate(rows) if row.content.kind == CONTINUED]
    for first, last in pairwise([0, *begins, len(rows)]):
        if first < last:
            yield rows[first:last]


def _extent(archive: FloorArchive, name: JournalName, request: ReportRequest) -> tuple[int, int]:
    """The snapshot before the last round that ended before the period, and the last row that can correct a
    round of it."""
    first = last = 0
    for file in archive.newest_first():
        for (row,) in file.database.execute(_FIRST, (*name.key, request.period.begins)):
            first = max(first, row)
        for (number,) in file.database.execute(_LAST, (*name.key, request.period.ends)):
            last = max(last, number)
    until = stored_round(archive, name, last + ROUNDS_KEPT + 1)
    return first or 1, until.last if until else archive.heads()[name].row


def _rows(archive: FloorArchive, name: JournalName, first: int, last: int) -> Iterator[JournalRow]:
    """The rows from the first snapshot on, or from row 1."""
    begun = False
    for day in archive.days():
        with archive.open(day) as file:
            for segment in file.segments(name, first, last):
                try:
                    rows = rows_of(segment)
                except BatchError as error:
                    place = f"{name.table}, rows {segment.first} to {segment.last}"
                    raise StoreError(f"{place}: {error}") from error
                for row in rows:
                    begun = begun or row.row == 1 or (row.row >= first and row.content.kind == SNAPSHOT)
                    if begun:
                        yield row
