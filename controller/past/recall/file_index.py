"""What a search knows of the rounds in one file of the journal, in memory.

Theory of operation. To find the rounds of a file, a program reads all its rows, of which one in some forty
ends a round, and parses the JSON of each round. That takes longer than everything else in a search. A
FileIndex is made from one such reading: an SQLite table in memory with the condensed rounds and corrections
of the file. It answers one question, which rows may match a query, and it may name a row too many, never one
too few.

- The file is checked as a whole before its index is made (open_journal.py). Damage could make a round match
  no query any more, and an index would never name it.
- An index is not the truth. Each row that it names is read from the journal again, follows from the row
  before it, and is compared with the query. What a person sees comes from there.
- An index cannot be stale: only those of closed files are remembered (closed_file_memory.py). The index of
  the live file serves one question.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from controller.journal.history import FileReader
from controller.past.recall.audit import DECISION_KINDS, audit_line
from controller.past.recall.condensed import condense, condition, parameters
from controller.past.recall.query import JsonObject, RoundQuery
from controller.past.recall.summary import dealer_in
from controller.table.record.events import DealerOn
from controller.table.record.kinds import BY_RECORD, SNAPSHOT
from controller.table.record.notes import ClockStepped, RoundCorrected, RoundEnded
from controller.text.characters import is_part

MOST_INDEXES: Final = 200
"""Indexes that one process remembers: those of ten million rows, which take some 130 MB."""
ROUND, CORRECTED, DEALER, CLOCK = (
    BY_RECORD[record].name for record in (RoundEnded, RoundCorrected, DealerOn, ClockStepped)
)
_PARSED: Final = {ROUND, CORRECTED, DEALER}
"""The kinds whose JSON is read."""
_ROWS: Final = (
    "SELECT row, at, kind, CASE WHEN kind IN (SELECT value FROM json_each(:parsed)) THEN body END"
    " FROM journal WHERE kind <> 'event' AND kind IN (SELECT value FROM json_each(:kinds)) ORDER BY row"
)
_FIRST_SNAPSHOT: Final = "SELECT body FROM journal WHERE kind = 'snapshot' ORDER BY row LIMIT 1"
_TABLES: Final = (
    "CREATE TABLE round (row INTEGER PRIMARY KEY, number INTEGER, at REAL, dealer TEXT, persons TEXT,"
    " outcome TEXT, won_most INTEGER, cards TEXT, lines TEXT)",
    "CREATE TABLE correction (row INTEGER PRIMARY KEY, number INTEGER, persons TEXT,"
    " outcome TEXT, won_most INTEGER, cards TEXT, lines TEXT)",
    "CREATE TABLE clock (row INTEGER PRIMARY KEY)",
)
_INSERT: Final = {
    "round": "INSERT INTO round VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "correction": "INSERT INTO correction VALUES (?, ?, ?, ?, ?, ?, ?)",
    "clock": "INSERT INTO clock VALUES (?)",
}
_UNCHANGED: Final = (None, None, None, None)
"""Stands for the condensed round of a correction during the round: the round itself has it."""
_CANDIDATES: Final = (
    "SELECT row FROM round WHERE row < :before AND at >= :since AND at < :until AND ({context})"
    " AND (({content}) OR number IN (SELECT value FROM json_each(:fitting))) ORDER BY row DESC"
)
_CONTEXT: Final = {
    "dealers": "dealer IN (SELECT value FROM json_each(:dealers))",
    "persons": "(persons IN (SELECT value FROM json_each(:persons))"
    " OR number IN (SELECT value FROM json_each(:named)))",
}
_CLOCK_ROWS: Final = "SELECT row FROM journal WHERE row BETWEEN ? AND ? AND kind = 'clock' ORDER BY row DESC"
_NAMES: Final = {
    "dealers": "SELECT DISTINCT dealer FROM round",
    "persons": "SELECT DISTINCT persons FROM round",
}


@dataclass(frozen=True, slots=True)
class IndexedCorrection:
    """A correction of the round `number`. `fits`: the content of the round may match since; `named`: a person
    who made it may be the one of the query."""

    row: int
    number: int
    fits: bool
    named: bool


class FileIndex:
    """The rounds and corrections of a file that was checked, and the rows in which its clock was set."""

    def __init__(self, reader: FileReader) -> None:
        self._database = sqlite3.connect(":memory:", isolation_level=None)
        for statement in _TABLES:
            self._database.execute(statement)
        self._database.execute("BEGIN")
        for table, fields in _Reading(reader).records():
            self._database.execute(_INSERT[table], fields)
        self._database.execute("COMMIT")

    def corrections(self, query: RoundQuery) -> list[IndexedCorrection]:
        content = _content(query)
        statement = f"SELECT row, number, persons, {_all_of(map(condition, content))} FROM correction"  # noqa: S608 - constants
        return [
            IndexedCorrection(row, number, bool(fits), is_part(query.person, persons))
            for row, number, persons, fits in self._database.execute(statement, content)
        ]

    def candidates(self, query: RoundQuery, fitting: Iterable[int], named: Iterable[int]) -> list[int]:
        """The rows of rounds that may match, newest first. The content of the rounds with the numbers
        `fitting` may match because of a correction, and so may the persons of those in `named`."""
        content = _content(query)
        context = {
            name: json.dumps(self._names(name, part))
            for name, part in (("dealers", query.dealer), ("persons", query.person))
            if part
        }
        statement = _CANDIDATES.format(
            context=_all_of(_CONTEXT[name] for name in context), content=_all_of(map(condition, content))
        )
        values = {
            **content,
            **context,
            "before": query.before,
            "since": query.span.since,
            "until": query.span.until,
            "fitting": self._here(fitting),
            "named": self._here(named),
        }
        return [row for (row,) in self._database.execute(statement, values)]

    def clock_rows(self, first: int, before: int) -> list[int]:
        """The rows from `first` on and before another one in which the clock was set, newest first."""
        query = "SELECT row FROM clock WHERE row BETWEEN ? AND ? ORDER BY row DESC"
        return [row for (row,) in self._database.execute(query, (first, before - 1))]

    def _names(self, which: str, part: str) -> list[str]:
        """The dealers, or the persons of a round, whose names contain this part."""
        return [names for (names,) in self._database.execute(_NAMES[which]) if is_part(part, names)]

    def _here(self, numbers: Iterable[int]) -> str:
        """Those of the rounds that ended in this file, as JSON."""
        first, last = self._database.execute("SELECT min(number), max(number) FROM round").fetchone()
        return json.dumps([number for number in numbers if (first or 0) <= number <= (last or 0)])


def clock_rows(reader: FileReader, first: int, before: int) -> list[int]:
    """As `FileIndex.clock_rows`, from the file itself."""
    return [row for (row,) in reader.select(_CLOCK_ROWS, (first, before - 1))]


class _Reading:
    """Reads a file once, in the order of its rows."""

    def __init__(self, reader: FileReader) -> None:
        self._reader = reader
        self._ended: list[tuple[int, float, JsonObject]] = []
        """Rounds that ended since the last snapshot."""
        self._names = list[str]()
        """Who decided or asked for something since the last snapshot."""
        snapshots = reader.select(_FIRST_SNAPSHOT)
        self._dealer = dealer_in(snapshots[0][0]) if snapshots else ""

    def records(self) -> Iterator[tuple[str, tuple[object, ...]]]:
        """A table, and the fields of a row of it."""
        kinds = {SNAPSHOT, CLOCK, *_PARSED, *DECISION_KINDS}
        values = {"kinds": json.dumps(sorted(kinds)), "parsed": json.dumps(sorted(_PARSED))}
        for row, at, kind, body in self._reader.select(_ROWS, values):
            record = json.loads(body) if body else {}
            if kind == ROUND:
                self._ended.append((row, at, record["round"]))
            elif kind == SNAPSHOT:
                yield from self._rounds()
            elif kind == CORRECTED:
                ended = record.get("ended")
                condensed = condense(ended["round"]) if ended else _UNCHANGED
                persons = f"{record['who']}\n{record['second']}"
                yield "correction", (row, record["number"], persons, *condensed)
            elif kind == DEALER:
                self._dealer = record["who"]
            elif kind == CLOCK:
                yield "clock", (row,)
            else:
                self._add_names(row)
        yield from self._rounds()

    def _rounds(self) -> Iterator[tuple[str, tuple[object, ...]]]:
        """The rounds before a snapshot: it has the dealer, and what was decided about them comes before
        it."""
        persons = "\n".join(dict.fromkeys(self._names))
        for row, at, shown in self._ended:
            yield "round", (row, shown["number"], at, self._dealer, persons, *condense(shown))
        self._ended, self._names = [], []

    def _add_names(self, row: int) -> None:
        if line := audit_line(self._reader.at(row)):
            self._names += line.persons


def _content(query: RoundQuery) -> dict[str, object]:
    """The parameters of what a round itself must meet, no matter who dealt it and when it ended."""
    over = {} if query.over is None else {"over": query.over}
    return {**dict(parameters(query)), **over}


def _all_of(conditions: Iterable[str]) -> str:
    return " AND ".join(conditions) or "TRUE"
