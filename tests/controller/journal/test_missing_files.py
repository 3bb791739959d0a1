"""A journal that is deleted, moved, replaced or cut while it is open: the table notices and loses no row."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.journal import names
from controller.journal.errors import JournalLost
from controller.journal.journal import UNTIDY, Journal
from controller.journal.signing import Signer
from controller.journal.trust import Trust
from tests.fixtures.journal_files import sample_rows

OURS = Signer(bytes(range(32)))
Harm = Callable[[Path], object]


def delete(path: Path) -> None:
    path.unlink()


def move(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))


def replace(path: Path) -> None:
    """By the very same bytes."""
    copy = path.with_name("copy")
    shutil.copy(path, copy)
    copy.rename(path)


def cut(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(100)


def delete_all(path: Path) -> None:
    for part in names.parts(path):
        part.unlink()


HARMS: dict[str, Harm] = {
    "file deleted": delete,
    "file moved": move,
    "file replaced": replace,
    "log deleted": lambda path: delete(names.log(path)),
    "log replaced": lambda path: replace(names.log(path)),
    "record deleted": lambda path: delete(names.head(path)),
    "lock deleted": lambda path: delete(names.lock(path)),
    "all deleted": delete_all,
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """In a folder of its own, for a person who repairs it."""
    folder = tmp_path / "state"
    folder.mkdir()
    with Journal(folder / "table.db", signer=OURS) as journal:
        journal.append(sample_rows(20))
    return folder / "table.db"


def put_back(saved: Path, path: Path) -> None:
    """Follows docs/recovery.md."""
    aside = path.parent / "evidence"
    aside.mkdir()
    for part in names.parts(path):
        if part.exists():
            part.rename(aside / part.name)
    for part in saved.parent.iterdir():
        part.rename(path.parent / part.name)


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
@pytest.mark.parametrize("tidied", [False, True])
def test_a_journal_that_is_taken_away_is_noticed_and_all_its_rows_are_saved(
    path: Path, harm: Harm, tidied: bool
) -> None:
    rows = [*sample_rows(20), *sample_rows(30, since=20)]
    journal = Journal(path, signer=OURS)
    journal.append(rows[20:])
    if tidied:
        journal.tidy()
        journal.append(sample_rows(5, since=50))
        rows += sample_rows(5, since=50)
    journal.check()
    harm(path)
    with pytest.raises(JournalLost, match="was changed while it was open") as lost:
        journal.check()
    with pytest.raises(JournalLost) as again:
        journal.check()
    assert again.value is lost.value
    journal.close()
    assert lost.value.saved
    put_back(lost.value.saved, path)
    with Journal(path, signer=OURS, trust=Trust(OURS.public)) as found:
        contents = [entry.content for entry in found.since(0) if entry.content.kind == "event"]
        assert contents == rows
        assert found.healed == ()


@pytest.mark.parametrize("part", [lambda path: path, names.log], ids=["file", "log"])
def test_a_file_that_was_cut_is_noticed_and_what_is_left_is_no_whole_journal(
    path: Path, part: Callable[[Path], Path]
) -> None:
    journal = Journal(path, signer=OURS)
    journal.append(sample_rows(200, since=20))
    journal.tidy()
    journal.append(sample_rows(50, since=220))
    cut(part(path))
    with pytest.raises(JournalLost, match=r"was cut from \d+ to 100 bytes\. What was open cannot be") as lost:
        journal.check()
    assert lost.value.saved is None
    journal.close()


def test_a_log_that_was_cut_is_noticed_after_later_rows_made_it_long_again(path: Path) -> None:
    journal = Journal(path, signer=OURS)
    journal.append(sample_rows(30, since=20))
    journal.tidy()
    journal.append(sample_rows(5, since=50))
    os.truncate(names.log(path), 0)
    journal.append(sample_rows(5, since=55))
    with pytest.raises(JournalLost, match=r"was cut from \d+ to \d+ bytes"):
        journal.check()
    journal.close()


def test_a_log_that_was_cut_before_the_table_had_time_to_tidy_is_noticed(path: Path) -> None:
    journal = Journal(path, signer=OURS)
    journal.append(sample_rows(30, since=20))
    os.truncate(names.log(path), 0)
    journal.append(sample_rows(5, since=50))
    with pytest.raises(JournalLost, match=r"-wal was cut or written by another program"):
        journal.check()
    journal.close()


def test_a_journal_removed_before_the_end_is_noticed_when_it_is_closed(path: Path) -> None:
    journal = Journal(path, signer=OURS)
    journal.append(sample_rows(5, since=20))
    path.unlink()
    with pytest.raises(JournalLost) as lost:
        journal.close()
    assert lost.value.saved
    with Journal(lost.value.saved, signer=OURS) as saved:
        assert len(list(saved.since(0))) > 25


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
def test_a_journal_goes_on_without_a_mirror_that_is_taken_away_and_the_next_start_makes_it_anew(
    path: Path, tmp_path: Path, harm: Harm
) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    mirror = folder / "mirror.db"
    journal = Journal(path, mirror, OURS, most=30)
    journal.append(sample_rows(5, since=20))
    journal.check()
    assert journal.mirror_fault == ""
    harm(mirror)
    journal.check()
    assert str(mirror) in journal.mirror_fault
    for row in range(25, 25 + 2 * UNTIDY):
        journal.append(sample_rows(1, since=row))
        journal.tidy()
    assert not journal.full
    journal.close()
    with Journal(path, mirror, OURS, trust=Trust(OURS.public)) as found:
        assert len([entry for entry in found.since(0) if entry.content.kind == "event"]) == 25 + 2 * UNTIDY
        assert found.mirror_fault == ""


def test_a_journal_goes_on_after_its_mirror_was_unmounted_and_mounted_again(
    path: Path, tmp_path: Path
) -> None:
    """A folder that is renamed for a while stands for a mount point."""
    folder, away = tmp_path / "disk", tmp_path / "unmounted"
    folder.mkdir()
    with Journal(path, folder / "mirror.db", OURS, most=30) as journal:
        journal.append(sample_rows(20, since=20))
        folder.rename(away)
        folder.mkdir()
        journal.check()
        assert "mirror.db is gone" in journal.mirror_fault
        journal.append(sample_rows(5, since=40))
        assert not journal.full
        folder.rmdir()
        away.rename(folder)
        journal.check()
        assert not journal.mirror_fault
        journal.roll(sample_rows(1))
        journal.append(sample_rows(5, since=46))
    with Journal(folder / "mirror.db", signer=OURS) as mirror:
        assert mirror.head == journal.head


def test_a_journal_that_stays_in_place_raises_nothing(path: Path) -> None:
    with Journal(path, signer=OURS) as journal:
        for turn in range(400):
            journal.append(sample_rows(2, since=turn))
            journal.tidy()
            journal.check()
        journal.roll(sample_rows(1))
        journal.check()
        journal.append(sample_rows(1))
        journal.check()
