"""Whatever a satellite locks, the daemon starts, appends, tidies up, closes files and ends."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from controller.journal import names
from controller.journal.chain import RowContent
from controller.journal.closed_files import list_closed_files
from controller.journal.history import History
from controller.journal.journal import Journal
from tests.controller.journal.hostile_locks import PLACES, LockPlace, give_to_group, holding

ROWS = [RowContent(1.5 * n, "event", f'{{"n":{n}}}', "shoe", b"\x07" * 8, n + 1) for n in range(400)]
SNAPSHOT = RowContent(9.0, "snapshot", "{}")
INDEX = [place for place in PLACES if place.file is names.index]


@pytest.fixture
def path() -> Iterator[Path]:
    """Below /tmp, because others must reach it."""
    with TemporaryDirectory() as place:
        give_to_group(Path(place))
        yield Path(place) / "journal"


def left_by_a_kill(path: Path) -> None:
    """A journal whose last rows are in the log alone."""
    if not (child := os.fork()):
        journal = Journal(path)
        journal.append(ROWS)
        os._exit(9)
    os.waitpid(child, 0)


def play(journal: Journal) -> int:
    """Everything that a daemon does with its journal; returns the number of its last row."""
    for row in ROWS[:20]:
        journal.append([row])
        journal.tidy()
    journal.append(ROWS)
    journal.tidy()
    journal.check()
    journal.roll([SNAPSHOT])
    journal.append(ROWS)
    journal.tidy()
    assert journal.head
    return journal.head.row


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_a_satellite_that_locks_during_play_holds_nothing_up(path: Path, place: LockPlace) -> None:
    with Journal(path) as journal:
        journal.append(ROWS)
        with holding(path, place):
            row = play(journal)
            assert list_closed_files(path)
    assert [entry.row for entry in History(path).rows()] == [*range(1, row + 1)]


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_a_satellite_that_locks_before_a_start_holds_nothing_up(path: Path, place: LockPlace) -> None:
    """Its locks are older than the daemon that starts after a kill, and it is there when that one ends."""
    left_by_a_kill(path)
    with holding(path, place):
        with Journal(path) as journal:
            row = play(journal)
        with Journal(path) as journal:
            assert journal.head
            assert journal.head.row == row
            play(journal)


@pytest.mark.parametrize("place", INDEX, ids=str)
def test_locks_on_an_index_that_the_group_could_read_once_hold_nothing_up(
    path: Path, place: LockPlace
) -> None:
    """Older versions left such an index behind."""
    left_by_a_kill(path)
    names.index(path).chmod(names.MODE)
    with holding(path, place) as held:
        assert held
        with Journal(path) as journal:
            play(journal)


def test_a_satellite_cannot_open_the_index_of_the_log(path: Path) -> None:
    with Journal(path) as journal:
        journal.append(ROWS)
        for place in INDEX:
            with holding(path, place) as held:
                assert not held


def test_a_program_of_the_daemons_user_reads_on_when_the_daemon_starts_anew(path: Path) -> None:
    left_by_a_kill(path)
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as reader:
        assert count(reader) == (len(ROWS), len(ROWS))
        if not (child := os.fork()):
            try:
                append_and_tidy(path)
            finally:
                os._exit(9)  # the rest of the test belongs to the parent
        os.waitpid(child, 0)
        rows, last = count(reader)
        assert rows == last > 2 * len(ROWS)


def append_and_tidy(path: Path) -> None:
    journal = Journal(path)
    for _ in range(3):
        journal.append(ROWS)
        journal.tidy()


def count(reader: sqlite3.Connection) -> tuple[int, int]:
    rows, last = reader.execute("SELECT count(*), max(row) FROM journal").fetchone()
    return rows, last


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644])
def test_an_index_that_others_could_open_is_replaced(path: Path, mode: int) -> None:
    left_by_a_kill(path)
    names.index(path).chmod(mode)
    with names.index(path).open("rb") as old, Journal(path):
        found = names.index(path).stat()
        assert found.st_mode & 0o777 == names.OWNER_ONLY
        assert found.st_ino != os.fstat(old.fileno()).st_ino
