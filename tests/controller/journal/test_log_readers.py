"""A program that reads the journal without a pause keeps its write-ahead log from being emptied."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.journal import names, store
from controller.journal.chain import RowContent
from controller.journal.journal import Journal
from controller.journal.log_readers import LogReader

READER = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("BEGIN")
print(database.execute("SELECT max(row) FROM journal").fetchone()[0], flush=True)
sys.stdin.read()
"""
ROW = RowContent(1.0, "alert", "x" * 3900)
MEGABYTES_64 = 64 * 1024 * 1024


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.db"


@contextmanager
def reading(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another program in the middle of a transaction."""
    with subprocess.Popen(
        [sys.executable, "-c", READER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as reader:
        assert reader.stdout
        assert reader.stdout.readline()
        try:
            yield reader
        finally:
            reader.kill()


def found(journal: Journal, disk: str = "journal") -> list[int]:
    journal.check()
    return [reader.process for reader in journal.slow_readers[disk]]


def test_a_reader_that_holds_64_megabytes_of_the_log_is_found(path: Path) -> None:
    with Journal(path) as journal:
        journal.append([ROW])
        with reading(path) as reader:
            for _ in range(9):
                journal.append([ROW] * 2000)
                journal.tidy()
            assert names.log(path).stat().st_size > MEGABYTES_64
            assert found(journal) == [reader.pid]
            name = Path(f"/proc/{reader.pid}/comm").read_text().strip()
            assert str(journal.slow_readers["journal"][0]) == f"process {reader.pid} ({name})"
        assert found(journal) == []
        journal.append([ROW] * 400)
        journal.tidy()
        journal.append([ROW])
        assert found(journal) == []


def test_a_reader_of_a_short_log_is_nobodys_business(path: Path) -> None:
    with Journal(path) as journal, reading(path):
        journal.append([ROW] * 20)
        assert found(journal) == []


def test_the_readers_of_a_long_log_are_found(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that stopped at different points, also while they do not run, and in the mirror's log, too."""
    monkeypatch.setattr(store, "LONGEST", 8)
    mirror = path.with_name("mirror.db")
    with Journal(path, mirror) as journal:
        journal.append([ROW])
        with reading(path) as first:
            journal.append([ROW] * 20)
            with reading(path) as second, reading(mirror) as third:
                os.kill(second.pid, signal.SIGSTOP)
                journal.append([ROW] * 20)
                assert found(journal) == sorted((first.pid, second.pid))
                assert found(journal, "mirror") == [third.pid]
            assert found(journal) == [first.pid]


def test_a_reader_at_the_end_of_the_log_holds_nothing_up(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "LONGEST", 8)
    with Journal(path) as journal:
        journal.append([ROW] * 20)
        with reading(path) as reader:
            assert found(journal) == []
            journal.append([ROW])
            assert found(journal) == [reader.pid]


def test_a_process_whose_name_is_hidden_is_named_by_its_number() -> None:
    assert str(LogReader(4711)) == "process 4711"
