"""The files of a journal, opened and checked for one search or report."""

from pathlib import Path

import pytest

from controller.journal.errors import JournalError
from controller.past.open_journal import OpenJournal
from tests.fixtures.journal_files import build, sample_rows


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "table.db"
    build(path, [sample_rows(3), sample_rows(3, 3), sample_rows(3, 6)])
    return path


def test_the_live_file_is_opened_once(path: Path) -> None:
    """So it may be gone when it is needed again, as for the check of the file before it."""
    with OpenJournal(path) as journal:
        closed, live = journal.files[-2:]
        with journal.open(live):
            path.unlink()
        with journal.open(closed) as reader:
            journal.check(closed, reader)
        with journal.open(live) as reader:
            assert reader.has(live.last)


def test_an_error_names_the_file_in_which_it_arose(path: Path) -> None:
    with OpenJournal(path) as journal:
        closed, live = journal.files[-2:]
        with journal.open(live):
            pass
        with pytest.raises(JournalError, match=f"journal {closed.path} "), journal.open(closed) as reader:
            reader.select("SELECT nothing FROM journal")
        with pytest.raises(JournalError, match=f"journal {live.path} "), journal.open(live) as reader:
            reader.select("SELECT nothing FROM journal")


def test_an_error_of_something_else_stays_as_it_is(path: Path) -> None:
    with pytest.raises(FileNotFoundError), OpenJournal(path) as journal:  # noqa: PT012 - the end of the block raises
        with journal.open(journal.files[-1]):
            pass
        (path.parent / "report.html").read_text()
