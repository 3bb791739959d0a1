"""Rounds that are looked for, newest first; the journal is only read."""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from controller.past.recall.clock import ClockSet, clock_sets
from controller.past.recall.corrections import Correction, CorrectionIndex, as_corrected, persons
from controller.past.recall.places import locate_round
from controller.past.recall.query import RoundQuery, matches
from controller.past.recall.said import decisions_in_round
from controller.past.recall.stretches import (
    AFTER_LAST_ROW,
    ANY_TIME,
    MOST_ROWS,
    RowRange,
    backwards,
    checked_row,
    open_file,
    search_errors,
)
from controller.past.recall.summary import RoundSummary, dealer_of, summary
from controller.table.record.codec import read_ended
from controller.table.record.records import to_json

MOST = 100
"""Rounds in one answer."""
_ROUNDS = (
    "SELECT row FROM journal WHERE row BETWEEN :first AND :last AND kind = 'round'"
    " AND at >= :since AND at < :until"
    " AND (NOT EXISTS (SELECT 1 FROM json_each(:parts) WHERE NOT instr(body, value))"
    " OR CAST(substr(body, 20, 12) AS INTEGER) IN (SELECT value FROM json_each(:corrected)))"
    " ORDER BY row DESC"
)
"""The text of a round begins with its number, in every version."""


@dataclass(frozen=True, slots=True)
class RoundsPage:
    """`rounds`: newest first. `before`: where older ones may be, to be asked for next; 0: there are none.
    `clock`: where the clock was set, if that may have moved rounds out of the times that were asked for."""

    rounds: tuple[RoundSummary, ...]
    before: int
    clock: tuple[ClockSet, ...] = ()


def search(path: Path, query: RoundQuery, most: int = 50, furthest: int = MOST_ROWS) -> RoundsPage:
    """The newest `most` that are wanted, out of the last `furthest` rows. Raises JournalError for a journal
    that cannot be read, or is not as it was written where it was looked at."""
    with search_errors(path):
        if query.number:
            return RoundsPage(tuple(_numbered(path, query)), 0)
        found = _search(path, query, min(most, MOST), furthest)
        if query.span == ANY_TIME:
            return found
        return replace(found, clock=clock_sets(path, found.before, query.before, query.span))


def _numbered(path: Path, query: RoundQuery) -> Iterator[RoundSummary]:
    place = locate_round(path, query.number)
    if place and place.row < query.before:
        corrections = CorrectionIndex()
        corrections.read_after(path, place.row)
        yield from _within(RowRange(place.file, place.row, place.row), query, corrections)


def _search(path: Path, query: RoundQuery, most: int, furthest: int) -> RoundsPage:
    corrections, found, looked = CorrectionIndex(), list[RoundSummary](), 0
    skipped = query.before < AFTER_LAST_ROW
    for stretch in backwards(path, query.before, query.span):
        if not stretch.outside_span:
            if skipped:
                corrections.read_after(path, stretch.last + 1)
            found += islice(_within(stretch, query, corrections), most + 1 - len(found))
        skipped = stretch.outside_span
        if len(found) > most:
            return RoundsPage(tuple(found[:most]), found[most - 1].row)
        looked += stretch.cost
        if looked >= furthest and stretch.first > 1:
            return RoundsPage(tuple(found), stretch.first)
    return RoundsPage(tuple(found), 0)


def _within(stretch: RowRange, query: RoundQuery, corrections: CorrectionIndex) -> Iterator[RoundSummary]:
    """Those of one stretch; corrections of its rounds that came later are known by then."""
    with open_file(stretch.path, stretch.last) as database:
        corrections.read_rows(database, stretch.path, stretch.first, stretch.last)
        parameters = {
            "first": stretch.first, "last": stretch.last,
            "since": query.span.since, "until": query.span.until,
            "parts": json.dumps(query.parts), "corrected": json.dumps(corrections.rounds),
        }  # fmt: skip
        for (row,) in database.execute(_ROUNDS, parameters).fetchall():
            if found := _recalled(database, stretch.path, row, query, corrections):
                yield found


def _recalled(
    database: sqlite3.Connection, file: Path, row: int, query: RoundQuery, corrections: CorrectionIndex
) -> RoundSummary | None:
    """The round of a row, if it is wanted as it says now. Most are not: no record is made of those."""
    dealt = dealer_of(database, row) if query.dealer else ""
    if query.dealer.casefold() not in dealt.casefold():
        return None
    content = checked_row(database, file, row).content
    shown = json.loads(content.body)["round"]
    if shown.get("corrections"):
        corrections.read_round(database, file, row)
    about = corrections.of(shown["number"])
    named = _persons_of(database, file, row, about) if query.person else ()
    if not about and not matches(query, shown, named):
        return None
    ended = as_corrected(read_ended(content), about)
    if about and not matches(query, json.loads(to_json(ended.round)), named):
        return None
    return summary(row, content.at, ended, dealt or dealer_of(database, row))


def _persons_of(
    database: sqlite3.Connection, file: Path, row: int, about: Iterable[Correction]
) -> tuple[str, ...]:
    """Who had a word in the round of a row, or put it right."""
    return *persons(about), *(
        name for line in decisions_in_round(database, file, row) for name in line.persons
    )
