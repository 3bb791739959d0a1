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
from controller.table.record.events import Noticed
from controller.table.record.notes import Retired
from controller.table.upkeep.floor_copy import FloorCopy, FloorHold, OtherRow, rows_of
from controller.table.upkeep.retention import Retention
from tests.fixtures.journal_files import build, closed_files, overwrite

TODAY = 120
LAST = 2 * TODAY - 1
"""The last row: each file but the first begins with a row that names the one before."""


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

    def retiring(self, floor: FloorHold | None = None) -> Retention:
        shelf = RetentionShelf(self.path, None, 90)
        return Retention(shelf, self.keep, self.report, lambda: float(TODAY * DAY), floor)

    def report(self, alert: Noticed) -> None:
        self.sentences.append(alert.text)


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
        await Retention(shelf, stop, table.report, lambda: float(TODAY * DAY)).check()
    await table.retiring().check()
    assert [note.first for note in table.kept[:2]] == [1, 1]
    assert verify(table.path, VerifyDemands()).findings == ()


class TestFloor:
    """At a table of a floor, files wait for its acknowledgement."""

    @pytest.fixture
    def hold(self) -> "Hold":
        return Hold()

    async def test_no_file_goes_before_the_floor_has_its_rows(self, table: Table, hold: "Hold") -> None:
        retiring = table.retiring(hold.floor)
        for row, gone in ((0, 0), (3, 2), (4, 2), (9, 5), (500, 29)):
            hold.floor.copy.row = row
            await retiring.check()
            await retiring.check()
            assert len(table.kept) == gone
        assert table.sentences == []

    async def test_an_acknowledgement_shortens_no_retention(self, table: Table, hold: "Hold") -> None:
        hold.floor.copy.row = 10_000
        await table.retiring(hold.floor).check()
        assert len(table.kept) == 29

    async def test_a_full_disk_counts_for_more_and_each_file_is_reported(
        self, table: Table, hold: "Hold"
    ) -> None:
        retiring = table.retiring(hold.floor)
        hold.floor.copy.row, hold.scarce = 3, True
        await retiring.check()
        assert (len(table.kept), table.sentences) == (2, [])
        await retiring.check()
        await retiring.check()
        assert [note.last for note in table.kept] == [1, 3, 5, 7]
        assert [sentence.partition(": ")[2][:46] for sentence in table.sentences] == [
            "0000000004-0000000005.db with the rows 4 to 5 ",
            "0000000006-0000000007.db with the rows 6 to 7 ",
        ]
        hold.scarce = False
        await retiring.check()
        assert len(table.kept) == 4

    async def test_a_full_disk_deletes_nothing_before_its_retention(self, table: Table, hold: "Hold") -> None:
        hold.scarce = True
        retiring = table.retiring(hold.floor)
        for _ in range(40):
            await retiring.check()
        assert len(table.kept) == 29


class TestFloorCopy:
    async def test_rows_of_the_live_file_and_of_closed_ones_count(self, table: Table) -> None:
        with Journal(table.path) as journal:
            copy = FloorCopy(rows_of(journal, table.path))
            for entry in [*History(table.path).rows()][4::234]:
                await copy.take(entry.row, entry.hash)
                assert copy.row == entry.row
            await copy.take(5, b"")
            assert copy.row == LAST

    @pytest.mark.parametrize("row", [5, LAST, LAST + 1])
    async def test_a_row_that_the_journal_does_not_have_counts_for_nothing(
        self, table: Table, row: int
    ) -> None:
        with Journal(table.path) as journal:
            copy = FloorCopy(rows_of(journal, table.path))
            with pytest.raises(OtherRow, match=f"the floor's row {row} is not in the journal"):
                await copy.take(row, bytes(32))
        assert copy.row == 0


class Hold:
    """A floor whose acknowledgements, and a disk whose room, the test decides."""

    def __init__(self) -> None:
        self.scarce = False
        self.floor = FloorHold(FloorCopy(), lambda: self.scarce)
