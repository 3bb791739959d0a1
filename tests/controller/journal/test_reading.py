"""Reading a journal, with or without a daemon that writes it, changes nothing."""

import sqlite3
from pathlib import Path

import pytest

from controller.journal.chain import RowContent
from controller.journal.errors import JournalError
from controller.journal.history import BATCH_ROWS, History
from controller.journal.journal import Journal

ROWS = [RowContent(1.5 * n, "event", f'{{"n":{n}}}', "shoe", b"\x07" * 8, n + 1) for n in range(6)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Journal(tmp_path / "a journal?#1") as journal:
        journal.append(ROWS)
    return tmp_path / "a journal?#1"


def names(path: Path) -> set[str]:
    return {file.name for file in path.parent.iterdir()}


def test_a_journal_without_a_daemon_is_read_and_left_unchanged(path: Path) -> None:
    before, content = names(path), path.read_bytes()
    assert [entry.content for entry in History(path).rows()] == ROWS
    assert (names(path), path.read_bytes()) == (before, content)


def test_a_journal_in_use_is_read_up_to_its_last_row(path: Path) -> None:
    with Journal(path) as journal:
        journal.append(ROWS)
        assert [entry.content for entry in History(path).rows()] == ROWS * 2
        journal.append(ROWS)
        assert [entry.row for entry in History(path).rows()] == list(range(1, 19))


def test_rows_appended_during_a_read_do_not_disturb_it(path: Path) -> None:
    with Journal(path) as journal:
        journal.append(ROWS * (BATCH_ROWS // 6))
        found = History(path).rows()
        first = [next(found) for _ in range(10)]
        journal.append(ROWS)
        assert [entry.content for entry in (*first, *found)] == ROWS * (BATCH_ROWS // 6 + 2)


def test_a_daemon_can_start_while_its_journal_is_read(path: Path) -> None:
    with Journal(path) as journal:
        journal.append(ROWS * (BATCH_ROWS // 6))
    found = History(path).rows()
    first = [next(found) for _ in range(10)]
    with Journal(path) as journal:
        journal.append(ROWS)
        assert [entry.content for entry in (*first, *found)] == ROWS * (BATCH_ROWS // 6 + 2)


def test_a_missing_journal_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"journal .*absent is not there"):
        list(History(tmp_path / "absent").rows())


def test_an_impossible_path_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="cannot be read: File name too long"):
        list(History(tmp_path / ("j" * 300)).rows())


@pytest.mark.parametrize("content", [b"", b"\x00" * 8192, b"[table]\nname = 1\n" * 600])
def test_a_file_that_is_not_a_database_cannot_be_read(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "j").write_bytes(content)
    with pytest.raises(JournalError, match=r"no journal|not a journal"):
        list(History(tmp_path / "j").rows())
    assert names(tmp_path / "j") == {"j"}


def test_a_database_of_another_program_cannot_be_read(tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / "j")
    database.execute("CREATE TABLE journal (row)")
    database.close()
    with pytest.raises(JournalError, match="not a journal of this product"):
        list(History(tmp_path / "j").rows())


def test_what_follows_no_more_is_named_after_what_is_whole(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b'{"n":3}', b'{"n":9}'))
    found = History(path).rows()
    assert [next(found).content for _ in range(3)] == ROWS[:3]
    with pytest.raises(JournalError, match="row 4 does not follow"):
        next(found)
