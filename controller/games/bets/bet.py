"""What the games ask of a side bet."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import ClassVar

from controller.games.layout import Layout, Seat, Settlement
from controller.games.settlement import HandWager

NO_SPOTS: frozenset[str] = frozenset()


class SideBet(ABC):
    """One kind of wager beside the main one; what a bet does not say itself is as here.

    Amounts are cents, None is unknown.
    """

    spots: ClassVar[tuple[str, ...]]
    late: ClassVar[bool] = False
    """It is placed in a window after the deal, never before."""
    for_jackpot: ClassVar[bool] = False
    """It plays for a jackpot; shares of it follow from the cards first dealt and the up-card alone."""

    @property
    def fixed_stake(self) -> int | None:
        """Cents that each wager must be of; None: the player chooses."""
        return None

    def faults(self, _wagers: Mapping[str, int | None]) -> Iterator[str]:
        """Why betting cannot close with these wagers of one seat."""
        return iter(())

    def invites(self, _layout: Layout, _seat: Seat) -> frozenset[str]:
        """Its spots that open for a seat after the deal."""
        return NO_SPOTS

    def invites_after_split(self, _layout: Layout) -> frozenset[str]:
        """Its spots that open for the hand that was just split off."""
        return NO_SPOTS

    def draws_out(self, _layout: Layout) -> bool:
        """Whether the dealer must complete the hand for it."""
        return False

    @abstractmethod
    def settle(self, layout: Layout) -> Iterator[Settlement]:
        """A line for each of its wagers, in the order in which they are taken and paid."""


def wagers_on(layout: Layout, *spots: str) -> Iterator[HandWager]:
    """Every seat's wagers on these spots; they carry hand 1."""
    for number, seat in layout.seats.items():
        for spot in spots:
            if spot in seat.wagers:
                yield HandWager(number, 1, spot, seat.wagers[spot])


def any_on(layout: Layout, *spots: str) -> bool:
    """Whether a wager stands on one of these spots."""
    return any(spot in seat.wagers for seat in layout.seats.values() for spot in spots)
