from fractions import Fraction

import pytest

from controller.money import Ratio
from controller.odds.bet import Bet, BetOutcome, against, lose, push, weighted, win

HALF = Fraction(1, 2)
THIRD = Fraction(1, 3)


def test_the_edge_is_the_expected_loss() -> None:
    bet = Bet("main", (win("natural", THIRD, Ratio(3, 2)), push("equal", THIRD), lose("bust", THIRD)))
    assert bet.house_edge == (1 - Fraction(3, 2)) / 3
    assert [outcome.pays for outcome in bet.outcomes] == ["3:2", None, None]


def test_outcomes_that_are_not_everything_are_refused() -> None:
    with pytest.raises(ValueError, match="main have probability 5/6; allowed: exactly 1"):
        Bet("main", (win("natural", HALF, Ratio(3, 2)), lose("bust", THIRD)))


def test_a_weighted_bet_sums_its_outcomes() -> None:
    def bet(up: str, wins: Fraction, pays: Ratio) -> Bet:
        return Bet("hedge-18", (win("18", wins, pays), lose("another", 1 - wins)), against(up))

    found = weighted(
        [(bet("2", HALF, Ratio(1, 1)), Fraction(3)), (bet("3", THIRD, Ratio(2, 1)), Fraction(1))]
    )
    assert found.given == {"up_card": "any"}
    assert found.outcomes == (
        BetOutcome("18", Fraction(3, 8), "1:1", Fraction(1)),
        BetOutcome("another", Fraction(13, 24), None, Fraction(-1)),
        BetOutcome("18", Fraction(1, 12), "2:1", Fraction(2)),
    )
