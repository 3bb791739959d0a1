"""The daemon's part of retention: a row says so before a file goes, and what is damaged is told."""

from dataclasses import asdict, dataclass, field
from pathlib import Path

import pytest

from controller.journal.chain import Row
from controller.journal.history import entries
from controller.journal.journal import Journal
from controller.journal.retention import DAY, Shelf
from controller.past.verify.audit import verify
from controller.past.verify.external import Asked
from controller.table.record.codec import read_record, row
from controller.table.record.notes import Retired
from controller.table.upkeep.retention import Retiring
from tests.fixtures.journal_files import build, closed_files, overwrite

TODAY = 120


@dataclass
class Table:
    """Keeps notes in the journal at `path`, and what is told."""

    path: Path
    kept: list[Retired] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    async def keep(self, note: Retired) -> None:
        assert (self.path.with_name("table.db.archive") / note.file).exists()
        with Journal(self.path) as journal:
            journal.append([row(TODAY * DAY, note)])
        self.kept.append(note)

    def retiring(self) -> Retiring:
        shelf = Shelf(self.path, None, 90)
        return Retiring(shelf, self.keep, self.told.append, lambda: float(TODAY * DAY))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    path = tmp_path / "table.db"
    build(path, [[Row(day * DAY + 0.5, "event", "{}")] for day in range(TODAY)])
    return Table(path)


async def test_what_goes_is_noted_first_and_the_rest_is_whole(table: Table) -> None:
    names = [file.name for file in closed_files(table.path)]
    await table.retiring().look()
    assert [note.file for note in table.kept] == names[:29]
    assert [file.name for file in closed_files(table.path)] == names[29:]
    assert table.told == []
    assert verify(table.path, Asked()).findings == ()


async def test_the_note_can_be_read_again(table: Table) -> None:
    await table.retiring().look()
    rows = [entry.content for entry in entries(table.path) if entry.content.kind == "retired"]
    assert [read_record(each) for each in rows] == table.kept
    assert asdict(table.kept[0]).keys() == {"file", "first", "last", "sha256"}


async def test_it_looks_again_once_another_file_was_closed(table: Table) -> None:
    retiring = table.retiring()
    await retiring.look()
    table.kept.clear()
    closed_files(table.path)[0].touch()
    await retiring.look()
    assert table.kept == []
    with Journal(table.path) as journal:
        journal.roll([Row(TODAY * DAY, "event", "{}")])
    await retiring.look()
    assert len(table.kept) == 1


async def test_a_damaged_file_stays_and_is_told_once(table: Table) -> None:
    first = closed_files(table.path)[0]
    overwrite(first, b"{}", b"[]")
    retiring = table.retiring()
    await retiring.look()
    await retiring.look()
    assert len(table.told) == 1
    assert table.told[0].startswith(f"journal {first} is damaged")
    assert first.exists()
    assert table.kept == []


async def test_a_stop_between_the_note_and_the_file_ends_well(table: Table) -> None:
    class Stopped(Exception):
        pass

    async def stop(note: Retired) -> None:
        await table.keep(note)
        raise Stopped

    shelf = Shelf(table.path, None, 90)
    with pytest.raises(Stopped):
        await Retiring(shelf, stop, table.told.append, lambda: float(TODAY * DAY)).look()
    await table.retiring().look()
    assert [note.first for note in table.kept[:2]] == [1, 1]
    assert verify(table.path, Asked()).findings == ()
