"""Bands and p-values, compared with every outcome of a few trials in exact fractions."""

from fractions import Fraction
from itertools import product
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.past.statistics import holm, success_distribution

SHARES = st.fractions(0, 1, max_denominator=40)
MIXED = st.lists(st.tuples(st.integers(0, 4), SHARES), max_size=3)


def enumerated(strata: list[tuple[int, Fraction]]) -> list[Fraction]:
    """By enumeration of all outcomes."""
    each = [share for trials, share in strata for _ in range(trials)]
    found = [Fraction(0)] * (len(each) + 1)
    for outcome in product((True, False), repeat=len(each)):
        found[sum(outcome)] += prod(
            (share if hit else 1 - share for share, hit in zip(each, outcome, strict=True)), start=Fraction(1)
        )
    return found


@given(MIXED)
def test_the_distribution_is_that_of_all_outcomes(strata: list[tuple[int, Fraction]]) -> None:
    spread = success_distribution([(trials, float(share)) for trials, share in strata])
    exact = enumerated(strata)
    for count, share in enumerate(exact):
        place = count - spread.first
        got = spread.shares[place] if 0 <= place < len(spread.shares) else 0.0
        assert got == pytest.approx(float(share), abs=1e-12)


@given(MIXED, st.sampled_from([0.5, 0.8, 0.95, 0.999]))
def test_a_band_covers_what_it_says_and_no_narrower_one_does(
    strata: list[tuple[int, Fraction]], level: float
) -> None:
    exact = enumerated(strata)
    low, high = success_distribution([(trials, float(share)) for trials, share in strata]).band(level)
    half = (1 - level) / 2
    assert sum(exact[low : high + 1]) >= level - 1e-9
    assert sum(exact[:low]) <= half + 1e-9
    assert sum(exact[high + 1 :]) <= half + 1e-9
    assert sum(exact[: low + 1]) > half - 1e-9
    assert sum(exact[high:]) > half - 1e-9


@given(MIXED)
def test_outside_the_band_is_a_p_value_under_its_rest(strata: list[tuple[int, Fraction]]) -> None:
    spread = success_distribution([(trials, float(share)) for trials, share in strata])
    low, high = spread.band(0.95)
    for count in range(sum(trials for trials, _ in strata) + 1):
        if abs(spread.chance(count) - 0.05) > 1e-9:
            assert (low <= count <= high) == (spread.chance(count) > 0.05)


@pytest.mark.parametrize(("trials", "share"), [(10, 0.3), (50, 0.01), (200, 0.5), (150, 0.077)])
def test_the_expected_share_is_in_the_interval_of_clopper_and_pearson_just_where_the_band_holds_the_count(
    trials: int, share: float
) -> None:
    low, high = success_distribution([(trials, share)]).band(0.95)
    for count in {low - 1, low, high, high + 1} & set(range(trials + 1)):
        at_least = tail(trials, share, range(count, trials + 1))
        at_most = tail(trials, share, range(count + 1))
        assert (low <= count <= high) == (at_least > 0.025 and at_most > 0.025)


def tail(trials: int, share: float, those: range) -> Fraction:
    exact = Fraction(share)
    return sum(
        (comb(trials, count) * exact**count * (1 - exact) ** (trials - count) for count in those), Fraction(0)
    )


def test_the_band_of_a_million_trials_is_the_normal_one() -> None:
    spread = success_distribution([(500_000, 0.2), (500_000, 0.4)])
    low, high = spread.band(0.95)
    assert sum(spread.shares) == pytest.approx(1, abs=1e-9)
    assert low < 300_000 < high
    assert high - low == pytest.approx(2 * 1.96 * (500_000 * (0.16 + 0.24)) ** 0.5, rel=0.01)


@pytest.mark.parametrize("stratum", [(3, 1.01), (3, -0.1), (-1, 0.5)])
def test_a_value_outside_0_to_1_is_refused(stratum: tuple[int, float]) -> None:
    with pytest.raises(ValueError, match="allowed: from 0, from 0 to 1"):
        success_distribution([stratum])


def test_holm_adjusts_p_values() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([0.9, 0.8]) == (1.0, 1.0)
    assert holm([]) == ()


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_keeps_the_order_and_never_makes_less_of_a_chance(chances: list[float]) -> None:
    found = holm(chances)
    assert all(was <= now for was, now in zip(chances, found, strict=True))
    assert [place for place, _ in sorted(enumerate(chances), key=lambda each: each[1])] == [
        place for place, _ in sorted(enumerate(found), key=lambda each: (each[1], chances[each[0]], each[0]))
    ]
