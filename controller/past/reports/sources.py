"""The rows of a period, by their times. The clock may have been set, so the rows of a period need not be in
one piece: a file that holds any of them is read, and what a report needs of it is remembered if it is closed.

The SHA-256 of a closed file is compared with the one that the file after it names. Of the newest file, each
row is checked.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

from controller.calendar import Period
from controller.journal.chain import JournalRow, row_of
from controller.journal.history import History, HistoryFile
from controller.past.closed_file_memory import ClosedFileMemory, version_of
from controller.past.open_journal import OpenJournal
from controller.past.recall.corrections import while_correctable
from controller.past.reports.fact_collector import PeriodRows
from controller.past.reports.row_reader import CORRECTED, NEEDED, ROUND, FactRow, RowReader
from controller.past.significant import PLAY, PLAY_NAMES
from controller.table.record.kinds import SNAPSHOT

MOST_TIMES: Final = 10_000
"""Files whose times are remembered: those of years."""
MOST_FILES: Final = 100
"""Files whose rows are remembered: those of three months, which take some 350 MB."""
_TIMES = "SELECT min(at), max(at) FROM journal WHERE row <= ?"
_IN_PERIOD = "SELECT min(row), max(row) FROM journal WHERE row <= ? AND at >= ? AND at < ?"
_BEFORE_PERIOD = "SELECT max(row) FROM journal WHERE row <= ? AND at < ?"
_BODY = (
    "CASE WHEN kind = 'snapshot' AND row > (SELECT min(row) FROM journal WHERE kind = 'snapshot')"
    " THEN json_object('rules', body -> '$.rules', 'meters', body -> '$.meters') ELSE body END"
)
_NEEDED: Final = (
    f"SELECT row, at, kind, device, log, number, {_BODY}, hash FROM journal WHERE row <= :last"  # noqa: S608 - constants
    f" AND kind IN (SELECT value FROM json_each(:needed)) AND NOT ({PLAY}) ORDER BY row"
)
"""Most of a snapshot is needed only of the one with which a file begins."""
_ROUNDS = "SELECT at FROM journal WHERE kind = 'round' ORDER BY row"
_CORRECTED = "SELECT row FROM journal WHERE kind = 'corrected' AND row > ? ORDER BY row"


@dataclass(frozen=True, slots=True)
class FileTimes:
    """The earliest and the latest time of all rows of a file."""

    earliest: float
    latest: float


@dataclass(frozen=True, slots=True)
class ReportMemory:
    """What a process remembers for its next reports."""

    times: ClosedFileMemory[FileTimes] = field(default_factory=lambda: ClosedFileMemory(MOST_TIMES))
    rows: ClosedFileMemory[Sequence[FactRow]] = field(default_factory=lambda: ClosedFileMemory(MOST_FILES))


class PeriodSources:
    """The journal at `path` as it is now, for a report of a period. Use it in a `with` block, which raises
    JournalError if the journal cannot be read or is damaged where it was read."""

    def __init__(self, path: Path, period: Period, memory: ReportMemory) -> None:
        self._journal, self._period, self._memory = OpenJournal(path), period, memory
        self._files = self._journal.files
        self._room = memory.rows.most
        """How many further files can be remembered without evicting those of this report."""
        self._rounds = dict[HistoryFile, list[FactRow]]()
        """The ended rounds and the corrections in the files that were read."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        self._journal.__exit__(*error)

    def period_rows(self) -> Iterator[PeriodRows]:
        """The rows to read, oldest first. Those of each file begin with the last snapshot before the period,
        or with the file. For a period without rows, the rows before it: they tell the state of the table."""
        found = [(file, *self._inside(file)) for file in self._files]
        inside = [(file, first, last) for file, first, last in found if first]
        if sum(map(self._journal.is_final, (file for file, *_ in inside))) > self._room:
            self._room = 0  # else each file would be evicted before the next report needs it
        for file, first, last in inside:
            yield self._rows_between(file, first, last)
        if not inside:
            yield from self._rows_before()

    def corrections(self, first: int, last: int) -> Iterator[FactRow]:
        """The corrections after the row `first` of rounds that ended up to the row `last`, oldest first,
        and those that make no sense."""
        rows = (row for file in self._files if file.last > first for row in self._rounds_in(file))
        for row in while_correctable(rows, lambda row: row.kind == ROUND and row.row > last):
            if row.kind == CORRECTED and row.row > first:
                yield row

    def last_time(self) -> float:
        """The end of the period if the journal goes on after it; else the time of its last row in the
        period."""
        latest = max((times.latest for times in self._times.values()), default=self._period.begins)
        return min(max(latest, self._period.begins), self._period.ends)

    @cached_property
    def _times(self) -> Mapping[HistoryFile, FileTimes]:
        return {file: self._times_of(file) for file in self._files}

    def _times_of(self, file: HistoryFile) -> FileTimes:
        version = version_of(file)
        times = self._memory.times.find(version)
        if times is None:
            with self._journal.open(file) as reader:
                times = FileTimes(*reader.select(_TIMES, (file.last,))[0])
            self._memory.times.add(version, times)
        return times

    def _inside(self, file: HistoryFile) -> tuple[int, int]:
        """The first and the last row in the period; 0 if there is none."""
        times, period = self._times[file], self._period
        if times.latest < period.begins or times.earliest >= period.ends:
            return 0, 0
        if period.begins <= times.earliest and times.latest < period.ends:
            return file.first, file.last
        with self._journal.open(file) as reader:
            first, last = reader.select(_IN_PERIOD, (file.last, period.begins, period.ends))[0]
        return first or 0, last or 0

    def _rows_before(self) -> Iterator[PeriodRows]:
        for file in reversed(self._files):
            if self._times[file].earliest < self._period.begins:
                with self._journal.open(file) as reader:
                    (row,) = reader.select(_BEFORE_PERIOD, (file.last, self._period.begins))[0]
                yield replace(self._rows_between(file, row, row), first=0, last=0)
                return

    def _rows_between(self, file: HistoryFile, first: int, last: int) -> PeriodRows:
        begin, rows = file.first, self._rows(file)
        if first > begin:
            with self._journal.open(file) as reader:
                begin = max(begin, reader.last_of(SNAPSHOT, first + 1))
                if begin > file.first:
                    standing = RowReader(file.path).read([reader.at(begin)])
                    rows = [*standing, *(row for row in rows if row.row > begin)]
        return PeriodRows(begin, first, last, [row for row in rows if row.row <= last])

    def _rows(self, file: HistoryFile) -> Sequence[FactRow]:
        """The rows of a file that reports need."""
        version = version_of(file) if self._journal.is_final(file) else None
        rows = self._memory.rows.find(version)
        self._room -= 1
        if rows is None:
            rows = self._read(file)
            if self._room >= 0:
                self._memory.rows.add(version, rows)
        self._rounds[file] = [row for row in rows if row.kind in (ROUND, CORRECTED)]
        return rows

    def _rounds_in(self, file: HistoryFile) -> list[FactRow]:
        if file not in self._rounds:
            self._rows(file)
        return self._rounds[file]

    def _read(self, file: HistoryFile) -> Sequence[FactRow]:
        with self._journal.open(file) as reader:
            self._journal.check(file, reader)
            values = {"last": file.last, "needed": json.dumps(sorted(NEEDED)), "play": PLAY_NAMES}
            return tuple(RowReader(file.path).read(map(row_of, reader.select(_NEEDED, values))))


def corrections_after(path: Path, row: int) -> Iterator[JournalRow]:
    """All corrections after a row, oldest first, whenever their rounds ended. Raises JournalError."""
    history = History(path)
    for rows in history.forwards(row + 1):
        with history.open(rows.file) as reader:
            yield from (reader.at(found) for (found,) in reader.select(_CORRECTED, (row,)))


def round_times(path: Path) -> Iterator[float]:
    """When rounds ended, in the order of the rows, which are not checked. Raises JournalError."""
    history = History(path)
    for file in history.files():
        with history.open(file) as reader:
            yield from (at for (at,) in reader.select(_ROUNDS))
