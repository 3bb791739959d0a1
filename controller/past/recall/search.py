"""Rounds that are looked for, newest first; the journal is only read."""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from controller.past.recall.clock import ClockSet, clock_sets
from controller.past.recall.corrections import Correction, Corrections, now, persons
from controller.past.recall.places import place_of
from controller.past.recall.query import Wanted, holds
from controller.past.recall.said import said_of
from controller.past.recall.stretches import EVER, FURTHEST, LAST, Stretch, backwards, entry, opened, searched
from controller.past.recall.summary import Recalled, croupier, summary
from controller.table.record.codec import read_ended
from controller.table.record.records import text

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
class Found:
    """`rounds`: newest first. `before`: where older ones may be, to be asked for next; 0: there are none.
    `clock`: where the clock was set, if that may have moved rounds out of the times that were asked for."""

    rounds: tuple[Recalled, ...]
    before: int
    clock: tuple[ClockSet, ...] = ()


def search(path: Path, wanted: Wanted, most: int = 50, furthest: int = FURTHEST) -> Found:
    """The newest `most` that are wanted, out of the last `furthest` rows. Raises JournalError for a journal
    that cannot be read, or is not as it was written where it was looked at."""
    with searched(path):
        if wanted.number:
            return Found(tuple(_numbered(path, wanted)), 0)
        found = _search(path, wanted, min(most, MOST), furthest)
        if wanted.span == EVER:
            return found
        return replace(found, clock=clock_sets(path, found.before, wanted.before, wanted.span))


def _numbered(path: Path, wanted: Wanted) -> Iterator[Recalled]:
    place = place_of(path, wanted.number)
    if place and place.row < wanted.before:
        corrections = Corrections()
        corrections.take_behind(path, place.row)
        yield from _within(Stretch(place.file, place.row, place.row), wanted, corrections)


def _search(path: Path, wanted: Wanted, most: int, furthest: int) -> Found:
    corrections, found, looked = Corrections(), list[Recalled](), 0
    skipped = wanted.before < LAST
    for stretch in backwards(path, wanted.before, wanted.span):
        if not stretch.beside:
            if skipped:
                corrections.take_behind(path, stretch.last + 1)
            found += islice(_within(stretch, wanted, corrections), most + 1 - len(found))
        skipped = stretch.beside
        if len(found) > most:
            return Found(tuple(found[:most]), found[most - 1].row)
        looked += stretch.cost
        if looked >= furthest and stretch.first > 1:
            return Found(tuple(found), stretch.first)
    return Found(tuple(found), 0)


def _within(stretch: Stretch, wanted: Wanted, corrections: Corrections) -> Iterator[Recalled]:
    """Those of one stretch; corrections of its rounds that came later are known by then."""
    with opened(stretch.path, stretch.last) as database:
        corrections.take(database, stretch.path, stretch.first, stretch.last)
        asked = {
            "first": stretch.first, "last": stretch.last,
            "since": wanted.span.since, "until": wanted.span.until,
            "parts": json.dumps(wanted.parts), "corrected": json.dumps(corrections.rounds),
        }  # fmt: skip
        for (row,) in database.execute(_ROUNDS, asked).fetchall():
            if found := _recalled(database, stretch.path, row, wanted, corrections):
                yield found


def _recalled(
    database: sqlite3.Connection, file: Path, row: int, wanted: Wanted, corrections: Corrections
) -> Recalled | None:
    """The round of a row, if it is wanted as it says now. Most are not: no record is made of those."""
    dealt = croupier(database, row) if wanted.dealer else ""
    if wanted.dealer.casefold() not in dealt.casefold():
        return None
    kept = entry(database, file, row).content
    said = json.loads(kept.body)["round"]
    if said.get("corrections"):
        corrections.take_of(database, file, row)
    about = corrections.of(said["number"])
    named = _named(database, file, row, about) if wanted.person else ()
    if not about and not holds(wanted, said, named):
        return None
    ended = now(read_ended(kept), about)
    if about and not holds(wanted, json.loads(text(ended.round)), named):
        return None
    return summary(row, kept.at, ended, dealt or croupier(database, row))


def _named(
    database: sqlite3.Connection, file: Path, row: int, about: Iterable[Correction]
) -> tuple[str, ...]:
    """Who had a word in the round of a row, or put it right."""
    return *persons(about), *(name for line in said_of(database, file, row) for name in line.persons)
