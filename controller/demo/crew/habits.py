"""What the simulated players do by chance."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from controller.demo.crew.playbook import Circle, Playbook


@dataclass(frozen=True, slots=True)
class Habits:
    """Chances are 0 to 1."""

    seats: Sequence[int]
    plays: float
    """Chance that a seat is in the round. At least one is."""
    unreadable: float
    """Chance that a sensor cannot read the value of a stake."""
    whims: dict[str, float]


HABITS: Final = Habits(
    seats=(1, 2, 3, 4, 5, 6, 7),
    plays=0.45,
    unreadable=0.08,
    whims={
        "insurance": 0.4,
        "even-money": 0.5,
        "less": 0.3,  # a double or an insurance is for less than it might be
        "play": 0.2,  # the key is pressed before the hand is played on
        "close": 0.3,  # a window is closed before anybody acts
    },
)


@dataclass(frozen=True, slots=True)
class PlacedBet:
    """A stake on a spot, in cents; None: chips without a readable value."""

    seat: int
    spot: int
    cents: int | None


@dataclass(frozen=True, slots=True)
class Mood:
    """The chance decisions of one round's players. They follow from seed, round and question alone."""

    seed: int
    index: int
    playbook: Playbook
    habits: Habits = HABITS

    def bets(self) -> tuple[PlacedBet, ...]:
        """What is put down before the deal, seat by seat, the first circle first."""
        chance = self._chance("bets")
        seats = [seat for seat in self.habits.seats if chance.random() < self.habits.plays]
        return tuple(
            bet for seat in seats or [chance.choice(self.habits.seats)] for bet in self._bets(chance, seat)
        )

    def late(self, seat: int, hands: int) -> tuple[PlacedBet, ...]:
        """What a seat with that many hands puts on circles that open after the deal or at a split."""
        chance = self._chance(f"late {seat} {hands}")
        return tuple(
            PlacedBet(seat, spot, chance.choice(circle.stakes))
            for spot, circle in enumerate(self.playbook.circles)
            if circle.late and (hands == 1 or circle.at_splits) and chance.random() < circle.chance
        )

    def has(self, whim: str, *where: int) -> bool:
        """Whether somebody wants this now. `where`: seat, and hand."""
        return self._chance(f"{whim} {where}").random() < self.habits.whims[whim]

    def _bets(self, chance: Random, seat: int) -> Iterator[PlacedBet]:
        first, *others = self.playbook.circles
        most = self._stake(chance, first.stakes)
        yield PlacedBet(seat, 0, most)
        for spot, circle in enumerate(others, 1):
            if not circle.late and chance.random() < circle.chance and (stakes := _affordable(circle, most)):
                cents = most if circle.like_first else self._stake(chance, stakes)
                yield PlacedBet(seat, spot, cents)

    def _stake(self, chance: Random, stakes: Sequence[int]) -> int | None:
        stake = chance.choice(stakes)
        return None if chance.random() < self.habits.unreadable else stake

    def _chance(self, what: str) -> Random:
        return Random(f"{self.seed}/{self.index}/{what}")


def _affordable(circle: Circle, most: int | None) -> Sequence[int]:
    if most is None or not circle.at_most_first:
        return circle.stakes
    return [stake for stake in circle.stakes if stake <= most]
