"""The limit, the threshold, voids, corrections and changed parameters of a meter."""

from fractions import Fraction

import pytest

from controller.jackpot import JackpotReset, Meter, Parameters

SEED = 1_000_000
STAKE = 100
NEW = Meter(Parameters())
CENT = 10_000


def won(meter: Meter, cents: int) -> Meter:
    """A share that was locked and paid."""
    return meter.lock(cents).pay(cents)


def all_won(meter: Meter) -> Meter:
    again, _ = won(meter, meter.cents).reseed()
    return again


class TestLimit:
    METER = Meter(Parameters(seed=1_000, limit=1_010))

    def test_what_is_over_it_overflows(self) -> None:
        fed = self.METER.contribute(STAKE)
        assert (fed.cents, fed.books.overflow) == (1_010, 5 * CENT)
        assert fed.contribute(STAKE).books.overflow == 20 * CENT

    def test_the_overflow_comes_in_once_all_was_won(self) -> None:
        again = all_won(self.METER.contribute(STAKE))
        assert (again.cents, again.books.overflow) == (1_000, 5 * CENT)
        assert (again.level().cents, again.level().books.overflow) == (1_005, 0)

    def test_and_only_up_to_it(self) -> None:
        fed = self.METER
        for _ in range(3):
            fed = fed.contribute(STAKE)
        again = all_won(fed).level()
        assert (again.cents, again.books.overflow) == (1_010, 25 * CENT)

    def test_what_a_winner_was_not_paid_overflows_with_a_reset_up_to_it(self) -> None:
        full = Meter(Parameters(seed=1_000, limit=1_000)).lock(990)
        again, _ = full.reseed()
        assert (again.level().cents, again.level().books.overflow) == (1_000, 10 * CENT)

    def test_without_one_all_of_it_comes_in(self) -> None:
        fed = self.METER.contribute(STAKE).change(Parameters(seed=1_000))
        assert all_won(fed).level().cents == 1_005

    def test_a_share_that_is_void_overflows(self) -> None:
        fed = self.METER.contribute(STAKE).lock(10)
        back = fed.contribute(STAKE).unlock(10, JackpotReset())
        assert (back.cents, back.books.overflow, back.books.hits) == (1_010, 20 * CENT, 0)


class TestThreshold:
    METER = Meter(Parameters(threshold=50))

    def test_a_round_may_contribute_so_much(self) -> None:
        fed, refused = self.METER.take((STAKE, 2 * STAKE, STAKE))
        assert refused == (2 * STAKE,)
        assert (fed.books.wagers, fed.books.wagered) == (2, 2 * STAKE)

    def test_without_one_any(self) -> None:
        fed, refused = NEW.take((10**9,))
        assert (fed.books.wagered, refused) == (10**9, ())


class TestVoid:
    def test_of_all_takes_the_reset_back(self) -> None:
        fed = NEW.contribute(STAKE)
        again, reset = fed.lock(fed.cents).reseed()
        back = again.contribute(STAKE).unlock(fed.cents, reset)
        assert back.cents == SEED + 30
        assert back.books == NEW.contribute(STAKE).contribute(STAKE).books

    def test_never_lowers_what_is_shown(self) -> None:
        small, reset = NEW.lock(1_000).lock(SEED - 1_000).reseed()
        back = small.unlock(1_000, reset)
        assert back.cents == small.cents
        assert back.books.seeds == small.books.seeds - 1_000 * CENT

    def test_of_a_share_puts_it_back(self) -> None:
        assert NEW.contribute(STAKE).lock(5).unlock(5, JackpotReset()) == NEW.contribute(STAKE)


