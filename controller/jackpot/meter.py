"""One jackpot: its parameters, its books, and the steps that are possible."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from controller.jackpot.books import UNITS, Books, JackpotReset
from controller.jackpot.parameters import Parameters
from controller.money import text


@dataclass(frozen=True, slots=True, init=False)
class Meter:
    """A frozen value: every step returns a new meter. Without books the meter is new and displays the
    seed.

    `pending`: parameters that apply once the jackpot is won; None: there are none.
    """

    parameters: Parameters
    books: Books
    pending: Parameters | None

    def __init__(
        self, parameters: Parameters, books: Books | None = None, pending: Parameters | None = None
    ) -> None:
        object.__setattr__(self, "parameters", parameters)
        object.__setattr__(self, "books", books or Books().seed(parameters.seed * UNITS))
        object.__setattr__(self, "pending", pending)

    @property
    def cents(self) -> int:
        """The displayed jackpot in whole cents, rounded down."""
        return self.books.display // UNITS

    @property
    def next(self) -> Parameters:
        """The parameters that apply once all of it is won."""
        return self.pending or self.parameters

    def take(self, stakes: Sequence[int]) -> "tuple[Meter, tuple[int, ...]]":
        """Contributes the stakes of one round, in cents, as long as their sum stays within the threshold.
        Returns the new meter and the stakes that were refused."""
        taken, refused, units = self, [], 0
        for stake in stakes:
            fed = self.worth(stake)
            if self.is_reasonable(units + fed):
                taken, units = taken.contribute(stake), units + fed
            else:
                refused.append(stake)
        return taken, tuple(refused)

    def contribute(self, wagered: int, wagers: int = 1) -> "Meter":
        """Contributes the shares of stakes, together `wagered` cents. What is above the limit overflows."""
        if wagered < 1:
            raise ValueError(f"a stake of {text(wagered)} is not possible; allowed: at least one cent")
        display, reserve = self.parameters.shares
        fed, limit = wagered * display, self.parameters.limit
        displayed = fed if limit is None else max(0, min(fed, limit * UNITS - self.books.display))
        return self._with(
            self.books.contribute(displayed, wagered * reserve, fed - displayed, wagered, wagers)
        )

    def take_back(self, wagered: int, wagers: int) -> "Meter":
        """Takes back what void stakes contributed: from the overflow, then from the display as far as it has
        more than it begins with, and from the reserve. What is not there any more has been won; the house
        bears it."""
        display, reserve = self.parameters.shares
        books = self.books
        overflow = min(wagered * display, books.overflow)
        above = max(0, books.display - self.parameters.again * UNITS)
        shown = min(wagered * display - overflow, above)
        kept = min(wagered * reserve, books.reserve)
        return self._with(books.take_back(shown, kept, overflow, self.worth(wagered), wagered, wagers))

    def worth(self, stake: int) -> int:
        return stake * sum(self.parameters.shares)

    def is_reasonable(self, units: int, rounds: int = 1) -> bool:
        """Whether the wagers of this many rounds can contribute these units."""
        threshold = self.parameters.threshold
        return threshold is None or units <= threshold * UNITS * rounds

    def lock(self, cents: int) -> "Meter":
        """A share is won and waits to be paid. What the winner is not paid stays."""
        if not 0 < cents <= self.cents:
            raise ValueError(
                f"a win of {text(cents)} is not possible; allowed: {text(1)} to {text(self.cents)}"
            )
        return self._with(self.books.lock(cents * UNITS))

    def reseed(self) -> "tuple[Meter, JackpotReset]":
        """Begins the jackpot again by the newest parameters, on top of what is left."""
        seeded = self.books.seed(self.next.again * UNITS)
        reset = JackpotReset(
            house=seeded.seeds - self.books.seeds, reserve=self.books.reserve - seeded.reserve
        )
        return Meter(self.next, seeded), reset

    def level(self) -> "Meter":
        """After the last share of a round in which all was won: adds the overflow, up to the limit."""
        limit = self.parameters.limit
        books = self.books
        return self._with(books.level(books.display + books.overflow if limit is None else limit * UNITS))

    def pay(self, cents: int) -> "Meter":
        return self._with(self.books.pay(cents * UNITS))

    def unlock(self, cents: int, reset: JackpotReset) -> "Meter":
        """Returns a locked share, because its claim is void. The reset that replaced it goes back, as far
        as the display need not fall, and as far as a correction has not taken it out since."""
        units = cents * UNITS
        back = replace(reset, house=min(reset.house, self.books.seeds)).most(units)
        return self._with(self.books.unlock(units, back))._capped()

    def correct(self, cents: int) -> "Meter":
        """Sets the display to another amount by hand; raises ValueError."""
        least, most = self.parameters.again, self.parameters.limit
        if most is not None and not least <= cents <= most:
            raise ValueError(
                f"a meter of {text(cents)} is not possible; allowed: {text(least)} to {text(most)}"
            )
        if cents < least:
            raise ValueError(f"a meter of {text(cents)} is not possible; allowed: {text(least)} or more")
        return self._with(self.books.correct((cents - self.cents) * UNITS))

    def change(self, parameters: Parameters) -> "Meter":
        """New parameters: at once if nobody has contributed since the jackpot began, else once all of it
        is won. A jackpot that nobody ever played for displays the new seed."""
        if parameters == self.parameters:
            return Meter(parameters, self.books)
        if self.books == Meter(self.parameters).books:
            return Meter(parameters)
        fits = parameters.limit is None or self.books.display <= parameters.limit * UNITS
        if self.books.untouched and fits:
            return Meter(parameters, self.books)
        return Meter(self.parameters, self.books, parameters)

    def _with(self, books: Books) -> "Meter":
        return Meter(self.parameters, books, self.pending)

    def _capped(self) -> "Meter":
        limit = self.parameters.limit
        if limit is None or self.books.display <= limit * UNITS:
            return self
        return self._with(self.books.level(limit * UNITS))
