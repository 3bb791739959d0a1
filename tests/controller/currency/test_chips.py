"""Amounts in the fewest chips, beside a search that tries every number of each chip."""

from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.currency.chips import (
    MOST_SUMS,
    Breakdown,
    Chip,
    ChipCount,
    Exchange,
    breakdown,
    colour_up,
    sums_to_search,
)

CASINO = tuple(Chip(value, f"colour {value}") for value in (50, 100, 500, 2500, 10_000, 50_000, 100_000))
QUARTERS = tuple(Chip(value, "") for value in (100, 250, 500, 2500, 10_000))
"""Taking the largest chip first leaves 50 cents of an amount of 3.00."""


def counted(found: Breakdown) -> dict[int, int]:
    return {one.chip.value: one.count for one in found.counts}


def fewest_by_trial(values: Sequence[int], amount: int) -> tuple[int, int]:
    """The least rest, and the fewest chips that leave it."""
    ranges = (range(amount // value + 1) for value in values)
    sums = ((sum(map(int.__mul__, values, counts)), sum(counts)) for counts in product(*ranges))
    return min((amount - total, chips) for total, chips in sums if total <= amount)


class TestBreakdown:
    @pytest.mark.parametrize(
        ("chips", "amount", "counts", "rest"),
        [
            (CASINO, 0, {}, 0),
            (CASINO, 750, {500: 1, 100: 2, 50: 1}, 0),
            (CASINO, 123_456_789, {100_000: 1234, 50_000: 1, 2500: 2, 500: 3, 100: 2, 50: 1}, 39),
            (CASINO, 49, {}, 49),
            (QUARTERS, 300, {100: 3}, 0),
            (QUARTERS, 350, {250: 1, 100: 1}, 0),
            (QUARTERS, 150, {100: 1}, 50),
            (QUARTERS, 10_300, {10_000: 1, 100: 3}, 0),
            ((Chip(100, ""), Chip(300, ""), Chip(400, "")), 600, {300: 2}, 0),
            ((Chip(500, ""),), 1700, {500: 3}, 200),
            ((), 1700, {}, 1700),
        ],
    )
    def test_an_amount_becomes_the_fewest_chips_and_a_rest(
        self, chips: Sequence[Chip], amount: int, counts: dict[int, int], rest: int
    ) -> None:
        found = breakdown(chips, amount)
        assert (counted(found), found.rest) == (counts, rest)

    def test_the_largest_chip_comes_first_whatever_the_order_of_the_set(self) -> None:
        found = breakdown(tuple(reversed(CASINO)), 10_750)
        assert [one.chip.value for one in found.counts] == [10_000, 500, 100, 50]
        assert found.counts[0] == ChipCount(Chip(10_000, "colour 10000"), 1)

    @given(st.sets(st.integers(1, 24), min_size=1, max_size=4), st.integers(0, 60))
    def test_no_set_of_chips_pays_with_fewer_chips_or_less_rest(self, values: set[int], amount: int) -> None:
        found = breakdown([Chip(value, "") for value in values], amount)
        assert sum(value * count for value, count in counted(found).items()) + found.rest == amount
        chips = sum(counted(found).values())
        assert (found.rest, chips) == fewest_by_trial(sorted(values, reverse=True), amount)


class TestColourUp:
    def test_chips_that_make_fewer_are_exchanged_and_the_others_stay(self) -> None:
        found = colour_up(CASINO, {2500: 6, 500: 1})
        assert found == Exchange((ChipCount(CASINO[3], 4),), (ChipCount(CASINO[4], 1),))

    def test_the_fewest_chips_are_not_exchanged(self) -> None:
        assert colour_up(CASINO, {10_000: 1, 2500: 3}) is None

    @given(st.dictionaries(st.sampled_from([50, 100, 500, 2500]), st.integers(0, 30)))
    def test_an_exchange_keeps_the_worth_and_leaves_the_fewest_chips(self, held: dict[int, int]) -> None:
        found = colour_up(CASINO, held)
        left = dict(held)
        for sign, side in ((-1, found.give), (1, found.take)) if found else ():
            for one in side:
                left[one.chip.value] = left.get(one.chip.value, 0) + sign * one.count
        worth = sum(value * count for value, count in held.items())
        assert {value: count for value, count in left.items() if count} == counted(breakdown(CASINO, worth))


@pytest.mark.parametrize(
    ("values", "usable"),
    [
        ([50, 100, 500, 2500, 10_000], True),
        ([100, 250, 500, 2000, 2500, 10_000, 500_000], True),
        ([1, 500_000], True),
        ([99_999, 100_003, 500_009], False),
    ],
)
def test_sets_of_chips_that_need_a_long_search_are_recognized(values: list[int], usable: bool) -> None:
    assert (sums_to_search(values) <= MOST_SUMS) is usable
