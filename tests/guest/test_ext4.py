"""What the host reads on a lossy disk, without a guest: rows of a journal that were flushed, and those of a
disk that is deaf to a flush."""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from controller.journal.chain import RowContent
from controller.journal.journal import Journal
from tests.guest.ext4 import blocks_of, formatted, image_of, journal_rows
from tests.guest.nbd import BLOCK, FLUSH, WRITE
from tests.guest.test_nbd import served

MEGABYTES: Final = 16
ROWS: Final = 40


@pytest.fixture(scope="module")
def empty() -> Mapping[int, bytes]:
    return formatted("journal", MEGABYTES)


@pytest.fixture(scope="module")
def written(empty: Mapping[int, bytes], tmp_path_factory: pytest.TempPathFactory) -> Mapping[int, bytes]:
    """The same disk with a journal on it."""
    path = tmp_path_factory.mktemp("journal") / "table.db"
    with Journal(path) as journal:
        for number in range(ROWS):
            journal.append([RowContent(number, "event", "x" * 1000)])
    with image_of(empty, MEGABYTES) as image:
        subprocess.run(
            ["debugfs", "-w", "-R", f"write {path} table.db", image], check=True, capture_output=True
        )
        return blocks_of(image)


def rows_after(folder: Path, old: Mapping[int, bytes], new: Mapping[int, bytes], *, deaf: bool) -> int:
    """Those that a start finds, if the power went after a flush of what is new."""
    content = dict(old)
    with served(folder, content, megabytes=MEGABYTES, deaf=deaf) as (_disk, client):
        for number, block in new.items():
            if block != old.get(number):
                client.ask(WRITE, number * BLOCK, data=block)
        client.ask(FLUSH)
    return journal_rows(content, MEGABYTES, "table.db")


def test_rows_that_a_disk_has_flushed_are_there_after_a_loss_of_power(
    empty: Mapping[int, bytes], written: Mapping[int, bytes], tmp_path: Path
) -> None:
    assert rows_after(tmp_path, empty, written, deaf=False) == ROWS


def test_rows_on_a_disk_that_is_deaf_to_a_flush_are_missed(
    empty: Mapping[int, bytes], written: Mapping[int, bytes], tmp_path: Path
) -> None:
    assert rows_after(tmp_path, empty, written, deaf=True) < ROWS
