"""The shoe as the crew knows it: one card at a time, each with a place to go to.

Packs of cards between shuffler and shoe, in the crew's hands.

The chips on the spots, as the crew put them.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from controller.demo.crew.device_requests import DeviceRequest, load, pull, put, refill, take
from controller.demo.crew.habits import PlacedBet
from controller.demo.crew.played_round import HandPosition

BURNED: Final = HandPosition(-1)
ELSEWHERE: Final = HandPosition(-2)
"""Cards of a round that somebody else began."""


class ShoeHandler:
    """Cards are known by the shoe's count, so that none is taken for another."""

    def __init__(self) -> None:
        self.burned: list[str] = []
        self.unexpected: list[str] = []
        """Cards that nobody of the crew pulled."""
        self._count = 0
        self._up_to = 0
        self._pending: tuple[int, HandPosition] | None = None
        """The card that is being pulled: its count, and where it goes."""

    @property
    def pending(self) -> bool:
        """A card is on its way."""
        return self._pending is not None

    def permit(self, up_to: int) -> None:
        """The shoe's lock moved; 0: it is locked, or not to be seen."""
        self._up_to = up_to

    def ask(self, place: HandPosition) -> DeviceRequest | None:
        """For the next card, if it may leave."""
        return pull(self._count + 1, place) if self._up_to > self._count else None

    def sent(self, ask: DeviceRequest) -> None:
        """A hand pulls."""
        self._pending = ask.request["count"], ask.place

    def refused(self) -> None:
        """No card came."""
        self._pending = None

    def card(self, count: int, card: str) -> Iterator[tuple[HandPosition, str]]:
        """A card left the shoe; yields it with its place on the table."""
        if count != self._count:
            self._count = count
            yield from self._placed(count, card)

    def restore(self, notice: Mapping[str, Any]) -> Iterator[tuple[HandPosition, str]]:
        """What lies there when the shoe comes (back) in sight: perhaps the card that was on its way."""
        self._count = notice["count"]
        for count, card in notice["out"]:
            if self._pending is not None and self._pending[0] == count:
                yield from self._placed(count, card)
        self._pending = None

    def _placed(self, count: int, card: str) -> Iterator[tuple[HandPosition, str]]:
        if self._pending is None or self._pending[0] != count:
            self.unexpected.append(card)
            return
        place, self._pending = self._pending[1], None
        if place == BURNED:
            self.burned.append(card)
        elif place != ELSEWHERE:
            yield place, card


DECK: Final = 52


class PackHandler:
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

    def ask(self) -> DeviceRequest | None:
        """The next thing to be done, if a shoe is to be loaded."""
        if self._pack:
            return load(self._pack)
        return take() if self._tray else None

    def first(self) -> DeviceRequest | None:
        """What comes before anything else."""
        return refill(self._refill) if self._refill else None

    def take(self, cards: str) -> None:
        """The pack is in somebody's hands."""
        self._pack, self._tray = cards, False
        self._refill = round(len(cards.split()) / DECK)

    def insert(self) -> None:
        """The old cards are in the shuffler."""
        self._refill = 0

    def load(self) -> None:
        """The pack is in the shoe."""
        self._pack, self.fresh = "", True

    def card_left(self) -> None:
        """A card leaves the shoe."""
        self.fresh = False


NOTHING: Final = -1


class ChipHandler:
    """What lies on each spot, and whether anything may lie there that somebody else has put."""

    def __init__(self) -> None:
        self.any = True
        """There may be chips: those of whoever played before."""
        self._stakes: dict[tuple[int, int], int | None] = {}
        """By seat and spot."""

    def missing(self, wanted: Iterable[PlacedBet]) -> PlacedBet | None:
        """The first stake that does not lie on its spot."""
        return next(
            (bet for bet in wanted if self._stakes.get((bet.seat, bet.spot), NOTHING) != bet.cents), None
        )

    def ask(self, wanted: Iterable[PlacedBet]) -> DeviceRequest | None:
        """For the first stake that does not lie on its spot."""
        missing = self.missing(wanted)
        return put(missing) if missing else None

    def record(self, seat: int, spot: int, cents: int | None) -> None:
        """A spot holds this much."""
        self._stakes[seat, spot] = cents
        self.any = True

    def clear(self) -> None:
        """No spot holds anything."""
        self._stakes.clear()
        self.any = False

    def forget(self) -> None:
        """Nobody knows whether what was put is still there."""
        self._stakes.clear()
