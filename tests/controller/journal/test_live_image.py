"""Readers of a live file get it as it was after one commit, whatever the daemon does while they read."""

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from controller.journal import live_image, names
from controller.journal.chain import RowContent
from controller.journal.errors import JournalDamaged, JournalError
from controller.journal.history import History
from controller.journal.inspection import open_read_only
from controller.journal.journal import Journal
from controller.journal.sqlite_format import FRAME, read_log
from controller.journal.store import LOG_BYTES
from controller.past.last_meters import last_meters

ROWS = [RowContent(1.5 * n, "event", f'{{"n":{n},"x":"{"y" * 900}"}}', "", b"", 0) for n in range(40)]
MOST_FILES = 16
"""A read opens about seven files; with `close_file` each read has one more to open."""
SNAPSHOT = RowContent(9.0, "snapshot", '{"meters": {"buster": {"display": 7000000}}}')


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal"


def numbers(path: Path) -> list[int]:
    return [entry.row for entry in History(path).rows()]


def append(journal: Journal) -> None:
    journal.append(ROWS)


def checkpoint(journal: Journal) -> None:
    """Copies pages into the file that no reader has seen in the log."""
    journal.append(ROWS)
    assert journal._stores[0].checkpoint()


def begin_log_anew(journal: Journal) -> None:
    checkpoint(journal)
    journal.append(ROWS[:3])


def begin_log_anew_twice(journal: Journal) -> None:
    begin_log_anew(journal)
    begin_log_anew(journal)


def empty_log(journal: Journal) -> None:
    journal.append(ROWS)
    assert journal._stores[0].checkpoint("TRUNCATE")


def close_file(journal: Journal) -> None:
    journal.append(ROWS)
    journal.roll([SNAPSHOT])
    journal.append(ROWS)


ACTS = (append, checkpoint, begin_log_anew, begin_log_anew_twice, empty_log, close_file)


class Interruption:
    """Does `act` before file number `before` is opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, before: int, act: Callable[[], None]) -> None:
        self.done = False
        self._left, self._act, self._acting, self._open = before, act, False, Path.open
        monkeypatch.setattr(Path, "open", self._hook())

    def _hook(self) -> Callable[..., Any]:
        def opened(path: Path, *how: Any, **more: Any) -> Any:
            self._before_file()
            return self._open(path, *how, **more)

        return opened

    def _before_file(self) -> None:
        if self._acting:
            return
        if self._left == 0:
            self.done = self._acting = True
            self._act()
            self._acting = False
        self._left -= 1


def interrupted_reads(path: Path, act: Callable[[Journal], None], read: Callable[[], None]) -> int:
    """Reads a journal again and again; `act` comes before the first file is opened, then before the second
    one, and so on, up to MOST_FILES. Returns how often it came."""
    with Journal(path) as journal:
        journal.append(ROWS)
        for before in range(MOST_FILES):
            journal.append(ROWS)
            with pytest.MonkeyPatch.context() as patch:
                interruption = Interruption(patch, before, lambda: act(journal))
                read()
            if not interruption.done:
                return before
    return MOST_FILES


@pytest.mark.parametrize("act", ACTS)
def test_an_image_is_whole_whatever_comes_between(path: Path, act: Callable[[Journal], None]) -> None:
    def read() -> None:
        with closing(open_read_only(path)) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            counted = database.execute("SELECT max(row) - min(row) + 1, count(*) FROM journal").fetchone()
        assert counted[0] == counted[1] >= len(ROWS)

    assert interrupted_reads(path, act, read) > 5


@pytest.mark.parametrize("act", ACTS)
def test_a_history_is_whole_whatever_comes_between(path: Path, act: Callable[[Journal], None]) -> None:
    def read() -> None:
        found = numbers(path)
        assert found == [*range(1, len(found) + 1)]

    assert interrupted_reads(path, act, read) > 5


def test_a_reader_of_a_journal_that_changes_all_the_time_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_image, "PATIENCE", 0.0)
    with Journal(path) as journal:
        journal.append(ROWS)
        Interruption(monkeypatch, 3, lambda: begin_log_anew(journal))
        with pytest.raises(JournalError, match=r"journal is written to too quickly to be read: ask again"):
            open_read_only(path)


def test_histories_read_at_full_speed_are_whole(path: Path) -> None:
    with Journal(path) as journal:
        journal.append(ROWS)
    if not (child := os.fork()):
        try:
            _play(path, 2500)
        finally:
            os._exit(0)  # the rest of the test belongs to the parent
    reads, last = 0, 0
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        found = numbers(path)
        assert found == [*range(1, len(found) + 1)]
        assert last <= len(found)
        reads, last = reads + 1, len(found)
    assert reads > 3
    assert len(numbers(path)) > 2500


def _play(path: Path, commits: int) -> None:
    with Journal(path) as journal:
        for number in range(1, commits + 1):
            journal.append([ROWS[0]])
            if number % 50 == 0:
                for store in journal._stores:
                    store.checkpoint()
            if number % 700 == 0:
                journal.roll([SNAPSHOT])


@pytest.fixture
def killed(path: Path) -> Path:
    """Its last rows are in the log alone, and one commit is later than the head record, as a kill in between
    leaves it."""
    if not (child := os.fork()):
        journal = Journal(path)
        journal.append([SNAPSHOT])
        journal.append(ROWS[:1])
        record = names.head(path).read_bytes()
        journal.append(ROWS[:2])
        names.head(path).write_bytes(record)
        os._exit(9)
    os.waitpid(child, 0)
    return path


def test_a_log_of_any_length_is_read_to_its_last_commit(path: Path) -> None:
    """Also one of many frames, after which the file goes on with the zeros that the daemon prepared."""
    with Journal(path) as journal:
        journal.append(ROWS[:1])
        os.truncate(names.log(path), LOG_BYTES)
        for count in range(2, 90):
            journal.append(ROWS[:1])
            assert numbers(path) == [*range(1, count + 1)]
        assert read_log(path, names.log(path).read_bytes()).frames > live_image.BEGINNING // FRAME


def test_rows_that_are_newer_than_the_head_record_are_read(killed: Path) -> None:
    assert numbers(killed) == [1, 2, 3, 4]


def test_a_commit_after_the_head_record_counts_only_if_it_is_whole(killed: Path) -> None:
    log = bytearray(names.log(killed).read_bytes())
    log[log.rfind(b"yyy")] ^= 1
    names.log(killed).write_bytes(log)
    assert numbers(killed) == [1, 2]


def test_a_damaged_log_is_named(killed: Path) -> None:
    log = bytearray(names.log(killed).read_bytes())
    log[20] ^= 1
    names.log(killed).write_bytes(log)
    with pytest.raises(JournalDamaged, match=r"the header of its log .*journal-wal was changed"):
        numbers(killed)


def test_the_last_meters_are_read_beside_a_damaged_log(path: Path) -> None:
    with Journal(path) as journal:
        journal.append([SNAPSHOT])
        assert journal._stores[0].checkpoint()
        log = bytearray(names.log(path).read_bytes())
        log[20] ^= 1
        names.log(path).write_bytes(log)
        assert [meter.spot for meter in last_meters(path)] == ["buster"]
        log[20] ^= 1
        names.log(path).write_bytes(log)


@pytest.fixture(autouse=True)
def own_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow machine reads as often as it must."""
    monkeypatch.setattr(live_image, "PATIENCE", 60.0)
