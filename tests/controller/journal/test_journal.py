"""The journal keeps what was appended and finds every fault before it uses anything."""

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from controller.journal import names
from controller.journal.chain import RowContent
from controller.journal.errors import JournalBusy, JournalError, JournalLost
from controller.journal.journal import LOG_BYTES, UNTIDY, Journal

ROWS = [RowContent(1.5 * n, "event", f'{{"n":{n}}}', "shoe", b"\x07" * 8, n + 1) for n in range(6)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Journal(tmp_path / "journal") as journal:
        journal.append(ROWS[:3])
        journal.append(ROWS[3:])
    return tmp_path / "journal"


def damage(path: Path, statement: str) -> None:
    """Changes the file like an attacker or a bad disk: past the triggers, which exist again afterwards."""
    database = sqlite3.connect(path, isolation_level=None)
    triggers = [sql for (sql,) in database.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger'")]
    for trigger in ("no_update", "no_delete", "in_order"):
        database.execute(f"DROP TRIGGER {trigger}")
    database.execute(statement)
    for trigger in triggers:
        database.execute(trigger)
    database.close()
    sums_of(path).unlink(missing_ok=True)


def sums_of(path: Path) -> Path:
    """Without the sums only the chain shows a change."""
    return path.with_name(path.name + "-sums")


def test_appended_rows_are_read_back(path: Path) -> None:
    with Journal(path) as journal:
        assert [entry.content for entry in journal.since(0)] == ROWS
        assert [entry.row for entry in journal.since(4)] == [5, 6]
        assert journal.head is not None
        assert journal.head.row == 6


@pytest.mark.parametrize("mask", [0o077, 0o022])
@pytest.mark.parametrize("before", [0o644, 0o600])
def test_the_group_of_a_journal_may_read_it_and_nobody_else(path: Path, mask: int, before: int) -> None:
    path.chmod(before)
    old = os.umask(mask)
    try:
        with Journal(path) as journal:
            journal.append(ROWS[:1])
            modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    finally:
        os.umask(old)
    assert modes.pop(names.lock(path).name) == 0o600, "whoever may open the lock may hold it"
    assert modes.pop(names.index(path).name) == 0o600, "whoever may open the index may hold up the writer"
    assert names.log(path).name in modes
    assert set(modes.values()) == {0o640}


def test_commits_are_fully_synchronised(path: Path) -> None:
    with Journal(path) as journal:
        pragma = journal._stores[0]._writer.execute
        assert pragma("PRAGMA synchronous").fetchone() == (2,)
        assert pragma("PRAGMA journal_mode").fetchone() == ("wal",)


def log_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def test_an_append_after_a_checkpoint_does_not_grow_the_log(path: Path) -> None:
    with Journal(path) as journal:
        journal.append(ROWS)
        assert log_of(path).stat().st_size < LOG_BYTES
        for _ in range(200):
            journal.tidy()
            journal.append(ROWS)
        assert log_of(path).stat().st_size == LOG_BYTES


@pytest.mark.parametrize("tidied_after", [1, 60, 119])
def test_what_was_appended_around_a_tidying_outlives_a_crash(
    path: Path, tmp_path: Path, tidied_after: int
) -> None:
    crashed = tmp_path / "crashed"
    with Journal(path) as journal:
        for turn in range(120):
            if turn == tidied_after:
                journal.tidy()
            journal.append(ROWS)
        shutil.copy(path, crashed)
        shutil.copy(log_of(path), log_of(crashed))
        shutil.copy(names.head(path), names.head(crashed))
    with Journal(crashed) as journal:
        assert [entry.content for entry in journal.since(0)] == ROWS * 121


@contextmanager
def without_descriptors() -> Iterator[None]:
    """No further file can be opened."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, most[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, most)


def test_an_open_journal_needs_no_further_descriptor(path: Path) -> None:
    """Checks and tidying are left to the next time."""
    with Journal(path) as journal:
        journal.append(ROWS)
        with without_descriptors():
            journal.check()
            journal.tidy()
            journal.append(ROWS)
        assert log_of(path).stat().st_size < LOG_BYTES
        for _ in range(UNTIDY // len(ROWS)):
            journal.append(ROWS)
        journal.tidy()
        assert log_of(path).stat().st_size == LOG_BYTES
        assert [entry.content for entry in journal.since(0)] == ROWS * (3 + UNTIDY // len(ROWS))


def test_tidying_reports_a_missing_disk(path: Path) -> None:
    with Journal(path) as journal:
        log_of(path).unlink()
        with pytest.raises(JournalLost, match=r"-wal is gone \(No such file"):
            journal.tidy()


def test_a_step_of_tidying_waits_for_each_disk_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Besides SQLite's own checkpoint, which is a step by itself."""
    synced, waits, fsync = [0], list[int](), os.fsync

    def counted(file: int) -> None:
        synced[0] += 1
        fsync(file)

    monkeypatch.setattr(os, "fsync", counted)
    with Journal(path, path.with_name("mirror.db")) as journal:
        journal.append(ROWS)
        more = True
        while more:
            synced[0] = 0
            more = journal.tidy_step()
            waits.append(synced[0])
            journal.append(ROWS)
    assert max(waits) == 1
    assert sum(waits) >= 6


@pytest.mark.parametrize("steps", range(10))
def test_a_crash_between_two_steps_of_tidying_costs_nothing(path: Path, tmp_path: Path, steps: int) -> None:
    """Rows are appended between the steps, and the files are as a killed daemon leaves them."""
    crashed = tmp_path / "crashed" / path.name
    crashed.parent.mkdir()
    with Journal(path) as journal:
        journal.append(ROWS * 40)
        for _ in range(steps):
            journal.tidy_step()
            journal.append(ROWS * 40)
        for part in names.parts(path):
            shutil.copy(part, crashed.with_name(part.name))
        count = journal.head.row if journal.head else 0
    with Journal(crashed) as journal:
        assert journal.healed == ()
        assert [entry.content for entry in journal.since(0)] == ROWS * (count // len(ROWS))


COPY = "SELECT {}, at, kind, device, log, number, 'x', hash FROM journal WHERE row = 6"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE journal SET body = ''",
        "DELETE FROM journal WHERE row = 6",
        f"INSERT OR REPLACE INTO journal {COPY.format(6)}",
        f"INSERT INTO journal {COPY.format(8)}",
    ],
)
def test_the_database_refuses_updates_and_deletes(path: Path, statement: str) -> None:
    database = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="append only"):
        database.execute(statement)
    database.close()


