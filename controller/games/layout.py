"""What lies on the table: hands, seats, and settled wagers. Amounts are cents, None is unknown."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from controller.cards import Card

Outcome = Literal["win", "lose", "push"]


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand of a seat."""

    cards: tuple[Card, ...] = ()
    choice: str = ""
    """The dealer's key that stands for it: "hit" while its card is due, "stand" for good, else empty."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A betting position: what stands on its spots, and its hands in the order in which they are played."""

    wagers: Mapping[str, int | None]
    hands: tuple[Hand, ...] = ()


@dataclass(slots=True)
class Layout:
    """All seats with a wager, in dealing order, and the dealer's cards in the order they came.

    The dealer's cards include one that lies face down: no rule but peek, draw and settle may look.
    """

    seats: dict[int, Seat] = field(default_factory=dict)
    dealer: tuple[Card, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is: a hand of a seat, counted from 0."""

    seat: int
    hand: int


@dataclass(frozen=True, slots=True)
class Settlement:
    """One settled wager.

    `paid` is the player's gain without the returned stake, negative for a loss, None where it is unknown.
    `pays` is the ratio of a win; `rounding` is the fraction that rounding down to the chip took, if any.
    """

    seat: int
    hand: int
    wager: str
    amount: int | None
    outcome: Outcome
    pays: str | None
    paid: int | None
    reason: str
    rounding: str | None = None
