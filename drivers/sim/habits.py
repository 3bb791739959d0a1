"""What the simulated players put down and how they play: data, and how to read it.

The strategy is the one for Easy Jack with 8 decks: hit 5 or less and a one-card 6, else stand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

MAIN: Final = 0
DEALER_BUST: Final = 1


@dataclass(frozen=True, slots=True)
class Habits:
    """Chances are 0 to 1; stakes are cents."""

    seats: Sequence[int]
    plays: float
    """That a seat is in the round; one at least is."""
    main: Sequence[int]
    dealer_bust: Sequence[int]
    bets_dealer_bust: float
    unreadable: float
    """That a stake is of chips that the sensor cannot value."""


HABITS: Final = Habits(
    seats=(1, 2, 3, 4, 5, 6, 7),
    plays=0.45,
    main=(500, 1000, 1500, 2500, 5000, 10_000),
    dealer_bust=(100, 200, 500),
    bets_dealer_bust=0.35,
    unreadable=0.08,
)
HIT_ONE_CARD_UP_TO: Final = 6
HIT_UP_TO: Final = 5
ACE_ALONE: Final = 11
VALUES: Final[Mapping[str, int]] = {"A": 1, **{str(n): n for n in range(2, 10)}, **dict.fromkeys("TJQK", 10)}


@dataclass(frozen=True, slots=True)
class Bet:
    """A stake for a spot; None: chips without a readable value."""

    seat: int
    spot: int
    cents: int | None


def bets(seed: int, index: int, habits: Habits = HABITS) -> tuple[Bet, ...]:
    """What is put down in round `index`, main wagers first: from seed and index, nothing else."""
    chance = Random(f"{seed}/{index}")
    seats = [seat for seat in habits.seats if chance.random() < habits.plays] or [chance.choice(habits.seats)]
    found = []
    for seat in seats:
        found.append(Bet(seat, MAIN, _stake(chance, habits.main, habits)))
        if chance.random() < habits.bets_dealer_bust:
            found.append(Bet(seat, DEALER_BUST, _stake(chance, habits.dealer_bust, habits)))
    return tuple(found)


def total(cards: Sequence[str]) -> int:
    """A hand's points: an ace is 11 alone, 1 in company."""
    if len(cards) == 1 and cards[0][0] == "A":
        return ACE_ALONE
    return sum(VALUES[card[0]] for card in cards)


def hits(cards: Sequence[str]) -> bool:
    """The player wants a card."""
    return total(cards) <= (HIT_ONE_CARD_UP_TO if len(cards) == 1 else HIT_UP_TO)


def _stake(chance: Random, stakes: Sequence[int], habits: Habits) -> int | None:
    stake = chance.choice(stakes)
    return None if chance.random() < habits.unreadable else stake
