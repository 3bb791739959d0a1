"""What the journal costs: one event next to a bare commit, and a start after a million events."""

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.verify import Crowd
from controller.journal.chain import RowContent
from controller.journal.closed_files import list_closed_files
from controller.journal.journal import ROLL_ROWS, Journal
from controller.journal.signing import Signer
from controller.table.recovery import recover
from controller.table.state.snapshot import opening_row
from controller.table.state.table_state import ROUNDS_KEPT

EVENTS = 1_000_000
ROUNDS = 30
"""Rounds of a night. The same night is written again and again."""
PAIRS = 1500
STARTS = 5


@dataclass(frozen=True, slots=True)
class JournalCosts:
    """Medians in seconds: one event appended, one bare commit, a start with so many events."""

    append: float
    mirrored: float
    bare: float
    start: float
    events: int
    rows: int
    files: int


@dataclass(frozen=True, slots=True)
class Night:
    """The rows of some rounds up to a snapshot, the first row of a file that begins there, and a round in
    play."""

    rows: list[RowContent]
    opening: RowContent
    in_play: list[RowContent]
    crowd: Crowd


def measure(events: int = EVENTS) -> JournalCosts:
    """Measures everything in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="tableside-") as name:
        folder = Path(name)
        with Journal(folder / "night.db") as journal:
            night = _night(journal)
        append, mirrored, bare = _appends(folder, night)
        rows = write(folder / "table.db", night, events)
        start = median(_start(folder / "table.db", night) for _ in range(STARTS))
        return JournalCosts(
            append, mirrored, bare, start, events, rows, len(list_closed_files(folder / "table.db")) + 1
        )


def write(path: Path, night: Night, events: int) -> int:
    """Writes a journal of at least `events` events and returns how many rows it has.

    Each file was closed when it was full. The last one is nearly full and ends in the middle of a round.
    """
    events_per_night = sum(row.kind == "event" for row in night.rows)
    written, length = 0, len(night.rows) + len(night.in_play)
    with Journal(path, signer=Signer(bytes(range(32)))) as journal:
        while written < events or _rows(journal) + length < ROLL_ROWS:
            journal.append(night.rows)
            written += events_per_night
            if journal.full:
                journal.roll([night.opening])
        journal.append(night.in_play)
        assert journal.head is not None
        return journal.head.row


def _rows(journal: Journal) -> int:
    """How many rows the current file has."""
    first = next(journal.since(0))
    return journal.head.row - first.row + 1 if journal.head else 0


def _night(journal: Journal) -> Night:
    crowd = Crowd(journal)
    for _ in range(ROUNDS):
        crowd.play_busy_round()
    rows = [entry.content for entry in journal.since(0)]
    opening = opening_row(crowd.at, crowd.state)
    crowd.play_busy_round()
    later = [entry.content for entry in journal.since(len(rows))]
    ended = next(number for number, row in enumerate(later) if row.kind == "settlement")
    return Night(rows, opening, later[: ended - 1], crowd)


def _start(path: Path, night: Night) -> float:
    begun = perf_counter()
    with Journal(path) as journal:
        state = recover(journal, night.crowd.script.started())
        seconds = perf_counter() - begun
    assert state.number == ROUNDS + 1
    assert state.round.phase != "betting"
    assert len(state.ended_views) == ROUNDS_KEPT
    return seconds


def _appends(folder: Path, night: Night) -> tuple[float, float, float]:
    """Measures in turns, so that other work of the disk affects all alike."""
    event = max((row for row in night.rows if row.kind == "event"), key=lambda row: len(row.body))
    (folder / "other").mkdir()
    with (
        Journal(folder / "a.db") as journal,
        Journal(folder / "b.db", folder / "other" / "b.db") as both,
        contextlib.closing(_bare(folder / "bare.db")) as database,
    ):
        fields = (event.at, event.kind, event.device, event.log, event.number, event.body, os.urandom(32))
        times = [
            (
                _timed(lambda: journal.append([event])),
                _timed(lambda: both.append([event])),
                _timed(lambda: _commit(database, fields)),
            )
            for _ in _tidied(journal, both)
        ]
    append, mirrored, bare = map(median, zip(*times, strict=True))
    return append, mirrored, bare


def _tidied(*journals: Journal) -> Iterator[int]:
    """Tidies between measurements, as the table does in quiet moments."""
    for number in range(PAIRS):
        for journal in journals:
            journal.tidy()
        yield number


def _timed(work: Callable[[], None]) -> float:
    begun = perf_counter()
    work()
    return perf_counter() - begun


def _commit(database: sqlite3.Connection, fields: tuple[object, ...]) -> None:
    database.execute("BEGIN IMMEDIATE")
    database.execute("INSERT INTO row VALUES (?, ?, ?, ?, ?, ?, ?)", fields)
    database.execute("COMMIT")


def _bare(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute("CREATE TABLE row(at, kind, device, log, number, body, hash)")
    return database


if __name__ == "__main__":
    print(measure())
