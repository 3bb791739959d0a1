"""What the floor has of a table's journal, as a journal file."""

from pathlib import Path

import pytest

from controller.floor.batch import Batch, batches
from controller.floor.journal_copy import CopyError, write_journal
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
    assert write_journal(copy, segments(rows)) == rows[-1]
    assert list(History(copy).rows()) == rows
    assert findings(copy) == []


def test_a_copy_begins_with_the_first_file_that_is_stored(tmp_path: Path) -> None:
    rows = build(tmp_path / "table.journal", [sample_rows(9), sample_rows(7)])
    copy = tmp_path / "copy.journal"
    write_journal(copy, segments(rows[5:], before=rows[4].hash))
    assert list(History(copy).rows()) == rows[9:]


def test_rows_with_which_no_journal_begins_are_refused(tmp_path: Path) -> None:
    rows = chain_rows(None, sample_rows(9))
    with pytest.raises(CopyError, match="no row with which a journal can begin"):
        write_journal(tmp_path / "copy.journal", segments(rows[3:], before=rows[2].hash))
    assert list(tmp_path.iterdir()) == []


def test_missing_rows_are_named(tmp_path: Path) -> None:
    rows = chain_rows(None, sample_rows(12))
    first, _, last = segments(rows)
    with pytest.raises(CopyError, match="the rows 5 to 8 are missing"):
        write_journal(tmp_path / "copy.journal", [first, last])
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    copy = tmp_path / "copy.journal"
    copy.write_text("something")
    with pytest.raises(CopyError, match="is there already"):
        write_journal(copy, segments(chain_rows(None, sample_rows(3))))
    assert copy.read_text() == "something"
