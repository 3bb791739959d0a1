"""A full file is copied while the table goes on, and closed between two batches."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.journal import names, rollover
from controller.journal.chain import RowContent
from controller.journal.closed_files import list_closed_files
from controller.journal.errors import JournalError
from controller.journal.history import History
from controller.journal.journal import Journal
from controller.journal.rollover import ThreadedRollover

LONG = RowContent(1.0, "event", f'"{"x" * 3000}"', "shoe", b"\x07" * 8, 1)
SNAPSHOT = RowContent(2.0, "snapshot", "{}")
MOST = 300
"""Rows, for several pieces of a copy."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.db"


@pytest.fixture
def journal(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Journal]:
    """A full journal."""
    monkeypatch.setattr(rollover, "PAUSE", 0.0)
    with Journal(path, most=MOST) as journal:
        journal.append([LONG] * MOST)
        yield journal


def beside(journal: Journal) -> ThreadedRollover:
    return ThreadedRollover(journal, lambda: SNAPSHOT)


async def copied(files: ThreadedRollover, journal: Journal) -> int:
    """Handles batches until the copy is done; returns how many."""
    turns = 0
    while not journal.copied:
        journal.append([LONG])
        journal.tidy()
        files.batch_done(between=False)
        await files.settle()
        await asyncio.sleep(0)
        turns += 1
    return turns


async def test_turns_go_on_while_a_file_is_copied(journal: Journal, path: Path) -> None:
    files = beside(journal)
    turns = await copied(files, journal)
    assert turns > 0
    assert not list_closed_files(path)
    files.batch_done(between=False)
    await files.settle()
    assert not list_closed_files(path), "a round is in play"
    files.batch_done(between=True)
    await files.settle()
    assert [file.last for file in list_closed_files(path)] == [MOST + turns]
    assert [entry.row for entry in History(path).rows()] == list(range(1, MOST + turns + 3))
    journal.append([LONG] * MOST)
    await copied(files, journal)
    files.batch_done(between=True)
    await files.settle()
    assert len(list_closed_files(path)) == 2


async def test_a_copy_that_fails_is_a_fault_of_the_journal(journal: Journal, path: Path) -> None:
    names.archive(path).write_text("a file where the folder should be")
    files = beside(journal)
    files.batch_done(between=True)
    await files.end()
    with pytest.raises(JournalError, match="cannot be written"):
        await files.settle()


async def test_an_end_gives_a_copy_up(journal: Journal, path: Path) -> None:
    files = beside(journal)
    files.batch_done(between=True)
    await files.end()
    journal.append([LONG])
    assert not list_closed_files(path)


async def test_an_end_in_the_middle_of_the_last_step_waits_for_it(journal: Journal, path: Path) -> None:
    """The journal is not closed while a thread begins the next file."""
    files = beside(journal)
    await copied(files, journal)
    files.batch_done(between=True)
    settling = asyncio.create_task(files.settle())
    await asyncio.sleep(0)
    settling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await settling
    assert len(list_closed_files(path)) == 1
    journal.append([LONG])
