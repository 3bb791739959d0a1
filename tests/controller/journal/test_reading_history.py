"""A journal of several files is read as one chain from the oldest file to the live one."""

import shutil
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from controller.journal import history, names
from controller.journal.chain import JournalRow, chain_rows
from controller.journal.closed_files import CONTINUED, closed_file_name, list_closed_files
from controller.journal.errors import JournalError
from controller.journal.history import BATCH_ROWS, History
from controller.journal.journal import Journal
from tests.fixtures.journal_files import build, close, closed_files, joint, overwrite, sample_rows, write


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.db"


@pytest.fixture
def whole(path: Path) -> list[JournalRow]:
    return build(path, [sample_rows(7), sample_rows(5, 7), sample_rows(6, 12), sample_rows(3, 18)])


def refused(path: Path) -> str:
    with pytest.raises(JournalError) as caught:
        list(History(path).rows())
    return str(caught.value)


def test_all_files_are_one_history(path: Path, whole: list[JournalRow]) -> None:
    assert list(History(path).rows()) == whole
    assert [entry.row for entry in whole if entry.content.kind == CONTINUED] == [8, 14, 21]


def test_reading_a_history_writes_nothing(path: Path, whole: list[JournalRow]) -> None:
    files = sorted(path.parent.rglob("*"))
    assert len(list(History(path).rows())) == len(whole)
    assert sorted(path.parent.rglob("*")) == files


@pytest.mark.parametrize("gone", [1, 2, 3])
def test_a_history_begins_with_the_oldest_file_that_is_left(
    path: Path, whole: list[JournalRow], gone: int
) -> None:
    first = list_closed_files(path)[gone - 1].last + 1
    for file in closed_files(path)[:gone]:
        file.unlink()
    assert list(History(path).rows()) == whole[first - 1 :]


def test_each_closed_file_can_be_read_by_itself(path: Path, whole: list[JournalRow]) -> None:
    for file in list_closed_files(path):
        assert list(History(file.path).rows()) == whole[file.first - 1 : file.last]


def test_other_files_in_the_archive_are_no_part_of_it(path: Path, whole: list[JournalRow]) -> None:
    (names.archive(path) / "notes.txt").write_text("hello")
    (names.archive(path) / "0000000001-0000000007.db.new").write_text("half")
    assert list(History(path).rows()) == whole


def test_a_file_closed_during_a_read_is_read_once(path: Path) -> None:
    before = build(path, [sample_rows(BATCH_ROWS + 50)])
    found = History(path).rows()
    first = list(islice(found, 10))
    close(path, before)
    more = chain_rows(before[-1], [joint(path, before[-1], 1.0), *sample_rows(5)])
    write(path, more)
    assert [*first, *found] == [*before, *more]


def test_a_file_closed_at_the_end_of_its_read_is_read_once(path: Path) -> None:
    before = build(path, [sample_rows(20), sample_rows(BATCH_ROWS - 1)])
    found = History(path).rows()
    first = list(islice(found, len(before)))
    close(path, before[20:])
    more = chain_rows(before[-1], [joint(path, before[-1], 1.0), *sample_rows(5)])
    write(path, more)
    assert [*first, *found] == [*before, *more]


def test_two_files_closed_during_a_read_are_both_read(path: Path) -> None:
    whole = build(path, [sample_rows(BATCH_ROWS + 50)])
    found = History(path).rows()
    first = list(islice(found, 10))
    close(path, whole)
    for count in (BATCH_ROWS + 3, 4):
        more = chain_rows(whole[-1], [joint(path, whole[-1], 1.0), *sample_rows(count)])
        write(path, more)
        whole += more
        if count > 4:
            close(path, more)
    assert [*first, *found] == whole


def test_rows_appended_during_a_read_of_the_history_are_read(path: Path) -> None:
    build(path, [sample_rows(7)])
    with Journal(path) as journal:
        journal.append(sample_rows(4))
        assert len(list(History(path).rows())) == 11


