"""Closed files are removed when they are old enough by the clock and by later rows, and never when they are
damaged."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from controller.journal import names
from controller.journal.chain import RowContent
from controller.journal.closed_files import list_closed_files
from controller.journal.errors import JournalError
from controller.journal.retention import DAY, DAYS_KEPT, ExpiredFile, RetentionShelf
from tests.fixtures.journal_files import build, closed_files, overwrite

SINCE = 20_000
"""A day, counted from 1970."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.db"


def at(day: float) -> float:
    return (SINCE + day) * DAY


def of(*days: float) -> list[RowContent]:
    return [RowContent(at(day), "event", f'{{"day":{day}}}') for day in days]


def daily(path: Path, days: Iterable[float]) -> None:
    """A file for each day; the last one is live."""
    build(path, [of(day + 0.25, day + 0.75) for day in days])


def gone(shelf: RetentionShelf, today: float) -> list[str]:
    """The files that are due, one after the other."""
    found = []
    while due := shelf.due(at(today)):
        found.append(due.file)
        shelf.remove(due)
    return found


def test_a_file_old_enough_with_enough_later_days_is_due(path: Path) -> None:
    daily(path, range(102))
    names = [file.name for file in closed_files(path)]
    assert gone(RetentionShelf(path, None, 90), 101.5) == names[:11]
    assert [file.name for file in closed_files(path)] == names[11:]


def test_a_file_is_named_with_rows_and_hash(path: Path) -> None:
    daily(path, range(102))
    due = RetentionShelf(path, None, 90).due(at(101.5))
    assert isinstance(due, ExpiredFile)
    assert (due.file, due.first, due.last, len(due.sha256)) == ("0000000001-0000000002.db", 1, 2, 64)


def test_a_longer_retention_keeps_more(path: Path) -> None:
    daily(path, range(102))
    assert len(gone(RetentionShelf(path, None, 100), 101.5)) == 1
    assert gone(RetentionShelf(path, None, 400), 101.5) == []


@pytest.mark.parametrize("days", [1, 365, 100_000])
def test_a_clock_that_jumps_ahead_costs_nothing(path: Path, days: int) -> None:
    daily(path, range(DAYS_KEPT))
    assert gone(RetentionShelf(path, None, 90), DAYS_KEPT + days) == []


def test_a_clock_that_jumped_ahead_for_some_days_costs_nothing(path: Path) -> None:
    daily(path, [*range(50), *range(1000, 1030), *range(50, 58)])
    assert gone(RetentionShelf(path, None, 90), 1030) == []


def test_a_clock_that_went_back_costs_nothing(path: Path) -> None:
    daily(path, [*range(500, 520), *range(150)])
    assert gone(RetentionShelf(path, None, 90), 150) == []


def test_days_of_a_file_that_covers_many_count_each(path: Path) -> None:
    build(path, [of(0), of(*range(1, 91)), of(200)])
    assert len(gone(RetentionShelf(path, None, 90), 200)) == 1


@pytest.mark.parametrize("last", [DAYS_KEPT, DAYS_KEPT + 1])
def test_days_with_rows_count_once(path: Path, last: int) -> None:
    build(path, [of(0), *(of(day + 0.1, day + 0.2) for day in range(1, last) for _ in range(2)), of(500)])
    assert bool(gone(RetentionShelf(path, None, 90), 500)) == (last > DAYS_KEPT)


def test_the_newest_closed_file_stays_whatever_the_clock_says(path: Path) -> None:
    build(path, [of(*range(100)), of(500)])
    assert gone(RetentionShelf(path, None, 90), 10_000) == []


def test_no_file_is_due_without_an_archive(path: Path) -> None:
    assert RetentionShelf(path, None, 90).due(at(0)) is None
    assert RetentionShelf(path, None, 90).newest == ""


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        (b'{"day":0.25}', b'{"day":0.26}', "row 1 does not follow from the one before"),
        (b"\0" * 64, b"\1" + b"\0" * 63, "its SHA-256 is"),
    ],
)
def test_a_damaged_file_is_evidence_and_stays(path: Path, before: bytes, after: bytes, reason: str) -> None:
    daily(path, range(102))
    file = closed_files(path)[0]
    overwrite(file, file.read_bytes(), after.join(file.read_bytes().rsplit(before, 1)))
    shelf = RetentionShelf(path, None, 90)
    with pytest.raises(JournalError, match=f"is damaged: {reason}"):
        shelf.due(at(101.5))
    assert file.exists()


@pytest.mark.parametrize("content", [b"", b"nothing" * 1000])
def test_a_foreign_file_in_the_archive_stays(path: Path, content: bytes) -> None:
    daily(path, range(102))
    file = closed_files(path)[0]
    overwrite(file, file.read_bytes(), content)
    with pytest.raises(JournalError, match=r"0000000001-0000000002\.db"):
        RetentionShelf(path, None, 90).due(at(101.5))
    assert file.exists()


def test_a_file_that_ends_too_soon_stays(path: Path) -> None:
    daily(path, range(102))
    file = list_closed_files(path)[0].path
    file.rename(file.with_name("0000000001-0000000003.db"))
    with pytest.raises(JournalError, match="holds rows that"):
        RetentionShelf(path, None, 90).due(at(101.5))


class TestMirror:
    @pytest.fixture
    def mirror(self, path: Path, tmp_path: Path) -> Path:
        daily(path, range(102))
        mirror = tmp_path / "mirror.db"
        names.archive(mirror).mkdir()
        for file in closed_files(path):
            (names.archive(mirror) / file.name).write_bytes(file.read_bytes())
        return mirror

    def test_files_of_the_mirror_are_removed_too(self, path: Path, mirror: Path) -> None:
        assert len(gone(RetentionShelf(path, mirror, 90), 101.5)) == 11
        assert [file.name for file in closed_files(mirror)] == [file.name for file in closed_files(path)]

    def test_a_file_missing_from_the_mirror_does_not_stop_removal(self, path: Path, mirror: Path) -> None:
        closed_files(mirror)[0].unlink()
        assert len(gone(RetentionShelf(path, mirror, 90), 101.5)) == 11

    def test_a_missing_disk_does_not_stop_removal(self, path: Path, tmp_path: Path) -> None:
        daily(path, range(102))
        assert len(gone(RetentionShelf(path, tmp_path / "away" / "mirror.db", 90), 101.5)) == 11
