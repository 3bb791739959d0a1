"""One jackpot and its books, to the last unit.

A unit is 1/10,000 of a cent, so that contribution rates lose nothing.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

from controller.money import text

UNITS = 10_000
"""In a cent."""


class Unbalanced(Exception):
    """Books in which money appears or vanishes."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """What an operator sets: the seed in cents, and the shares of each stake for the jackpot and for the
    reserve that funds the next seed; the defaults of docs/games/side-bets.md.
    """

    seed: int = 1_000_000
    contribution: Fraction = Fraction(15, 100)
    reserve: Fraction = Fraction(5, 100)

    def __post_init__(self) -> None:
        if self.seed < 1:
            raise ValueError(f"a seed of {text(self.seed)} is not possible; allowed: at least one cent")
        for name, rate in (("contribution", self.contribution), ("reserve", self.reserve)):
            if rate < 0 or UNITS % rate.denominator:
                raise ValueError(f"a {name} of {rate} is not possible; allowed: ten-thousandths from 0 on")
        if self.contribution + self.reserve > 1:
            raise ValueError(
                f"contribution {self.contribution} and reserve {self.reserve} are more than the stake; "
                "allowed: together at most 1"
            )


@dataclass(frozen=True, slots=True)
class Books:
    """Where every unit is, and what ever came and went; raises Unbalanced where the two differ."""

    display: int = 0
    """The jackpot that is played for."""
    reserve: int = 0
    contributions: int = 0
    """Of all stakes, those to the reserve too."""
    seeds: int = 0
    """What the house put in: seeds, as far as the reserve did not fund them."""
    paid: int = 0

    def __post_init__(self) -> None:
        if min(self.display, self.reserve, self.contributions, self.seeds, self.paid) < 0:
            raise Unbalanced(f"an amount under 0 in {self}")
        if self.contributions + self.seeds != self.display + self.reserve + self.paid:
            raise Unbalanced(f"contributions + seeds are not display + reserve + paid in {self}")

    def contribute(self, display: int, reserve: int) -> "Books":
        """Units of a stake, for the jackpot and for the reserve."""
        return replace(
            self,
            display=self.display + display,
            reserve=self.reserve + reserve,
            contributions=self.contributions + display + reserve,
        )

    def pay(self, units: int) -> "Books":
        """Units of the jackpot that were won."""
        return replace(self, display=self.display - units, paid=self.paid + units)

    def seed(self, units: int) -> "Books":
        """More to play for: from the reserve, and what that lacks from the house."""
        funded = min(self.reserve, units)
        return replace(
            self,
            display=self.display + units,
            reserve=self.reserve - funded,
            seeds=self.seeds + units - funded,
        )


@dataclass(frozen=True, slots=True, init=False)
class Meter:
    """One jackpot; every step gives a new meter. Without books it is new, and shows the seed."""

    parameters: Parameters
    books: Books

    def __init__(self, parameters: Parameters, books: Books | None = None) -> None:
        object.__setattr__(self, "parameters", parameters)
        object.__setattr__(self, "books", books or Books().seed(parameters.seed * UNITS))

    @property
    def cents(self) -> int:
        """What is shown: the jackpot in whole cents, rounded down."""
        return self.books.display // UNITS

    def contribute(self, stake_cents: int) -> "Meter":
        """With the shares of one stake."""
        if stake_cents < 1:
            raise ValueError(f"a stake of {text(stake_cents)} is not possible; allowed: at least one cent")
        rates, units = self.parameters, stake_cents * UNITS
        display, reserve = units * rates.contribution, units * rates.reserve
        return Meter(rates, self.books.contribute(int(display), int(reserve)))

    def won(self, cents: int) -> "Meter":
        """Without what was won of it; what the winner was not paid stays."""
        if not 0 <= cents <= self.cents:
            raise ValueError(f"a win of {text(cents)} is not possible; allowed: 0 to {text(self.cents)}")
        return Meter(self.parameters, self.books.pay(cents * UNITS))

    def reseeded(self) -> "Meter":
        """With the seed on top of what is left, as after a win of all of it."""
        return Meter(self.parameters, self.books.seed(self.parameters.seed * UNITS))
