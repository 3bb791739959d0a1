"""What the floor keeps of the logs of linked progressives."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.floor.reconciliation.ledger import FILE, HOUR, Ledger, LedgerReader, LevelPlace
from controller.floor.store_file import StoreError
from controller.jackpot.linked.entries import NotNext, first_hash
from controller.jackpot.linked.level import LinkedLevel
from controller.jackpot.linked.messages import (
    Correct,
    CorrectedAmount,
    LevelParameters,
    SetParameters,
    Settle,
    SettledTable,
)
from controller.jackpot.linked.wire import Tally
from tests.controller.jackpot.linked.desk import PARAMETERS, Desk
from tests.fixtures.jackpot_table import IN
from tests.fixtures.level_ledger import read_log
from tests.fixtures.linked_table import EPOCH, LEVEL, TABLE
from tests.fixtures.reconciled_floor import CALENDAR, LIFT, ReconciledFloor
from tests.fixtures.stored_floor import DAY

ROUND = f"{IN} 9h 9d 9s 9c 9h 7s 1:stand 2:stand 9d pay {LIFT}"


@pytest.fixture
def here(tmp_path: Path) -> Iterator[ReconciledFloor]:
    made = ReconciledFloor.opened(tmp_path / "stores")
    yield made
    made.close()


def hours(here: ReconciledFloor) -> list[Tally]:
    """What contributed after each hour of the day, the latest first."""
    (marks,) = here.ledger.marks(CALENDAR.day(here.floor.day))
    return [mark.counted for mark in marks.hours]


def play(here: ReconciledFloor) -> None:
    here.play(ROUND)
    here.read_meter()
    here.follow()


def test_the_meters_of_each_hour_are_kept(here: ReconciledFloor) -> None:
    play(here)
    play(here)
    here.floor.now += HOUR
    play(here)
    assert hours(here) == [Tally(6, 600), Tally(4, 400)]


def test_a_restart_goes_on_where_it_ended(here: ReconciledFloor) -> None:
    play(here)
    here.ledger.__exit__(None, None, None)
    here.ledger = Ledger(here.floor.folder, CALENDAR)
    assert here.ledger.sequence == here.read
    play(here)
    assert hours(here) == [Tally(4, 400)]


def test_entries_that_are_read_again_change_nothing(here: ReconciledFloor) -> None:
    play(here)
    here.ledger.take([(LEVEL, entry) for entry in here.desk.log], here.read)
    assert hours(here) == [Tally(2, 200)]


def test_the_meters_count_as_the_progressive_counts_them(here: ReconciledFloor) -> None:
    """Refused wagers, void ones and a settled table are the machine's own rules."""
    play(here)
    here.read_meter(rounds=2, wagers=3, wagered=9_000_000)
    here.read_meter(rounds=2, wagers=3, wagered=9_000_000, voided_wagers=1, voided=8_999_800)
    here.read_meter(row=len(here.rows) + 1, rounds=1, wagers=1, wagered=100)
    fell = here.desk.state.contributors[TABLE, EPOCH]
    assert fell.fell
    reading = fell.known.model_copy(update={"wagers": 1, "wagered": 100, "voided_wagers": 0, "voided": 0})
    here.desk.order(Settle, SettledTable(table=TABLE, reading=reading))
    here.read_meter(rounds=3, wagers=2, wagered=300)
    here.follow()
    counted = here.desk.state.contributors[TABLE, EPOCH].counted
    assert hours(here)[0] == counted
    assert counted.wagers > 2


def test_an_entry_that_does_not_follow_is_refused_and_nothing_is_kept(here: ReconciledFloor) -> None:
    here.play(ROUND)
    here.read_meter()
    with pytest.raises(NotNext, match="progressive sevens: entry 3 does not follow entry 1"):
        here.ledger.take([(LEVEL, here.desk.log[0]), (LEVEL, here.desk.log[2])], 3)
    assert here.ledger.place(LEVEL) == LevelPlace(hash=first_hash(LEVEL))
    assert here.ledger.sequence == 0


def test_a_log_is_read_again_after_everything_was_forgotten(here: ReconciledFloor) -> None:
    play(here)
    here.ledger.clear()
    assert here.ledger.sequence == 0
    assert not list(here.ledger.marks(CALENDAR.day(here.floor.day)))
    here.read = 0
    here.follow()
    assert hours(here) == [Tally(2, 200)]


def test_old_hours_are_forgotten_and_the_day_after_them_counts_on(here: ReconciledFloor) -> None:
    play(here)
    here.floor.now += HOUR
    play(here)
    old = CALENDAR.day(here.floor.day)
    here.floor.now += 91 * DAY
    play(here)
    before = list(here.ledger.marks(CALENDAR.day(here.floor.day)))
    here.ledger.retire(here.floor.now - 90 * DAY)
    assert list(here.ledger.marks(CALENDAR.day(here.floor.day))) == before
    (marks,) = here.ledger.marks(old)
    assert [mark.counted for mark in marks.hours] == [Tally(4, 400)]


def test_the_ledger_of_an_older_version_is_read_again(tmp_path: Path) -> None:
    """Version 1 did not have the acts, and version 2 no currency."""
    desk = read_log(tmp_path, LEVEL)
    database = sqlite3.connect(tmp_path / FILE)
    database.executescript("DROP TABLE act; PRAGMA user_version = 1;")
    database.close()
    with pytest.raises(StoreError, match="allowed: schema 3"):
        LedgerReader(tmp_path)
    with Ledger(tmp_path, CALENDAR) as ledger:
        assert (ledger.sequence, ledger.last_claims(LEVEL, 9)) == (0, [])
        ledger.take([(LEVEL, entry) for entry in desk.log], len(desk.log))
        assert [act.n for act in ledger.last_acts(LEVEL, 9)] == [5, 3, 2, 1]
        assert [act.n for act in ledger.last_acts(LEVEL, 2)] == [5, 3]
        assert ledger.last_acts("aces", 9) == []


def test_acts_have_amounts_in_the_currency_of_their_level(tmp_path: Path) -> None:
    desk = Desk(LinkedLevel(LEVEL))
    desk.order(SetParameters, LevelParameters.of(PARAMETERS, "JPY"))
    desk.order(Correct, CorrectedAmount(cents=60_000))
    with Ledger(tmp_path, CALENDAR) as ledger:
        for entry in desk.log:
            ledger.take([(LEVEL, entry)], entry.n)
        assert ledger.place(LEVEL).currency == "JPY"
        corrected, opened = ledger.last_acts(LEVEL, 2)
    assert corrected.what == "the amount is corrected from 50000 to 60000"
    assert opened.what.startswith("the parameters are currency JPY, seed 50000, contribution 15.00%")


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"something else, which is no database at all" * 100)
    with pytest.raises(StoreError, match=r"progressive\.sqlite cannot be used"):
        Ledger(tmp_path, CALENDAR)
    with pytest.raises(StoreError, match=r"progressive\.sqlite cannot be used"):
        LedgerReader(tmp_path)
