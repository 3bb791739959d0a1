"""The audit log: who did what and when, newest first."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from math import inf
from pathlib import Path
from typing import get_args

from controller.journal.chain import JournalRow
from controller.journal.history import (
    AFTER_LAST_ROW,
    ANY_TIME,
    FileReader,
    History,
    RowRange,
    TimeSpan,
    row_errors,
)
from controller.past.recall.places import next_snapshot
from controller.past.recall.query import MOST_ROWS, SearchBudget
from controller.table.record.codec import read_record
from controller.table.record.events import Input
from controller.table.record.kinds import BY_NAME, KINDS, SNAPSHOT, Heading
from controller.table.record.notes import Note
from controller.text.characters import is_part

MOST = 10_000
"""Lines in one answer."""
AUDIT_SORTS: tuple[str, ...] = get_args(Heading)
ON_REQUEST_ONLY = frozenset({"refusal"})
"""Sorts that are listed only if the query names them: keys that come too early are many."""
_ROWS = (
    "SELECT row FROM journal WHERE row BETWEEN :first AND :last AND at >= :since AND at < :until"
    " AND kind IN (SELECT value FROM json_each(:kinds)) ORDER BY row DESC"
)
DECISION_KINDS = frozenset(
    kind.name
    for kind in KINDS
    if kind.heading in ("decision", "floor", "override", "request") and kind.name != "corrected"
)
"""Without corrections: a round lists those by themselves, with the ones that came after its end."""
_DECISION_ROWS = (
    "SELECT row FROM journal WHERE row BETWEEN ? AND ?"
    " AND kind IN (SELECT value FROM json_each(?)) ORDER BY row"
)


@dataclass(frozen=True, slots=True)
class AuditQuery:
    """A line must match all of it; what is empty matches every line. `person`: part of a name; `text`: part
    of the sentence; `sort`: one of AUDIT_SORTS; `before`: only rows with a smaller number."""

    person: str = ""
    sort: str = ""
    text: str = ""
    span: TimeSpan = ANY_TIME
    before: int = AFTER_LAST_ROW

    def __post_init__(self) -> None:
        if self.sort and self.sort not in AUDIT_SORTS:
            raise ValueError(f"sort = {self.sort!r}: not allowed; allowed: {', '.join(AUDIT_SORTS)}")

    @property
    def kinds(self) -> list[str]:
        """The kinds of rows to search."""
        wanted = {self.sort} if self.sort else set(AUDIT_SORTS) - ON_REQUEST_ONLY
        return [kind.name for kind in KINDS if kind.heading in wanted]


@dataclass(frozen=True, slots=True)
class AuditLine:
    """`at`: seconds of Unix time; `persons`: who did it, then who else had to agree."""

    row: int
    at: float
    sort: str
    persons: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class AuditPage:
    """`lines`: newest first. `before`: ask again with it for older lines; 0: there are none."""

    lines: tuple[AuditLine, ...]
    before: int


def audit(
    path: Path, query: AuditQuery, most: int = 100, furthest: int = MOST_ROWS, seconds: float = inf
) -> AuditPage:
    """The newest `most` lines that match, out of the last `furthest` rows, or of those that are read in so
    many seconds. Raises JournalError."""
    budget = SearchBudget(furthest, seconds)
    with row_errors(path):
        return _audit(History(path), query, min(most, MOST), budget)


def decisions_in_round(reader: FileReader, row: int) -> Iterator[AuditLine]:
    """The decisions and requests of the round that ends in this row, oldest first. They go on to the next
    snapshot, because the outcome of a request may stand behind the row."""
    last, kinds = next_snapshot(reader, row) or row, json.dumps(sorted(DECISION_KINDS))
    for (found,) in reader.select(_DECISION_ROWS, (reader.last_of(SNAPSHOT, row), last, kinds)):
        if line := audit_line(reader.at(found)):
            yield line


def audit_line(entry: JournalRow) -> AuditLine | None:
    """The line of a row, None if it has none. Raises what `read_record` raises."""
    kind = BY_NAME.get(entry.content.kind)
    if kind is None or kind.heading is None:
        return None
    return line_of(entry, read_record(entry.content))


def line_of(entry: JournalRow, record: Input | Note) -> AuditLine | None:
    """As `audit_line`, for a row whose record is known."""
    kind = BY_NAME[entry.content.kind]
    text = kind.sentence(record) if kind.heading and kind.audited(record) else ""
    if not (kind.heading and text):
        return None
    persons = tuple(dict.fromkeys(filter(None, kind.persons(record))))
    return AuditLine(entry.row, entry.content.at, kind.heading, persons, text)


def _audit(history: History, query: AuditQuery, most: int, budget: SearchBudget) -> AuditPage:
    lines = list[AuditLine]()
    for rows in history.backwards(query.before, query.span):
        if not rows.outside:
            lines += islice(_matching(history, rows, query), most + 1 - len(lines))
        if len(lines) > most:
            return AuditPage(tuple(lines[:most]), lines[most - 1].row)
        budget.spend(rows.cost)
        if budget.spent and rows.first > 1:
            return AuditPage(tuple(lines), rows.first)
    return AuditPage(tuple(lines), 0)


def _matching(history: History, rows: RowRange, query: AuditQuery) -> Iterator[AuditLine]:
    parameters = {
        "first": rows.first,
        "last": rows.last,
        "since": query.span.since,
        "until": query.span.until,
        "kinds": json.dumps(query.kinds),
    }
    with history.open(rows.file) as reader:
        for (row,) in reader.select(_ROWS, parameters):
            line = audit_line(reader.at(row))
            if line and _matches(line, query):
                yield line


def _matches(line: AuditLine, query: AuditQuery) -> bool:
    named = any(is_part(query.person, person) for person in line.persons)
    return (named or not query.person) and is_part(query.text, line.text)
