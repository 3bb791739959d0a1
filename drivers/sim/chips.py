"""The chips on the spots, as the crew put them."""

from collections.abc import Iterable
from typing import Final

from drivers.sim.asks import Ask, put
from drivers.sim.habits import Bet

NOTHING: Final = -1


class Chips:
    """What lies on each spot, and whether anything may lie there that somebody else has put."""

    def __init__(self) -> None:
        self.any = True
        """There may be chips: those of whoever played before."""
        self._laid: dict[tuple[int, int], int | None] = {}
        """By seat and spot."""

    def missing(self, wanted: Iterable[Bet]) -> Bet | None:
        """The first stake that does not lie on its spot."""
        return next(
            (bet for bet in wanted if self._laid.get((bet.seat, bet.spot), NOTHING) != bet.cents), None
        )

    def ask(self, wanted: Iterable[Bet]) -> Ask | None:
        """For the first stake that does not lie on its spot."""
        missing = self.missing(wanted)
        return put(missing) if missing else None

    def laid(self, seat: int, spot: int, cents: int | None) -> None:
        """A spot holds this much."""
        self._laid[seat, spot] = cents
        self.any = True

    def cleared(self) -> None:
        """No spot holds anything."""
        self._laid.clear()
        self.any = False

    def unsure(self) -> None:
        """Nobody knows whether what was put is still there."""
        self._laid.clear()
