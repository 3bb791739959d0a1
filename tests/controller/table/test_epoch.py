"""The epoch of a journal: made from its row 1, and known for as long as the table plays."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from controller.journal import names
from controller.journal.chain import JournalRow, RowContent
from controller.journal.closed_files import list_closed_files
from controller.journal.history import History
from controller.journal.journal import Journal
from controller.property.subjects import epoch_of
from controller.table.record.codec import read_input
from controller.table.record.events import Started
from controller.table.recovery import recover
from tests.controller.table.test_rolled_journal import play
from tests.fixtures.core_table import open_core
from tests.fixtures.device_inputs import Script
from tests.fixtures.journal_files import build
from tests.fixtures.loop_table import loop_table

OLD = Path(__file__).parents[1] / "journal" / "old"


def bodies(path: Path, kind: str) -> list[str]:
    """The epoch that each row of a kind records."""
    rows = (entry.content for entry in History(path).rows())
    return [json.loads(row.body)["epoch"] for row in rows if row.kind == kind]


def first_row(path: Path) -> JournalRow:
    return next(History(path).rows())


def test_each_later_start_and_each_snapshot_records_the_epoch(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    script = play(path, 2, 10_000)
    with loop_table(path, script.started()) as table:
        epoch = table.table.state.epoch
    assert epoch == epoch_of(first_row(path).hash)
    assert bodies(path, "started") == ["", epoch]
    assert bodies(path, "snapshot") == [epoch, epoch]


def test_two_journals_of_one_table_have_two_epochs(tmp_path: Path) -> None:
    epochs = set[str]()
    for name, seats in (("one", 5), ("two", 6)):
        with loop_table(tmp_path / name, replace(Script().started(), seats=seats)) as table:
            epochs.add(table.table.state.epoch)
    assert len(epochs) == 2


@pytest.mark.parametrize("archive", [True, False])
def test_the_epoch_outlives_the_file_with_row_1(tmp_path: Path, *, archive: bool) -> None:
    path = tmp_path / "table.db"
    script = play(path, 6, 40)
    epoch = epoch_of(first_row(path).hash)
    closed = list_closed_files(path)
    assert len(closed) > 1
    if archive:
        closed[0].path.unlink()
    else:
        shutil.rmtree(names.archive(path))
    with loop_table(path, script.started()) as table:
        assert table.table.state.epoch == epoch
    assert bodies(path, "started")[-1] == epoch


@pytest.mark.parametrize("name", ["easy-jack-only-killed", "six-games-ez-bust", "sealed-no-bust"])
def test_an_older_journal_gets_the_epoch_of_its_row_1(tmp_path: Path, name: str) -> None:
    path = tmp_path / "table.db"
    for file in OLD.glob(f"{name}.db*"):
        shutil.copy(file, tmp_path / file.name.replace(name, "table"))
    with Journal(path) as journal:
        rows = [*journal.since(0)]
        started = next(read_input(row.content) for row in rows if row.content.kind == "started")
        assert isinstance(started, Started)
        assert started.epoch == ""
        assert recover(journal, started).epoch == epoch_of(rows[0].hash)


def test_the_oldest_row_stands_in_for_a_row_1_that_was_deleted_before_any_epoch(tmp_path: Path) -> None:
    """A journal of an older version, whose first file was kept long enough."""
    path, parts = tmp_path / "table.db", without_epochs(tmp_path / "new.db")
    build(path, parts)
    closed = list_closed_files(path)
    closed[0].path.unlink()
    with Journal(path) as journal:
        epoch = recover(journal, Script().started()).epoch
    assert epoch == epoch_of(History(path).at(closed[1].first).hash)


def test_a_damaged_closed_file_keeps_no_table_from_starting(tmp_path: Path) -> None:
    path, parts = tmp_path / "table.db", without_epochs(tmp_path / "new.db")
    build(path, parts)
    closed = list_closed_files(path)
    closed[0].path.chmod(0o600)
    closed[0].path.write_bytes(b"no journal")
    with Journal(path) as journal:
        oldest = journal.oldest()
        assert oldest
        assert recover(journal, Script().started()).epoch == epoch_of(oldest.hash)
        assert oldest.row == closed[-1].last + 1


def without_epochs(path: Path) -> list[list[RowContent]]:
    """The rows of a played journal of three files and more as a version without epochs would have written
    them, file by file."""
    play(path, 6, 40)
    parts = []
    for file in History(path).files():
        rows = [entry.content for entry in History(path).rows(file.first, file.last)]
        parts.append([old(row) for row in rows if row.kind != "continued"])
    assert len(parts) > 2
    return parts


def old(row: RowContent) -> RowContent:
    body = json.loads(row.body)
    body.pop("epoch", None)
    return replace(row, body=json.dumps(body))


async def test_every_client_of_the_socket_learns_the_epoch(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core, core.client("uplink") as client:
        assert client.hello
        assert client.hello.epoch == epoch_of(first_row(tmp_path / "journal").hash)
