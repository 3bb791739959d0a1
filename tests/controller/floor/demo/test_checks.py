"""What the demonstration of a floor compares in the end, on real stores that the test has changed."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from controller.floor.batch import batches
from controller.floor.demo.checks import (
    JackpotCheck,
    StoredJournal,
    check_jackpot,
    check_journal,
    count_rows,
)
from controller.jackpot.linked.apply import apply
from controller.jackpot.linked.entries import LogEntry, Won
from controller.jackpot.linked.level import LinkedLevel
from controller.jackpot.linked.messages import ClaimMessage
from controller.journal.chain import START, JournalRow, RowContent, chain_rows
from tests.controller.jackpot.linked.desk import LEVEL, Desk, claim, opened
from tests.fixtures.journal_files import sample_rows
from tests.fixtures.stored_floor import TABLE, StoredFloor

ROWS = chain_rows(None, sample_rows(9))
CHANGE_DATA = "UPDATE segment SET data = ?, hash = ? WHERE first = ?"


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[StoredFloor]:
    """It has all rows, in three batches."""
    made = StoredFloor(tmp_path / "store")
    for first, last in ((1, 4), (5, 7), (8, 9)):
        made.take(ROWS[first - 1 : last], before(first))
    yield made
    made.close()


def before(first: int) -> bytes:
    return ROWS[first - 2].hash if first > 1 else START


def run_sql(floor: StoredFloor, statement: str, *values: object) -> None:
    """Change the store behind the back of the floor."""
    floor.close()
    with closing(sqlite3.connect(floor.store.path(floor.day))) as database, database:
        database.execute(statement, values)
    floor.open()


def checked(floor: StoredFloor, disclosed: int = 9) -> StoredJournal:
    return check_journal(ROWS, disclosed, START, floor.store.segments(TABLE))


def test_an_untouched_store_has_every_row_once(floor: StoredFloor) -> None:
    assert checked(floor) == StoredJournal(stored=9, lost=0, duplicated=0, chain_ok=True)


def test_a_deleted_batch_is_lost_and_breaks_the_chain(floor: StoredFloor) -> None:
    run_sql(floor, "DELETE FROM segment WHERE first = 5")
    assert checked(floor) == StoredJournal(stored=6, lost=3, duplicated=0, chain_ok=False)


def test_a_batch_that_is_missing_at_the_end_is_lost(floor: StoredFloor) -> None:
    run_sql(floor, "DELETE FROM segment WHERE first = 8")
    assert checked(floor) == StoredJournal(stored=7, lost=2, duplicated=0, chain_ok=True)


def test_rows_that_may_not_leave_the_table_are_not_lost(floor: StoredFloor) -> None:
    run_sql(floor, "DELETE FROM segment WHERE first = 8")
    assert checked(floor, disclosed=7).lost == 0


def test_a_row_that_was_taken_out_of_a_batch_is_noticed(floor: StoredFloor) -> None:
    (shorter,) = batches(before(5), ROWS[4:6])
    run_sql(floor, "UPDATE segment SET data = ? WHERE first = 5", shorter.data)
    assert checked(floor) == StoredJournal(stored=6, lost=3, duplicated=0, chain_ok=False)


def test_a_row_that_is_stored_twice_is_counted(floor: StoredFloor) -> None:
    (again,) = batches(before(6), ROWS[5:6])
    with floor.store.newest.transaction():
        floor.store.newest.append(TABLE, again)
    found = checked(floor)
    assert (found.stored, found.lost, found.duplicated, found.chain_ok) == (9, 0, 1, False)


def altered(row: RowContent) -> RowContent:
    return replace(row, body=row.body.replace("4", "5"))


def test_an_altered_row_breaks_the_chain(floor: StoredFloor) -> None:
    rows = [replace(row, content=altered(row.content)) for row in ROWS[4:7]]
    (forged,) = batches(before(5), rows)
    run_sql(floor, "UPDATE segment SET data = ? WHERE first = 5", forged.data)
    assert checked(floor).chain_ok is False


def test_an_altered_row_whose_hashes_were_computed_again_is_not_the_tables(floor: StoredFloor) -> None:
    whole: list[JournalRow] = chain_rows(None, [altered(row.content) for row in ROWS])
    (forged,) = batches(whole[3].hash, whole[4:7])
    run_sql(floor, CHANGE_DATA, forged.data, forged.hash, 5)
    assert checked(floor).chain_ok is False


def test_a_store_with_more_than_the_table_has_is_noticed(floor: StoredFloor) -> None:
    found = check_journal(ROWS[:7], 7, START, floor.store.segments(TABLE))
    assert (found.stored, found.chain_ok) == (9, False)


def test_a_row_that_was_published_twice_counts_once() -> None:
    assert count_rows([(1, 4), (5, 9), (3, 6)]) == 9


class Claims:
    """Two claims of a level whose log is a demonstration's."""

    def __init__(self) -> None:
        self.received = dict[int, ClaimMessage]()
        self._desk = opened()
        self.say(claim((1, 10), (2, 10), number=1))
        self.say(claim((3, 100), number=2))
        self.say(claim((1, 10), (2, 10), number=1))  # tables repeat a claim until it is decided
        self.log = demonstration(self._desk)

    def say(self, message: ClaimMessage) -> None:
        self._desk.say(message)
        self.received[self._desk.sequence] = message

    def check(self) -> JackpotCheck:
        return check_jackpot(LEVEL, self.log, self.log, self.received)


def demonstration(desk: Desk) -> list[LogEntry]:
    """The entries of its log, as an instance of a demonstration writes them."""
    state, log = LinkedLevel(LEVEL, demo=True), []
    for entry in desk.log:
        log.append(entry.model_copy(update={"demo": True, "before": state.hash}))
        state = apply(state, log[-1])
    return log


def test_a_sound_level_has_its_claims_in_order() -> None:
    assert Claims().check() == JackpotCheck(claims=3, balanced=True, order_ok=True)


def test_a_log_that_misses_an_entry_does_not_balance() -> None:
    claims = Claims()
    del claims.log[-2]
    assert claims.check().balanced is False


def test_a_journal_that_is_not_the_log_is_noticed() -> None:
    claims = Claims()
    assert check_jackpot(LEVEL, claims.log, claims.log[:-1], claims.received).balanced is False


def test_a_claim_that_was_decided_before_an_earlier_one_is_noticed() -> None:
    claims = Claims()
    first, second, *rest = sorted(claims.received)
    claims.received = {first: claims.received[second], second: claims.received[first]} | {
        sequence: claims.received[sequence] for sequence in rest
    }
    assert claims.check().order_ok is False


def test_a_claim_without_an_amount_is_noticed() -> None:
    claims = Claims()
    claims.received[99] = claim((4, 10), number=3)
    assert claims.check().order_ok is False


def test_a_claim_with_two_amounts_is_noticed() -> None:
    claims = Claims()
    won = [entry for entry in claims.log if any(isinstance(each, Won) for each in entry.out)]
    claims.log.append(won[0])
    found = claims.check()
    assert (found.claims, found.order_ok, found.balanced) == (5, False, False)
