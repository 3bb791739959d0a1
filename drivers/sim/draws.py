"""The shoe as the crew knows it: one card at a time, each with a place to go to."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from drivers.sim.asks import Ask, pull
from drivers.sim.played import Place

BURNED: Final = Place(-1)
ELSEWHERE: Final = Place(-2)
"""Cards of a round that somebody else began."""


class Draws:
    """Cards are known by the shoe's count, so that none is taken for another."""

    def __init__(self) -> None:
        self.burned: list[str] = []
        self.strays: list[str] = []
        """Cards that nobody of the crew pulled."""
        self._count = 0
        self._up_to = 0
        self._coming: tuple[int, Place] | None = None
        """The card that is being pulled: its count, and where it goes."""

    @property
    def coming(self) -> bool:
        """A card is on its way."""
        return self._coming is not None

    def permit(self, up_to: int) -> None:
        """The shoe's lock moved; 0: it is locked, or not to be seen."""
        self._up_to = up_to

    def ask(self, place: Place) -> Ask | None:
        """For the next card, if it may leave."""
        return pull(self._count + 1, place) if self._up_to > self._count else None

    def begun(self, ask: Ask) -> None:
        """A hand pulls."""
        self._coming = ask.request["count"], ask.place

    def refused(self) -> None:
        """No card came."""
        self._coming = None

    def card(self, count: int, card: str) -> Iterator[tuple[Place, str]]:
        """A card left the shoe; yields it with its place on the table."""
        if count != self._count:
            self._count = count
            yield from self._placed(count, card)

    def look(self, notice: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
        """What lies there when the shoe comes (back) in sight: perhaps the card that was on its way."""
        self._count = notice["count"]
        for count, card in notice["out"]:
            if self._coming is not None and self._coming[0] == count:
                yield from self._placed(count, card)
        self._coming = None

    def _placed(self, count: int, card: str) -> Iterator[tuple[Place, str]]:
        if self._coming is None or self._coming[0] != count:
            self.strays.append(card)
            return
        place, self._coming = self._coming[1], None
        if place == BURNED:
            self.burned.append(card)
        elif place != ELSEWHERE:
            yield place, card
