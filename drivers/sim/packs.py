"""Packs of cards between shuffler and shoe, in the crew's hands."""

from typing import Final

from drivers.sim.asks import Ask, load, refill, take

DECK: Final = 52


class Packs:
    """The pack in the tray goes into the shoe, and what was in the shoe goes into the shuffler first."""

    def __init__(self) -> None:
        self._tray = False
        self._pack = ""
        self._refill = 0
        """Decks that are to go into the shuffler: those that were in the shoe."""
        self.fresh = False
        """The pack in the shoe is a new one, and no card of it has left."""

    def in_tray(self) -> None:
        """A pack lies in the shuffler's tray."""
        self._tray = True

    def ask(self) -> Ask | None:
        """The next thing to be done, if a shoe is to be loaded."""
        if self._pack:
            return load(self._pack)
        return take() if self._tray else None

    def first(self) -> Ask | None:
        """What comes before anything else."""
        return refill(self._refill) if self._refill else None

    def taken(self, cards: str) -> None:
        """The pack is in somebody's hands."""
        self._pack, self._tray = cards, False
        self._refill = round(len(cards.split()) / DECK)

    def inserted(self) -> None:
        """The old cards are in the shuffler."""
        self._refill = 0

    def loaded(self) -> None:
        """The pack is in the shoe."""
        self._pack, self.fresh = "", True

    def used(self) -> None:
        """A card leaves the shoe."""
        self.fresh = False
