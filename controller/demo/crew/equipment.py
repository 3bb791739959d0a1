"""What the crew handles: the shoe, packs of cards, and chips."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from controller.demo.crew.device_requests import DeviceRequest, load, pull, put, refill, take
from controller.demo.crew.habits import PlacedBet
from controller.demo.crew.played_round import HandPosition

BURNED: Final = HandPosition(-1)
ELSEWHERE: Final = HandPosition(-2)
"""For cards of a round that the crew did not begin."""


class ShoeHandler:
    """The shoe as the crew knows it. Cards are identified by the shoe's count."""

    def __init__(self) -> None:
        self.burned: list[str] = []
        self.unexpected: list[str] = []
        """Cards that the crew did not pull."""
        self._count = 0
        self._up_to = 0
        self._pending: tuple[int, HandPosition] | None = None
        """Count and position of the card that is being pulled."""

    @property
    def pending(self) -> bool:
        return self._pending is not None

    def permit(self, up_to: int) -> None:
        """The shoe's permit changed. 0: it is locked or unreachable."""
        self._up_to = up_to

    def ask(self, place: HandPosition) -> DeviceRequest | None:
        """A request for the next card, if it may leave."""
        return pull(self._count + 1, place) if self._up_to > self._count else None

    def sent(self, request: DeviceRequest) -> None:
        self._pending = request.request["count"], request.place

    def refused(self) -> None:
        self._pending = None

    def card(self, count: int, card: str) -> Iterator[tuple[HandPosition, str]]:
        """A card left the shoe; yields it with its position."""
        if count != self._count:
            self._count = count
            yield from self._placed(count, card)

    def restore(self, notice: Mapping[str, Any]) -> Iterator[tuple[HandPosition, str]]:
        """The state of a shoe that is reachable again, perhaps with the card that was on its way."""
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
    """Moves packs: the cards in the shoe go into the shuffler, then the pack in the tray goes into the
    shoe. A request whose answer was lost is repeated with the number of the pack, so that nothing is done
    twice."""

    def __init__(self) -> None:
        self._tray = False
        self._number = 0
        """The number of the pack in the tray, or of the last one that was."""
        self._pack = ""
        self._refill = 0
        """Decks that must go into the shuffler: those that were in the shoe."""
        self.fresh = False
        """The pack in the shoe is new, and none of its cards has left."""

    def in_tray(self, number: int) -> None:
        self._tray, self._number = True, number

    def ask(self) -> DeviceRequest | None:
        """The next request, if the shoe is to be loaded."""
        if self._pack:
            return load(self._pack)
        return take(self._number) if self._tray else None

    def first(self) -> DeviceRequest | None:
        """The request that comes before anything else."""
        return refill(self._refill, self._number) if self._refill else None

    def take(self, cards: str) -> None:
        self._pack, self._tray = cards, False
        self._refill = round(len(cards.split()) / DECK)

    def insert(self) -> None:
        self._refill = 0

    def load(self) -> None:
        self._pack, self.fresh = "", True

    def card_left(self) -> None:
        self.fresh = False


NOTHING: Final = -1


class ChipHandler:
    """What lies on each spot, and whether other chips may lie there."""

    def __init__(self) -> None:
        self.any = True
        """There may be chips, if only those of a crew that played before."""
        self._stakes: dict[tuple[int, int], int | None] = {}
        """By seat and spot."""

    def missing(self, wanted: Iterable[PlacedBet]) -> PlacedBet | None:
        """The first stake that does not lie on its spot."""
        return next(
            (bet for bet in wanted if self._stakes.get((bet.seat, bet.spot), NOTHING) != bet.cents), None
        )

    def ask(self, wanted: Iterable[PlacedBet]) -> DeviceRequest | None:
        """A request for the first stake that does not lie on its spot."""
        missing = self.missing(wanted)
        return put(missing) if missing else None

    def record(self, seat: int, spot: int, cents: int | None) -> None:
        self._stakes[seat, spot] = cents
        self.any = True

    def clear(self) -> None:
        self._stakes.clear()
        self.any = False

    def forget(self) -> None:
        """Forgets all stakes, because they may have changed unseen."""
        self._stakes.clear()
