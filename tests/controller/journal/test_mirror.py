"""The mirror on another disk is never behind, and each copy is repaired from the other."""

import shutil
from pathlib import Path

import pytest

from controller.journal import names
from controller.journal.chain import RowContent
from controller.journal.closed_files import list_closed_files
from controller.journal.errors import JournalBusy, JournalError
from controller.journal.history import History
from controller.journal.journal import Journal

ROWS = [RowContent(1.5 * n, "event", f'{{"n":{n}}}', "shoe", b"\x07" * 8, n + 1) for n in range(6)]
OTHERS = [RowContent(row.at, row.kind, row.body, "console", row.log, row.number) for row in ROWS]
SNAPSHOT = RowContent(9.0, "snapshot", "{}")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "one").mkdir()
    return tmp_path / "one" / "table.db"


@pytest.fixture
def mirror(tmp_path: Path, path: Path) -> Path:
    """The mirror of a journal with a closed file and six more rows."""
    (tmp_path / "two").mkdir()
    mirror = tmp_path / "two" / "mirror.db"
    with Journal(path, mirror) as journal:
        journal.append(ROWS)
        journal.roll([SNAPSHOT])
        journal.append(ROWS)
    return mirror


def rows(path: Path) -> list[RowContent]:
    return [entry.content for entry in History(path).rows() if entry.content.kind != "continued"]


WHOLE = [*ROWS, SNAPSHOT, *ROWS]


def append(path: Path, mirror: Path | None, *batches: list[RowContent]) -> None:
    with Journal(path, mirror) as journal:
        for batch in batches:
            journal.append(batch)


def damage(path: Path, byte: int = 6000) -> None:
    content = bytearray(path.read_bytes())
    content[byte] ^= 1
    path.write_bytes(content)


def opened(path: Path, mirror: Path) -> tuple[str, ...]:
    """The repairs of an opening; a second opening repairs nothing."""
    with Journal(path, mirror) as journal:
        healed = journal.healed
        assert journal.head is not None
    with Journal(path, mirror) as journal:
        assert journal.healed == ()
    assert list(History(path).rows()) == list(History(mirror).rows())
    assert [file.path.name for file in list_closed_files(path)] == [
        file.path.name for file in list_closed_files(mirror)
    ]
    return healed


def refused(path: Path, mirror: Path, sentence: str) -> None:
    before = everything(path, mirror)
    with pytest.raises(JournalError, match=sentence):
        Journal(path, mirror)
    assert everything(path, mirror) == before


def everything(path: Path, mirror: Path) -> dict[str, bytes]:
    files = (*path.parent.rglob("*"), *mirror.parent.rglob("*"))
    return {str(file): file.read_bytes() for file in files if file.is_file() and file.suffix != ".lock"}


def test_a_mirror_has_every_row_before_an_append_returns(path: Path, mirror: Path) -> None:
    with Journal(path, mirror) as journal:
        for number in range(5):
            journal.append(ROWS)
            assert list(History(mirror).rows()) == list(History(path).rows())
            assert len(list(History(mirror).rows())) == 14 + 6 * (number + 1)


def test_the_group_of_a_mirror_may_read_it_and_nobody_else(path: Path, mirror: Path) -> None:
    with Journal(path, mirror) as journal:
        journal.append(ROWS)
        for folder in (path.parent, mirror.parent):
            files = (file for file in folder.rglob("*") if not file.name.endswith((".lock", "-shm")))
            modes = {file.name: file.stat().st_mode & 0o777 for file in files}
            assert modes.pop(names.archive(path if folder == path.parent else mirror).name) == 0o750
            assert modes.pop("0000000001-0000000006.db") == 0o440
            assert set(modes.values()) == {0o640}


@pytest.mark.parametrize("missing", [1, 2, 5])
def test_a_mirror_that_was_away_gets_the_rows_it_missed(path: Path, mirror: Path, missing: int) -> None:
    append(path, None, *[ROWS] * missing)
    assert opened(path, mirror) == (
        f"journal {mirror} ended at row 14: what followed was copied from {path}",
    )
    assert rows(mirror) == [*WHOLE, *ROWS * missing]


def test_the_journal_gets_what_the_mirror_has(path: Path, mirror: Path) -> None:
    append(mirror, None, ROWS)
    assert opened(path, mirror) == (
        f"journal {path} ended at row 14: what followed was copied from {mirror}",
    )
    assert rows(path) == [*WHOLE, *ROWS]


@pytest.mark.parametrize("files", [1, 3])
def test_a_mirror_that_was_away_gets_the_closed_files_it_missed(path: Path, mirror: Path, files: int) -> None:
    with Journal(path) as journal:
        for _ in range(files):
            journal.append(ROWS)
            journal.roll([SNAPSHOT])
            journal.append(ROWS)
    assert opened(path, mirror) == (
        f"{files} closed files of {path} were copied beside {mirror}",
        f"journal {mirror} ended at row 14: what followed was copied from {path}",
    )
    assert rows(mirror) == [*WHOLE, *[*ROWS, SNAPSHOT, *ROWS] * files]


def test_a_mirror_on_a_new_disk_is_copied_from_the_journal(path: Path, mirror: Path) -> None:
    shutil.rmtree(mirror.parent)
    mirror.parent.mkdir()
    assert opened(path, mirror) == (
        f"1 closed files of {path} were copied beside {mirror}",
        f"journal {mirror} was not there; {path} was copied to its place",
    )
    assert rows(mirror) == WHOLE


