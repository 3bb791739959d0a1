"""A journal that is only read: what is there, while a daemon writes it or not, and nothing is left behind."""

import sqlite3
from pathlib import Path

import pytest

from controller.journal.chain import Row
from controller.journal.errors import JournalError
from controller.journal.history import AT_ONCE, entries
from controller.journal.journal import Journal

ROWS = [Row(1.5 * n, "event", f'{{"n":{n}}}', "shoe", b"\x07" * 8, n + 1) for n in range(6)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Journal(tmp_path / "a journal?#1") as journal:
        journal.append(ROWS)
    return tmp_path / "a journal?#1"


def names(path: Path) -> set[str]:
    return {file.name for file in path.parent.iterdir()}


def test_of_a_table_that_does_not_run(path: Path) -> None:
    before, content = names(path), path.read_bytes()
    assert [entry.content for entry in entries(path)] == ROWS
    assert (names(path), path.read_bytes()) == (before, content)


def test_of_a_table_that_runs_and_goes_on(path: Path) -> None:
    with Journal(path) as journal:
        journal.append(ROWS)
        assert [entry.content for entry in entries(path)] == ROWS * 2
        journal.append(ROWS)
        assert [entry.row for entry in entries(path)] == list(range(1, 19))


def test_rows_that_come_while_it_is_read(path: Path) -> None:
    with Journal(path) as journal:
        journal.append(ROWS * (AT_ONCE // 6))
        found = entries(path)
        first = [next(found) for _ in range(10)]
        journal.append(ROWS)
        assert [entry.content for entry in (*first, *found)] == ROWS * (AT_ONCE // 6 + 2)


def test_a_daemon_that_starts_while_it_is_read(path: Path) -> None:
    with Journal(path) as journal:
        journal.append(ROWS * (AT_ONCE // 6))
    found = entries(path)
    first = [next(found) for _ in range(10)]
    with Journal(path) as journal:
        journal.append(ROWS)
        assert [entry.content for entry in (*first, *found)] == ROWS * (AT_ONCE // 6 + 2)


def test_not_there(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"journal .*absent is not there"):
        list(entries(tmp_path / "absent"))


def test_where_nothing_can_be(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="cannot be read: File name too long"):
        list(entries(tmp_path / ("j" * 300)))


@pytest.mark.parametrize("content", [b"", b"\x00" * 8192, b"[table]\nname = 1\n" * 600])
def test_no_database(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "j").write_bytes(content)
    with pytest.raises(JournalError, match=r"no journal|not a journal"):
        list(entries(tmp_path / "j"))
    assert names(tmp_path / "j") == {"j"}


def test_foreign_database(tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / "j")
    database.execute("CREATE TABLE journal (row)")
    database.close()
    with pytest.raises(JournalError, match="not a journal of this product"):
        list(entries(tmp_path / "j"))


def test_what_follows_no_more_is_named_after_what_is_whole(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b'{"n":3}', b'{"n":9}'))
    found = entries(path)
    assert [next(found).content for _ in range(3)] == ROWS[:3]
    with pytest.raises(JournalError, match="row 4 does not follow"):
        next(found)
