"""The sessions of seats whose last round ended in a period, without reading the whole journal.

A session may have begun long before the period. So some rows before it are read, and more of them as long as
a session may have begun before those. Rows after it are read until no later round can decide anything.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.calendar import Period
from controller.journal.history import AFTER_LAST_ROW, SEARCH_ROWS, History, row_errors
from controller.past.export.chapters import RoundRows, rounds_of_rows
from controller.past.export.seat_lines import ABSENT, SeatsOfPeriod
from controller.past.export.seat_sessions import SeatSession, SeatSessions, corrected_rounds, line_of
from controller.past.reports.sources import corrections_after

_ENDED = "SELECT min(row), max(row) FROM journal WHERE kind = 'round' AND at >= ? AND at < ?"
FURTHER = 4
"""How many times as many rows before a period are read when those that were read do not suffice."""


def seats_of_period(path: Path, period: Period, absent: int = ABSENT) -> SeatsOfPeriod:
    """The sessions that `seat_sessions` finds in the whole journal for this period. Raises JournalError."""
    with row_errors(path):
        found = tuple(map(line_of, _sessions(History(path), period, absent)))
    return SeatsOfPeriod(period.key, period.begins, period.ends, found)


def _sessions(history: History, period: Period, absent: int) -> list[SeatSession]:
    first, last = _ended_in(history, period)
    if not last:
        return []
    oldest, before = history.files()[0].first, SEARCH_ROWS
    while (begin := first - before) > oldest:
        reading = _read(history, begin, last, period, absent)
        if reading.suffices(first):
            return reading.found
        before *= FURTHER
    return _read(history, oldest, last, period, absent).found


@dataclass(frozen=True, slots=True)
class _Reading:
    """The sessions of a period by the rows from `begun` on. `unsure`: as in SeatSessions."""

    found: list[SeatSession]
    begun: int
    unsure: int

    def suffices(self, first: int) -> bool:
        """Whether earlier rows would change nothing. `first`: where the first round of the period ended."""
        return self.begun <= first and all(session.first_round > self.unsure for session in self.found)


def _read(history: History, begin: int, last: int, period: Period, absent: int) -> _Reading:
    taking = SeatSessions(corrected_rounds(corrections_after(history.path, begin - 1)), absent)
    found, begun, latest = list[SeatSession](), AFTER_LAST_ROW, 0
    for chapter in _chapters(history, begin):
        row = chapter.rows[0].row
        if row > last and not taking.goes_on(latest):
            break
        begun = min(begun, row)
        if row <= last:
            latest = chapter.number
        found += taking.take(chapter)
    else:
        found += taking.rest()
    return _Reading([session for session in found if period.holds(session.ended)], begun, taking.unsure)


def _chapters(history: History, begin: int) -> Iterator[RoundRows]:
    """The rounds from a row on. A round that begins before it is left out, unless the journal has no rows
    before it."""
    if begin == history.files()[0].first:
        yield from rounds_of_rows(history.rows())
        return
    chapters = rounds_of_rows(history.rows(begin))
    next(chapters, None)
    yield from chapters


def _ended_in(history: History, period: Period) -> tuple[int, int]:
    """The rows in which the first and the last round of the period ended; 0 if none did."""
    first, last = AFTER_LAST_ROW, 0
    for file in history.files():
        with history.open(file) as reader:
            low, high = reader.select(_ENDED, (period.begins, period.ends))[0]
        if low is not None:
            first, last = min(first, low), max(last, high)
    return first, last
