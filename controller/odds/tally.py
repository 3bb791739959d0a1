"""Results of a bet over many rounds, as sums of whole cents."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import nan, sqrt

from controller.odds.bet import ANY, against

MAIN = "main"
"""The name of the bet on the hand, whatever its spots are called."""


@dataclass(slots=True)
class BetTally:
    """One bet under one condition. A round counts once, however many hands its wager was split over.

    `up_card` is empty for a bet made before the deal, else a rank or "any".
    """

    bet: str
    up_card: str = ""
    count: int = 0
    staked: int = 0
    paid: int = 0
    staked_squares: int = 0
    paid_squares: int = 0
    products: int = 0
    results: Counter[str] = field(default_factory=Counter)
    """How often a settlement line had "lose", "push", or the ratio of a win."""

    def add(self, staked: int, paid: int, results: Iterable[str], times: int = 1) -> None:
        """Adds rounds that are alike: what was staked before any double or split, and the player's gain."""
        self.add_all(times, staked, paid * times, paid * paid * times)
        for result in results:
            self.results[result] += times

    def add_all(self, rounds: int, staked: int, paid: int, paid_squares: int) -> None:
        """Adds rounds with the same stake: the sums of the player's gains and of their squares."""
        self.count += rounds
        self.staked += rounds * staked
        self.paid += paid
        self.staked_squares += rounds * staked * staked
        self.paid_squares += paid_squares
        self.products += staked * paid

    def merge(self, other: "BetTally") -> None:
        self.count += other.count
        self.staked += other.staked
        self.paid += other.paid
        self.staked_squares += other.staked_squares
        self.paid_squares += other.paid_squares
        self.products += other.products
        self.results.update(other.results)

    @property
    def given(self) -> dict[str, str]:
        """The condition, as `Bet.given` has it."""
        return against(self.up_card) if self.up_card else {}

    @property
    def house_edge(self) -> float:
        """The house's mean gain per unit staked."""
        return -self.paid / self.staked if self.staked else nan

    @property
    def standard_error(self) -> float:
        """Of the house edge, which is a ratio of two sums, from the deviation of single rounds."""
        if self.count < 2:
            return nan
        edge = self.house_edge
        squares = self.paid_squares + 2 * edge * self.products + edge * edge * self.staked_squares
        return sqrt(max(squares, 0.0) * self.count / (self.count - 1)) / self.staked


class BetTallies:
    """All tallies by bet and condition, in the order in which bets were first settled."""

    def __init__(self) -> None:
        self._tallies: dict[tuple[str, str], BetTally] = {}

    def of(self, bet: str, up_card: str = "") -> BetTally:
        key = bet, up_card
        if key not in self._tallies:
            self._tallies[key] = BetTally(bet, up_card)
        return self._tallies[key]

    def merge(self, other: "BetTallies") -> None:
        for tally in other._tallies.values():
            self.of(tally.bet, tally.up_card).merge(tally)

    def all(self) -> tuple[BetTally, ...]:
        """The main bet, then the others by name; each against any up-card, then against each one."""
        tallies = [*self._tallies.values()]
        return tuple(sorted([*tallies, *_against_any(tallies)], key=_place))


def _against_any(tallies: Iterable[BetTally]) -> Iterable[BetTally]:
    """A total for each bet that has several up-cards."""
    for bet in dict.fromkeys(tally.bet for tally in tallies if tally.up_card):
        together, parts = BetTally(bet, ANY), [tally for tally in tallies if tally.bet == bet]
        for part in parts:
            together.merge(part)
        if len(parts) > 1:
            yield together


def _place(tally: BetTally) -> tuple[bool, str, bool, str]:
    return tally.bet != MAIN, tally.bet, tally.up_card not in ("", ANY), tally.up_card