@pytest.mark.parametrize("row", range(1, 7))
@pytest.mark.parametrize(
    "change",
    [
        "at = at + 0.001",
        "kind = 'Event'",
        "device = 'shof'",
        "log = x'0707070707070706'",
        "number = number + 1",
        "body = body || ' '",
        "hash = zeroblob(32)",
    ],
)
def test_a_change_in_any_field_of_any_row_is_found(path: Path, row: int, change: str) -> None:
    damage(path, " ".join(("UPDATE journal SET", change, "WHERE row =", str(row))))
    with pytest.raises(JournalError, match=f"row {row} does not follow"):
        Journal(path)


@pytest.mark.parametrize("row", range(1, 6))
def test_a_missing_row_is_found(path: Path, row: int) -> None:
    damage(path, " ".join(("DELETE FROM journal WHERE row =", str(row))))
    with pytest.raises(
        JournalError, match="damaged: it begins with row 2" if row == 1 else "does not follow"
    ):
        Journal(path)


def test_two_swapped_rows_are_found(path: Path) -> None:
    damage(path, "UPDATE journal SET row = CASE row WHEN 2 THEN -3 WHEN 3 THEN -2 END WHERE row IN (2, 3)")
    damage(path, "UPDATE journal SET row = -row WHERE row < 0")
    with pytest.raises(JournalError, match="row 2 does not follow"):
        Journal(path)


def test_a_flipped_bit_in_any_row_on_disk_is_found(path: Path) -> None:
    whole = path.read_bytes()
    for row in ROWS:
        at = whole.index(row.body.encode())
        broken = bytearray(whole)
        broken[at + 2] ^= 0x10
        path.write_bytes(broken)
        with pytest.raises(JournalError, match="damaged"):
            Journal(path)
    path.write_bytes(whole)
    Journal(path).close()


@pytest.mark.parametrize("size", [0, 10, 100, 4096, 5000])
def test_a_journal_cut_at_any_size_is_refused(path: Path, size: int) -> None:
    os.truncate(path, size)
    with pytest.raises(JournalError):
        Journal(path)


@pytest.mark.parametrize("content", [b"\x00" * 8192, b"[table]\nname = 1\n" * 600])
def test_a_file_that_is_not_a_database_is_refused_and_kept(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "j").write_bytes(content)
    with pytest.raises(JournalError):
        Journal(tmp_path / "j")
    assert (tmp_path / "j").read_bytes() == content


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / "j")
    database.execute("CREATE TABLE journal (row)")
    database.close()
    with pytest.raises(JournalError, match="not a journal of this product"):
        Journal(tmp_path / "j")


def test_a_journal_of_a_later_schema_is_refused(path: Path) -> None:
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version = 3")
    database.close()
    sums_of(path).unlink()
    with pytest.raises(JournalError, match="schema 3; this version reads and writes schemas up to 2"):
        Journal(path)


def test_a_journal_without_its_triggers_is_refused(path: Path) -> None:
    database = sqlite3.connect(path)
    database.execute("DROP TRIGGER no_delete")
    database.close()
    sums_of(path).unlink()
    with pytest.raises(JournalError, match="append-only triggers"):
        Journal(path)


def test_a_journal_is_open_in_one_daemon_only(path: Path) -> None:
    with Journal(path), pytest.raises(JournalBusy, match="in use by another daemon"):
        Journal(path)
    Journal(path).close()


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="not writable: No such file"):
        Journal(tmp_path / "absent" / "journal")


RUN = """
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from controller.journal.chain import RowContent
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
exec(sys.argv[2])
try:
    journal = Journal(Path(sys.argv[1]))
    for number in range(1000):
        journal.append([RowContent(1.0, "alert", "x" * 1000)])
    print("written")
except JournalError as error:
    print("JournalError", error)
"""


def run(path: Path, before: str) -> str:
    command = [sys.executable, "-c", RUN, str(path), before]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_rows_survive_a_process_that_does_not_close_the_journal(path: Path) -> None:
    """Its connections are closed all the same, and the sums match the file."""
    assert "written" in run(path, "")
    with Journal(path) as journal:
        assert journal.healed == ()
        assert journal.head is not None
        assert journal.head.row == 1006


def test_a_commit_fails_on_a_full_disk_and_earlier_rows_stay(path: Path) -> None:
    """The file may not grow any more: the commit fails, and everything written before stays."""
    output = run(path, "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))")
    assert "JournalError" in output
    assert "cannot be written" in output
    with Journal(path) as journal:
        assert journal.head is not None
        assert journal.head.row > 6


def test_a_read_only_folder_is_named() -> None:
    nobody = "import os; os.getuid() or os.setuid(65534)"
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o555)
        output = run(Path(folder) / "journal", nobody)
        assert "JournalError" in output
        assert "not writable: Permission denied" in output
