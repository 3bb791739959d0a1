"""Which tables let old files wait for the floor: those that accept its messages, and no others."""

from pathlib import Path

import pytest

from controller.config import read
from controller.daemon.retaining import retention
from controller.journal.chain import RowContent
from controller.journal.retention import DAY
from controller.table.record.events import DiskSpace, Noticed
from controller.table.record.notes import Retired
from controller.table.upkeep.floor_copy import FloorCopy
from tests.fixtures.daemon_process import configured
from tests.fixtures.floor_table import with_uplink
from tests.fixtures.journal_files import build
from tests.fixtures.state_table import StateTable

FILES = 93
OLD = 2
"""Files that have rows of 90 later days behind them, and are older than any retention."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With a journal that has a file for each day."""
    build(tmp_path / "journal", [[RowContent(day * DAY + 0.5, "event", "{}")] for day in range(FILES)])
    return tmp_path


async def deleted(config: Path, table: StateTable, checks: int = 1) -> int:
    """How many files are deleted, with a floor of which nothing was heard."""
    notes: list[Retired] = []

    async def keep(note: Retired) -> None:
        notes.append(note)

    def report(alert: Noticed) -> None:
        table.apply(alert)

    found = retention(read(config), table.state, FloorCopy(), keep, report)
    for _ in range(checks):
        await found.check()
    return len(notes)


async def test_files_of_a_table_without_a_floor_wait_for_nobody(folder: Path) -> None:
    assert await deleted(configured(folder), StateTable()) == OLD


async def test_files_of_a_table_that_pins_no_key_of_a_floor_wait_for_nobody(folder: Path) -> None:
    config = with_uplink(folder, "nats://127.0.0.1:4222")
    config.write_text(config.read_text().replace(f'keys = ["{"ab" * 32}"]', "keys = []"))
    assert await deleted(config, StateTable()) == OLD


@pytest.mark.parametrize("disk", ["journal", "mirror"])
async def test_files_of_a_table_of_a_floor_wait_until_a_disk_is_nearly_full(folder: Path, disk: str) -> None:
    config, table = with_uplink(folder, "nats://127.0.0.1:4222"), StateTable()
    assert await deleted(config, table, 3) == 0
    table.apply(DiskSpace("low", 5_000_000, disk))
    assert await deleted(config, table, 3) == OLD
    texts = {one.text for one in table.state.shift.alarms.open if "was deleted" in one.text}
    assert {text.partition(" with the ")[2].partition(" was")[0] for text in texts} == {
        "rows 1 to 1",
        "rows 2 to 3",
    }
