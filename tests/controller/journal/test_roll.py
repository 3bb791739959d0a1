"""A full file is closed into the archive, and the next one continues it."""

import json
import sqlite3
import threading
import tracemalloc
from itertools import pairwise
from pathlib import Path

import pytest

from controller.journal import history, names
from controller.journal.chain import RowContent
from controller.journal.closed_files import list_closed_files, sha256
from controller.journal.errors import JournalError
from controller.journal.history import History
from controller.journal.journal import ROLL_ROWS, Journal
from controller.journal.signing import CHECKPOINT, Signer, signed_by
from tests.fixtures.waiting import PATIENCE

ROWS = [RowContent(1.5 * n, "event", f'{{"n":{n}}}', "shoe", b"\x07" * 8, n + 1) for n in range(6)]
SNAPSHOT = RowContent(9.0, "snapshot", "{}")
ROUND = RowContent(8.0, "round", "{}")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.db"


def is_full(journal: Journal) -> bool:
    return journal.full


def is_copied(journal: Journal) -> bool:
    return journal.copied


def test_a_file_is_full_when_it_holds_enough_rows(path: Path) -> None:
    with Journal(path, most=12) as journal:
        journal.append(ROWS)
        assert is_full(journal) is False
        journal.append(ROWS)
        assert is_full(journal)
        journal.roll([SNAPSHOT])
        assert is_full(journal) is False
        journal.append([*ROWS, *ROWS[:4]])
        assert is_full(journal)
    assert ROLL_ROWS == 50_000


def test_a_roll_closes_the_file_and_continues_in_the_next(path: Path) -> None:
    with Journal(path) as journal:
        journal.append([*ROWS, ROUND])
        before = journal.head
        journal.roll([SNAPSHOT, ROUND])
        assert before is not None
        assert journal.head is not None
        assert [entry.row for entry in journal.since(0)] == [8, 9, 10]
        assert [entry.row for entry in journal.latest("snapshot")] == [9]
        assert [entry.row for entry in journal.latest("round")] == [10]
        assert journal.first_snapshot() == journal.latest("snapshot")[0]
        journal.append(ROWS)
        assert journal.head.row == 16
    (closed,) = list_closed_files(path)
    assert (closed.path.name, closed.first, closed.last) == ("0000000001-0000000007.db", 1, 7)
    joint = next(entry.content for entry in History(path).rows() if entry.row == 8)
    assert joint.kind == "continued"
    assert json.loads(joint.body) == {
        "file": closed.path.name,
        "sha256": sha256(closed.path),
        "row": 7,
        "hash": before.hash.hex(),
    }
    assert [entry.row for entry in History(path).rows()] == list(range(1, 17))


def test_a_closed_file_is_one_plain_file_that_nobody_writes(path: Path) -> None:
    with Journal(path) as journal:
        journal.append(ROWS)
        journal.roll([SNAPSHOT])
    (closed,) = list_closed_files(path)
    assert closed.path.stat().st_mode & 0o777 == 0o440
    assert names.archive(path).stat().st_mode & 0o777 == 0o750
    database = sqlite3.connect(f"file:{closed.path}?mode=ro", uri=True)
    assert database.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert database.execute("SELECT count(*) FROM journal").fetchone() == (6,)
    database.close()
    assert [file.name for file in names.archive(path).iterdir()] == [closed.path.name]


def test_a_file_is_not_closed_while_it_is_read(path: Path) -> None:
    with Journal(path, most=6) as journal:
        journal.append(ROWS)
        reader = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM journal").fetchone() == (6,)
        journal.append(ROWS)
        journal.roll([SNAPSHOT])
        assert is_full(journal)
        assert not list_closed_files(path)
        reader.close()
        journal.roll([SNAPSHOT])
        assert is_full(journal) is False
        assert [file.last for file in list_closed_files(path)] == [12]


def test_a_connection_that_reads_nothing_is_in_nobodys_way(path: Path) -> None:
    with Journal(path, most=6) as journal:
        journal.append(ROWS)
        idle = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)
        assert idle.execute("SELECT count(*) FROM journal").fetchone() == (6,)
        journal.roll([SNAPSHOT])
        journal.append(ROWS)
        assert [entry.row for entry in History(path).rows()] == list(range(1, 15))
        idle.close()
    with Journal(path) as journal:
        assert journal.healed == ()


