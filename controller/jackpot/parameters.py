"""What an operator sets for a jackpot."""

from dataclasses import dataclass
from fractions import Fraction

from controller.jackpot.books import UNITS
from controller.money import text


@dataclass(frozen=True, slots=True)
class Parameters:
    """Amounts in cents, and the shares of each stake for the jackpot and for the reserve that funds the
    next seed. The defaults are those of docs/games/side-bets.md.

    `reset`: what the jackpot begins with again once all of it is won; None: the seed. `limit`: the display
    never exceeds it. `threshold`: the most that one round may contribute.
    """

    seed: int = 1_000_000
    contribution: Fraction = Fraction(15, 100)
    reserve: Fraction = Fraction(5, 100)
    reset: int | None = None
    limit: int | None = None
    threshold: int | None = None

    def __post_init__(self) -> None:
        for name, cents in (("seed", self.seed), ("reset", self.again), ("threshold", self.threshold)):
            if cents is not None and cents < 1:
                raise ValueError(f"a {name} of {text(cents)} is not possible; allowed: at least one cent")
        least = max(self.seed, self.again)
        if self.limit is not None and self.limit < least:
            raise ValueError(
                f"a limit of {text(self.limit)} is not possible; "
                f"allowed: at least seed and reset, {text(least)}"
            )
        for name, rate in (("contribution", self.contribution), ("reserve", self.reserve)):
            if rate < 0 or UNITS % rate.denominator:
                raise ValueError(f"a {name} of {rate} is not possible; allowed: ten-thousandths from 0 on")
        if self.contribution + self.reserve > 1:
            raise ValueError(
                f"contribution {self.contribution} and reserve {self.reserve} are more than the stake; "
                "allowed: together at most 1"
            )

    @property
    def again(self) -> int:
        """What the jackpot begins with again once all of it is won, in cents."""
        return self.seed if self.reset is None else self.reset

    @property
    def shares(self) -> tuple[int, int]:
        """Units per cent of a stake, for the jackpot and for the reserve."""
        return _units(self.contribution), _units(self.reserve)


def _units(rate: Fraction) -> int:
    return rate.numerator * (UNITS // rate.denominator)
