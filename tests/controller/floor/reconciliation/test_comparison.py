"""The wagers and claims of a table, as its rows have them, beside what a linked progressive counted."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.calendar import Calendar
from controller.floor.reconciliation.comparison import DayReconciliation, MeterComparison
from controller.floor.reconciliation.ledger import HOUR
from controller.jackpot.linked.wire import Tally
from controller.table.record.events import Supervisor
from tests.fixtures.jackpot_table import IN, LOSES
from tests.fixtures.linked_table import EPOCH, LEVEL, TABLE
from tests.fixtures.reconciled_floor import LIFT, ReconciledFloor
from tests.fixtures.stored_floor import DAY

ROUND = f"{IN} {LOSES} 1:stand 2:stand 9d pay {LIFT}"
"""Two wagers of 1.00 on the linked spot."""
WINS = f"{IN} 7h 9c 7h 7h 8c Th 1:stand 2:stand pay {LIFT}"
"""Seat 1 wins a tenth."""
CLAIM = f"{TABLE}/{EPOCH}/1/1/{LEVEL}"
VOID = Supervisor("void", "Ann", "seen", None, "Bob")


@pytest.fixture
def here(tmp_path: Path) -> Iterator[ReconciledFloor]:
    made = ReconciledFloor.opened(tmp_path / "stores")
    yield made
    made.close()


def wagers(found: DayReconciliation) -> MeterComparison:
    (one,) = found.meters
    return one


def play(here: ReconciledFloor, rounds: int = 1) -> None:
    """Rounds whose wagers count, and whose rows are stored."""
    for _ in range(rounds):
        here.play(ROUND)
        here.read_meter()
    here.store()


class TestWagers:
    def test_wagers_that_both_have_agree(self, here: ReconciledFloor) -> None:
        play(here, rounds=3)
        found = here.compare()
        one = wagers(found)
        assert (one.rows, one.progressive, one.row) == (Tally(6, 600), Tally(6, 600), len(here.rows))
        assert not one.waits
        assert not found.differences

    def test_a_day_counts_only_its_own_wagers(self, here: ReconciledFloor) -> None:
        play(here, rounds=3)
        here.floor.now += DAY
        play(here)
        one = wagers(here.compare())
        assert (one.rows, one.progressive) == (Tally(2, 200), Tally(2, 200))

    def test_void_wagers_count_on_neither_side(self, here: ReconciledFloor) -> None:
        here.play(IN)
        here.read_meter()
        here.write(here.table.table.apply(VOID))
        here.read_meter()
        here.store()
        found = here.compare()
        assert (wagers(found).rows, wagers(found).progressive) == (Tally(), Tally())
        assert not found.differences

    def test_wagers_that_the_progressive_did_not_get_are_a_difference(self, here: ReconciledFloor) -> None:
        here.play(ROUND)
        here.read_meter(wagers=1, wagered=100)
        here.store()
        (found,) = here.compare().differences
        assert found.text == (
            f"up to row {len(here.rows)}, the rows have 2 wagers of 2.00, "
            f"the progressive {LEVEL} has 1 of 1.00"
        )

    def test_wagers_that_were_refused_as_unreasonable_are_a_difference(self, here: ReconciledFloor) -> None:
        play(here)
        here.play(ROUND)
        here.read_meter(wagered=10_000_000)
        here.store()
        one = wagers(here.compare())
        assert one.differs
        assert (one.rows, one.progressive) == (Tally(4, 400), Tally(2, 200))

    def test_a_reading_whose_rows_have_not_arrived_waits(self, here: ReconciledFloor) -> None:
        here.play(ROUND)
        here.read_meter(wagers=1, wagered=100)
        found = here.compare()
        assert wagers(found).waits == f"the rows from 1 to {len(here.rows)} have not arrived"
        assert not found.differences
        here.store()
        assert len(here.compare().differences) == 1

    def test_while_a_table_is_apart_earlier_hours_are_compared(self, here: ReconciledFloor) -> None:
        play(here, rounds=2)
        stored = here.stored
        here.floor.now += HOUR
        here.play(ROUND)
        here.read_meter()
        one = wagers(here.compare())
        assert (one.row, one.rows, one.progressive) == (stored, Tally(4, 400), Tally(4, 400))
        assert one.waits == f"the rows from {stored + 1} to {len(here.rows)} have not arrived"

    def test_a_difference_of_one_day_is_not_one_of_the_next(self, here: ReconciledFloor) -> None:
        here.play(ROUND)
        here.read_meter(wagers=3, wagered=300)
        here.store()
        first = Calendar().day(here.floor.day)
        assert here.compare().differences
        here.floor.now += DAY
        here.play(ROUND)
        here.read_meter(wagers=5, wagered=500)
        here.store()
        assert not here.compare().differences
        assert here.compare_day(first).differences

    def test_wagers_whose_rows_were_deleted_are_not_compared(self, here: ReconciledFloor) -> None:
        play(here)
        oldest = here.floor.day
        here.floor.now += DAY
        play(here)
        here.floor.store.path(oldest).unlink()
        found = here.compare()
        assert wagers(found).rows is None
        assert "not stored any more" in wagers(found).waits
        assert not found.differences


class TestClaims:
    def test_a_claim_that_was_paid_agrees(self, here: ReconciledFloor) -> None:
        here.play(WINS)
        here.read_meter()
        won = here.claim()
        here.decide(won)
        here.pay()
        here.step(won)
        here.store()
        found = here.compare()
        (one,) = found.claims
        assert (one.claim, one.row_cents, one.row_state) == (CLAIM, won.cents, "paid")
        assert (one.cents, one.state, one.waits) == (won.cents, "paid", "")
        assert not found.differences

    def test_another_amount_than_the_progressive_locked_is_a_difference(self, here: ReconciledFloor) -> None:
        here.play(WINS)
        here.read_meter()
        won = here.claim()
        here.decide(won, won.cents + 100)
        here.store()
        (found,) = here.compare().differences
        assert found.text == (
            f"claim {CLAIM}: the rows have 51.00, open, the progressive {LEVEL} has 50.00, open"
        )

    def test_a_claim_of_a_round_in_play_waits(self, here: ReconciledFloor) -> None:
        here.play(WINS)
        won = here.claim()
        assert won.cents
        (one,) = here.compare().claims
        assert one.waits == "the rows of its round have not arrived"

    def test_an_amount_that_the_table_has_not_heard_waits(self, here: ReconciledFloor) -> None:
        here.play(WINS)
        here.claim()
        here.store()
        (one,) = here.compare().claims
        assert one.waits == "the table has not recorded the amount yet"

    def test_a_payment_waits_for_its_row_and_is_a_difference_without_it(self, here: ReconciledFloor) -> None:
        here.play(WINS)
        won = here.claim()
        here.decide(won)
        here.store()
        here.floor.now += 60
        here.step(won)
        (one,) = here.compare().claims
        assert one.waits == "the row of the table that says it is paid has not arrived"
        here.floor.now += 60
        here.play(ROUND)
        here.store()
        (found,) = here.compare().differences
        assert "the rows have 50.00, open, the progressive sevens has 50.00, paid" in found.text

    def test_a_payment_that_the_progressive_does_not_know_is_a_difference_once_it_decides_again(
        self, here: ReconciledFloor
    ) -> None:
        here.play(WINS)
        won = here.claim()
        here.decide(won)
        here.floor.now += 60
        here.pay()
        here.store()
        (one,) = here.compare().claims
        assert one.waits == "the progressive has not yet decided that it is paid"
        here.floor.now += 60
        here.read_meter()
        (found,) = here.compare().differences
        assert "the rows have 50.00, paid, the progressive sevens has 50.00, open" in found.text

    def test_a_claim_that_the_rows_do_not_have_is_a_difference(self, here: ReconciledFloor) -> None:
        play(here, rounds=2)
        here.claim(number=1)
        (found,) = here.compare().differences
        assert "the rows have none, the progressive sevens has" in found.text

    def test_an_amount_that_no_progressive_decided_is_a_difference(self, here: ReconciledFloor) -> None:
        here.play(WINS)
        self.forge(here, len(here.desk.log))
        here.store()
        (found,) = here.compare().differences
        assert found.text == f"claim {CLAIM}: the rows have 777.00, open, the progressive {LEVEL} has none"

    def test_an_amount_of_an_entry_that_was_not_read_waits(self, here: ReconciledFloor) -> None:
        here.play(WINS)
        self.forge(here, len(here.desk.log) + 5)
        here.store()
        (one,) = here.compare().claims
        assert one.waits == f"entry {len(here.desk.log) + 5} of the progressive has not been read"

    @staticmethod
    def forge(here: ReconciledFloor, n: int) -> None:
        """The table hears an amount that is in no log."""
        here.table.says.n = n - 1
        here.table.says.decided(CLAIM, 1, 77_700)
        here.table.noted.clear()
        here.table.hear()
        here.write(here.table.noted)


def test_a_floor_without_a_ledger_compares_nothing(tmp_path: Path) -> None:
    made = ReconciledFloor.opened(tmp_path / "stores")
    made.close()
    made.ledger.path.unlink()
    found = made.compare_day(Calendar().day(made.floor.day))
    assert (found.meters, found.claims, found.waits) == ((), (), False)
