"""The audit log: who did what when, newest first, out of the journal."""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from controller.past.recall.deeds import AUDIT_KINDS, AUDIT_SORTS, ON_REQUEST_ONLY
from controller.past.recall.stretches import (
    AFTER_LAST_ROW,
    ANY_TIME,
    MOST_ROWS,
    RowRange,
    TimeSpan,
    backwards,
    checked_row,
    open_file,
    search_errors,
)
from controller.table.record.codec import read_record

MOST = 10_000
"""Lines in one answer."""
_ROWS = (
    "SELECT row FROM journal WHERE row BETWEEN :first AND :last AND at >= :since AND at < :until"
    " AND kind IN (SELECT value FROM json_each(:kinds)) ORDER BY row DESC"
)


@dataclass(frozen=True, slots=True)
class AuditQuery:
    """All of it holds; what is empty holds for any deed. `person` and `text` are a part of a name and of the
    sentence, `sort` is one of SORTS; `before`: only rows with a smaller number."""

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
        """Kinds of rows that tell of it."""
        if self.sort:
            return [kind for kind, deed in AUDIT_KINDS.items() if deed.sort == self.sort]
        return [kind for kind, deed in AUDIT_KINDS.items() if deed.sort not in ON_REQUEST_ONLY]


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One deed. `at`: seconds of Unix time; `persons`: who, and who else had to agree."""

    row: int
    at: float
    sort: str
    persons: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class AuditPage:
    """`lines`: newest first. `before`: where older ones may be, to be asked for next; 0: there are none."""

    lines: tuple[AuditLine, ...]
    before: int


def audit(path: Path, query: AuditQuery, most: int = 100, furthest: int = MOST_ROWS) -> AuditPage:
    """The newest `most` that are asked for, out of the last `furthest` rows. Raises JournalError."""
    with search_errors(path):
        return _audit(path, query, min(most, MOST), furthest)


def line_of(database: sqlite3.Connection, file: Path, row: int) -> AuditLine:
    """The deed that a row of one of DEEDS tells; its text is empty where there is none."""
    content = checked_row(database, file, row).content
    record, deed = read_record(content), AUDIT_KINDS[content.kind]
    persons = dict.fromkeys(filter(None, deed.persons(record)))
    return AuditLine(row, content.at, deed.sort, tuple(persons), deed.sentence(record))


def _audit(path: Path, query: AuditQuery, most: int, furthest: int) -> AuditPage:
    found, looked = list[AuditLine](), 0
    for stretch in backwards(path, query.before, query.span):
        if not stretch.outside_span:
            found += islice(_within(stretch, query), most + 1 - len(found))
        if len(found) > most:
            return AuditPage(tuple(found[:most]), found[most - 1].row)
        looked += stretch.cost
        if looked >= furthest and stretch.first > 1:
            return AuditPage(tuple(found), stretch.first)
    return AuditPage(tuple(found), 0)


def _within(stretch: RowRange, query: AuditQuery) -> Iterator[AuditLine]:
    with open_file(stretch.path, stretch.last) as database:
        parameters = {
            "first": stretch.first, "last": stretch.last, "since": query.span.since,
            "until": query.span.until, "kinds": json.dumps(query.kinds),
        }  # fmt: skip
        for (row,) in database.execute(_ROWS, parameters):
            line = line_of(database, stretch.path, row)
            if line.text and _matches(line, query):
                yield line


def _matches(line: AuditLine, query: AuditQuery) -> bool:
    named = any(query.person.casefold() in person.casefold() for person in line.persons)
    return (named or not query.person) and query.text.casefold() in line.text.casefold()
