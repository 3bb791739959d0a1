"""Buster: the dealer busts, paid by the number of cards. The tables are those of docs/games/side-bets.md."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, get_args

from pydantic import AfterValidator

from controller.cards import Card
from controller.games import points
from controller.games.bets.bet import SideBet, any_on, wagers_on
from controller.games.layout import Hand, Layout, Seat, Settlement
from controller.games.options import PayRatio
from controller.games.settlement import HandWager, lose, win
from controller.money import Ratio, text

SPOT = "buster"

Count = Literal["3", "4", "5", "6", "7", "8+"]
COUNTS: tuple[Count, ...] = get_args(Count)
TableId = Literal["B1", "B2", "B3", "B4", "B5", "B6", "B7"]

TABLES: dict[TableId, tuple[int, ...]] = {
    # cards: 3, 4, 5, 6, 7, 8 or more; to 1
    "B1": (2, 2, 4, 12, 50, 250),
    "B2": (2, 2, 4, 15, 50, 250),
    "B3": (2, 2, 4, 18, 50, 250),
    "B4": (2, 2, 4, 18, 50, 250),
    "B5": (1, 3, 6, 30, 100, 200),
    "B6": (2, 2, 4, 18, 50, 200),
    "B7": (1, 2, 8, 20, 50, 250),
}
WITH_NATURAL: dict[TableId, dict[Count, int]] = {"B4": {"7": 800, "8+": 2000}}
"""What a seat with a natural of its own is paid instead, to 1."""


def _whole(table: dict[Count, Ratio]) -> dict[Count, Ratio]:
    if missing := [count for count in COUNTS if count not in table]:
        raise ValueError(f"{', '.join(missing)} missing")
    return table


BusterOption = TableId | Annotated[dict[Count, PayRatio], AfterValidator(_whole)]
"""The id of a table, or a table with every count."""
BUSTER_ALLOWED = (
    f"{', '.join(get_args(TableId))}, or a table with every count of {', '.join(COUNTS)} to a ratio"
)


@dataclass(frozen=True, slots=True)
class Buster(SideBet):
    spots: ClassVar[tuple[str, ...]] = (SPOT,)

    table: BusterOption
    chip: int
    has_natural: Callable[[Hand], bool]

    def faults(self, wagers: Mapping[str, int | None]) -> Iterator[str]:
        """A wager above the main one."""
        buster, main = wagers.get(SPOT), wagers.get("main")
        if buster is not None and main is not None and buster > main:
            yield f"{SPOT} of {text(buster)} is over the main wager; allowed: at most {text(main)}"

    def draws_out(self, layout: Layout) -> bool:
        """As long as a wager is in play, even if no hand is left."""
        return any_on(layout, SPOT)

    def settle(self, layout: Layout) -> Iterator[Settlement]:
        """By the dealer's hand. Table B4 uses the seat's own hand too."""
        for what in wagers_on(layout, SPOT):
            yield self._line(what, layout.seats[what.seat], layout.dealer)

    def pays(self, cards: int, *, natural: bool) -> Ratio:
        """What a dealer's bust with that many cards pays. `natural`: the seat was dealt one."""
        count = COUNTS[min(cards, 8) - 3]
        if isinstance(self.table, dict):
            return self.table[count]
        special = WITH_NATURAL.get(self.table, {}) if natural else {}
        return Ratio(special.get(count, TABLES[self.table][COUNTS.index(count)]), 1)

    def _line(self, what: HandWager, seat: Seat, dealer: Sequence[Card]) -> Settlement:
        if points.hard(dealer) <= points.TARGET:
            return lose(what, f"dealer stands on {points.total(dealer)}")
        natural = any(map(self.has_natural, seat.hands))
        return win(
            what, self.pays(len(dealer), natural=natural), self.chip, f"dealer busts with {len(dealer)} cards"
        )
