"""A journal is taken away from a running table: play stops at once, and no row of it is lost."""

import pytest

from tests.system import script, taking
from tests.system.house import House

STEPS = {"deleted": 6, "moved": 3, "replaced": 9, "log deleted": 11}


@pytest.mark.parametrize("harm", taking.HARMS)
def test_a_journal_that_is_taken_away_halts_the_table_and_what_was_saved_goes_on(
    house: House, harm: str
) -> None:
    taking.taken(house, taking.HARMS[harm], STEPS[harm])


def test_every_harm_has_a_step() -> None:
    assert STEPS.keys() == taking.HARMS.keys()
    assert max(STEPS.values()) < len(script.ROUND)
