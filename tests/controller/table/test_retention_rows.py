"""Retention in the daemon: a row records each removal before it happens, and damaged files are reported."""

from dataclasses import asdict, dataclass, field
from pathlib import Path

import pytest

from controller.journal.chain import RowContent
from controller.journal.history import History
from controller.journal.journal import Journal
from controller.journal.retention import DAY, RetentionShelf
from controller.past.verify.audit import verify
from controller.past.verify.external import VerifyDemands
from controller.table.record.codec import read_record, to_row
from controller.table.record.notes import Retired
from controller.table.upkeep.retention import Retention
from tests.fixtures.journal_files import build, closed_files, overwrite

TODAY = 120


@dataclass
class Table:
    """Keeps removal rows in the journal at `path`, and the reported sentences."""

    path: Path
    kept: list[Retired] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)

    async def keep(self, note: Retired) -> None:
        assert (self.path.with_name("table.db.archive") / note.file).exists()
        with Journal(self.path) as journal:
            journal.append([to_row(TODAY * DAY, note)])
        self.kept.append(note)

    def retiring(self) -> Retention:
        shelf = RetentionShelf(self.path, None, 90)
        return Retention(shelf, self.keep, self.sentences.append, lambda: float(TODAY * DAY))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    path = tmp_path / "table.db"
    build(path, [[RowContent(day * DAY + 0.5, "event", "{}")] for day in range(TODAY)])
    return Table(path)


async def test_a_removal_is_recorded_first_and_the_rest_is_whole(table: Table) -> None:
    names = [file.name for file in closed_files(table.path)]
    await table.retiring().check()
    assert [note.file for note in table.kept] == names[:29]
    assert [file.name for file in closed_files(table.path)] == names[29:]
    assert table.sentences == []
    assert verify(table.path, VerifyDemands()).findings == ()


async def test_the_note_can_be_read_again(table: Table) -> None:
    await table.retiring().check()
    rows = [entry.content for entry in History(table.path).rows() if entry.content.kind == "retired"]
    assert [read_record(each) for each in rows] == table.kept
    assert asdict(table.kept[0]).keys() == {"file", "first", "last", "sha256"}


async def test_retention_looks_again_after_another_file_is_closed(table: Table) -> None:
    retiring = table.retiring()
    await retiring.check()
    table.kept.clear()
    closed_files(table.path)[0].touch()
    await retiring.check()
    assert table.kept == []
    with Journal(table.path) as journal:
        journal.roll([RowContent(TODAY * DAY, "event", "{}")])
    await retiring.check()
    assert len(table.kept) == 1


async def test_a_damaged_file_stays_and_is_told_once(table: Table) -> None:
    first = closed_files(table.path)[0]
    overwrite(first, b"{}", b"[]")
    retiring = table.retiring()
    await retiring.check()
    await retiring.check()
    assert len(table.sentences) == 1
    assert table.sentences[0].startswith(f"journal {first} is damaged")
    assert first.exists()
    assert table.kept == []


async def test_a_stop_between_the_note_and_the_file_ends_well(table: Table) -> None:
    class Stopped(Exception):
        pass

    async def stop(note: Retired) -> None:
        await table.keep(note)
        raise Stopped

    shelf = RetentionShelf(table.path, None, 90)
    with pytest.raises(Stopped):
        await Retention(shelf, stop, table.sentences.append, lambda: float(TODAY * DAY)).check()
    await table.retiring().check()
    assert [note.first for note in table.kept[:2]] == [1, 1]
    assert verify(table.path, VerifyDemands()).findings == ()
