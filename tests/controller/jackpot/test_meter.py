from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from controller.games.bets import blazing_7s
from controller.jackpot import Books, JackpotReset, Meter, Parameters, Unbalanced

SEED = 1_000_000
STAKE = 100
NEW = Meter(Parameters())
CENT = 10_000


def test_a_new_meter_shows_the_seed_that_the_house_put_in() -> None:
    assert NEW.cents == SEED
    assert NEW.books == Books(display=SEED * CENT, seeds=SEED * CENT)


def test_the_seed_is_that_of_the_rules() -> None:
    """The shares of two winners in one round are worked out with it."""
    assert Parameters().seed == blazing_7s.SEED


def test_a_stake_feeds_the_jackpot_and_the_reserve() -> None:
    fed = NEW.contribute(STAKE)
    assert fed.cents == SEED + 15
    assert (fed.books.reserve, fed.books.contributions) == (5 * CENT, 20 * CENT)


def test_what_is_less_than_a_cent_is_kept_and_not_shown() -> None:
    meter = Meter(Parameters(contribution=Fraction(1, 10_000), reserve=Fraction(0)))
    for _ in range(9_999):
        meter = meter.contribute(1)
    assert (meter.cents, meter.books.display) == (SEED, SEED * CENT + 9_999)
    assert meter.contribute(1).cents == SEED + 1


def won(meter: Meter, cents: int) -> Meter:
    """A share that was locked and paid."""
    return meter.lock(cents).pay(cents)


def all_won(meter: Meter) -> Meter:
    again, _ = won(meter, meter.cents).reseed()
    return again


def test_a_share_is_locked_and_then_paid() -> None:
    locked = NEW.contribute(STAKE).lock(100_001)
    assert (locked.cents, locked.books.locked, locked.books.paid) == (SEED + 15 - 100_001, 100_001 * CENT, 0)
    paid = locked.pay(100_001)
    assert (paid.cents, paid.books.locked, paid.books.paid) == (locked.cents, 0, 100_001 * CENT)
    assert locked.books.wins == paid.books.wins == 100_001 * CENT
    with pytest.raises(Unbalanced):
        paid.pay(1)


def test_all_that_is_shown_may_be_won_and_no_more() -> None:
    fed = NEW.contribute(1)
    assert fed.cents == SEED
    assert fed.lock(SEED).books.display == 1_500
    for cents in (SEED + 1, 0, -1):
        with pytest.raises(ValueError, match=r"allowed: 0.01 to 10000\.00"):
            fed.lock(cents)


def test_the_reserve_funds_the_next_seed_and_the_house_the_rest() -> None:
    again = all_won(NEW.contribute(STAKE * 1000))
    assert again.cents == SEED
    assert again.books == Books(
        display=SEED * CENT,
        contributions=20_000 * CENT,
        seeds=(2 * SEED - 5_000) * CENT,
        paid=(SEED + 15_000) * CENT,
        wagers=1,
        wagered=STAKE * 1000,
        hits=1,
        begun=20_000 * CENT,
    )


def test_a_reserve_that_is_more_than_the_seed_keeps_the_rest() -> None:
    again = all_won(Meter(Parameters(seed=300)).contribute(STAKE * 100))
    assert (again.cents, again.books.reserve, again.books.seeds) == (300, 200 * CENT, 300 * CENT)


def test_what_a_winner_was_not_paid_stays_on_top_of_the_seed() -> None:
    again, reset = NEW.contribute(STAKE).lock(SEED).reseed()
    assert again.cents == SEED + 15
    assert reset == JackpotReset(house=(SEED - 5) * CENT, reserve=5 * CENT)