@pytest.mark.parametrize("number", range(3))
def test_a_closed_file_that_is_gone_from_the_middle_is_missed(
    path: Path, whole: list[JournalRow], number: int
) -> None:
    assert whole
    gone = list_closed_files(path)[number]
    gone.path.unlink()
    if number == 0:
        assert next(iter(History(path).rows())).row == gone.last + 1
    elif number == 1:
        assert f"rows {gone.first} to {gone.last} are missing between" in refused(path)
    else:
        assert refused(path) == f"journal {path}: rows {gone.first} to {gone.last} are missing before it"


def test_a_live_file_that_is_gone_is_missed(
    path: Path, whole: list[JournalRow], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert whole
    monkeypatch.setattr(history, "PATIENCE", 0.0)
    path.unlink()
    assert refused(path) == f"journal {path} is not there"


Damage = Callable[[list[Path]], object]


def swapped(files: list[Path]) -> None:
    first, second = (file.read_bytes() for file in files[:2])
    overwrite(files[0], first, second)
    overwrite(files[1], second, first)


def twice(files: list[Path]) -> None:
    shutil.copy(files[0], files[0].with_name(closed_file_name(3, 9)))


def foreign(files: list[Path]) -> None:
    other = files[0].parent / "other"
    write(other, chain_rows(None, sample_rows(7, 100)))
    overwrite(files[0], files[0].read_bytes(), other.read_bytes())


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (swapped, "it begins with row 8|is damaged: row 1 does not follow"),
        (twice, r"0000000003-0000000009\.db holds rows that .*0000000001-0000000007\.db holds"),
        (foreign, r"0000000001-0000000007\.db with [0-9a-f]{64}$"),
        (
            lambda files: files[1].rename(files[1].with_name(closed_file_name(8, 12))),
            r"rows 13 to 13 are missing",
        ),
        (lambda files: files[2].rename(files[2].with_name(closed_file_name(14, 19))), r"ends with row 20"),
        (lambda files: overwrite(files[0], files[0].read_bytes(), b""), "not a journal of this product"),
        (lambda files: overwrite(files[0], b'{"n": 3,', b'{"n": 9,'), r"0000000007\.db is damaged: row 4"),
        (lambda files: overwrite(files[2], b"0000000008-0000000013", b"0000000008-0000000012"), "row 14"),
    ],
)
def test_damage_of_closed_files_is_told_with_file_and_row(
    path: Path, whole: list[JournalRow], damage: Damage, says: str
) -> None:
    assert whole
    damage(closed_files(path))
    with pytest.raises(JournalError, match=says):
        list(History(path).rows())


@pytest.mark.parametrize("number", range(3))
def test_each_bit_of_a_closed_file_counts(path: Path, whole: list[JournalRow], number: int) -> None:
    """A sample: one bit of every 97th byte; the SHA-256 finds what the chain does not see."""
    file = closed_files(path)[number]
    content = file.read_bytes()
    file.chmod(0o600)
    for place in range(number, len(content), 97):
        file.write_bytes(content[:place] + bytes([content[place] ^ 1 << place % 8]) + content[place + 1 :])
        assert str(file) in refused(path), place
    file.write_bytes(content)
    assert list(History(path).rows()) == whole


@pytest.mark.parametrize(
    "body",
    [
        "{}",
        "[]",
        "5",
        "no JSON",
        '{"file":"x","sha256":"","row":7,"hash":"zz"}',
        '{"file":"x","sha256":"","row":6,"hash":""}',
        "[" * 100_000,
    ],
)
def test_a_first_row_that_names_no_file_is_refused(path: Path, whole: list[JournalRow], body: str) -> None:
    first = whole[20].content
    write(path.with_name("forged"), chain_rows(whole[19], [type(first)(first.at, CONTINUED, body)]))
    path.with_name("forged").replace(path)
    assert f"journal {path} is damaged: row 21" in refused(path)


def test_a_file_that_begins_in_the_middle_must_say_what_it_continues(
    path: Path, whole: list[JournalRow]
) -> None:
    write(path.with_name("other"), whole[1:5])
    assert "begins with row 2 of kind 'event'; allowed: row 1, or one of kind 'continued'" in refused(
        path.with_name("other")
    )
