"""Searches in a gaming day of a thousand tables, and for the last rounds of one table.

The rounds are some that were really played, many times over: each table and each minute has one. Only the
records are in the store, without the rows from which they were derived; a search reads no rows.
"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.floor.figures import COUNT, MILLISECONDS, SECONDS, Figure
from controller.calendar import Calendar
from controller.floor.derived.reader import derive
from controller.floor.derived.records import Course, DerivedRecords, StoredRound
from controller.floor.drills.synthetic import SyntheticTable
from controller.floor.recall.query import FloorQuery
from controller.floor.recall.search import FoundRounds, search
from controller.floor.store import FloorArchive, FloorStore
from controller.past.recall.query import RoundQuery, cards_of

BEGIN: Final = datetime(2026, 3, 14, 8, tzinfo=UTC).timestamp()
ROUNDS_AN_HOUR: Final = 60
HOUR: Final = 3600.0
ORIGINALS: Final = 40
"""Rounds that differ from each other."""
EPOCH: Final = "0123456789abcdef"
LAST: Final = 50
"""Rounds of one table on a page."""
ASKED: Final = 20
"""Tables whose last rounds are asked for."""
NOTHING: Final[Mapping[str, RoundQuery]] = {
    "a wager that won more than any": RoundQuery(over=10**9),
    "cards that no round had": RoundQuery(cards=cards_of("As As As As As As As")),
    "a dealer who did not deal": RoundQuery(dealer="nobody"),
}
"""Searches that find nothing, so each reads the whole day."""


def measure(folder: Path, tables: int, hours: int) -> list[Figure]:
    """`hours`: of play on the gaming day."""
    begun = time.monotonic()
    fill(folder / "store", _originals(folder), tables, hours)
    filled, archive = time.monotonic() - begun, FloorArchive(folder / "store")
    rounds = f"{tables * hours * ROUNDS_AN_HOUR:,} rounds"
    days = {name: _whole_day(archive, query) for name, query in NOTHING.items()}
    slowest = max(days, key=lambda name: days[name])
    pages = [_last_rounds(archive, f"t-{1 + number * tables // ASKED}") for number in range(ASKED)]
    return [
        Figure(f"search of one day of {tables} tables, {rounds}: {slowest}", days[slowest], 2, SECONDS),
        *(Figure(f"  {name}", seconds, None, SECONDS) for name, seconds in days.items() if name != slowest),
        Figure(f"last {LAST} rounds of one table, slowest of {ASKED}", max(pages) * 1e3, 50, MILLISECONDS),
        Figure("  median", median(pages) * 1e3, None, MILLISECONDS),
        Figure("(seconds to write these rounds)", filled, None, COUNT),
    ]


def fill(folder: Path, originals: list[StoredRound], tables: int, hours: int) -> None:
    """Write the records of a day. All tables play at the same pace, and not at the same time."""
    with FloorStore(folder, Calendar(), lambda: BEGIN) as store:
        file, source = store.newest, cycle(originals)
        for hour in range(hours):
            with file.transaction():
                for table in range(1, tables + 1):
                    rounds = list(_an_hour(source, hour, table / tables))
                    file.derived.write((f"t-{table}", EPOCH), DerivedRecords(rounds), lambda _name, _n: None)
                    file.derived.extend_span([each.at for each in rounds])


def _an_hour(source: Iterator[StoredRound], hour: int, late: float) -> Iterator[StoredRound]:
    for number in range(hour * ROUNDS_AN_HOUR, (hour + 1) * ROUNDS_AN_HOUR):
        at = BEGIN + (number + late) * HOUR / ROUNDS_AN_HOUR
        yield replace(next(source), number=number + 1, at=round(at, 6))


def _originals(folder: Path) -> list[StoredRound]:
    table = SyntheticTable(folder / "table", "original")
    try:
        table.play(ORIGINALS)
        found, _ = derive(table.history.rows(1, table.disclosed), Course())
    finally:
        table.close()
    return found.rounds


def _whole_day(archive: FloorArchive, query: RoundQuery) -> float:
    """Seconds until it is known that the day has no such round."""
    seconds, found = _timed(archive, FloorQuery(rounds=query))
    assert not found.rounds, found.rounds[:1]
    assert found.before is None, found.before
    return seconds


def _last_rounds(archive: FloorArchive, table: str) -> float:
    seconds, found = _timed(archive, FloorQuery(tables=(table,)))
    assert [each.table for each in found.rounds] == [table] * LAST
    return seconds


def _timed(archive: FloorArchive, query: FloorQuery) -> tuple[float, FoundRounds]:
    begun = time.monotonic()
    found = search(archive, query, LAST)
    return time.monotonic() - begun, found
