import pytest

from controller.games.bets.insurance import Forbidden, Insurance

UP_TO_HALF = Insurance(offered=True)
EXACTLY_HALF = Insurance(offered=True, exactly_half=True)

AMOUNTS = {
    # wager, chip, requested amount -> amount taken
    (1000, 1, None): 500,
    (1001, 1, None): 500,
    (1000, 400, None): 400,
    (None, 1, None): None,
    (1000, 1, 500): 500,
    (None, 100, 300): 300,
    (1900, 100, 900): 900,
}


@pytest.mark.parametrize("insurance", [UP_TO_HALF, EXACTLY_HALF])
def test_insurance_is_half_the_wager_rounded_down_to_the_chip(insurance: Insurance) -> None:
    assert {asked: insurance.amount(*asked) for asked in AMOUNTS} == AMOUNTS


def test_insurance_for_less_than_half_is_taken_only_where_allowed() -> None:
    assert UP_TO_HALF.amount(1000, 100, 100) == 100
    with pytest.raises(Forbidden, match=r"^insurance of 1\.00 is not possible; allowed: exactly 5\.00$"):
        EXACTLY_HALF.amount(1000, 100, 100)


@pytest.mark.parametrize(
    ("insurance", "asked", "says"),
    [
        (UP_TO_HALF, (1000, 1, 501), "insurance of 5.01 is not possible; allowed: at most 5.00"),
        (EXACTLY_HALF, (1000, 1, 501), "insurance of 5.01 is not possible; allowed: exactly 5.00"),
        (UP_TO_HALF, (1000, 100, 150), "insurance of 1.50 is not a multiple of the chip, 1.00"),
        (UP_TO_HALF, (None, 100, 150), "insurance of 1.50 is not a multiple of the chip, 1.00"),
        (UP_TO_HALF, (1, 1, None), "insurance is not possible: half of 0.01 is less than the chip, 0.01"),
        (UP_TO_HALF, (500, 500, 500), "insurance is not possible: half of 5.00 is less than the chip, 5.00"),
    ],
)
def test_refused_insurance_names_the_allowed_amounts(
    insurance: Insurance, asked: tuple[int | None, int, int | None], says: str
) -> None:
    with pytest.raises(Forbidden) as refused:
        insurance.amount(*asked)
    assert str(refused.value) == says
