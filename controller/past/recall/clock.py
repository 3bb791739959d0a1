"""Where the clock of the stamps was set: rounds beside it may bear another time than people remember."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import cast

from controller.past.recall.stretches import TimeSpan, backwards, checked_row, open_file
from controller.table.record.codec import read_record
from controller.table.record.notes import ClockStepped

LEAST = 60.0
"""Seconds; less hides no round from who looks for its time."""
MOST = 10
ROWS_AROUND = 1_000
"""Rows behind it up to which the rounds around it are shown, some twenty."""
_ROWS = "SELECT row FROM journal WHERE row BETWEEN ? AND ? AND kind = 'clock' ORDER BY row DESC"


@dataclass(frozen=True, slots=True)
class ClockSet:
    """Before that row the clock showed `before`, from it on `after`, in seconds of Unix time."""

    row: int
    before: float
    after: float


def clock_sets(path: Path, oldest: int, before: int, span: TimeSpan) -> tuple[ClockSet, ...]:
    """The newest ten of those rows, back to the oldest, that skipped or repeated a time of the span. Raises
    JournalError and sqlite3.Error."""
    return tuple(islice((each for each in _clock_steps(path, oldest, before) if _meets(each, span)), MOST))


def _clock_steps(path: Path, oldest: int, before: int) -> Iterator[ClockSet]:
    for stretch in backwards(path, before, TimeSpan()):
        if stretch.last < oldest:
            return
        with open_file(stretch.path, stretch.last) as database:
            for (row,) in database.execute(_ROWS, (max(oldest, stretch.first), stretch.last)):
                content = checked_row(database, stretch.path, row).content
                step = cast("ClockStepped", read_record(content))
                yield ClockSet(row, content.at - step.seconds, content.at)


def _meets(each: ClockSet, span: TimeSpan) -> bool:
    first, last = sorted((each.before, each.after))
    return last - first >= LEAST and first < span.until and last >= span.since
