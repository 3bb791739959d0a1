"""The currency of a journal, as its readers find it."""

from dataclasses import replace
from pathlib import Path

from controller.currency import UNNAMED
from controller.journal.journal import Journal
from controller.past.recorded_currency import recorded_currency
from controller.table.record.codec import to_row
from controller.table.record.events import Started
from controller.table.state.snapshot import snapshot_row
from controller.table.state_machine import begin

STARTED = Started("1.0", "easy-jack", 7, {}, {"shoe": "SHOE-1"}, currency="JPY")


def test_the_newest_start_names_the_currency(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path) as journal:
        journal.append([to_row(1.0, replace(STARTED, currency="")), to_row(2.0, STARTED)])
        assert recorded_currency(path).code == "JPY"
    assert recorded_currency(path).digits == 0


def test_a_snapshot_names_it_where_the_start_is_in_an_older_file(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path) as journal:
        journal.append([snapshot_row(1.0, begin(STARTED))])
    assert recorded_currency(path).code == "JPY"


def test_a_journal_of_an_older_version_has_none(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path) as journal:
        journal.append([to_row(1.0, replace(STARTED, currency=""))])
    assert recorded_currency(path) == UNNAMED


def test_the_mirror_names_it_where_the_journal_is_damaged(tmp_path: Path) -> None:
    path, mirror = tmp_path / "journal", tmp_path / "mirror"
    with Journal(mirror) as journal:
        journal.append([to_row(1.0, STARTED)])
    path.write_bytes(b"no journal at all")
    assert recorded_currency(path, mirror).code == "JPY"
    assert recorded_currency(path) == UNNAMED
    assert recorded_currency(tmp_path / "absent") == UNNAMED
