"""Hedge: the dealer's final total. It is placed when nobody has a natural, and paid by the up-card."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import AfterValidator

from controller.cards import Card
from controller.games import points
from controller.games.bets.bet import NO_SPOTS, SideBet, any_on
from controller.games.bets.hedge_table import HEDGE
from controller.games.layout import Hand, Layout, Seat, Settlement
from controller.games.options import PayRatio
from controller.games.points import UP_RANKS, UpRank
from controller.games.settlement import HandWager, lose, win
from controller.money import Ratio

Total = Literal["18", "19", "20", "21"]
TOTALS: tuple[Total, ...] = get_args(Total)

SPOTS = tuple(f"hedge-{total}" for total in TOTALS)
OPEN = frozenset(SPOTS)

Table = Mapping[UpRank, Mapping[Total, Ratio]]


def _whole(*needed: str) -> AfterValidator:
    def check(table: dict[str, Any]) -> dict[str, Any]:
        if missing := [key for key in needed if key not in table]:
            raise ValueError(f"{', '.join(missing)} missing")
        return table

    return AfterValidator(check)


HedgeOption = Annotated[dict[UpRank, Annotated[dict[Total, PayRatio], _whole(*TOTALS)]], _whole(*UP_RANKS)]
HEDGE_ALLOWED = (
    'every up-card of A, 2 to 9, T to every total of 18 to 21 to a ratio, as {"A": {"18": "3:1", ...}, ...}'
)


def default_table(decks: int, hits_soft_17: bool) -> Table:
    """What the house pays unless the operator sets a table."""
    worked_out = HEDGE[decks, hits_soft_17]
    return {
        up: {total: Ratio(to_one, 1) for total, to_one in zip(TOTALS, worked_out[up], strict=True)}
        for up in UP_RANKS
    }


@dataclass(frozen=True, slots=True)
class Hedge(SideBet):
    spots: ClassVar[tuple[str, ...]] = SPOTS
    late: ClassVar[bool] = True

    table: Table
    chip: int
    has_natural: Callable[[Hand], bool]

    def invites(self, _layout: Layout, seat: Seat) -> frozenset[str]:
        """Opens for every seat without a natural, once the dealer is known to have none."""
        return NO_SPOTS if self.has_natural(seat.hands[0]) else OPEN

    def draws_out(self, layout: Layout) -> bool:
        """As long as a wager is in play, even if no hand is left."""
        return any_on(layout, *SPOTS)

    def settle(self, layout: Layout) -> Iterator[Settlement]:
        """Wins on exactly the total that it names. The lines of a seat are in the order of placement."""
        final = points.total(layout.dealer)
        for number, seat in layout.seats.items():
            for spot in filter(OPEN.__contains__, seat.wagers):
                yield self._line(HandWager(number, 1, spot, seat.wagers[spot]), layout.up, final)

    def _line(self, what: HandWager, up: Card | None, final: int) -> Settlement:
        if up is None or what.wager != f"hedge-{final}":
            return lose(what, f"dealer has {final}")
        pays = self.table[points.up_rank(up)][TOTALS[SPOTS.index(what.wager)]]
        return win(what, pays, self.chip, f"dealer has exactly {final}")
