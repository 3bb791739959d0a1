"""The books of one jackpot, to the last unit: where every unit is, and what ever came and went.

A unit is 1/10,000 of a cent, so that contribution rates lose nothing.
"""

from dataclasses import dataclass, replace

UNITS = 10_000
"""In a cent."""


class Unbalanced(Exception):
    """Books in which money appears or vanishes."""


@dataclass(frozen=True, slots=True)
class JackpotReset:
    """What was put into a jackpot when all of it was won, in units, and where that came from."""

    house: int = 0
    reserve: int = 0

    def most(self, units: int) -> "JackpotReset":
        """As much of it as `units` allow: first what the house put in."""
        house = min(self.house, units)
        return JackpotReset(house, min(self.reserve, units - house))


@dataclass(frozen=True, slots=True)
class Books:
    """Units, but for counts and `wagered`; raises Unbalanced where what came is not what is there and what
    was paid. Books of older versions end at `paid`."""

    display: int = 0
    """The jackpot that is played for."""
    reserve: int = 0
    contributions: int = 0
    """Of all stakes, those to the reserve and over the limit too."""
    seeds: int = 0
    """What the house put in: seeds, as far as nothing else funded them, and typed corrections."""
    paid: int = 0
    locked: int = 0
    """Won, and not paid yet."""
    overflow: int = 0
    """Over the limit: for the display once all of it is won."""
    wagers: int = 0
    """That contributed."""
    wagered: int = 0
    """Their stakes, in cents."""
    hits: int = 0
    """Shares that were won and are not void."""
    begun: int = 0
    """What the contributions were when the jackpot last began."""

    def __post_init__(self) -> None:
        amounts = (
            self.display, self.reserve, self.contributions, self.seeds, self.paid, self.locked,
            self.overflow, self.wagers, self.wagered - self.wagers, self.hits,
            self.begun, self.contributions - self.begun,
        )  # fmt: skip
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
        """What was won, paid or not yet."""
        return self.locked + self.paid

    @property
    def untouched(self) -> bool:
        """Whether nobody has contributed since the jackpot began."""
        return self.contributions == self.begun

    def contribute(self, display: int, reserve: int, overflow: int = 0, stake: int = 0) -> "Books":
        """Units of a stake: for the jackpot, the reserve, and what is over the limit. `stake`: its cents."""
        return Books(
            self.display + display, self.reserve + reserve, self.contributions + display + reserve + overflow,
            self.seeds, self.paid, self.locked, self.overflow + overflow,
            self.wagers + bool(stake), self.wagered + stake, self.hits, self.begun,
        )  # fmt: skip

    def lock(self, units: int) -> "Books":
        """Units of the jackpot are won, and wait to be paid."""
        return replace(self, display=self.display - units, locked=self.locked + units, hits=self.hits + 1)

    def pay(self, units: int) -> "Books":
        """Units that were locked are paid."""
        return replace(self, locked=self.locked - units, paid=self.paid + units)

    def unlock(self, units: int, back: JackpotReset) -> "Books":
        """Units that were locked are played for again, and `back` of what replaced them is where it was."""
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
        """The jackpot begins with so much more: from the reserve, and what that lacks from the house."""
        funded = min(self.reserve, units)
        return replace(
            self,
            display=self.display + units,
            reserve=self.reserve - funded,
            seeds=self.seeds + units - funded,
            begun=self.contributions,
        )

    def level(self, most: int) -> "Books":
        """The display shows `most` units, as far as the overflow fills it; what is more overflows."""
        display = min(self.display + self.overflow, most)
        return replace(self, display=display, overflow=self.overflow + self.display - display)

    def correct(self, units: int) -> "Books":
        """The display is raised, or lowered by units under 0: the house's, and after those contributions."""
        house = max(units, -self.seeds)
        contributions = self.contributions + units - house
        return replace(
            self,
            display=self.display + units,
            seeds=self.seeds + house,
            contributions=contributions,
            begun=min(self.begun, contributions),
        )
