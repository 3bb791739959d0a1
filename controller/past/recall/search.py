"""Search a journal for rounds, newest first."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice, takewhile
from math import inf
from pathlib import Path
from typing import cast

from controller.journal.chain import JournalRow
from controller.journal.history import (
    AFTER_LAST_ROW,
    ANY_TIME,
    FileReader,
    History,
    HistoryFile,
    RowRange,
    TimeSpan,
    row_errors,
)
from controller.past.closed_file_memory import ClosedFileMemory, FileVersion, version_of
from controller.past.open_journal import CheckedRows, OpenJournal
from controller.past.recall.audit import decisions_in_round
from controller.past.recall.corrections import Correction, CorrectionIndex, as_corrected, persons
from controller.past.recall.file_index import MOST_INDEXES, FileIndex, clock_rows
from controller.past.recall.places import locate_round
from controller.past.recall.query import MOST_ROWS, RoundQuery, SearchBudget, matches
from controller.past.recall.summary import RoundSummary, dealer_of, summary
from controller.table.record.codec import read_ended, read_record, to_json
from controller.table.record.notes import ClockStepped
from controller.text.characters import is_part

MOST = 100
"""Rounds in one answer."""
MOST_CLOCK_SETS = 10
LEAST_CLOCK_STEP = 60.0
"""Seconds. A smaller step hides no round from a person who looks for its time."""
ROWS_AROUND = 1_000
"""Rows after a clock step in which the rounds around it, about twenty, are shown."""


@dataclass(frozen=True, slots=True)
class ClockSet:
    """Before this row the clock showed `before`, from it on `after`, in seconds of Unix time."""

    row: int
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class RoundsPage:
    """`rounds`: newest first. `before`: ask again with it for older rounds; 0: there are none. `clock`: steps
    of the clock that may have moved rounds out of the times that were asked for, newest first."""

    rounds: tuple[RoundSummary, ...]
    before: int
    clock: tuple[ClockSet, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchMemory:
    """What a process remembers for its next searches."""

    indexes: ClosedFileMemory[FileIndex] = field(default_factory=lambda: ClosedFileMemory(MOST_INDEXES))
    checked: CheckedRows = field(default_factory=CheckedRows)


def search(
    path: Path,
    query: RoundQuery,
    most: int = 50,
    furthest: int = MOST_ROWS,
    memory: SearchMemory | None = None,
    seconds: float = inf,
) -> RoundsPage:
    """The newest `most` rounds that match. Searches the files that are in `memory`, and up to `furthest` rows
    of others, whose indexes it adds there. After so many seconds it begins no further file. Raises
    JournalError for a journal that cannot be read, or that is damaged where it was read."""
    if query.number:
        with row_errors(path):
            return RoundsPage(tuple(_by_number(History(path), query)), 0)
    memory, budget = memory or SearchMemory(), SearchBudget(furthest, seconds)
    with OpenJournal(path, memory.checked) as journal:
        return _Search(journal, query, memory.indexes, budget).page(min(most, MOST))


def _by_number(history: History, query: RoundQuery) -> Iterator[RoundSummary]:
    location = locate_round(history, query.number)
    if location and location.row < query.before:
        corrections = CorrectionIndex()
        corrections.read_after(history, location.row)
        with history.open(location.file) as reader, row_errors(location.file.path):
            corrections.read_round(reader, location.row)
            found = _Candidates(history, query, corrections, reader).summary(location.row)
        if found and query.span.since <= found.at < query.span.until:
            yield found


class _Search:
    """Files are searched newest first, so that the later corrections of each round are known, unless rows
    after it were passed over."""

    def __init__(
        self,
        journal: OpenJournal,
        query: RoundQuery,
        indexed: ClosedFileMemory[FileIndex],
        budget: SearchBudget,
    ) -> None:
        self._journal, self._query, self._indexed, self._budget = journal, query, indexed, budget
        self._files = [file for file in reversed(journal.files) if file.first < query.before]
        self._indexes = dict[HistoryFile, FileIndex]()
        self._corrections = CorrectionIndex()
        self._fitting, self._named = set[int](), set[int]()
        self._passed_over = query.before < AFTER_LAST_ROW

    def page(self, most: int) -> RoundsPage:
        rounds = list[RoundSummary]()
        for file in self._files:
            rounds += islice(self._in_file(file), most + 1 - len(rounds))
            if len(rounds) > most:
                return self._page(rounds[:most], rounds[most - 1].row)
            if self._budget.spent and file.first > 1:
                return self._page(rounds, file.first)
        return self._page(rounds, 0)

    def _in_file(self, file: HistoryFile) -> Iterator[RoundSummary]:
        """A file whose index is there is only opened if a round may match."""
        version = version_of(file) if self._journal.is_final(file) else None
        index = self._indexed.find(version)
        rows = self._candidates(file, index) if index else []
        if index and not rows:
            return
        with self._journal.open(file) as reader, row_errors(file.path):
            if index is None:
                rows = self._candidates(file, self._read(file, version, reader))
            candidates = _Candidates(self._journal.history, self._query, self._corrections, reader)
            yield from filter(None, map(candidates.summary, rows))

    def _read(self, file: HistoryFile, version: FileVersion | None, reader: FileReader) -> FileIndex | None:
        """The index of a file; None if none of its rows before that of the query has a time in the span."""
        last, span = min(file.last, self._query.before - 1), self._query.span
        outside = span != ANY_TIME and not reader.has_time(last, span)
        self._budget.spend(RowRange(file, file.first, last, outside).cost)
        if outside:
            return None
        self._journal.check(file, reader)
        index = FileIndex(reader)
        self._indexed.add(version, index)
        return index

    def _candidates(self, file: HistoryFile, index: FileIndex | None) -> list[int]:
        """The rows of rounds that may match; none for a file that is passed over."""
        if index is None:
            self._passed_over = True
            return []
        self._indexes[file] = index
        if self._passed_over:
            self._corrections.read_after(self._journal.history, min(file.last + 1, self._query.before))
            self._fitting.update(self._corrections.rounds)
            self._named.update(self._corrections.rounds)
            self._passed_over = False
        for each in index.corrections(self._query):
            self._corrections.add(each.number, each.row)
            self._fitting |= {each.number} if each.fits else set()
            self._named |= {each.number} if each.named else set()
        return index.candidates(self._query, self._fitting, self._named)

    def _page(self, rounds: list[RoundSummary], before: int) -> RoundsPage:
        if self._query.span == ANY_TIME:
            return RoundsPage(tuple(rounds), before)
        steps = (step for step in self._clock_steps(before) if _touches(step, self._query.span))
        return RoundsPage(tuple(rounds), before, tuple(islice(steps, MOST_CLOCK_SETS)))

    def _clock_steps(self, oldest: int) -> Iterator[ClockSet]:
        """The steps of the clock back to the row `oldest`, newest first."""
        for file in takewhile(lambda file: file.last >= oldest, self._files):
            index, span = self._indexes.get(file), (oldest, self._query.before)
            if index and not index.clock_rows(*span):
                continue
            with self._journal.open(file) as reader, row_errors(file.path):
                for row in index.clock_rows(*span) if index else clock_rows(reader, *span):
                    content = reader.at(row).content
                    record = cast("ClockStepped", read_record(content))
                    yield ClockSet(row, content.at - record.seconds, content.at)


class _Candidates:
    """Reads candidates from an open file of the journal and compares them with a query."""

    def __init__(
        self, history: History, query: RoundQuery, corrections: CorrectionIndex, reader: FileReader
    ) -> None:
        self._history, self._query, self._corrections, self._reader = history, query, corrections, reader

    def summary(self, row: int) -> RoundSummary | None:
        """None if the round does not match. Compares plain JSON first: making a record of every round would
        take most of the time."""
        query, reader, content = self._query, self._reader, self._reader.at(row).content
        shown = json.loads(content.body)["round"]
        corrected = self._corrections.of(shown["number"], self._row)
        names = _persons_of(reader, row, corrected) if query.person else ()
        if not corrected and not matches(query, shown, names):
            return None
        dealer = dealer_of(reader, row)
        if not is_part(query.dealer, dealer):
            return None
        ended = as_corrected(read_ended(content), corrected)
        if corrected and not matches(query, json.loads(to_json(ended.round)), names):
            return None
        return summary(row, content.at, ended, dealer)

    def _row(self, row: int) -> JournalRow:
        """A row of this file, or of a later one."""
        return self._reader.at(row) if self._reader.has(row) else self._history.at(row)


def _persons_of(reader: FileReader, row: int, corrected: Iterable[Correction]) -> tuple[str, ...]:
    """Who corrected the round that ends in this row, and who decided or asked for something in it."""
    decisions = (name for line in decisions_in_round(reader, row) for name in line.persons)
    return *persons(corrected), *decisions


def _touches(step: ClockSet, span: TimeSpan) -> bool:
    first, last = sorted((step.before, step.after))
    return last - first >= LEAST_CLOCK_STEP and first < span.until and last >= span.since
