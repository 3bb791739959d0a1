"""What a process remembers of closed files."""

from pathlib import Path

import pytest

from controller.journal.errors import JournalError
from controller.journal.history import History, HistoryFile
from controller.past.closed_file_memory import ClosedFileMemory, version_of
from tests.fixtures.journal_files import build, overwrite, sample_rows


@pytest.fixture
def files(tmp_path: Path) -> list[HistoryFile]:
    path = tmp_path / "table.db"
    build(path, [sample_rows(3, since) for since in (0, 3, 6, 9)])
    return History(path).files()


def test_the_file_that_was_not_used_for_longest_is_evicted(files: list[HistoryFile]) -> None:
    memory = ClosedFileMemory[int](2)
    versions = [version_of(file) for file in files[:3]]
    for contents, version in enumerate(versions[:2]):
        memory.add(version, contents)
    assert memory.find(versions[0]) == 0
    memory.add(versions[2], 2)
    assert [memory.find(version) for version in versions] == [0, None, 2]


def test_a_file_that_was_changed_while_it_was_read_is_not_remembered(files: list[HistoryFile]) -> None:
    memory, file = ClosedFileMemory[int](9), files[0]
    before = version_of(file)
    overwrite(file.path, b"cut_card", b"cut_cart")
    memory.add(before, 1)
    assert memory.find(before) is None
    assert memory.find(version_of(file)) is None


def test_the_live_file_is_not_remembered(files: list[HistoryFile]) -> None:
    memory, live = ClosedFileMemory[int](9), files[-1]
    assert version_of(live) is None
    memory.add(version_of(live), 1)
    assert memory.find(version_of(live)) is None


def test_a_file_that_was_removed_is_named(files: list[HistoryFile]) -> None:
    file = files[0]
    file.path.unlink()
    with pytest.raises(JournalError, match=f"journal {file.path} cannot be read: No such file or directory"):
        version_of(file)
