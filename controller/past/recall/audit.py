"""The audit log: who did what when, newest first, out of the journal."""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from controller.past.recall.deeds import DEEDS, QUIET, SORTS
from controller.past.recall.stretches import (
    EVER,
    FURTHEST,
    LAST,
    Span,
    Stretch,
    backwards,
    entry,
    opened,
    searched,
)
from controller.table.record.codec import read_record

MOST = 10_000
"""Lines in one answer."""
_ROWS = (
    "SELECT row FROM journal WHERE row BETWEEN :first AND :last AND at >= :since AND at < :until"
    " AND kind IN (SELECT value FROM json_each(:kinds)) ORDER BY row DESC"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """All of it holds; what is empty holds for any deed. `person` and `text` are a part of a name and of the
    sentence, `sort` is one of SORTS; `before`: only rows with a smaller number."""

    person: str = ""
    sort: str = ""
    text: str = ""
    span: Span = EVER
    before: int = LAST

    def __post_init__(self) -> None:
        if self.sort and self.sort not in SORTS:
            raise ValueError(f"sort = {self.sort!r}: not allowed; allowed: {', '.join(SORTS)}")

    @property
    def kinds(self) -> list[str]:
        """Kinds of rows that tell of it."""
        if self.sort:
            return [kind for kind, deed in DEEDS.items() if deed.sort == self.sort]
        return [kind for kind, deed in DEEDS.items() if deed.sort not in QUIET]


@dataclass(frozen=True, slots=True)
class Line:
    """One deed. `at`: seconds of Unix time; `persons`: who, and who else had to agree."""

    row: int
    at: float
    sort: str
    persons: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Log:
    """`lines`: newest first. `before`: where older ones may be, to be asked for next; 0: there are none."""

    lines: tuple[Line, ...]
    before: int


def audit(path: Path, asked: Asked, most: int = 100, furthest: int = FURTHEST) -> Log:
    """The newest `most` that are asked for, out of the last `furthest` rows. Raises JournalError."""
    with searched(path):
        return _audit(path, asked, min(most, MOST), furthest)


def line_of(database: sqlite3.Connection, file: Path, row: int) -> Line:
    """The deed that a row of one of DEEDS tells; its text is empty where there is none."""
    kept = entry(database, file, row).content
    told, deed = read_record(kept), DEEDS[kept.kind]
    persons = dict.fromkeys(filter(None, deed.persons(told)))
    return Line(row, kept.at, deed.sort, tuple(persons), deed.says(told))


def _audit(path: Path, asked: Asked, most: int, furthest: int) -> Log:
    found, looked = list[Line](), 0
    for stretch in backwards(path, asked.before, asked.span):
        if not stretch.beside:
            found += islice(_within(stretch, asked), most + 1 - len(found))
        if len(found) > most:
            return Log(tuple(found[:most]), found[most - 1].row)
        looked += stretch.cost
        if looked >= furthest and stretch.first > 1:
            return Log(tuple(found), stretch.first)
    return Log(tuple(found), 0)


def _within(stretch: Stretch, asked: Asked) -> Iterator[Line]:
    with opened(stretch.path, stretch.last) as database:
        wanted = {
            "first": stretch.first, "last": stretch.last, "since": asked.span.since,
            "until": asked.span.until, "kinds": json.dumps(asked.kinds),
        }  # fmt: skip
        for (row,) in database.execute(_ROWS, wanted):
            line = line_of(database, stretch.path, row)
            if line.text and _is(line, asked):
                yield line


def _is(line: Line, asked: Asked) -> bool:
    named = any(asked.person.casefold() in person.casefold() for person in line.persons)
    return (named or not asked.person) and asked.text.casefold() in line.text.casefold()