@pytest.mark.parametrize("stake", [0, -100])
def test_a_stake_below_one_cent_is_refused(stake: int) -> None:
    with pytest.raises(ValueError, match="allowed: at least one cent"):
        NEW.contribute(stake)


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"seed": 0}, "a seed of 0.00 is not possible; allowed: at least one cent"),
        ({"contribution": Fraction(1, 3)}, "a contribution of 1/3 is not possible; allowed: ten-thousandths"),
        ({"reserve": Fraction(-1, 100)}, "a reserve of -1/100 is not possible; allowed: ten-thou"),
        ({"reserve": Fraction(1, 100_000)}, "a reserve of 1/100000 is not possible"),
        ({"contribution": Fraction(96, 100)}, "more than the stake; allowed: together at most 1"),
        ({"reset": 0}, "a reset of 0.00 is not possible; allowed: at least one cent"),
        ({"threshold": 0}, "a threshold of 0.00 is not possible; allowed: at least one cent"),
        ({"limit": 999_999}, "a limit of 9999.99 is not possible; allowed: at least seed and reset, 10000"),
        ({"reset": 3_000_000, "limit": 2_000_000}, "allowed: at least seed and reset, 30000.00"),
    ],
)
def test_meter_parameters_outside_the_rules_are_refused(parameters: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says.replace(".", r"\.")):
        Parameters(**parameters)


def test_all_of_a_stake_may_be_kept() -> None:
    kept = Meter(Parameters(300, Fraction(1, 2), Fraction(1, 2))).contribute(STAKE)
    assert (kept.cents, kept.books.reserve) == (350, 50 * CENT)


@pytest.mark.parametrize(
    "wrong",
    [
        {"display": 1},
        {"reserve": 1},
        {"paid": 1},
        {"seeds": 1},
        {"contributions": 1},
        {"overflow": 1},
        {"locked": 1, "hits": 1},
    ],
)
def test_books_that_lose_or_invent_a_unit_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(Unbalanced, match="contributions \\+ seeds are not display"):
        Books(**wrong)


def test_books_with_a_negative_amount_are_refused() -> None:
    with pytest.raises(Unbalanced, match="under 0"):
        Books(display=-1, paid=1)
    with pytest.raises(Unbalanced, match="under 0"):
        Books().pay(1)
    with pytest.raises(Unbalanced, match="under 0"):
        Books(wagers=2, wagered=1)


def test_books_with_a_lock_and_no_hit_are_refused() -> None:
    with pytest.raises(Unbalanced, match="nothing was hit"):
        Books(locked=1, seeds=1)


def test_books_of_older_versions_are_whole() -> None:
    old = Books(display=5, reserve=1, contributions=4, seeds=3, paid=1)
    assert (old.wins, old.hits, old.untouched) == (1, 0, False)


RATES = st.integers(0, 5_000).map(lambda share: Fraction(share, 10_000))


@given(st.integers(1, 10**9), RATES, RATES, st.lists(st.integers(1, 10**6), max_size=30))
def test_no_unit_of_a_stake_is_lost(seed: int, share: Fraction, kept: Fraction, stakes: list[int]) -> None:
    meter = Meter(Parameters(seed, share, kept))
    for stake in stakes:
        meter = meter.contribute(stake)
    assert meter.books.display == (seed + sum(stakes) * share) * CENT
    assert meter.books.reserve == sum(stakes) * kept * CENT


class Played(RuleBasedStateMachine):
    """A meter and the plain sums of its movements."""

    def __init__(self) -> None:
        super().__init__()
        self.meter = Meter(Parameters(seed=5_000))
        self.stakes = self.paid = 0
        self.seeds = 1

    @rule(stake=st.integers(1, 10_000))
    def wager(self, stake: int) -> None:
        self.meter = self.meter.contribute(stake)
        self.stakes += stake

    @rule(percent=st.integers(1, 100), chip=st.sampled_from((1, 25, 100)))
    def win(self, percent: int, chip: int) -> None:
        share = self.meter.cents * percent // 100 // chip * chip
        if share:
            self.meter = won(self.meter, share)
        self.paid += share
        if percent == 100:
            self.meter, _ = self.meter.reseed()
            self.seeds += 1

    @invariant()
    def balanced(self) -> None:
        books = self.meter.books
        assert books.contributions == self.stakes * CENT // 5
        assert books.paid == self.paid * CENT
        assert books.display == (self.seeds * 5_000 - self.paid) * CENT + self.stakes * CENT * 15 // 100
        assert books.contributions + books.seeds == books.display + books.reserve + books.paid


TestPlayed = Played.TestCase
