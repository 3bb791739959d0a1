"""What the floor stores of what arrives, and what it refuses."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from controller.calendar import Calendar
from controller.floor.day_file import JournalName, Position
from controller.floor.projector import STREAM, Admission, Incident
from controller.journal.chain import START, JournalRow, RowContent, chain_rows
from controller.journal.key_change import KeyChange
from controller.journal.signing import Signer, checkpoint
from tests.fixtures.journal_files import sample_rows
from tests.fixtures.stored_floor import DAY, SIGNER, TABLE, StoredFloor, message

OTHER = Signer(bytes(range(1, 33)))
ROWS = chain_rows(None, sample_rows(9))


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[StoredFloor]:
    made = StoredFloor(tmp_path / "store")
    yield made
    made.close()


def test_batches_that_follow_each_other_are_stored(floor: StoredFloor) -> None:
    assert not floor.take(ROWS[:4], START)
    assert not floor.take(ROWS[4:], ROWS[3].hash)
    assert floor.rows() == ROWS


def test_a_restart_finds_heads_and_position(floor: StoredFloor) -> None:
    floor.take(ROWS[:4], START)
    floor.restart()
    assert floor.store.newest.position(STREAM) == Position(0, 1)
    assert floor.projector.heads[TABLE].row == 4
    assert not floor.take(ROWS[4:], ROWS[3].hash)
    assert floor.rows() == ROWS


def test_a_repeat_is_dropped(floor: StoredFloor) -> None:
    floor.take(ROWS[:4], START)
    assert not floor.take(ROWS[:4], START)
    assert not floor.take(ROWS[:2], START)
    assert floor.rows() == ROWS[:4]


def test_an_overlap_adds_only_the_rows_that_are_new(floor: StoredFloor) -> None:
    floor.take(ROWS[:4], START)
    assert not floor.take(ROWS[2:], ROWS[1].hash)
    assert floor.rows() == ROWS


def test_a_gap_names_the_missing_rows_and_stores_nothing(floor: StoredFloor) -> None:
    floor.take(ROWS[:4], START)
    (incident,) = floor.take(ROWS[6:], ROWS[5].hash)
    assert (incident.kind, incident.row, incident.why) == ("gap", 5, "the rows 5 to 6 are missing")
    assert (incident.last, incident.before) == (6, ROWS[5].hash)
    assert floor.rows() == ROWS[:4]


def test_rows_after_an_accepted_gap_are_stored(floor: StoredFloor) -> None:
    floor.take(ROWS[:4], START)
    floor.accepted[TABLE] = Admission(7, ROWS[5].hash, SIGNER.public)
    assert [one.kind for one in floor.take(ROWS[7:], ROWS[6].hash)] == ["gap"]
    assert not floor.take(ROWS[6:], ROWS[5].hash)
    assert floor.rows() == [*ROWS[:4], *ROWS[6:]]
    floor.restart()
    assert floor.projector.heads[TABLE].row == 9


def test_a_table_that_changed_its_key_before_a_gap_goes_on_after_it(floor: StoredFloor) -> None:
    change = KeyChange.signed(ROWS[-1], SIGNER, OTHER, 5.0)
    rows = [*ROWS, *chain_rows(ROWS[-1], [change.content()])]
    assert not floor.take(rows, START)
    gone = chain_rows(rows[-1], sample_rows(3, 50))
    later = chain_rows(gone[-1], [*sample_rows(1, 60)])
    later += chain_rows(later[-1], [checkpoint(OTHER, 6.0, later[-1])])
    floor.accepted[TABLE] = Admission(later[0].row, gone[-1].hash, SIGNER.public)
    assert not floor.take(later, gone[-1].hash)
    assert floor.rows() == [*rows, *later]


def test_an_accepted_gap_admits_no_other_rows(floor: StoredFloor) -> None:
    floor.take(ROWS[:4], START)
    floor.accepted[TABLE] = Admission(7, ROWS[5].hash, SIGNER.public)
    others = chain_rows(None, sample_rows(9, 100))
    assert [one.kind for one in floor.take(others[6:], others[5].hash)] == ["gap"]
    assert floor.rows() == ROWS[:4]


def test_a_missing_row_that_comes_after_all_fills_an_accepted_gap(floor: StoredFloor) -> None:
    floor.take(ROWS[:4], START)
    floor.accepted[TABLE] = Admission(7, ROWS[5].hash, SIGNER.public)
    assert not floor.take(ROWS[4:], ROWS[3].hash)
    assert floor.rows() == ROWS


def test_a_removed_journal_is_not_stored_any_more(floor: StoredFloor) -> None:
    floor.take(ROWS[:4], START)
    floor.admissions.clear()
    (incident,) = floor.take(ROWS[4:], ROWS[3].hash)
    assert incident.kind == "unknown journal"
    assert floor.rows() == ROWS[:4]


def test_other_rows_after_the_head_are_a_fork(floor: StoredFloor) -> None:
    floor.take(ROWS[:4], START)
    others = chain_rows(None, sample_rows(9, 100))
    for rows, before in ((others[4:], others[3].hash), (others, START), (others[:4], START)):
        (incident,) = floor.take(rows, before)
        assert (incident.kind, incident.row) == ("fork", 5)
        assert "row 4 has another hash" in incident.why
    assert floor.rows() == ROWS[:4]


def test_a_changed_row_is_a_fork(floor: StoredFloor) -> None:
    changed = list(ROWS)
    changed[3] = replace(ROWS[3], content=replace(ROWS[3].content, body="{}"))
    (incident,) = floor.take(changed, START)
    assert incident.kind == "fork"
    assert "does not end in their hash" in incident.why
    assert not floor.rows()


def test_a_journal_that_nobody_admitted_is_not_stored(floor: StoredFloor) -> None:
    stranger = JournalName("bj-2", TABLE.epoch)
    (incident,) = floor.take(ROWS, START, stranger)
    assert (incident.kind, incident.name) == ("unknown journal", stranger)
    assert stranger not in floor.projector.heads


def test_a_new_epoch_of_an_admitted_table_is_not_stored(floor: StoredFloor) -> None:
    (incident,) = floor.take(ROWS, START, replace(TABLE, epoch="f" * 16))
    assert incident.kind == "unknown journal"


def test_one_bad_batch_does_not_hold_up_the_others(floor: StoredFloor) -> None:
    bad = replace(message(ROWS[:4], START), data=b"no data")
    incidents = floor.receive([message(ROWS[:4], START), bad, message(ROWS[4:], ROWS[3].hash)])
    assert [incident.kind for incident in incidents] == ["fork"]
    assert floor.rows() == ROWS
    assert floor.store.newest.position(STREAM) == Position(0, 3)


def test_a_batch_that_could_not_be_reported_is_reported_after_the_restart(floor: StoredFloor) -> None:
    bad = replace(message(ROWS[:4], START), seq=1, data=b"no data")
    reported = list[Incident]()

    def full(_incidents: list[Incident]) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with pytest.raises(sqlite3.OperationalError):
        floor.projector.take([bad], 0, full)
    floor.restart()
    assert floor.store.newest.position(STREAM) == Position(0, 0)
    floor.projector.take([bad], 0, reported.extend)
    assert [incident.kind for incident in reported] == ["fork"]


def test_the_newest_signature_of_a_table_is_its_anchor(floor: StoredFloor) -> None:
    rows = signed(ROWS, SIGNER)
    assert not floor.take(rows, START)
    anchor = floor.store.newest.anchors()[TABLE]
    assert (anchor.row, anchor.hash, anchor.public) == (9, ROWS[8].hash, SIGNER.public)


@pytest.mark.parametrize("place", [4, 9])
def test_the_signature_of_another_key_is_a_fork(floor: StoredFloor, place: int) -> None:
    rows = signed(ROWS[:place], OTHER)
    (incident,) = floor.take(rows, START)
    assert incident.kind == "fork"
    assert f"the signature is not one of the key {SIGNER.public.hex()}" in incident.why
    assert not floor.rows()
    assert not floor.store.newest.anchors()


def test_a_refused_batch_leaves_no_anchor(floor: StoredFloor) -> None:
    good = signed(ROWS, SIGNER)
    (incident,) = floor.take([*good, *chain_rows(good[-1], [checkpoint(OTHER, 1.0, good[-1])])], START)
    assert incident.kind == "fork"
    assert not floor.store.newest.anchors()


def test_a_signed_change_of_the_key_is_followed(floor: StoredFloor) -> None:
    change = KeyChange.signed(ROWS[-1], SIGNER, OTHER, 5.0)
    rows = chain_rows(ROWS[-1], [change.content()])
    assert not floor.take([*ROWS, *rows], START)
    floor.restart()
    later = chain_rows(rows[-1], [checkpoint(OTHER, 6.0, rows[-1])])
    assert not floor.take(later, rows[-1].hash)
    (incident,) = floor.take(chain_rows(later[-1], [checkpoint(SIGNER, 7.0, later[-1])]), later[-1].hash)
    assert incident.kind == "fork"


def test_a_change_of_the_key_that_another_key_signed_is_a_fork(floor: StoredFloor) -> None:
    change = KeyChange.signed(ROWS[-1], OTHER, SIGNER, 5.0)
    (incident,) = floor.take([*ROWS, *chain_rows(ROWS[-1], [change.content()])], START)
    assert incident.kind == "fork"


def test_a_new_gaming_day_begins_a_new_file_with_the_heads(floor: StoredFloor) -> None:
    floor.take(ROWS[:4], START)
    floor.now += DAY
    assert not floor.take(ROWS[4:], ROWS[3].hash)
    assert len(floor.store.days()) == 2
    assert floor.rows() == ROWS
    floor.restart()
    assert floor.projector.heads[TABLE].row == 9


def test_a_crash_before_the_new_file_is_whole_loses_no_head(floor: StoredFloor) -> None:
    floor.take(ROWS[:4], START)
    floor.now += DAY
    day = Calendar().day_of(floor.now)
    (floor.folder / f"day-{day.isoformat()}.sqlite").touch()
    floor.restart()
    assert floor.projector.heads[TABLE].row == 4


def test_a_clock_that_goes_back_begins_no_file(floor: StoredFloor) -> None:
    floor.take(ROWS[:4], START)
    floor.now -= 5 * DAY
    floor.take(ROWS[4:], ROWS[3].hash)
    assert len(floor.store.days()) == 1
    assert floor.rows() == ROWS


def signed(rows: list[JournalRow], by: Signer) -> list[JournalRow]:
    return [*rows, *chain_rows(rows[-1], [checkpoint(by, 1.0, rows[-1])])]


def test_a_row_content_of_odd_values_is_stored_as_it_is(floor: StoredFloor) -> None:
    rows = chain_rows(None, [RowContent(0.1 + 0.2, "é", '"\\u0000"', "", b"\x00\xff", 2**62)])
    assert not floor.take(rows, START)
    assert floor.rows() == rows


def test_only_whole_days_that_are_old_enough_are_deleted(floor: StoredFloor) -> None:
    floor.take(ROWS[:4], START)
    floor.now += DAY
    floor.take(ROWS[4:6], ROWS[3].hash)
    assert floor.store.retire(90) == []
    first, second = floor.store.days()
    floor.now = (100 + 91) * DAY
    assert floor.store.retire(90) == [first]
    assert floor.store.days() == [second]
    assert floor.rows() == ROWS[4:6]
    floor.now += 400 * DAY
    assert floor.store.retire(90) == []
    assert floor.projector.heads[TABLE].row == 6
    assert {path.name for path in floor.folder.glob(f"*{first.isoformat()}*")} == set()
