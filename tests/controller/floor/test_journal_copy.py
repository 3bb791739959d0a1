"""What the floor has of a table's journal, as a journal file."""

from pathlib import Path

import pytest

from controller.floor.batch import Batch, batches
from controller.floor.journal_copy import CopiedRun, CopyError, write_journals
from controller.journal.chain import START, JournalRow, chain_rows
from controller.journal.history import History
from controller.past.verify.audit import verify
from controller.past.verify.external import VerifyDemands
from tests.fixtures.journal_files import build, sample_rows


def segments(rows: list[JournalRow], size: int = 4, before: bytes = START) -> list[Batch]:
    """Batches of so many rows."""
    parts = [rows[first : first + size] for first in range(0, len(rows), size)]
    made = list[Batch]()
    for part in parts:
        made += batches(made[-1].hash if made else before, part)
    return made


def findings(path: Path) -> list[str]:
    return [finding.text for finding in verify(path, VerifyDemands()).findings]


def test_a_copy_has_every_row_of_all_files_and_is_verified(tmp_path: Path) -> None:
    rows = build(tmp_path / "table.journal", [sample_rows(9), sample_rows(7), sample_rows(5)])
    copy = tmp_path / "copy.journal"
    assert write_journals(copy, segments(rows)) == [CopiedRun(copy, 1, 1, rows[-1].row)]
    assert list(History(copy).rows()) == rows
    assert findings(copy) == []


def test_a_copy_begins_with_the_first_file_that_is_stored(tmp_path: Path) -> None:
    rows = build(tmp_path / "table.journal", [sample_rows(9), sample_rows(7)])
    copy = tmp_path / "copy.journal"
    write_journals(copy, segments(rows[5:], before=rows[4].hash))
    assert list(History(copy).rows()) == rows[9:]


def test_rows_with_which_no_journal_begins_are_refused(tmp_path: Path) -> None:
    rows = chain_rows(None, sample_rows(9))
    with pytest.raises(CopyError, match="no row with which a journal can begin"):
        write_journals(tmp_path / "copy.journal", segments(rows[3:], before=rows[2].hash))
    assert list(tmp_path.iterdir()) == []


def test_rows_before_an_accepted_gap_are_a_journal_of_their_own(tmp_path: Path) -> None:
    rows = build(tmp_path / "table.journal", [sample_rows(9), sample_rows(7), sample_rows(5)])
    copy = tmp_path / "copy.journal"
    before, after = rows[:6], rows[9:]
    runs = write_journals(copy, [*segments(before), *segments(after, before=rows[8].hash)])
    older = tmp_path / "copy-rows-1-to-6.journal"
    assert runs == [CopiedRun(older, 1, 1, 6), CopiedRun(copy, 10, 10, rows[-1].row)]
    assert list(History(older).rows()) == before
    assert list(History(copy).rows()) == after
    assert findings(older) == []
    (missing,) = findings(copy)
    assert "rows 1 to 9 are missing" in missing


def test_rows_after_a_gap_that_begin_in_the_middle_of_a_file_are_left_out(tmp_path: Path) -> None:
    rows = build(tmp_path / "table.journal", [sample_rows(9), sample_rows(7)])
    copy = tmp_path / "copy.journal"
    runs = write_journals(copy, [*segments(rows[:3]), *segments(rows[5:], before=rows[4].hash)])
    assert runs[1] == CopiedRun(copy, 6, 10, rows[-1].row)
    only = tmp_path / "only.journal"
    runs = write_journals(only, [*segments(rows[:3]), *segments(rows[5:8], before=rows[4].hash)])
    assert runs[1] == CopiedRun(None, 6, 0, 8)
    assert not only.exists()


def test_a_file_before_a_gap_does_not_replace_another(tmp_path: Path) -> None:
    rows = build(tmp_path / "table.journal", [sample_rows(9), sample_rows(7)])
    taken = tmp_path / "copy-rows-1-to-3.journal"
    taken.write_text("something")
    with pytest.raises(CopyError, match="is there already"):
        write_journals(
            tmp_path / "copy.journal", [*segments(rows[:3]), *segments(rows[9:], before=rows[8].hash)]
        )
    assert taken.read_text() == "something"


def test_a_file_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    copy = tmp_path / "copy.journal"
    copy.write_text("something")
    with pytest.raises(CopyError, match="is there already"):
        write_journals(copy, segments(chain_rows(None, sample_rows(3))))
    assert copy.read_text() == "something"
