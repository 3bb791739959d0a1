"""The rows of a period, by their times. The clock may have been set, so the rows of a period need not be in
one piece: a file that holds any of them is read from its beginning, and its rows are checked."""

from collections.abc import Iterator
from pathlib import Path

from controller.calendar import Period
from controller.journal.chain import JournalRow
from controller.journal.history import History, HistoryFile
from controller.table.record.kinds import SNAPSHOT

_IN_PERIOD = "SELECT min(row), max(row) FROM journal WHERE at >= ? AND at < ?"
_BEFORE_PERIOD = "SELECT max(row) FROM journal WHERE at < ?"
_LAST_TIME = (
    "SELECT EXISTS (SELECT 1 FROM journal WHERE at >= ?),"
    " (SELECT max(at) FROM journal WHERE at >= ? AND at < ?)"
)
_ROUNDS = "SELECT at FROM journal WHERE kind = 'round' ORDER BY row"
_CORRECTED = "SELECT row FROM journal WHERE kind = 'corrected' AND row > ? ORDER BY row"


def period_rows(path: Path, period: Period) -> Iterator[Iterator[JournalRow]]:
    """The rows to read for a period, oldest first, one iterator for each file. Each begins with the last
    snapshot before the period, or with the file. For a period without rows, the rows before it: they tell the
    state of the table. Raises JournalError."""
    history = History(path)
    for file, first, last in list(_in_period(history, period)) or list(_before_period(history, period)):
        with history.open(file) as reader:
            begin = reader.last_of(SNAPSHOT, first + 1)
        yield history.rows(max(begin, file.first), last)


def corrections(path: Path, after: int) -> Iterator[JournalRow]:
    """All corrections of ended rounds after a row, oldest first. Raises JournalError."""
    history = History(path)
    for rows in history.forwards(after + 1):
        with history.open(rows.file) as reader:
            yield from (reader.at(row) for (row,) in reader.select(_CORRECTED, (after,)))


def last_time(path: Path, period: Period) -> float:
    """The end of the period if the journal goes on after it; else the time of its last row in the period.
    Raises JournalError."""
    history, last = History(path), period.begins
    for file in reversed(history.files()):
        with history.open(file) as reader:
            after, inside = reader.select(_LAST_TIME, (period.ends, period.begins, period.ends))[0]
        if after:
            return period.ends
        last = max(last, inside or last)
    return last


def round_times(path: Path) -> Iterator[float]:
    """When rounds ended, in the order of the rows, which are not checked. Raises JournalError."""
    history = History(path)
    for file in history.files():
        with history.open(file) as reader:
            yield from (at for (at,) in reader.select(_ROUNDS))


def _in_period(history: History, period: Period) -> Iterator[tuple[HistoryFile, int, int]]:
    """The first and the last row of the period in each file that has any."""
    for file in history.files():
        with history.open(file) as reader:
            first, last = reader.select(_IN_PERIOD, (period.begins, period.ends))[0]
        if first is not None:
            yield file, first, last


def _before_period(history: History, period: Period) -> Iterator[tuple[HistoryFile, int, int]]:
    """The last row before the period."""
    for file in reversed(history.files()):
        with history.open(file) as reader:
            (row,) = reader.select(_BEFORE_PERIOD, (period.begins,))[0]
        if row is not None:
            yield file, row, row
            return
