"""A journal is taken away from a running table: play stops at once, and no row is lost."""

import pytest

from tests.fixtures.process_table import ProcessTable
from tests.system import journal_loss, script

STEPS = {"deleted": 6, "moved": 3, "replaced": 9, "log deleted": 11}


@pytest.mark.parametrize("harm", journal_loss.HARMS)
def test_a_journal_that_is_taken_away_halts_the_table_and_what_was_saved_goes_on(
    house: ProcessTable, harm: str
) -> None:
    journal_loss.taken(house, journal_loss.HARMS[harm], STEPS[harm])


def test_every_way_of_losing_the_journal_is_tried_at_some_step() -> None:
    assert STEPS.keys() == journal_loss.HARMS.keys()
    assert max(STEPS.values()) < len(script.ROUND)
