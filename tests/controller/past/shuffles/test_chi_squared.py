"""The chi-squared tail, compared with printed tables and closed forms."""

from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.past.statistics import Statistic, tail

PRINTED = [(3.841, 1, 0.05), (18.307, 10, 0.05), (124.342, 100, 0.05), (6.635, 1, 0.01), (0.0, 7, 1.0)]


@pytest.mark.parametrize(("value", "degrees", "chance"), PRINTED)
def test_the_tail_matches_printed_tables(value: float, degrees: int, chance: float) -> None:
    assert tail(value, degrees) == pytest.approx(chance, rel=1e-3)


@given(st.floats(0, 200))
def test_four_degrees_have_a_closed_form(value: float) -> None:
    half = value / 2
    assert tail(value, 4) == pytest.approx(exp(-half) * (1 + half), rel=1e-9, abs=1e-12)


@given(st.floats(0, 500), st.floats(0.001, 50), st.integers(1, 300))
def test_a_larger_statistic_is_rarer(value: float, more: float, degrees: int) -> None:
    assert 0 <= tail(value + more, degrees) <= tail(value, degrees) <= 1


@pytest.mark.parametrize(("value", "degrees"), [(-0.1, 3), (1.0, 0)])
def test_a_negative_statistic_is_refused(value: float, degrees: int) -> None:
    with pytest.raises(ValueError, match="allowed"):
        tail(value, degrees)


def test_sums_add_up_and_nothing_says_nothing() -> None:
    assert Statistic(3.0, 2) + Statistic(1.5, 4) == Statistic(4.5, 6)
    assert Statistic().chance == 1.0
