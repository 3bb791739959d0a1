"""The base of all side bets."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

from controller.games.layout import Layout, Seat, Settlement
from controller.games.settlement import HandWager

if TYPE_CHECKING:
    from controller.games.game import Game

NO_SPOTS: frozenset[str] = frozenset()


class SideBet(ABC):
    """A kind of wager besides the main one. Amounts are cents; None is unknown."""

    contract: ClassVar[int] = 0
    """The version of the interface that a plug-in is written for. The product's own bets state none."""
    spots: ClassVar[tuple[str, ...]]
    late: ClassVar[bool] = False
    """Whether it is placed in a window after the deal instead of before."""
    for_jackpot: ClassVar[bool] = False
    """Whether it plays for a jackpot. Its shares follow from the first cards and the up-card alone."""

    @classmethod
    def for_game(cls, _game: "Game", _options: Mapping[str, Any]) -> Self:
        """The bet of a plug-in with its options, at a game that the option `bets` adds it to. The bet may
        keep the game, but must not ask it anything but its options yet. Raises BadOptions."""
        raise NotImplementedError(f"{cls.__name__} has no for_game")

    @property
    def fixed_stake(self) -> int | None:
        """Cents that each wager must have; None: the player chooses."""
        return None

    def faults(self, _wagers: Mapping[str, int | None]) -> Iterator[str]:
        """Why betting cannot close with these wagers of one seat."""
        return iter(())

    def invites(self, _layout: Layout, _seat: Seat) -> frozenset[str]:
        """The spots of this bet that open for a seat after the deal."""
        return NO_SPOTS

    def invites_after_split(self, _layout: Layout) -> frozenset[str]:
        """The spots of this bet that open for the hand that was just split off."""
        return NO_SPOTS

    def draws_out(self, _layout: Layout) -> bool:
        """Whether the dealer must complete the hand for it."""
        return False

    @abstractmethod
    def settle(self, layout: Layout) -> Iterator[Settlement]:
        """A line for each of its wagers, in the order in which they are taken and paid."""


def wagers_on(layout: Layout, *spots: str) -> Iterator[HandWager]:
    """Every seat's wagers on these spots, as hand 1."""
    for number, seat in layout.seats.items():
        for spot in spots:
            if spot in seat.wagers:
                yield HandWager(number, 1, spot, seat.wagers[spot])


def any_on(layout: Layout, *spots: str) -> bool:
    return any(spot in seat.wagers for seat in layout.seats.values() for spot in spots)
