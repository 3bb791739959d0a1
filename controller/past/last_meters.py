"""Reads the last amounts of the jackpots from all copies of the journal that are still readable, and changes
nothing.

Rows are read backwards from the newest, and forwards from the oldest if a file is damaged in between. Each
result includes whether its row passes the check of its hash.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from controller.jackpot import UNITS
from controller.journal import names
from controller.journal.chain import JournalRow, row_hash, row_of
from controller.journal.errors import JournalError
from controller.journal.inspection import open_alone, open_read_only
from controller.journal.schema import SELECT

PARTS = ("locked", "reserve", "overflow", "paid")


@dataclass(frozen=True, slots=True)
class RowOrder:
    """An order in which rows are read; `start` is a row number before the first."""

    direction: str
    comparison: str
    start: int


NEWEST_FIRST = RowOrder("DESC", "<", 1 << 62)
OLDEST_FIRST = RowOrder("ASC", ">", -1)


@dataclass(frozen=True, slots=True)
class LastMeter:
    """The last amount of a jackpot in cents, the other parts of its books in cents (by the names in PARTS),
    and the row of the journal file that contains them. `at` is the row's time in Unix time.

    `sound` is true if the row's hash is correct.
    """

    spot: str
    cents: int
    parts: dict[str, int]
    row: int
    at: float
    file: str
    sound: bool


def last_meters(journal: Path, mirror: Path | None = None) -> tuple[LastMeter, ...]:
    """The newest amount of each jackpot, sorted by spot.

    A row with a correct hash takes precedence over any other. If journal and mirror have the same row, the
    journal's is used.
    """
    newest: dict[str, LastMeter] = {}
    for path in copies(journal, mirror):
        for meter in _newest_in(path):
            known = newest.get(meter.spot)
            if known is None or (meter.sound, meter.row) > (known.sound, known.row):
                newest[meter.spot] = meter
    return tuple(newest[spot] for spot in sorted(newest))


def copies(journal: Path, mirror: Path | None) -> Iterator[Path]:
    """The live files, then the last closed file of each."""
    lives = [path for path in (journal, mirror) if path]
    yield from lives
    for path in lives:
        with suppress(OSError):
            yield from sorted(names.archive(path).glob("*.db"))[-1:]


def _newest_in(path: Path) -> Iterator[LastMeter]:
    """The newest amount of each jackpot in a file."""
    spots: set[str] = set()
    for entry, sound in _entries(path):
        for spot, cents, parts in _meters_in(entry):
            if spot not in spots:
                spots.add(spot)
                yield LastMeter(spot, cents, parts, entry.row, entry.content.at, str(path), sound)


def _entries(path: Path) -> Iterator[tuple[JournalRow, bool]]:
    """The readable rows with amounts of jackpots, newest first, back to a snapshot; and whether the hash of
    each is correct."""
    with suppress(sqlite3.Error, OSError), closing(open_damaged(path)) as database:
        rows = list(_until_broken(database, NEWEST_FIRST))
        if not any(entry.content.kind == "snapshot" for entry in rows):
            rows += reversed(list(_until_broken(database, OLDEST_FIRST)))
        for entry in rows:
            yield entry, _follows(database, entry)


def open_damaged(path: Path) -> sqlite3.Connection:
    """The file without its log, if the log is damaged."""
    try:
        return open_read_only(path)
    except JournalError:
        return open_alone(path)


def _until_broken(database: sqlite3.Connection, order: RowOrder) -> Iterator[JournalRow]:
    """The rows in this order, until one cannot be read. Each row has its own query, because a single query
    for all would lose the last row before the damage."""
    last = order.start
    query = (
        f"{SELECT}WHERE kind IN ('meter', 'snapshot') AND row {order.comparison} ? "
        f"ORDER BY row {order.direction} LIMIT 1"
    )
    with suppress(sqlite3.Error):
        while fields := database.execute(query, (last,)).fetchone():
            entry = row_of(fields)
            yield entry
            if order is NEWEST_FIRST and entry.content.kind == "snapshot":
                return
            last = entry.row


def _follows(database: sqlite3.Connection, entry: JournalRow) -> bool:
    with suppress(sqlite3.Error, TypeError, AttributeError, OverflowError):
        before = database.execute("SELECT hash FROM journal WHERE row = ?", (entry.row - 1,)).fetchone()
        return before is not None and row_hash(before[0], entry.row, entry.content) == entry.hash
    return False


def _meters_in(entry: JournalRow) -> Iterable[tuple[str, int, dict[str, int]]]:
    """Spot, cents and other parts of each jackpot in a row; empty if the row cannot be read."""
    try:
        body = json.loads(entry.content.body)
        if entry.content.kind == "meter":
            return [(str(body["spot"]), int(body["after"]), _parts(body.get("books") or {}))]
        meters = body.get("meters", {})
        return [(str(spot), books["display"] // UNITS, _parts(books)) for spot, books in meters.items()]
    except (ValueError, TypeError, KeyError, AttributeError):
        return []


def _parts(books: dict[str, int]) -> dict[str, int]:
    return {part: books[part] // UNITS for part in PARTS if part in books}
