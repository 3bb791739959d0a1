"""Search a journal for rounds, newest first."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import cast

from controller.journal.history import (
    AFTER_LAST_ROW,
    ANY_TIME,
    FileReader,
    History,
    RowRange,
    TimeSpan,
    row_errors,
)
from controller.past.recall.audit import decisions_in_round
from controller.past.recall.corrections import Correction, CorrectionIndex, as_corrected, persons
from controller.past.recall.places import locate_round
from controller.past.recall.query import MOST_ROWS, RoundQuery, matches
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
_ROUNDS = (
    "SELECT row FROM journal WHERE row BETWEEN :first AND :last AND kind = 'round'"
    " AND at >= :since AND at < :until"
    " AND (NOT EXISTS (SELECT 1 FROM json_each(:parts) WHERE NOT instr(body, value))"
    " OR CAST(substr(body, 20, 12) AS INTEGER) IN (SELECT value FROM json_each(:corrected)))"
    " ORDER BY row DESC"
)
"""The text of a round begins with its number, in every version."""
_CLOCK_STEPS = "SELECT row FROM journal WHERE row BETWEEN ? AND ? AND kind = 'clock' ORDER BY row DESC"


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


def search(path: Path, query: RoundQuery, most: int = 50, furthest: int = MOST_ROWS) -> RoundsPage:
    """The newest `most` rounds that match, out of the last `furthest` rows. Raises JournalError for a journal
    that cannot be read, or that is damaged where it was read."""
    history = History(path)
    with row_errors(path):
        if query.number:
            return RoundsPage(tuple(_by_number(history, query)), 0)
        page = _search(history, query, min(most, MOST), furthest)
        if query.span == ANY_TIME:
            return page
        return replace(page, clock=_clock_sets(history, page.before, query))


def _by_number(history: History, query: RoundQuery) -> Iterator[RoundSummary]:
    location = locate_round(history, query.number)
    if location and location.row < query.before:
        corrections = CorrectionIndex()
        corrections.read_after(history, location.row)
        yield from _matching(history, RowRange(location.file, location.row, location.row), query, corrections)


def _search(history: History, query: RoundQuery, most: int, furthest: int) -> RoundsPage:
    """Ranges are searched newest first, so the index has the later corrections of each round, unless rows
    after it were skipped."""
    corrections, rounds, searched = CorrectionIndex(), list[RoundSummary](), 0
    skipped = query.before < AFTER_LAST_ROW
    for rows in history.backwards(query.before, query.span):
        if not rows.outside:
            if skipped:
                corrections.read_after(history, rows.last + 1)
            rounds += islice(_matching(history, rows, query, corrections), most + 1 - len(rounds))
        skipped = rows.outside
        if len(rounds) > most:
            return RoundsPage(tuple(rounds[:most]), rounds[most - 1].row)
        searched += rows.cost
        if searched >= furthest and rows.first > 1:
            return RoundsPage(tuple(rounds), rows.first)
    return RoundsPage(tuple(rounds), 0)


def _matching(
    history: History, rows: RowRange, query: RoundQuery, corrections: CorrectionIndex
) -> Iterator[RoundSummary]:
    with history.open(rows.file) as reader:
        corrections.read_rows(reader, rows.first, rows.last)
        parameters = {
            "first": rows.first,
            "last": rows.last,
            "since": query.span.since,
            "until": query.span.until,
            "parts": json.dumps(query.parts),
            "corrected": json.dumps(corrections.rounds),
        }
        for (row,) in reader.select(_ROUNDS, parameters):
            if found := _summary_if_matching(reader, row, query, corrections):
                yield found


def _summary_if_matching(
    reader: FileReader, row: int, query: RoundQuery, corrections: CorrectionIndex
) -> RoundSummary | None:
    """Compares plain JSON first: making a record of every round would take most of the time."""
    dealer = dealer_of(reader, row) if query.dealer else ""
    if not is_part(query.dealer, dealer):
        return None
    content = reader.at(row).content
    shown = json.loads(content.body)["round"]
    if shown.get("corrections"):
        corrections.read_round(reader, row)
    corrected = corrections.of(shown["number"])
    names = _persons_of(reader, row, corrected) if query.person else ()
    if not corrected and not matches(query, shown, names):
        return None
    ended = as_corrected(read_ended(content), corrected)
    if corrected and not matches(query, json.loads(to_json(ended.round)), names):
        return None
    return summary(row, content.at, ended, dealer or dealer_of(reader, row))


def _persons_of(reader: FileReader, row: int, corrected: Iterable[Correction]) -> tuple[str, ...]:
    """Who corrected the round that ends in this row, and who decided or asked for something in it."""
    decisions = (name for line in decisions_in_round(reader, row) for name in line.persons)
    return *persons(corrected), *decisions


def _clock_sets(history: History, oldest: int, query: RoundQuery) -> tuple[ClockSet, ...]:
    """The newest steps of the clock, back to the row `oldest`, that skipped or repeated a time of the
    span."""
    steps = (step for step in _clock_steps(history, oldest, query.before) if _touches(step, query.span))
    return tuple(islice(steps, MOST_CLOCK_SETS))


def _clock_steps(history: History, oldest: int, before: int) -> Iterator[ClockSet]:
    for rows in history.backwards(before):
        if rows.last < oldest:
            return
        with history.open(rows.file) as reader:
            for (row,) in reader.select(_CLOCK_STEPS, (max(oldest, rows.first), rows.last)):
                content = reader.at(row).content
                record = cast("ClockStepped", read_record(content))
                yield ClockSet(row, content.at - record.seconds, content.at)


def _touches(step: ClockSet, span: TimeSpan) -> bool:
    first, last = sorted((step.before, step.after))
    return last - first >= LEAST_CLOCK_STEP and first < span.until and last >= span.since
