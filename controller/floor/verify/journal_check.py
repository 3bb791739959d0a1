"""Checks one journal through the files of the store: each batch follows from the one before, each signature
is one of the table's key, each file ends with the head and the anchor that it states, and the derived tables
are what the rows say."""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

from controller.floor.batch import Batch, BatchError, rows_of
from controller.floor.day_file import DayReader, FloorHead, JournalName
from controller.floor.derived.reader import derive
from controller.floor.derived.records import Course, StoredRound
from controller.floor.derived.tables import STATEMENTS, DerivedTables, FindRound, Journal
from controller.floor.projector import Admission
from controller.floor.signatures import WrongSignature, verified
from controller.floor.store import FloorArchive, find_earlier
from controller.floor.verify.findings import About, FloorFinding, JournalFindings
from controller.journal.chain import JournalRow
from controller.journal.signing import Checkpoint

ROW_COLUMN: Final = {"round": 4, "action": 2, "event": 2, "hit": 2, "reading": 2}
"""By derived table, the place of the column with the row from which a record follows."""


@dataclass(frozen=True, slots=True)
class JournalTask:
    """A journal, the days whose files are checked, oldest first, and what two persons decided about it.
    `admitted`: all admissions ever; `accepted`: with which rows it went on after gaps."""

    stores: Path
    name: JournalName
    days: tuple[date, ...]
    admitted: tuple[Admission, ...]
    accepted: tuple[Admission, ...]


@dataclass(frozen=True, slots=True)
class JournalResult:
    """What was checked, and what is wrong."""

    name: JournalName
    batches: int
    rows: int
    findings: tuple[FloorFinding, ...]
    more: int


def check_journal(task: JournalTask) -> JournalResult:
    """Raises StoreError for a file that cannot be used."""
    return _JournalCheck(task).run()


class _JournalCheck:
    def __init__(self, task: JournalTask) -> None:
        self._task, self._archive = task, FloorArchive(task.stores)
        self._findings = JournalFindings(task.name)
        self._head: FloorHead | None = None
        self._anchor: Checkpoint | None = None
        self._course = Course()
        self._batches = self._rows = 0
        self._day, self._damaged = "", False

    def run(self) -> JournalResult:
        for day in self._task.days:
            self._day = day.isoformat()
            with self._archive.open(day) as file, file.moment():
                self._check_file(file, day)
        found = self._findings
        return JournalResult(self._task.name, self._batches, self._rows, tuple(found.found), found.more)

    def _check_file(self, file: DayReader, day: date) -> None:
        self._begin(file)
        expected = _ExpectedTables(file, self._task.name, find_earlier(self._archive, day))
        for segment in file.segments(self._task.name):
            self._batches += 1
            if rows := self._read(segment):
                self._rows += len(rows)
                self._follow(segment, rows)
                self._course = expected.add(rows, self._course)
        if not self._damaged:
            self._compare_end(file)
            for what, row in expected.differences(self._course):
                advice = f"; tableside floor rebuild {day} derives them again"
                self._add("derived", row, f"{what} not those of the rows{advice}")

    def _begin(self, file: DayReader) -> None:
        """The file begins where the one before ended. Before the first file that is checked, what it states
        itself is taken."""
        opening, self._damaged = file.openings().get(self._task.name), False
        if opening is None:
            return
        if self._head and opening.head != self._head:
            self._add("head", opening.head.row, f"the file before ends with row {self._head.row} and not so")
        if self._head is None:
            self._course = opening.course
        self._head = opening.head

    def _read(self, segment: Batch) -> Sequence[JournalRow]:
        try:
            return rows_of(segment)
        except BatchError as error:
            self._add("damage", segment.first, str(error))
            self._damaged = True
            return ()

    def _follow(self, segment: Batch, rows: Sequence[JournalRow]) -> None:
        head = self._place_before(segment)
        try:
            self._head, signed = verified(head, rows)
            self._anchor = signed or self._anchor
        except WrongSignature as error:
            self._add("signature", error.row, error.why)
            last = rows[-1]
            self._head = FloorHead(last.row, last.hash, last.content.at, head.public)

    def _place_before(self, segment: Batch) -> FloorHead:
        """The head before a batch: where the stored rows end, or where two persons said that they begin or go
        on. Anything else is a finding, apart from the batch after a damaged one."""
        head, place = self._head, (segment.first, segment.before)
        if head and (head.row + 1, head.hash) == place:
            return head
        decided = self._task.accepted if head else self._task.admitted
        known = next((one for one in decided if (one.first, one.before) == place), None)
        if known is None and not self._damaged:
            self._add("chain", segment.first, self._why_not(segment))
        signer = head or known or next(iter(self._task.admitted), None)
        return FloorHead(segment.first - 1, segment.before, 0.0, signer.public if signer else b"")

    def _why_not(self, segment: Batch) -> str:
        if self._head is None:
            return "no admitted journal begins with this row and the hash before it"
        if segment.first == self._head.row + 1:
            return f"it does not follow from row {self._head.row}"
        return f"it comes after row {self._head.row}, and that gap is not accepted"

    def _compare_end(self, file: DayReader) -> None:
        head, name = file.heads().get(self._task.name), self._task.name
        if self._head and head != self._head:
            self._add("head", self._head.row, f"the file says that the rows end with row {head and head.row}")
        if self._anchor and file.anchors().get(name) != self._anchor:
            self._add("anchor", self._anchor.row, "the file has another anchor than the last signature")

    def _add(self, about: About, row: int, what: str) -> None:
        self._findings.add(about, self._day, row, what)


class _ExpectedTables:
    """The derived tables of a file as its rows have them."""

    def __init__(self, file: DayReader, name: JournalName, find_earlier: FindRound) -> None:
        self._file, self._name, self._find_earlier = file, name, find_earlier
        self._times = list[float]()
        database = sqlite3.connect(":memory:")
        for statement in STATEMENTS:
            database.execute(statement)
        self._tables = DerivedTables(database)

    def add(self, rows: Sequence[JournalRow], course: Course) -> Course:
        records, course = derive(rows, course)
        self._tables.write(self._name.key, records, self._find)
        times = [row.content.at for row in rows]
        self._times += (min(times), max(times))
        return course

    def differences(self, course: Course) -> Iterator[tuple[str, int]]:
        """What differs, with the first row that shows it. `course`: after the last row."""
        key = self._name.key
        found, expected = self._file.derived.rows(key), self._tables.rows(key)
        for table, rows in expected.items():
            if differing := set(found[table]) ^ set(rows):
                yield f"the {table}s are", min(row[ROW_COLUMN[table]] for row in differing)
        if self._times and self._file.derived.course(key) != course:
            yield "dealer and game are", 0
        span = self._file.derived.span()
        if self._times and not (span and span.since <= min(self._times) <= max(self._times) <= span.until):
            yield "the earliest and the latest time are", 0

    def _find(self, journal: Journal, number: int) -> StoredRound | None:
        return self._find_earlier(journal, number) or self._file.derived.round(journal, number)
