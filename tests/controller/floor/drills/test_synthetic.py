"""Synthetic tables write journals that every check of the product accepts."""

from pathlib import Path

from controller.calendar import Calendar
from controller.floor.batch import batches
from controller.floor.drills.outcome import compare
from controller.floor.drills.recording import recording
from controller.floor.drills.synthetic import SyntheticTable
from controller.floor.store import FloorStore
from controller.journal.chain import START
from controller.past.verify.audit import verify
from controller.past.verify.external import VerifyDemands
from controller.table.record.codec import read_ended


def test_recorded_rounds_are_of_the_form_that_the_product_writes_today() -> None:
    for number, rows in enumerate(recording().rounds, 1):
        assert [read_ended(row).round.number for row in rows if row.kind == "round"] == [number]


def test_verify_finds_nothing_wrong_with_a_synthetic_journal(tmp_path: Path) -> None:
    table = SyntheticTable(tmp_path, "t-1")
    table.play(len(recording().rounds))
    report = verify(table.path, VerifyDemands())
    assert not report.findings
    table.close()


def test_a_synthetic_table_goes_on_with_its_journal(tmp_path: Path) -> None:
    table = SyntheticTable(tmp_path, "t-1")
    table.play(30)
    table.close()
    reopened = SyntheticTable(tmp_path, "t-1")
    assert (reopened.rounds, reopened.epoch) == (30, table.epoch)
    reopened.close()


def test_two_tables_have_other_epochs_and_keys(tmp_path: Path) -> None:
    tables = [SyntheticTable(tmp_path / name, name, lambda: 1000.0) for name in ("t-1", "t-2")]
    assert len({table.epoch for table in tables}) == 2
    assert len({table.signer.public for table in tables}) == 2
    for table in tables:
        table.close()


def test_rows_of_a_round_in_play_may_not_leave_the_house(tmp_path: Path) -> None:
    table = SyntheticTable(tmp_path, "t-1")
    before = table.disclosed
    table.begin()
    assert table.disclosed == before < table.head
    table.play()
    assert table.disclosed == table.head
    table.close()


def test_lost_doubled_and_changed_rows_are_counted(tmp_path: Path) -> None:
    table = SyntheticTable(tmp_path / "table", "t-1")
    table.play(2)
    rows = list(table.history.rows(1, table.disclosed))
    (one,), (two,) = batches(START, rows[:40]), batches(rows[29].hash, rows[30:60])
    with FloorStore(tmp_path / "store", Calendar(), lambda: 0.0) as store:
        store.newest.append(table.journal_name, one)
        assert compare(store, [table]).lost == len(rows) - 40
        store.newest.append(table.journal_name, two)
        found = compare(store, [table])
    assert (found.stored, found.lost, found.duplicated) == (60, len(rows) - 60, 10)
    assert not found.chain_ok
    table.close()


def test_rows_that_are_disclosed_meanwhile_are_rows_of_the_table(tmp_path: Path) -> None:
    table = SyntheticTable(tmp_path / "table", "t-1")
    table.play(2)
    rows = list(table.history.rows(1, table.disclosed))
    table.disclosed = rows[39].row
    with FloorStore(tmp_path / "store", Calendar(), lambda: 0.0) as store:
        for batch in batches(START, rows[:60]):
            store.newest.append(table.journal_name, batch)
        found = compare(store, [table])
    assert (found.stored, found.lost, found.chain_ok) == (60, 0, True)
    table.close()