def test_readers_see_every_row_while_files_are_closed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever they look, they see a whole chain."""
    monkeypatch.setattr(history, "PATIENCE", PATIENCE)
    seen, stop = list[int](), threading.Event()

    def read() -> None:
        while not stop.is_set():
            seen.append(len(list(History(path).rows())))

    with Journal(path, most=20) as journal:
        journal.append(ROWS)
        reader = threading.Thread(target=read)
        reader.start()
        try:
            for _ in range(60):
                journal.append(ROWS)
                if journal.full:
                    journal.roll([SNAPSHOT])
        finally:
            stop.set()
            reader.join()
    assert seen == sorted(seen)
    assert len(list_closed_files(path)) > 5


def test_snapshots_are_signed_and_the_end_is(path: Path) -> None:
    signer = Signer(bytes(range(32)))
    with Journal(path, signer=signer) as journal:
        journal.append(ROWS)
        journal.append([*ROWS, SNAPSHOT])
        journal.roll([SNAPSHOT])
        journal.append(ROWS)
    found = list(History(path).rows())
    kinds = [entry.content.kind for entry in found]
    assert kinds == [
        *["event"] * 12,
        "snapshot",
        CHECKPOINT,
        "continued",
        "snapshot",
        CHECKPOINT,
        *["event"] * 6,
        CHECKPOINT,
    ]
    for before, entry in pairwise(found):
        if entry.content.kind == CHECKPOINT:
            assert signed_by(entry.content, before) == signer.public
    with Journal(path, signer=signer) as journal:
        assert journal.head == found[-1]
    assert len(list(History(path).rows())) == len(found)


def test_a_closed_file_that_is_gone_is_told(path: Path) -> None:
    with Journal(path) as journal:
        for _ in range(2):
            journal.append(ROWS)
            journal.roll([SNAPSHOT])
    last = list_closed_files(path)[-1].path
    last.unlink()
    with Journal(path) as journal:
        assert journal.healed == (f"journal {path}: its closed file {last.name} is gone",)


def test_closed_files_that_were_kept_long_enough_are_not_missed(path: Path) -> None:
    with Journal(path) as journal:
        journal.append(ROWS)
        journal.roll([SNAPSHOT])
    for file in list_closed_files(path):
        file.path.unlink()
    with Journal(path) as journal:
        assert journal.healed == ()
        assert [entry.row for entry in journal.since(0)] == [7, 8]


def test_a_file_that_cannot_be_copied_stays_open(path: Path) -> None:
    with Journal(path) as journal:
        journal.append(ROWS)
        names.archive(path).write_text("a file where the folder should be")
        with pytest.raises(JournalError, match="cannot be written"):
            journal.roll([SNAPSHOT])
        journal.append([ROUND])
        names.archive(path).unlink()
    with Journal(path) as journal:
        assert [entry.content for entry in journal.since(0)] == [*ROWS, ROUND]


@pytest.mark.parametrize("steps", range(1, 6))
def test_a_file_that_is_copied_between_two_steps_of_tidying_is_closed_whole(path: Path, steps: int) -> None:
    """A checkpoint writes pages into the file whose checksums were recorded before the copy began."""
    long = RowContent(1.0, "event", json.dumps("x" * 3000), "shoe", b"\x07" * 8, 1)
    with Journal(path) as journal:
        journal.append([long] * 300)
        for _ in range(steps):
            journal.tidy_step()
        journal.copy().run()
        while journal.tidy_step():
            pass
        journal.append([ROUND])
        head = journal.head
        journal.roll([SNAPSHOT])
        journal.tidy()
        journal.append([long] * 300)
        journal.tidy()
    assert head is not None
    (closed,) = list_closed_files(path)
    assert closed.last == head.row
    assert [entry.row for entry in History(path).rows()] == list(range(1, head.row + 303))


def test_rows_that_come_while_a_file_is_copied_are_in_the_closed_one(path: Path) -> None:
    """Rows are appended, and folded into the file, at each moment of the copy."""
    long = RowContent(1.0, "event", json.dumps("x" * 3000), "shoe", b"\x07" * 8, 1)
    with Journal(path) as journal:
        journal.append([long] * 300)

        def meanwhile() -> None:
            journal.append([long] * 10)
            journal.tidy()

        copy = journal.copy()
        assert is_copied(journal) is False
        copy.run(meanwhile)
        assert is_copied(journal)
        assert not list_closed_files(path)
        journal.append([long, ROUND])
        before = journal.head
        journal.roll([SNAPSHOT])
        assert before is not None
    (closed,) = list_closed_files(path)
    assert closed.last == before.row > 320
    assert [entry.row for entry in History(path).rows()] == list(range(1, before.row + 3))
    assert not names.copy(path).exists()
    database = sqlite3.connect(f"file:{closed.path}?mode=ro", uri=True)
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


def test_a_copy_that_is_given_up_is_taken_away_at_the_next_start(path: Path) -> None:
    with Journal(path) as journal:
        journal.append([*ROWS, SNAPSHOT])
        copy = journal.copy()
        copy.stop()
        copy.run()
        assert is_copied(journal) is False
        assert names.copy(path).exists()
    with Journal(path) as journal:
        assert not names.copy(path).exists()
        journal.roll([SNAPSHOT])
    assert [file.last for file in list_closed_files(path)] == [7]


def test_closing_a_large_file_takes_little_memory(path: Path) -> None:
    """Less than two pieces, whatever the size of the file."""
    long = RowContent(1.0, "event", json.dumps("x" * 30_000), "shoe", b"\x07" * 8, 1)
    with Journal(path) as journal:
        journal.append([long] * 400)
        tracemalloc.start()
        try:
            journal.copy().run()
            journal.roll([SNAPSHOT])
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert list_closed_files(path)[0].path.stat().st_size > 12_000_000
    assert peak < 2_000_000


def test_closed_files_of_an_older_version_get_the_modes_of_this_one(path: Path) -> None:
    with Journal(path) as journal:
        journal.append(ROWS)
        journal.roll([SNAPSHOT])
    (closed,) = list_closed_files(path)
    closed.path.chmod(0o400)
    names.archive(path).chmod(0o700)
    Journal(path).close()
    assert closed.path.stat().st_mode & 0o777 == 0o440
    assert names.archive(path).stat().st_mode & 0o777 == 0o750
