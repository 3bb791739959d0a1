"""The books of one jackpot: where every unit is, and what ever came and went.

A unit is 1/10,000 of a cent, so that contribution rates lose nothing.
"""

from dataclasses import dataclass, replace

UNITS = 10_000
"""In a cent."""


class Unbalanced(Exception):
    """Books in which money appears or vanishes."""


@dataclass(frozen=True, slots=True)
class JackpotReset:
    """What a jackpot began with after all of it was won, in units, and where that came from."""

    house: int = 0
    reserve: int = 0

    def most(self, units: int) -> "JackpotReset":
        """As much of it as `units` allow, the house's part first."""
        house = min(self.house, units)
        return JackpotReset(house, min(self.reserve, units - house))


@dataclass(frozen=True, slots=True)
class Books:
    """Units, except the counts and `wagered` (cents). Raises Unbalanced if what came in is not what is
    there and what was paid. Books of older versions end at `paid`."""

    display: int = 0
    """The jackpot that is played for."""
    reserve: int = 0
    contributions: int = 0
    """Shares of all stakes, those for the reserve and the overflow included."""
    seeds: int = 0
    """What the house put in: seeds that the reserve did not fund, and corrections by hand."""
    paid: int = 0
    locked: int = 0
    """Won but not paid yet."""
    overflow: int = 0
    """Above the limit. It goes to the display once all of that is won."""
    wagers: int = 0
    """How many wagers contributed."""
    wagered: int = 0
    """The stakes of those wagers, in cents."""
    hits: int = 0
    """Won shares that are not void."""
    begun: int = 0
    """The contributions when the jackpot last began."""

    def __post_init__(self) -> None:
        amounts = (
            self.display,
            self.reserve,
            self.contributions,
            self.seeds,
            self.paid,
            self.locked,
            self.overflow,
            self.wagers,
            self.wagered - self.wagers,
            self.hits,
            self.begun,
            self.contributions - self.begun,
        )
        if min(amounts) < 0:
            raise Unbalanced(f"an amount under 0 in {self}")
        there = self.display + self.locked + self.reserve + self.overflow
        if self.contributions + self.seeds != there + self.paid:
            raise Unbalanced(
                f"contributions + seeds are not display + locked + reserve + overflow + paid in {self}"
            )
        if self.locked and not self.hits:
            raise Unbalanced(f"units are locked and nothing was hit in {self}")

    @property
    def wins(self) -> int:
        """What was won, paid or not."""
        return self.locked + self.paid

    @property
    def untouched(self) -> bool:
        """Whether nobody has contributed since the jackpot began."""
        return self.contributions == self.begun

    def contribute(self, display: int, reserve: int, overflow: int, wagered: int, wagers: int = 1) -> "Books":
        """Adds units of stakes to the display, the reserve and the overflow. `wagered`: the cents of those
        `wagers`."""
        return Books(
            self.display + display,
            self.reserve + reserve,
            self.contributions + display + reserve + overflow,
            self.seeds,
            self.paid,
            self.locked,
            self.overflow + overflow,
            self.wagers + wagers,
            self.wagered + wagered,
            self.hits,
            self.begun,
        )

    def take_back(
        self, display: int, reserve: int, overflow: int, contributed: int, wagered: int, wagers: int
    ) -> "Books":
        """Takes back stakes that contributed this many units. What display, reserve and overflow no longer
        have of them, the house bears."""
        gone = min(contributed, self.contributions)
        return replace(
            self,
            display=self.display - display,
            reserve=self.reserve - reserve,
            overflow=self.overflow - overflow,
            contributions=self.contributions - gone,
            seeds=self.seeds + gone - display - reserve - overflow,
            wagers=self.wagers - wagers,
            wagered=self.wagered - wagered,
            begun=min(self.begun, self.contributions - gone),
        )

    def lock(self, units: int) -> "Books":
        """Units of the display are won and wait to be paid."""
        return replace(self, display=self.display - units, locked=self.locked + units, hits=self.hits + 1)

    def pay(self, units: int) -> "Books":
        """Locked units are paid."""
        return replace(self, locked=self.locked - units, paid=self.paid + units)

    def unlock(self, units: int, back: JackpotReset) -> "Books":
        """Locked units go back to the display. `back` of the reset that replaced them goes back to its
        sources."""
        return replace(
            self,
            display=self.display + units - back.house - back.reserve,
            locked=self.locked - units,
            reserve=self.reserve + back.reserve,
            seeds=self.seeds - back.house,
            hits=self.hits - 1,
            begun=0,
        )

    def seed(self, units: int) -> "Books":
        """The jackpot begins with more units: from the reserve, and what that lacks from the house."""
        funded = min(self.reserve, units)
        return replace(
            self,
            display=self.display + units,
            reserve=self.reserve - funded,
            seeds=self.seeds + units - funded,
            begun=self.contributions,
        )

    def level(self, most: int) -> "Books":
        """Fills the display from the overflow up to `most` units, or lets the excess overflow."""
        display = min(self.display + self.overflow, most)
        return replace(self, display=display, overflow=self.overflow + self.display - display)

    def correct(self, units: int) -> "Books":
        """Raises the display, or lowers it if `units` are negative: the house's part first, then the
        contributions."""
        house = max(units, -self.seeds)
        contributions = self.contributions + units - house
        return replace(
            self,
            display=self.display + units,
            seeds=self.seeds + house,
            contributions=contributions,
            begun=min(self.begun, contributions),
        )
