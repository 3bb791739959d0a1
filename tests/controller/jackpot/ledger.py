"""A second set of books for a jackpot, independent of the product: plain integers and plain branches.

A unit is 1/10,000 of a cent. A void round is undone by starting again from the books before it.
"""

from dataclasses import dataclass, field, replace
from typing import Self

CENT = 10_000
KEPT = 60
"""The least number of ended claims that are kept."""

Figures = tuple[int, int, int, int, int, int, int, int, int, int]


@dataclass(frozen=True)
class Fed:
    """In cents, except the shares, which are units of each cent."""

    seed: int
    share: int
    kept: int
    reset: int
    limit: int | None = None
    threshold: int | None = None


@dataclass
class Won:
    """A claim as the ledger knows it; `house` and `kept`: units that replaced what was won."""

    cents: int
    two: bool
    round: int
    house: int = 0
    kept: int = 0
    state: str = "pending"
    dealer: str = ""
    supervisor: str = ""

    def allows(self, step: str, who: str) -> bool:
        """Whether this person may take this step now."""
        if step == "confirm":
            return self.state == "pending"
        if step == "verify":
            return self.state == "confirmed" and who != self.dealer
        if step == "second":
            return self.state == "checked" and who not in (self.dealer, self.supervisor)
        if step == "pay":
            return self.state == "verified"
        return self.state not in ("paid", "void") and not (self.dealer and who == self.dealer)

    def take(self, step: str, who: str) -> None:
        if step == "confirm":
            self.state, self.dealer = "confirmed", who
        elif step == "verify":
            self.state, self.supervisor = "checked" if self.two else "verified", who
        elif step == "second":
            self.state = "verified"
        else:
            self.state = "paid" if step == "pay" else "void"


@dataclass
class Ledger:
    """Accounts for every unit."""

    fed: Fed
    second_over: int
    display: int = 0
    locked: int = 0
    reserve: int = 0
    overflow: int = 0
    paid: int = 0
    contributions: int = 0
    seeds: int = 0
    wagers: int = 0
    wagered: int = 0
    hits: int = 0
    begun: int = 0
    coming: Fed | None = None
    claims: dict[int, Won] = field(default_factory=dict)
    opened: int = 0
    shown: int = 0
    """What the shares of the round in play are taken of, in cents: what the meter showed when betting had
    closed."""

    @classmethod
    def new(cls, fed: Fed, second_over: int = 0) -> Self:
        """A ledger for a jackpot that nobody has played for."""
        return cls(fed, second_over, display=fed.seed * CENT, seeds=fed.seed * CENT)

    @property
    def figures(self) -> Figures:
        return (
            self.display,
            self.locked,
            self.reserve,
            self.overflow,
            self.paid,
            self.contributions,
            self.seeds,
            self.wagers,
            self.wagered,
            self.hits,
        )

    def wager(self, stake: int, before: int = 0) -> int:
        """One stake, after this many units of its round; returns the units that it contributes."""
        fed = self.fed
        shown, kept = stake * fed.share, stake * fed.kept
        if fed.threshold is not None and before + shown + kept > fed.threshold * CENT:
            return 0
        room = shown if fed.limit is None else max(fed.limit * CENT - self.display, 0)
        self.display += min(shown, room)
        self.overflow += max(shown - room, 0)
        self.reserve += kept
        self.contributions += shown + kept
        self.wagers += 1
        self.wagered += stake
        return shown + kept

    def close(self) -> None:
        """Betting closes."""
        self.shown = self.display // CENT

    def hit(self, number: int, percent: int) -> int:
        """Locks a share, in cents."""
        self.opened += 1
        cents = self.shown * percent // 100
        won = self.claims[self.opened] = Won(cents, cents > self.second_over, number)
        self._forget()
        self.display -= cents * CENT
        self.locked += cents * CENT
        self.hits += 1
        self.shown -= cents
        if percent == 100:
            self._begin_again(won)
            self.shown += self.fed.reset
        return cents

    def dealt(self, *, all_won: bool) -> None:
        """After the last share of a round."""
        if all_won:
            self.display, self.overflow = self.display + self.overflow, 0
            self._cap()

    def step(self, number: int, step: str, who: str) -> None:
        """Takes a step that is allowed."""
        won = self.claims[number]
        won.take(step, who)
        units = won.cents * CENT
        if won.state == "paid" and step == "pay":
            self.locked -= units
            self.paid += units
        elif won.state == "void":
            house = min(won.house, self.seeds, units)
            kept = min(won.kept, units - house)
            self.locked -= units
            self.display += units - house - kept
            self.seeds -= house
            self.reserve += kept
            self.hits -= 1
            self.begun = 0
            self._cap()

    def correct(self, cents: int) -> None:
        by = (cents - self.display // CENT) * CENT
        self.display += by
        house = max(by, -self.seeds)
        self.seeds += house
        self.contributions += by - house
        self.begun = min(self.begun, self.contributions)

    def change(self, fed: Fed) -> None:
        """New jackpot parameters, between rounds."""
        self.coming = None
        if fed == self.fed:
            return
        fits = fed.limit is None or self.display <= fed.limit * CENT
        if self.figures == Ledger.new(self.fed).figures:
            self.fed, self.display, self.seeds = fed, fed.seed * CENT, fed.seed * CENT
        elif self.contributions == self.begun and fits:
            self.fed = fed
        else:
            self.coming = fed

    def copy(self) -> "Ledger":
        return replace(self, claims={number: replace(won) for number, won in self.claims.items()})

    def balanced(self) -> bool:
        there = self.display + self.locked + self.reserve + self.overflow + self.paid
        held = sum(won.cents for won in self.claims.values() if won.state not in ("paid", "void"))
        return self.contributions + self.seeds == there and self.locked == held * CENT

    def _forget(self) -> None:
        """Drops claims that ended long ago; the table has dropped them, too."""
        self.claims = {
            number: won
            for number, won in self.claims.items()
            if number > self.opened - KEPT or won.state not in ("paid", "void")
        }

    def _begin_again(self, won: Won) -> None:
        if self.coming:
            self.fed, self.coming = self.coming, None
        units = self.fed.reset * CENT
        won.kept = min(self.reserve, units)
        won.house = units - won.kept
        self.reserve -= won.kept
        self.seeds += won.house
        self.display += units
        self.begun = self.contributions

    def _cap(self) -> None:
        if self.fed.limit is not None and self.display > self.fed.limit * CENT:
            self.overflow += self.display - self.fed.limit * CENT
            self.display = self.fed.limit * CENT
