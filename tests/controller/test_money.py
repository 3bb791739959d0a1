from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.money import Ratio, pay, percent, ratio, sum_cents, text

RATIOS = st.builds(Ratio, st.integers(1, 1000), st.integers(1, 50))


@pytest.mark.parametrize("written", ["3:2", "6:5", "500:1", "6:4", "999999:1"])
def test_a_ratio_is_kept_as_it_was_written(written: str) -> None:
    assert str(ratio(written)) == written


@pytest.mark.parametrize(
    "written", ["", "3", "3-2", "3:0", "0:1", "-3:2", "3:2 ", "1.5:1", "٣:2", "03:2", "3:2:1"]
)
def test_text_that_is_not_a_ratio_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match="is not a ratio"):
        ratio(written)


@pytest.mark.parametrize(("win", "stake"), [(-1, 1), (1, 0), (1, -1)])
def test_a_ratio_of_less_than_nothing_cannot_be_built(win: int, stake: int) -> None:
    with pytest.raises(ValueError, match="whole number to one from 1 on"):
        Ratio(win, stake)


@pytest.mark.parametrize(
    ("pays", "stake", "chip", "paid", "lost"),
    [
        ("3:2", 1000, 1, 1500, "0"),
        ("3:2", 1001, 1, 1501, "1/2"),
        ("6:5", 333, 1, 399, "3/5"),
        ("3:2", 500, 100, 700, "50"),
        ("10:3", 100, 1, 333, "1/3"),
        ("1:2", 500, 500, 0, "250"),
    ],
)
def test_pays_are_rounded_down_to_the_chip(pays: str, stake: int, chip: int, paid: int, lost: str) -> None:
    assert pay(ratio(pays), stake, chip) == (paid, Fraction(lost))


@given(RATIOS, st.integers(1, 10**9), st.integers(1, 10_000))
def test_what_is_paid_and_what_is_rounded_off_make_the_exact_win(pays: Ratio, stake: int, chip: int) -> None:
    paid, lost = pay(pays, stake, chip)
    assert paid + lost == Fraction(stake * pays.win, pays.stake)
    assert paid % chip == 0
    assert 0 <= lost < chip


@pytest.mark.parametrize(
    ("cents", "written"), [(0, "0.00"), (5, "0.05"), (1250, "12.50"), (-5, "-0.05"), (-1250, "-12.50")]
)
def test_amounts_are_written_with_separators(cents: int, written: str) -> None:
    assert text(cents) == written


@pytest.mark.parametrize(
    ("written", "share"), [("15%", Fraction(3, 20)), ("2.75%", Fraction(11, 400)), ("0%", Fraction(0))]
)
def test_a_percentage_is_read_as_a_share(written: str, share: Fraction) -> None:
    assert percent(written) == share


@pytest.mark.parametrize("written", ["15", "-1%", "1.234%", "1,5%", "%", "1e1%", "١٥%"])
def test_text_that_is_not_a_percentage_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match="is not a share"):
        percent(written)


@pytest.mark.parametrize(
    ("amounts", "together"),
    [([], 0), ([100, 250], 350), ([100, None], None), ([0, -50], -50), ([None], None)],
)
def test_a_sum_is_unknown_where_a_part_of_it_is(amounts: list[int | None], together: int | None) -> None:
    assert sum_cents(amounts) == together