class TestCorrection:
    def test_up_is_the_house_s(self) -> None:
        right = NEW.contribute(STAKE).correct(SEED + 100)
        assert (right.cents, right.books.seeds) == (SEED + 100, (SEED + 85) * CENT)

    def test_down_is_the_house_s_first(self) -> None:
        fed = Meter(Parameters(seed=100)).contribute(STAKE * 100)
        right = fed.correct(200)
        assert (right.cents, right.books.seeds) == (200, 0)
        assert right.books.contributions == (2_000 - 1_300) * CENT

    @pytest.mark.parametrize("cents", [0, -5, SEED - 1, SEED + 1_001])
    def test_from_reset_to_limit(self, cents: int) -> None:
        meter = Meter(Parameters(limit=SEED + 1_000))
        with pytest.raises(ValueError, match=r"allowed: 10000\.00 to 10010\.00"):
            meter.correct(cents)

    def test_without_a_limit_to_anything(self) -> None:
        with pytest.raises(ValueError, match=r"allowed: 10000\.00 or more"):
            NEW.correct(1)


class TestChange:
    NEWER = Parameters(seed=500, contribution=Fraction(1, 2), reset=700)

    def test_waits_until_all_is_won(self) -> None:
        fed = NEW.contribute(STAKE).change(self.NEWER)
        assert (fed.pending, fed.next) == (self.NEWER, self.NEWER)
        assert fed.contribute(STAKE).cents == SEED + 30
        again = all_won(fed)
        assert (again.parameters, again.pending, again.cents) == (self.NEWER, None, 700)

    def test_that_is_taken_back_waits_no_more(self) -> None:
        fed = NEW.contribute(STAKE)
        assert fed.change(self.NEWER).change(fed.parameters) == fed

    def test_of_one_that_nobody_played_for_is_at_once(self) -> None:
        assert NEW.change(self.NEWER) == Meter(self.NEWER)

    def test_of_one_that_has_just_begun_again_keeps_what_it_shows(self) -> None:
        again = all_won(NEW.contribute(STAKE))
        changed = again.change(self.NEWER)
        assert (changed.parameters, changed.pending, changed.cents) == (self.NEWER, None, SEED)

    def test_to_a_limit_under_what_it_shows_waits(self) -> None:
        again = all_won(NEW.contribute(STAKE))
        under = Parameters(seed=500, limit=SEED - 1)
        assert again.change(under).pending == under

    def test_after_a_void_waits(self) -> None:
        fed = NEW.contribute(STAKE)
        again, reset = fed.lock(fed.cents).reseed()
        assert again.unlock(fed.cents, reset).change(self.NEWER).pending == self.NEWER


class TestTakingBack:
    LIMITED = Meter(Parameters(seed=1_000, limit=1_100))

    def test_stakes_that_are_taken_back_leave_no_trace(self) -> None:
        fed = NEW.contribute(STAKE)
        assert fed.contribute(3 * STAKE, 3).take_back(3 * STAKE, 3) == fed

    def test_the_overflow_is_taken_back_first(self) -> None:
        fed = self.LIMITED.contribute(10 * STAKE, 10)
        back = fed.take_back(STAKE, 1)
        assert (back.cents, back.books.overflow) == (1_100, fed.books.overflow - 15 * CENT)

    def test_the_display_does_not_fall_below_what_it_begins_with(self) -> None:
        fed = NEW.contribute(STAKE)
        again, _ = fed.lock(fed.cents).reseed()
        back = again.take_back(STAKE, 1)
        assert (back.cents, back.books.contributions, back.books.wagers) == (again.cents, 0, 0)
        assert back.books.seeds == again.books.seeds + 20 * CENT


def test_a_void_share_gives_the_house_no_more_than_it_still_has_in_the_books() -> None:
    """A correction downwards takes the seeds out first."""
    again, reset = NEW.lock(NEW.cents).reseed()
    fed = again.contribute(STAKE * 200_000)
    corrected = fed.correct(NEW.cents)
    assert corrected.books.seeds == 0
    back = corrected.unlock(NEW.cents, reset)
    assert (back.books.seeds, back.cents) == (0, 2 * NEW.cents)