def test_a_journal_on_a_new_disk_is_copied_from_the_mirror(path: Path, mirror: Path) -> None:
    shutil.rmtree(path.parent)
    path.parent.mkdir()
    assert opened(path, mirror) == (
        f"1 closed files of {mirror} were copied beside {path}",
        f"journal {path} was not there; {mirror} was copied to its place",
    )
    assert rows(path) == WHOLE


@pytest.mark.parametrize("which", [0, 1])
def test_a_damaged_copy_is_replaced_and_set_aside(path: Path, mirror: Path, which: int) -> None:
    bad, good = (path, mirror) if which == 0 else (mirror, path)
    damage(bad)
    damaged, aside = bad.read_bytes(), names.beside(bad, ".damaged-1")
    assert opened(path, mirror) == (
        f"journal {bad} is damaged: not as it was written in page 2; it is kept as {aside}; "
        f"{good} was copied to its place",
    )
    assert rows(bad) == WHOLE
    assert aside.read_bytes() == damaged
    damage(bad)
    assert "damaged-2" in opened(path, mirror)[0]


def test_a_journal_that_is_gone_is_copied_back(path: Path, mirror: Path) -> None:
    path.unlink()
    assert f"journal {path} is gone" in opened(path, mirror)[0]
    assert rows(path) == WHOLE


def test_two_damaged_copies_are_refused(path: Path, mirror: Path) -> None:
    damage(path)
    damage(mirror, 5000)
    refused(path, mirror, f"journal {path} is damaged: .*; journal {mirror} is damaged: ")


def test_a_copy_that_lacks_rows_does_not_replace_a_damaged_one(path: Path, mirror: Path) -> None:
    """A copy that lacks acknowledged rows does not replace the other one."""
    append(path, None, ROWS)
    damage(path)
    refused(path, mirror, rf"journal {path} is damaged: .*; {mirror} ends before that, at row 14")


def test_a_copy_of_another_table_does_not_replace_a_damaged_one(path: Path, mirror: Path) -> None:
    for part in names.parts(mirror):
        part.unlink(missing_ok=True)
    shutil.rmtree(names.archive(mirror))
    append(mirror, None, OTHERS, OTHERS, OTHERS)
    damage(path)
    refused(path, mirror, "disagree at row 14: one of them is foreign")


@pytest.mark.parametrize("extra", [0, 1])
def test_two_copies_that_disagree_are_refused(path: Path, mirror: Path, extra: int) -> None:
    append(path, None, ROWS[:3], ROWS[3:])
    append(mirror, None, ROWS[:3], OTHERS[3:], *[OTHERS] * extra)
    refused(path, mirror, r"journals .* and .* disagree at row 18: one of them is foreign")


@pytest.mark.usefixtures("mirror")
def test_the_mirror_of_another_table_is_refused(path: Path, tmp_path: Path) -> None:
    append(tmp_path / "other.db", None, OTHERS, OTHERS, OTHERS)
    refused(path, tmp_path / "other.db", "disagree at row|begins after row")


def test_the_mirror_of_another_table_is_refused_before_any_file_is_closed(tmp_path: Path) -> None:
    append(tmp_path / "a.db", None, ROWS)
    append(tmp_path / "b.db", None, [ROWS[0], *OTHERS[1:]])
    refused(tmp_path / "a.db", tmp_path / "b.db", "disagree at row 2: one of them is foreign")


@pytest.mark.parametrize("content", [b"", b"[table]\nname = 1\n" * 600])
def test_a_foreign_file_under_its_name_stays(path: Path, tmp_path: Path, content: bytes) -> None:
    append(path, None, ROWS)
    (tmp_path / "notes.txt").write_bytes(content)
    refused(path, tmp_path / "notes.txt", f"{tmp_path}/notes.txt is not a journal of this product")


def test_a_mirror_on_an_unmounted_disk_is_refused(path: Path, tmp_path: Path) -> None:
    sentence = r"its folder .*/absent is not there; mount its disk, or take journal\.mirror out of the"
    with pytest.raises(JournalError, match=sentence):
        Journal(path, tmp_path / "absent" / "table.db")
    assert not path.exists()


def test_a_mirror_is_open_in_one_daemon_only(path: Path, mirror: Path, tmp_path: Path) -> None:
    with Journal(path, mirror):
        with pytest.raises(JournalBusy, match=f"journal {path} is in use by another daemon"):
            Journal(path, mirror)
        with pytest.raises(JournalBusy, match=f"journal {mirror} is in use by another daemon"):
            Journal(tmp_path / "another.db", mirror)
    Journal(path, mirror).close()


def test_a_full_disk_of_the_mirror_fails_the_append(path: Path, mirror: Path) -> None:
    """What the journal has and the mirror lacks was never acknowledged; it is copied at the next start."""
    with Journal(path, mirror) as journal:
        journal._stores[1]._writer.execute("PRAGMA query_only = 1")
        with pytest.raises(JournalError, match=f"journal {mirror}: row 15 cannot be written"):
            journal.append(ROWS)
    assert rows(path) == [*WHOLE, *ROWS]
    assert rows(mirror) == WHOLE
    assert len(opened(path, mirror)) == 1
    assert rows(mirror) == [*WHOLE, *ROWS]
